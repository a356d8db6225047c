"""Every regular expression of the package, on texts made to hold it up. A new one is tried without being named here."""

from __future__ import annotations

import fcntl
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache

import pytest

from furoshiki.dates import tokens
from furoshiki.dates.past import fact_times
from furoshiki.language.facts import clause_subjects
from furoshiki.language.facts import patterns as fact_patterns
from furoshiki.language.readable import MOST_ANSWERED, MOST_READ, readable
from furoshiki.repair.rules import signatures
from furoshiki.retrieval.rules import likely_answers
from tests.architecture.source import is_use_case
from tests.hostile import pumping
from tests.hostile.collecting import ROOT

LIMIT_SECONDS = 0.02
LENGTHS = (512, 1_024, 2_048)
"""Characters of the texts on which a pattern is looked at first, each as far as it takes to see where it leads."""
SHORT, LONG = 4_096, 100_000
MOST_COSTLY = 6
"""So many of the texts on which a pattern took longest are tried at full length."""

MEET_READABLE = re.compile(r"saying |furoshiki/(language|dates|reflex|messages/values\.py|\w+/rules)\b")
"""Beside the use cases, where patterns meet what `readable` has let through …"""

MEET_ANYTHING = (
    "furoshiki/inner_life/rules/documents.py",
    "furoshiki/language/redaction.py",
    "furoshiki/language/pasted.py",
    "furoshiki/language/readable.py",
    "furoshiki/conversation/rules/reciting.py",
    "furoshiki/llm/rules/json_repair.py",
    "furoshiki/llm/rules/spoken.py",
    "furoshiki/llm/rules/written_calls.py",
    "furoshiki/conversation/rules/speech.py",
    "furoshiki/conversation/commands/",
    "furoshiki/import_export/formats/",
)
"""… but for documents, everything that was ever said, what the companion says, and what arrives before it is read. All
other parts of the package meet texts as they come."""

SECONDS_UNREAD = 1.0
"""What a pattern may take for 100,000 characters that nobody has cut: enough for every one that is linear."""

BOUNDED = {
    r"(?:^|[.!?…:\n])[\s\"'“”‘’(«\-*]*$": 12,  # forgetting: twelve characters before a word
    likely_answers.COMPANION_SAID.pattern: likely_answers.LONGEST_QUESTION,
}
"""Patterns that the code around them shows only so many characters."""

BOUNDED_FILES = {
    "furoshiki/language/facts/clause_subjects.py": clause_subjects.LONGEST_SENTENCE,
    "furoshiki/dates/past/fact_times.py": fact_times.LONGEST_SENTENCE,
    "furoshiki/dates/tokens.py": tokens.LONGEST,
    "furoshiki/requests/forget_requests.py": MOST_ANSWERED,
    "furoshiki/requests/forget_words.py": MOST_ANSWERED,
    "furoshiki/repair/rules/signatures.py": signatures.MOST_READ,
}
"""The same for all patterns of a module."""

Row = tuple[str, str, str, int]


WRONG_IN_USE = frozenset({"POSSESSIVE_REPEAT", "ATOMIC_GROUP"})
"""Python 3.11.0 to 3.11.4 go on behind what a repeat of more than one sign, tried in vain, has read (CPython 100061 and
106052); up to 3.12.7 and 3.13.0 such a repeat with groups within may even raise `SystemError` (CPython 101955)."""

PARTS = 12
"""In so many parts they are tried, for several workers."""


@pytest.fixture(scope="module")
def patterns(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """All of them, collected once for all workers."""
    here = tmp_path_factory.getbasetemp()
    shared = (here.parent if "PYTEST_XDIST_WORKER" in os.environ else here) / "patterns.json"
    with shared.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not shared.stat().st_size:
            asked = [sys.executable, "-m", "tests.hostile.collecting"]
            file.write(subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
            file.flush()
    return [tuple(row) for row in json.loads(shared.read_text(encoding="utf-8"))]


@pytest.mark.slow
def test_patterns_are_found_wherever_they_are_kept(patterns: list[Row]) -> None:
    where = " ".join(row[0] for row in patterns)
    assert len(patterns) > 400
    for kept in (
        "language/facts/assertions.py",
        "language/lexicon.py",
        "reflex/asked.py",
        "saying 'IS living",
        "furoshiki/terminal/markdown",
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
        slow = [f"{row[0]}: {why}" for row in patterns[part::PARTS] if (why := _held_up(*row)) is not None]
    assert not slow, f"{len(slow)} patterns are slow:\n" + "\n".join(slow)


def _held_up(where: str, way: str, pattern: str, flags: int) -> str | None:
    compiled = re.compile(pattern, flags)
    bound = BOUNDED.get(pattern) or BOUNDED_FILES.get(where.rpartition(":")[0])
    if where.startswith("saying "):
        bound = fact_patterns.LONGEST_CLAUSE
    most = bound or SHORT
    read = (MEET_READABLE.match(where) or is_use_case(where)) and not where.startswith(MEET_ANYTHING)
    lengths = LENGTHS[:1] if most <= LENGTHS[0] else (*(length for length in LENGTHS if length < most), most)
    costs: list[tuple[float, Callable[[int], str]]] = []
    met: set[str] = set()
    for make in pumping.attacks(pattern, flags):
        text, took = _as_met(make(lengths[0]), where, read), 0.0
        if text in met:
            continue
        met.add(text)
        for length in lengths:
            text = text if length == lengths[0] else _as_met(make(length), where, read)
            took = _seconds(compiled, way, text, LIMIT_SECONDS)
            if took > LIMIT_SECONDS:
                return f"{took:.3f} s for {length} characters like {make(60)!r}"
            if took < _leading_nowhere(length, most):
                break
        costs.append((took, make))
    if bound is not None:
        return None
    for _, make in sorted(costs, key=lambda cost: -cost[0])[:MOST_COSTLY]:
        text = make(LONG)
        limit = LIMIT_SECONDS if read else SECONDS_UNREAD
        took = _seconds(compiled, way, _as_met(text, where, read), limit)
        if took > limit:
            return f"{took:.3f} s for {LONG} characters like {make(60)!r}"
    return None


def _leading_nowhere(length: int, most: int) -> float:
    """Seconds: what takes less for a text of this length keeps to the limit at `most` characters also where it grows
    with the square, four times over, and what grows with the cube takes more: most texts need no longer look."""
    return LIMIT_SECONDS * (length / most) ** 2 / 4


def _seconds(compiled: re.Pattern[str], way: str, text: str, limit: float) -> float:
    method = getattr(compiled, way)

    def work() -> None:
        found = method(text)
        if way == "finditer":
            for _ in found:
                pass

    return pumping.seconds(work, limit)


def _as_met(text: str, where: str, read: bool) -> str:
    """As the pattern meets it."""
    if not read:
        return text
    return _readable(text, MOST_ANSWERED if "/reflex/" in where else MOST_READ)


_readable = lru_cache(maxsize=4_096)(readable)
