"""Judgements about messages, with plain values alone."""
