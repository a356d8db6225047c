"""When a number of the mode router is moved, which one, and whether it stays moved.

Five pressures say that something is off; the worst of them moves one number a little. Two days later the same pressure
is measured again on what was decided since: without a clear gain the number goes back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal

from furoshiki.routing.rules.changes import LEAST_DECISIONS, WEEK, Change, Move, Pressure, PressureName, helped
from furoshiki.routing.rules.decisions import PRAISE, Decided
from furoshiki.routing.rules.reflection import disagreement

LEAST_LABELLED = 5
"""Fewer decisions that something was said about say nothing about how many were wrong."""

COOLDOWN = timedelta(hours=48)
"""How long a number is left alone after it was moved, and after which it is seen whether that helped."""

NOT_AGAIN = timedelta(days=14)
"""What did not help against a pressure is not tried against it again for so long."""

STEP = 0.02
"""The most by which a number is moved at once."""

TIE_BREAKS, RESPOND_AT_MOST, RESPOND_OVER, ACT_AT_LEAST, MISROUTED, DISAGREED = 0.20, 0.75, 0.10, 0.02, 0.10, 0.20
"""From where on each pressure presses, all as shares in [0, 1]."""

EVERY: tuple[PressureName, ...] = ("misroute", "reflection", "tie_break", "respond_share", "act_share")
"""All of them, where two press alike the first first."""

UP, DOWN = 1, -1

_MEANS: Mapping[str, tuple[tuple[str, int], ...]] = {
    "tie_break": (("margin_base", DOWN), ("margin_reference", DOWN), ("margin_no_mark", DOWN)),
    "respond_share": (("respond_base", DOWN), ("respond_statement", DOWN), ("respond_warmth", DOWN)),
    "act_share": (("act_base", UP), ("act_intent", UP), ("act_question", UP)),
    "misroute.missed_clarify": (("clarify_base", UP), ("clarify_no_facts", UP), ("clarify_cold", UP)),
    "misroute.missed_act": (("act_reference", UP), ("act_base", UP), ("act_question", UP)),
    "misroute.under_engagement": (("acknowledge_base", DOWN), ("acknowledge_praise", DOWN)),
    "misroute.RESPOND": (("respond_base", DOWN), ("respond_statement", DOWN)),
    "misroute.CLARIFY": (("clarify_base", DOWN), ("clarify_cold", DOWN)),
    "misroute.ACT": (("act_base", DOWN), ("act_question", DOWN)),
    "misroute.ACKNOWLEDGE": (("acknowledge_base", DOWN), ("acknowledge_praise", DOWN)),
    "misroute.IGNORE": (("ignore_base", DOWN),),
    "reflection.memory_availability": (("act_few_facts", UP), ("act_unsure", UP), ("act_hardly_sure", UP)),
    "reflection.intent_clarity": (("clarify_base", UP), ("clarify_cold", UP)),
    "reflection.tone_ambiguity": (("acknowledge_praise", DOWN), ("acknowledge_base", DOWN)),
    "reflection.context_sufficiency": (("clarify_no_facts", UP), ("clarify_cold", UP), ("respond_cold", UP)),
    "reflection.social_vs_substantive": (("acknowledge_greeting", DOWN), ("acknowledge_base", DOWN)),
}
"""By a pressure and its cause: the numbers that may be moved against it and where to, the likeliest first."""


def measured(name: str, decisions: Sequence[Decided]) -> Pressure | None:
    """One pressure over these decisions; None where they are too few to say."""
    count = len(decisions)
    if count < LEAST_DECISIONS:
        return None
    match name:
        case "tie_break":
            share = sum(one.tie_broken for one in decisions) / count
            return Pressure("tie_break", share, share - TIE_BREAKS)
        case "respond_share":
            over = sum(one.mode == "RESPOND" for one in decisions) / count - RESPOND_AT_MOST
            return Pressure("respond_share", max(0.0, over), over - RESPOND_OVER)
        case "act_share":
            under = ACT_AT_LEAST - sum(one.mode == "ACT" for one in decisions) / count
            return Pressure("act_share", max(0.0, under), under)
        case "misroute":
            return _misrouted(decisions)
        case "reflection":
            found = disagreement(decisions)
            if found is None:
                return None
            return Pressure("reflection", found.share, found.share - DISAGREED, found.dimension or "")
    raise ValueError(f"no such pressure: {name}")


def _misrouted(decisions: Sequence[Decided]) -> Pressure | None:
    labelled = [one for one in decisions if one.feedback is not None]
    if len(labelled) < LEAST_LABELLED:
        return None
    wrong = [one for one in labelled if one.feedback != PRAISE]
    causes = Counter(one.mode if one.feedback == "wrong_route" else str(one.feedback) for one in wrong)
    share = len(wrong) / len(labelled)
    return Pressure("misroute", share, share - MISROUTED, max(causes, key=lambda name: causes[name], default=""))


def pressing(decisions: Sequence[Decided], changes: Sequence[Change], now: datetime) -> list[Pressure]:
    """The pressures that press, the worst first; without those against which a change is still being measured.

    Each is measured over a week, or since a number was last moved against it: what was decided with other numbers says
    nothing about these.
    """
    found: list[Pressure] = []
    for name in EVERY:
        against = [one for one in changes if one.name == name]
        if any(one.state == "measuring" for one in against):
            continue
        since = max((now - WEEK, *(one.touched_at for one in against)))
        pressure = measured(name, [one for one in decisions if one.at > since])
        if pressure is not None and pressure.excess > 0:
            found.append(pressure)
    return sorted(found, key=lambda one: -one.excess)


def move(
    pressures: Sequence[Pressure],
    values: Mapping[str, float],
    bounds: Mapping[str, tuple[float, float]],
    changes: Sequence[Change],
    now: datetime,
) -> Move | None:
    """The one number to move against the worst pressure that some number may be moved against; None when none may."""
    for pressure in pressures:
        for parameter, direction in _MEANS.get(pressure.key, ()):
            earlier = [one for one in changes if one.parameter == parameter]
            if any(now - one.touched_at < COOLDOWN or one.state == "measuring" for one in earlier):
                continue
            if any(_in_vain(one, pressure, now) for one in earlier):
                continue
            low, high = bounds[parameter]
            before = values[parameter]
            after = round(min(high, max(low, before + direction * STEP)), 4)
            if after != before:
                return Move(parameter, before, after, pressure)
    return None


def _in_vain(one: Change, pressure: Pressure, now: datetime) -> bool:
    return one.state == "reverted" and one.pressure == pressure.key and now - one.touched_at < NOT_AGAIN


def verdict(before: float, after: float) -> Literal["kept", "reverted"]:
    """What becomes of a change whose pressure was `before` and is `after` now."""
    return "kept" if helped(before, after) else "reverted"


def learned(
    shipped: Mapping[str, float], bounds: Mapping[str, tuple[float, float]], changes: Sequence[Change]
) -> dict[str, float]:
    """The numbers that are not as shipped: what holds of the changes, laid over the shipped ones within their bounds.

    A number a later release has no more is left out.
    """
    moved: dict[str, float] = {}
    for one in changes:
        if one.state != "reverted" and one.parameter in shipped:
            moved[one.parameter] = moved.get(one.parameter, 0.0) + one.value_after - one.value_before
    found = {name: _within(shipped[name] + by, bounds[name]) for name, by in moved.items()}
    return {name: value for name, value in found.items() if value != shipped[name]}


def _within(value: float, bounds: tuple[float, float]) -> float:
    return round(min(bounds[1], max(bounds[0], value)), 4)
