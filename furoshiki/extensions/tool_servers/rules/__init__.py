"""Judgements about what a tool server is and says."""
