"""A companion at rest for all of these tests."""

from __future__ import annotations

from tests.support.consolidating import night as night
