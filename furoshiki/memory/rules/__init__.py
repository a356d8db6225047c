"""Judgements about memories, with plain values alone."""
