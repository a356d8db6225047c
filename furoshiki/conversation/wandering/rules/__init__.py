"""Judgements about seeds, energy and actions, with plain values alone."""
