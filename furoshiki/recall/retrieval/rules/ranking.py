"""How several rankings become one while nobody ranks by tokens: reciprocal rank fusion, with recency as a third voice.

This is recall while memoryd is away; with it `retrieval.late_interaction` decides. The weights were chosen on the
development conversations alone (turn-level R@10: meaning .46, full text .60, both as equals .56, full text counted
twice .59 with R@20 .68 against .66). Full text wins there because questions repeat the words of answers; meaning keeps
its say for those that do not.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from furoshiki.recall.retrieval.values import Kind

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
