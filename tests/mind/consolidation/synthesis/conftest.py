"""Synthesis is tried with a night of thinking, and a mind that answers as it is told."""

from tests.support.thinking import night

__all__ = ["night"]
