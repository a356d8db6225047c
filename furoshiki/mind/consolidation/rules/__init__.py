"""Judgements about fading, duplicates and tuning, with plain values alone."""
