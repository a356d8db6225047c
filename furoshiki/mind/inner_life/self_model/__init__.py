"""The companion's self-model: SELF.md, commitments, patterns, knowledge of how it works."""
