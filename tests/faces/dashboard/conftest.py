"""The dashboard's fixtures. They are not everybody's: what they import takes half a second."""

from tests.support.dashboard import house, signed

__all__ = ["house", "signed"]
