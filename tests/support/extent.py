"""How far a test goes: `scripts/test.sh nightly` tries everything, each time it is asked a fair part of it."""

from __future__ import annotations

import os

NIGHTLY = os.environ.get("FUROSHIKI_TESTS") == "nightly"


def times(nightly: int, else_: int) -> int:
    """How often something is tried: so often at night, and so often else."""
    return nightly if NIGHTLY else else_
