"""Judgements about an answer and the window, with plain values alone."""
