"""Judgements about rank, with plain values alone."""
