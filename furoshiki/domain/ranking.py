"""How several rankings become one while nobody ranks by tokens: reciprocal rank fusion, with recency as a third voice.

This is recall while memoryd is away; with it `mind.remember.late` decides. The weights were chosen on the development
conversations alone (turn-level R@10: meaning .46, full text .60, both as equals .56, full text counted twice .59 with
R@20 .68 against .66). Full text wins there because questions repeat the words of answers; meaning keeps its say for
those that do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from furoshiki.domain.remembering import Kind

RANK_OFFSET = 60
"""The k of reciprocal rank fusion: how little it matters whether something is first or third."""

CANDIDATES = 150
"""How many each voice may name."""

MEANING_WEIGHT = 1.0
FULL_TEXT_WEIGHT = 2.0
RECENCY_WEIGHT = 0.1

RECENCY_HALF_LIFE_DAYS = 7.0

KIND_WEIGHT: Mapping[Kind, float] = {"turn": 1.0, "memory": 1.0, "session": 0.5}
"""A session's document holds every word of its turns and would always match: it counts half, so that turns lead."""

MOST_WORDS = 32
"""Words of a query that are looked up; a long message is about its first ones."""

_WORD = re.compile(r"[^\W_]+")

_STOP_TEXT = """
a about above after again all also am an and any are aren as at be because been before being below between both but
by can cannot could couldn d did didn do does doesn doing don down during each else ever few for from further get
got had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its
itself just ll m me more most my myself no nor not of off on once only or other our ours ourselves out over own re
s same she should shouldn so some such t than that the their theirs them themselves then there these they this
those through to too under until up ve very was wasn we were weren what when where which while who whom whose why
will with won would wouldn you your yours yourself yourselves
"""
STOP_WORDS = frozenset(_STOP_TEXT.split())


def query_words(query: str) -> tuple[str, ...]:
    """The distinct words worth looking up, in order; all of them when nothing but stop words was said."""
    words = tuple(dict.fromkeys(_WORD.findall(query.lower())))
    return (tuple(word for word in words if word not in STOP_WORDS) or words)[:MOST_WORDS]


def recency(at: datetime, now: datetime) -> float:
    """1 for now, a half a week ago, towards 0; what lies ahead counts as now."""
    days = max((now - at).total_seconds() / 86400, 0.0)
    return float(0.5 ** (days / RECENCY_HALF_LIFE_DAYS))


def fuse(voices: Sequence[tuple[float, Sequence[str]]]) -> dict[str, float]:
    """Each voice's weight over (k + rank), summed for every id that any voice named."""
    scores: dict[str, float] = {}
    for weight, ranking in voices:
        for rank, name in enumerate(ranking, 1):
            scores[name] = scores.get(name, 0.0) + weight / (RANK_OFFSET + rank)
    return scores


def final(fused: float, kind: Kind, at: datetime, now: datetime) -> float:
    """A candidate's score: what the voices gave it, a little for being recent, by what kind of thing it is."""
    return KIND_WEIGHT[kind] * (fused + RECENCY_WEIGHT * recency(at, now) / (RANK_OFFSET + 1))
