"""Judgements about writing first: pure, tested with plain values."""
