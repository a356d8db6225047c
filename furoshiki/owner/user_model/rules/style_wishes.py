"""Explicit style requests ("use bullet points", "shorter please"): detected by rule, fading daily.

A wish is one of a fixed set of names, so none of the user's text is stored with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from furoshiki.language.phrases import Said
from furoshiki.language.tables.wish_names import OPPOSED

if TYPE_CHECKING:
    from furoshiki.language.lexicon import Lexicon

FIRST = 0.7  # the strength of a new wish; each repetition adds half of the difference to 1

FADES_PER_DAY = 0.015
LEAST = 0.3  # below this a wish is ignored: 26 days after a single one, 46 after many repetitions

SHOWN = 2

_SENTENCE = re.compile(r"[.;:!?\n()]+")
_CLAUSE = re.compile(r",|[\u2014\u2013]|\s-\s")
_LONGEST_CLAUSE = 16
_SENTENCES = 12


@dataclass(frozen=True)
class Wish:
    """A wish. `strength` in [0, 1] is that at `at`, when it was last said, in turn `turn_id`."""

    name: str
    strength: float
    at: datetime
    turn_id: int | None = None


def find_wishes(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the wishes in a message, in order.

    A clause counts only if it says nothing else: "use bullet points please", but neither "use
    bullet points on the slides" nor "my boss wants bullet points" nor "in simple terms, he lied".
    Of a long text only the first and the last sentences are read.
    """
    found: list[str] = []
    sentences = _SENTENCE.split(text)
    if len(sentences) > 2 * _SENTENCES:
        sentences = sentences[:_SENTENCES] + sentences[-_SENTENCES:]
    for sentence in sentences:
        wished = [
            (message, _parse_clause(message, lexicon))
            for clause in _CLAUSE.split(sentence)
            if len(message := Said(clause))
        ]
        last_other = max((place for place, (_, names) in enumerate(wished) if names is None), default=-1)
        for place, (message, names) in enumerate(wished):
            if names and not (place < last_other and message.plain[0] in lexicon.words["asides"]):
                found += names
    return tuple(dict.fromkeys(found))


def _parse_clause(message: Said, lexicon: Lexicon) -> list[str] | None:
    """Return the wishes of a clause, empty for mere courtesy; None if it says anything else."""
    if len(message) > _LONGEST_CLAUSE:
        return None
    hits = list(lexicon.wishes.found(message))
    taken = {i for hit in hits for i in range(hit.first, hit.last)}
    around = lexicon.words["around_wishes"]
    if all(i in taken or word in around for i, word in enumerate(message.plain)):
        return [hit.meaning for hit in hits]
    return None


def strength_at(wish: Wish, now: datetime) -> float:
    """Return the strength left at `now`; unchanged if the clock was set back."""
    days = max(0.0, (now - wish.at).total_seconds() / 86_400)
    return max(0.0, wish.strength - FADES_PER_DAY * days)


def holds_until(wish: Wish) -> datetime:
    """Return when it will fade below the limit."""
    return wish.at + timedelta(days=(wish.strength - LEAST) / FADES_PER_DAY)


def add_wishes(
    kept: Mapping[str, Wish], names: Iterable[str], now: datetime, turn_id: int | None = None
) -> dict[str, Wish]:
    """Return the wishes after new ones: repetitions grow stronger, opposite ones are removed."""
    after = dict(kept)
    for name in names:
        for group in OPPOSED:
            if name in group:
                for other in group - {name}:
                    after.pop(other, None)
        before = strength_at(after[name], now) if name in after else 0.0
        after[name] = Wish(name, max(FIRST, before + (1.0 - before) / 2), now, turn_id)
    return after


def list_active(wishes: Mapping[str, Wish], now: datetime) -> tuple[str, ...]:
    """Return the active wishes, strongest first."""
    strong = [(strength_at(wish, now), wish.at, name) for name, wish in wishes.items()]
    return tuple(name for strength, _, name in sorted(strong, reverse=True) if strength >= LEAST)
