"""What its owner chooses: the first talk, and which mind answers."""
