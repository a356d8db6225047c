"""Checks that a claim is supported by what was said."""
