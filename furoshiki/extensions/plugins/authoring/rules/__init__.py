"""Judgements about wishes for plugins, and about what was written for them."""
