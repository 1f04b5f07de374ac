"""What does it cost? Each file measures one thing against a peer, in one run, as ratios."""
