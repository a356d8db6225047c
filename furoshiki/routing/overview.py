"""How messages were taken over some days, against what is healthy, and by which numbers: for the page and the shell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from furoshiki.routing import regulator, tie_breaker, weights
from furoshiki.routing.rules import change_words, healthy
from furoshiki.routing.rules import regulator as rules
from furoshiki.routing.rules.changes import WEEK, Pressure, PressureName
from furoshiki.routing.rules.decisions import Decided
from furoshiki.routing.rules.healthy import HEALTHY, Verdict
from furoshiki.routing.rules.weights import NAMES
from furoshiki.routing.store import decisions, judgements
from furoshiki.routing.values import MODES, Mode
from furoshiki.world import World


@dataclass(frozen=True)
class Share:
    """How many messages were taken one way, which share of all in [0, 1] that is, and how it lies to what is healthy
    (`low` to `high`)."""

    mode: Mode
    count: int
    share: float
    low: float
    high: float
    verdict: Verdict


@dataclass(frozen=True)
class Watched:
    """One thing that is looked at once a day: how much of it there was in a week, and in words; None and "" where there
    is too little to say. It presses where its excess is above 0."""

    name: PressureName
    pressure: Pressure | None
    words: str


@dataclass(frozen=True)
class Overview:
    """How messages were taken. `tie_breaks` are shares in [0, 1] of what decided ("none" where nothing was close);
    `moved` are the numbers that were learned, with what they were shipped as and are now."""

    days: int
    messages: int
    shares: tuple[Share, ...]
    tie_breaks: Mapping[str, float]
    version: int
    moved: Mapping[str, tuple[float, float]]
    own_tie_breaker: bool
    pinned: bool
    decides: str


def of(world: World, days: int) -> Overview:
    """The last so many days, as they are on record."""
    with world.database.read() as db:
        counted, pinned = decisions.counted(db, world.now - timedelta(days=days)), regulator.pinned(db)
    modes, ties = Counter[str](), Counter[str]()
    for (mode, tie), count in counted.items():
        modes[mode] += count
        ties[tie] += count
    messages = modes.total()
    now, shipped = weights.current(world), weights.laws(world).weights
    return Overview(
        days=days,
        messages=messages,
        shares=tuple(_share(mode, modes[mode], messages) for mode in MODES),
        tie_breaks={name: count / messages for name, count in ties.items()},
        version=now.version,
        moved={n: (shipped.value(n), now.value(n)) for n in NAMES if now.value(n) != shipped.value(n)},
        own_tie_breaker=tie_breaker.own_file(world).is_file(),
        pinned=pinned,
        decides=path(world),
    )


def watched(world: World) -> list[Watched]:
    """What the regulator looks at, measured on the last week."""
    with world.database.read() as db:
        decided = judgements.since(db, world.now - WEEK)
    return [_watched(name, decided) for name in rules.EVERY]


def _watched(name: PressureName, decided: Sequence[Decided]) -> Watched:
    pressure = rules.measured(name, decided)
    mode = {"respond_share": "RESPOND", "act_share": "ACT"}.get(name)
    if pressure is None:
        return Watched(name, None, "")
    if mode is None:
        return Watched(name, pressure, change_words.measured(pressure))
    share = sum(one.mode == mode for one in decided) / len(decided)
    return Watched(name, pressure, f"{share:.1%} of all messages")


def path(world: World) -> str:
    """Who decides how messages are answered, in words."""
    if world.settings.furoshiki_user_path == "router":
        return "this router, before a model is asked (FUROSHIKI_USER_PATH=router)"
    hinted = "with a hint" if world.settings.furoshiki_router_hints else "without hints"
    return f"the model that answers, {hinted} (FUROSHIKI_USER_PATH=unified)"


def _share(mode: Mode, count: int, messages: int) -> Share:
    share = count / messages if messages else 0.0
    return Share(mode, count, share, *HEALTHY[mode], healthy.verdict(mode, share, messages))
