"""Seven needs of the human, read from what they say: how much, how sure, and on which messages it rests.

A level holds until there is new evidence. The confidence stored is the one at `updated`; what it is worth later is
`confidence_at`, which halves with every stretch of silence, so that nothing has to be rewritten while nobody talks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.config_table import ConfigTable
from furoshiki.language.lexicon import CATEGORIES

DIMENSIONS = ("companionship", "emotional_support", "playfulness", "focus", "challenge", "grounding", "space")
OF_EASE = frozenset({"playfulness", "challenge", "focus"})
"""Needs that have no place while something weighs on them."""

OPPOSED = (("companionship", "space"), ("playfulness", "grounding"), ("challenge", "emotional_support"))


@dataclass(frozen=True)
class UserNeed:
    """One dimension: `level` and `confidence` in [0, 1], when it last rested on new evidence, and on which turns."""

    level: float
    confidence: float
    updated: datetime
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True)
class UserNeedLaws:
    """The numbers of the `[user_needs]` table."""

    initial_level: float
    half_life_hours: float
    nudge_confidence: float
    evidence_kept: int
    directive_level: float
    directive_confidence: float
    nudges: Mapping[str, Mapping[str, float]]
    directives: Mapping[str, str]
    conflicts: Mapping[str, str]

    @classmethod
    def from_checked(cls, table: ConfigTable) -> UserNeedLaws:
        """Read the table; ValueError names the key that is wrong."""
        table.only(cls.__dataclass_fields__)
        nudges, directives, conflicts = (table.table(key) for key in ("nudges", "directives", "conflicts"))
        nudges.only(CATEGORIES)
        directives.only(DIMENSIONS)
        pairs = [conflict_name(pair) for pair in OPPOSED]
        conflicts.only(pairs)
        return cls(
            initial_level=table.number("initial_level", 0.0, 1.0),
            half_life_hours=table.number("half_life_hours", 0.1, 24.0 * 365),
            nudge_confidence=table.number("nudge_confidence", 0.0, 1.0),
            evidence_kept=int(table.number("evidence_kept", 1, 100)),
            directive_level=table.number("directive_level", 0.0, 1.0),
            directive_confidence=table.number("directive_confidence", 0.0, 1.0),
            nudges={name: nudges.table(name).numbers(-1.0, 1.0, DIMENSIONS) for name in nudges},
            directives={name: directives.text(name) for name in DIMENSIONS},
            conflicts={name: conflicts.text(name) for name in pairs},
        )


def conflict_name(pair: tuple[str, str]) -> str:
    return f"{pair[0]}_or_{pair[1]}"


def unknown(now: datetime, laws: UserNeedLaws) -> dict[str, UserNeed]:
    """All seven before anything was read: an initial level nobody is sure of."""
    return {name: UserNeed(laws.initial_level, 0.0, now) for name in DIMENSIONS}


def confidence_at(need: UserNeed, now: datetime, laws: UserNeedLaws) -> float:
    """What is left of the confidence at `now`; a clock set back leaves it whole."""
    return fade(need.confidence, need.updated, now, laws)


def fade(confidence: float, since: datetime, now: datetime, laws: UserNeedLaws) -> float:
    """What is left at `now` of a confidence in [0, 1] that was had at `since`: half after each half-life."""
    silent_hours = max(0.0, (now - since).total_seconds() / 3600.0)
    return float(confidence * 0.5 ** (silent_hours / laws.half_life_hours))


def nudge(
    needs: Mapping[str, UserNeed], strengths: Mapping[str, float], turn_id: int, now: datetime, laws: UserNeedLaws
) -> dict[str, UserNeed]:
    """The needs after the signals of one turn: small steps, each making us a little surer."""
    steps: dict[str, float] = {}
    for category, strength in strengths.items():
        for dimension, step in laws.nudges.get(category, {}).items():
            steps[dimension] = steps.get(dimension, 0.0) + step * min(1.0, max(0.0, strength))
    return {
        name: _step_need(need, steps[name], turn_id, now, laws) if steps.get(name) else need
        for name, need in needs.items()
    }


def blend(
    needs: Mapping[str, UserNeed],
    reading: Mapping[str, float],
    confidence: float,
    turn_ids: tuple[int, ...],
    now: datetime,
    laws: UserNeedLaws,
) -> dict[str, UserNeed]:
    """The needs after a whole conversation was read: old and new level weighed by how sure each is.

    With what is left of the old confidence s, and c of the new one, the level becomes (old·s + new·c) / (s + c) and the
    confidence 1 − (1 − s)(1 − c): two readings that agree make surer than each alone. `reading` gives levels in
    [0, 1] for some dimensions, `confidence` in [0, 1] how far to trust it. An unknown dimension raises ValueError.
    """
    ConfigTable(reading, "reading").only(DIMENSIONS)
    return {
        name: _blend_need(need, reading[name], confidence, turn_ids, now, laws) if name in reading else need
        for name, need in needs.items()
    }


def directives(
    needs: Mapping[str, UserNeed], now: datetime, laws: UserNeedLaws, without: Collection[str] = ()
) -> tuple[str, ...]:
    """What the prompt should be told, the strongest need first; nothing of needs that have no place."""
    return tuple(laws.directives[name] for name in list_felt(needs, now, laws) if name not in without)


def list_felt(needs: Mapping[str, UserNeed], now: datetime, laws: UserNeedLaws) -> tuple[str, ...]:
    """The needs that are strong and sure enough to go by, the strongest first."""
    return tuple(
        sorted((name for name in DIMENSIONS if _counts(needs[name], now, laws)), key=lambda name: -needs[name].level)
    )


def conflicts(
    needs: Mapping[str, UserNeed], now: datetime, laws: UserNeedLaws, without: Collection[str] = ()
) -> tuple[str, ...]:
    """Hints for opposing needs that are both high, as far as they have a place."""
    held = {name for name in list_felt(needs, now, laws) if name not in without}
    return tuple(laws.conflicts[conflict_name(pair)] for pair in OPPOSED if held.issuperset(pair))


def _counts(need: UserNeed, now: datetime, laws: UserNeedLaws) -> bool:
    return need.level >= laws.directive_level and confidence_at(need, now, laws) >= laws.directive_confidence


def _step_need(need: UserNeed, step: float, turn_id: int, now: datetime, laws: UserNeedLaws) -> UserNeed:
    """One step from where the need is held to be. A level counts only as far as one is still sure of it: what was seen
    weeks ago is no level to step from, or a faint sign would bring it back whole."""
    sure = confidence_at(need, now, laws)
    kept = sure / need.confidence if need.confidence else 1.0
    level = laws.initial_level + (need.level - laws.initial_level) * kept
    return UserNeed(
        level=min(1.0, max(0.0, level + step)),
        confidence=sure + (1.0 - sure) * laws.nudge_confidence,
        updated=now,
        evidence=_join_evidence(need.evidence, (turn_id,), laws),
    )


def _blend_need(
    need: UserNeed, level: float, confidence: float, turn_ids: tuple[int, ...], now: datetime, laws: UserNeedLaws
) -> UserNeed:
    level, confidence = min(1.0, max(0.0, level)), min(1.0, max(0.0, confidence))
    sure = confidence_at(need, now, laws)
    if sure + confidence == 0.0:
        return need
    return UserNeed(
        level=(need.level * sure + level * confidence) / (sure + confidence),
        confidence=1.0 - (1.0 - sure) * (1.0 - confidence),
        updated=now,
        evidence=_join_evidence(need.evidence, turn_ids, laws),
    )


def _join_evidence(old: tuple[int, ...], new: tuple[int, ...], laws: UserNeedLaws) -> tuple[int, ...]:
    return tuple(dict.fromkeys((*old, *new)))[-laws.evidence_kept :]
