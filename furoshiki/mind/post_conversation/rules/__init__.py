"""Judgements of what a reading claims, with plain values alone."""
