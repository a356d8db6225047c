"""How far a test goes: `scripts/test.sh nightly` tries everything, each time it is asked a fair part of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")

NIGHTLY = os.environ.get("FUROSHIKI_TESTS") == "nightly"


def times(nightly: int, else_: int) -> int:
    """How often something is tried: so often at night, and so often else."""
    return nightly if NIGHTLY else else_


def sample(rows: Sequence[T], every: int) -> Sequence[T]:
    """All rows of a table at night, else each one of so many: for tables whose kinds lie mixed."""
    return rows if NIGHTLY else rows[::every]


def at_night(*rows: Any) -> list[Any]:
    """Rows of a test's table that are tried at night only: of their kind another is tried each time."""
    return [pytest.param(row, marks=pytest.mark.nightly) for row in rows]
