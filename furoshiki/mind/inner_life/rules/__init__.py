"""Judgements of the inner life, with plain values alone."""
