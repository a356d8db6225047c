"""Consolidation is tried with a night over one memory."""

from tests.support.consolidating import night

__all__ = ["night"]
