"""What can a person type? One file per command of ``rimshot``."""
