"""Seven needs of the user, read from messages: level, confidence, and evidence.

A level holds until there is new evidence. The stored confidence is that at `updated`; it decays
with a half-life (`confidence_at`), so that nothing is rewritten during silence.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.config_table import ConfigTable
from furoshiki.language.lexicon import CATEGORIES

DIMENSIONS = ("companionship", "emotional_support", "playfulness", "focus", "challenge", "grounding", "space")
# needs that are out of place while the user is distressed
OF_EASE = frozenset({"playfulness", "challenge", "focus"})

OPPOSED = (("companionship", "space"), ("playfulness", "grounding"), ("challenge", "emotional_support"))


@dataclass(frozen=True)
class UserNeed:
    """One need: `level` and `confidence` in [0, 1], time of the last evidence, and its turns."""

    level: float
    confidence: float
    updated: datetime
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True)
class UserNeedLaws:
    """The constants of the `[user_needs]` table."""

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
    def from_checked(cls, table: ConfigTable) -> "UserNeedLaws":
        """Read the table. Raises ValueError with the wrong key."""
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
    """Return all seven needs at their initial level, with confidence 0."""
    return {name: UserNeed(laws.initial_level, 0.0, now) for name in DIMENSIONS}


def confidence_at(need: UserNeed, now: datetime, laws: UserNeedLaws) -> float:
    """Return the confidence left at `now`; unchanged if the clock was set back."""
    return fade(need.confidence, need.updated, now, laws)


def fade(confidence: float, since: datetime, now: datetime, laws: UserNeedLaws) -> float:
    """Return a confidence in [0, 1] decayed from `since` to `now`: half after each half-life."""
    silent_hours = max(0.0, (now - since).total_seconds() / 3600.0)
    return float(confidence * 0.5 ** (silent_hours / laws.half_life_hours))


def nudge(
    needs: Mapping[str, UserNeed], strengths: Mapping[str, float], turn_id: int, now: datetime, laws: UserNeedLaws
) -> dict[str, UserNeed]:
    """Return the needs after one turn's signals: small steps that raise confidence."""
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
    """Return the needs after a whole conversation was read: levels weighted by confidence.

    With s left of the old confidence and c of the new one, the level is (old·s + new·c) / (s + c)
    and the confidence 1 − (1 − s)(1 − c): two readings that agree are surer than each. `reading`
    gives levels in [0, 1] for some needs, `confidence` in [0, 1]. Raises ValueError for an unknown
    need.
    """
    ConfigTable(reading, "reading").only(DIMENSIONS)
    return {
        name: _blend_need(need, reading[name], confidence, turn_ids, now, laws) if name in reading else need
        for name, need in needs.items()
    }


def directives(
    needs: Mapping[str, UserNeed], now: datetime, laws: UserNeedLaws, without: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the prompt's instructions, the strongest need first, except needs in `without`."""
    return tuple(laws.directives[name] for name in list_felt(needs, now, laws) if name not in without)


def list_felt(needs: Mapping[str, UserNeed], now: datetime, laws: UserNeedLaws) -> tuple[str, ...]:
    """Return the needs with enough level and confidence to act on, the strongest first."""
    return tuple(
        sorted((name for name in DIMENSIONS if _counts(needs[name], now, laws)), key=lambda name: -needs[name].level)
    )


def conflicts(
    needs: Mapping[str, UserNeed], now: datetime, laws: UserNeedLaws, without: Collection[str] = ()
) -> tuple[str, ...]:
    """Return hints for opposing needs that are both high, except needs in `without`."""
    felt_needs = {name for name in list_felt(needs, now, laws) if name not in without}
    return tuple(laws.conflicts[conflict_name(pair)] for pair in OPPOSED if felt_needs.issuperset(pair))


def _counts(need: UserNeed, now: datetime, laws: UserNeedLaws) -> bool:
    return need.level >= laws.directive_level and confidence_at(need, now, laws) >= laws.directive_confidence


def _step_need(need: UserNeed, step: float, turn_id: int, now: datetime, laws: UserNeedLaws) -> UserNeed:
    """Step a need from its present level. An old level counts only in proportion to the confidence
    left, or a faint sign would restore it in full."""
    sure = confidence_at(need, now, laws)
    share_kept = sure / need.confidence if need.confidence else 1.0
    level = laws.initial_level + (need.level - laws.initial_level) * share_kept
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
