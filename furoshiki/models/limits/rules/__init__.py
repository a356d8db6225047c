"""Judgements about limits, with plain values alone."""
