"""The models that say whether a text is funny, and where its pun is."""
