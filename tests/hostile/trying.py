"""Tries a regular expression on texts made to hold it up, and keeps which were tried.

    python -m tests.hostile.trying

writes `tried_patterns.txt`: a digest of each pattern of the package that nothing holds up, with how it is met. They
are tried again at night only (`scripts/test.sh nightly`); a pattern that is new or changed is tried each time.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

from furoshiki.core.network import keys
from furoshiki.extensions.repair.rules import signatures
from furoshiki.language.dates import tokens
from furoshiki.language.dates.past import past_stretches
from furoshiki.language.facts import clause_subjects
from furoshiki.language.facts import patterns as fact_patterns
from furoshiki.language.reflex.reminders import requests
from furoshiki.language.requests import changed_plans, errands, picture_words
from furoshiki.language.words import MOST_ANSWERED, MOST_READ, readable
from furoshiki.recall.retrieval.rules import likely_answers
from tests.architecture.source import is_use_case
from tests.hostile import collecting, pumping

TRIED = Path(__file__).with_name("tried_patterns.txt")

LIMIT_SECONDS = 0.02
LENGTHS = (512, 1_024, 2_048)
"""Characters of the texts on which a pattern is looked at first, each as far as it takes to see where it leads."""
SHORT, LONG = 4_096, 100_000
MOST_COSTLY = 6
"""So many of the texts on which a pattern took longest are tried at full length."""

MEET_READABLE = re.compile(r"saying |furoshiki/(language|messages/values\.py|[\w/]+/rules)\b")
"""Beside the use cases, where patterns meet what `readable` has let through …"""

MEET_ANYTHING = (
    "furoshiki/mind/inner_life/rules/documents.py",
    "furoshiki/language/redaction.py",
    "furoshiki/language/pasted.py",
    "furoshiki/language/words.py",
    "furoshiki/conversation/rules/reciting.py",
    "furoshiki/models/llm/rules/json_repair.py",
    "furoshiki/models/llm/rules/spoken.py",
    "furoshiki/models/llm/rules/written_calls.py",
    "furoshiki/conversation/rules/speech.py",
    "furoshiki/conversation/commands/",
    "furoshiki/archive/import_export/formats/",
)
"""… but for documents, everything that was ever said, what the companion says, and what arrives before it is read. All
other parts of the package meet texts as they come."""

SECONDS_UNREAD = 1.0
"""What a pattern may take for 100,000 characters that nobody has cut: enough for every one that is linear."""

BOUNDED = {
    r"(?:^|[.!?…:\n])[\s\"'“”‘’(«\-*]*$": 12,  # forgetting: twelve characters before a word
    likely_answers.COMPANION_SAID.pattern: likely_answers.LONGEST_QUESTION,
    keys.PASSWORD.pattern: keys.LONGEST_ALONE,
}
"""Patterns that the code around them shows only so many characters."""

BOUNDED_FILES = {
    "furoshiki/language/facts/clause_subjects.py": clause_subjects.LONGEST_SENTENCE,
    "furoshiki/language/dates/past/past_stretches.py": past_stretches.LONGEST_TEXT,
    "furoshiki/language/dates/tokens.py": tokens.LONGEST,
    "furoshiki/language/requests/forget_requests.py": MOST_ANSWERED,
    "furoshiki/language/requests/picture_words.py": picture_words.LONGEST,
    "furoshiki/language/reflex/reminders/requests.py": requests.LONGEST,
    "furoshiki/language/requests/errands.py": errands.LONGEST,
    "furoshiki/language/requests/changed_plans.py": changed_plans.LONGEST,
    "furoshiki/extensions/repair/rules/signatures.py": signatures.MOST_READ,
}
"""The same for all patterns of a module."""

Row = tuple[str, str, str, int]
"""Where a pattern stands, the method that uses it, the pattern, its flags."""


def digest(row: Row) -> str:
    """What a pattern and the texts that it meets are, in a dozen letters."""
    where, way, pattern, flags = row
    answered = _is_read(where) and "/reflex/" in where
    met = json.dumps([way, pattern, flags, _bound(where, pattern), _is_read(where), answered])
    return hashlib.sha256(met.encode()).hexdigest()[:12]


def untried(rows: Iterable[Row]) -> list[Row]:
    """Those that are new or changed since `tried_patterns.txt` was written."""
    tried = set(TRIED.read_text(encoding="ascii").split())
    return [row for row in rows if digest(row) not in tried]


def _bound(where: str, pattern: str) -> int | None:
    if where.startswith("saying "):
        return fact_patterns.LONGEST_CLAUSE
    return BOUNDED.get(pattern) or BOUNDED_FILES.get(where.rpartition(":")[0])


def _is_read(where: str) -> bool:
    return bool(MEET_READABLE.match(where) or is_use_case(where)) and not where.startswith(MEET_ANYTHING)


def held_up(where: str, way: str, pattern: str, flags: int) -> str | None:
    """How long a text holds a pattern up, in words; None where none does."""
    compiled = re.compile(pattern, flags)
    bound, read = _bound(where, pattern), _is_read(where)
    most = bound or SHORT
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
    return _readable(text)[: MOST_ANSWERED if "/reflex/" in where else MOST_READ]


_readable = lru_cache(maxsize=4_096)(readable)


def main() -> int:
    """Try every pattern and write down those that nothing holds up."""
    rows: list[Row] = [tuple(row) for row in json.loads(collecting.collect_apart())]
    with pumping.stopping():
        slow = {row for row in rows if held_up(*row) is not None}
    TRIED.write_text("\n".join(sorted({digest(row) for row in rows if row not in slow})) + "\n", encoding="ascii")
    print("\n".join(row[0] for row in sorted(slow)), f"{len(rows) - len(slow)} of {len(rows)} hold", sep="\n")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
