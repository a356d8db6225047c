"""Judgements about what waits, with plain values alone."""
