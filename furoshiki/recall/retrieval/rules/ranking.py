"""Merge rankings without token vectors: reciprocal rank fusion, with recency as a third ranking.

Used for recall while memoryd is away; otherwise `retrieval.late_interaction` ranks. The weights
were chosen on the development conversations alone (turn-level R@10: meaning .46, full text .60,
both as equals .56, full text counted twice .59 with R@20 .68 against .66). Full text wins there
because questions repeat the words of answers; meaning finds the others.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from furoshiki.recall.retrieval.values import Kind

RANK_OFFSET = 60  # the k of reciprocal rank fusion: the larger, the less the first ranks matter
CANDIDATES = 150  # the most candidates of each ranking

MEANING_WEIGHT = 1.0
FULL_TEXT_WEIGHT = 2.0
RECENCY_WEIGHT = 0.1

RECENCY_HALF_LIFE_DAYS = 7.0

# a session's document contains every word of its turns and would always match: it counts half
KIND_WEIGHT: Mapping[Kind, float] = {"turn": 1.0, "memory": 1.0, "session": 0.5}


def recency(at: datetime, now: datetime) -> float:
    """Return 1 for now, 0.5 for a week ago, towards 0; a future time counts as now."""
    days = max((now - at).total_seconds() / 86400, 0.0)
    return float(0.5 ** (days / RECENCY_HALF_LIFE_DAYS))


def fuse(voices: Sequence[tuple[float, Sequence[str]]]) -> dict[str, float]:
    """Return, for every id, the sum of each ranking's weight / (k + rank)."""
    scores: dict[str, float] = {}
    for weight, ranking in voices:
        for rank, name in enumerate(ranking, 1):
            scores[name] = scores.get(name, 0.0) + weight / (RANK_OFFSET + rank)
    return scores


def final(fused: float, kind: Kind, at: datetime, now: datetime) -> float:
    """Return a candidate's score: its fused score and recency, weighted by its kind."""
    return KIND_WEIGHT[kind] * (fused + RECENCY_WEIGHT * recency(at, now) / (RANK_OFFSET + 1))
