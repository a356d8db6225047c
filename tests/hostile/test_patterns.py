"""Every regular expression of the package, on texts made to hold it up. A new one is tried without being named here."""

from __future__ import annotations

import fcntl
import json
import os
import re

import pytest

from tests.hostile import pumping
from tests.hostile.collecting import collect_apart
from tests.hostile.trying import Row, held_up, untried
from tests.support.extent import NIGHTLY, times

WRONG_IN_USE = frozenset({"POSSESSIVE_REPEAT", "ATOMIC_GROUP"})
"""Python 3.11.0 to 3.11.4 go on behind what a repeat of more than one sign, tried in vain, has read (CPython 100061 and
106052); up to 3.12.7 and 3.13.0 such a repeat with groups within may even raise `SystemError` (CPython 101955)."""

PARTS = times(12, 2)
"""In so many parts they are tried, for several workers, each of which waits for what the first collects."""


@pytest.fixture(scope="module")
def patterns(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """All of them, collected once for all workers."""
    here = tmp_path_factory.getbasetemp()
    shared = (here.parent if "PYTEST_XDIST_WORKER" in os.environ else here) / "patterns.json"
    with shared.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not shared.stat().st_size:
            file.write(collect_apart())
            file.flush()
    return [tuple(row) for row in json.loads(shared.read_text(encoding="utf-8"))]


@pytest.mark.slow
def test_patterns_are_found_wherever_they_are_kept(patterns: list[Row]) -> None:
    where = " ".join(row[0] for row in patterns)
    assert len(patterns) > 400
    for kept in (
        "language/facts/assertions.py",
        "language/lexicon.py",
        "requests/asked.py",
        "saying 'IS living",
        "furoshiki/faces/terminal/markdown",
    ):
        assert kept in where


@pytest.mark.slow
def test_no_pattern_holds_what_an_engine_in_use_gets_wrong(patterns: list[Row]) -> None:
    found = [row[0] for row in patterns if WRONG_IN_USE & pumping.constructs(row[2], row[3])]
    assert not found, "these match otherwise with Python 3.11.2, Debian 12's: write them without ++ *+ ?+ {n}+ and (?>"


def test_what_an_engine_gets_wrong_is_seen_at_any_depth() -> None:
    assert "POSSESSIVE_REPEAT" in pumping.constructs(r"a|(?:b(?=(c|\s?+d)))*", 0)
    assert "ATOMIC_GROUP" in pumping.constructs(r"(?P<a>x)?(?(a)y|(?>z+))", re.IGNORECASE)
    assert not WRONG_IN_USE & pumping.constructs(r"[*+]+\+{1,2}(?:[+]){2,3}", 0)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_pattern_can_be_held_up(patterns: list[Row], part: int) -> None:
    with pumping.stopping():
        tried = patterns if NIGHTLY else untried(patterns)
        slow = [f"{row[0]}: {why}" for row in tried[part::PARTS] if (why := held_up(*row)) is not None]
    assert not slow, f"{len(slow)} patterns are slow:\n" + "\n".join(slow)
