"""The companion's inner life between conversations: journal, questions, self-description."""
