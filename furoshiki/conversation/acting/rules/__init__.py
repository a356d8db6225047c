"""Judgements about steps, plans and attention, with plain values alone."""
