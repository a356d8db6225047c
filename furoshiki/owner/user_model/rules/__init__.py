"""Judgements about profile and style, with plain values alone."""
