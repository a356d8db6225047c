"""Who the companion is: SELF.md, commitments, patterns, what it knows of how it works."""
