"""An overview of routing decisions over some days, compared with the expected ranges."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from furoshiki.core.catalogue import later, say
from furoshiki.owner.routing.store import decisions
from furoshiki.owner.routing.values import MODES, Mode
from furoshiki.world import World

# -- expected shares over days of varied conversation --


LEAST_DECISIONS = 10  # the least number of decisions for a verdict

# The usual range of each mode's share of messages, in [0, 1]. Values outside are not an error: a
# user who mostly requests actions has more of ACT.
HEALTHY: Mapping[Mode, tuple[float, float]] = {
    "RESPOND": (0.50, 0.75),
    "CLARIFY": (0.08, 0.20),
    "ACT": (0.05, 0.15),
    "ACKNOWLEDGE": (0.03, 0.12),
    "IGNORE": (0.0, 0.02),
}

Verdict = Literal["within", "below", "above", "too_few"]


def verdict(mode: Mode, share: float, messages: int) -> Verdict:
    """Compare a mode's share of so many messages with its range."""
    if messages < LEAST_DECISIONS:
        return "too_few"
    low, high = HEALTHY[mode]
    if share < low:
        return "below"
    return "above" if share > high else "within"


@dataclass(frozen=True)
class Share:
    """The count, share in [0, 1], expected range (`low` to `high`) and verdict of one mode."""

    mode: Mode
    count: int
    share: float
    low: float
    high: float
    verdict: Verdict


@dataclass(frozen=True)
class Overview:
    """The modes over some days. `tie_breaks` are shares in [0, 1] ("none": not close)."""

    days: int
    messages: int
    shares: tuple[Share, ...]
    tie_breaks: Mapping[str, float]
    decides: str


def of(world: World, days: int) -> Overview:
    """Compute the overview of the last days."""
    with world.database.read() as db:
        counted = decisions.count_since(db, world.now - timedelta(days=days))
    modes, ties = Counter[str](), Counter[str]()
    for (mode, tie), count in counted.items():
        modes[mode] += count
        ties[tie] += count
    messages = modes.total()
    return Overview(
        days=days,
        messages=messages,
        shares=tuple(_share(mode, modes[mode], messages) for mode in MODES),
        tie_breaks={name: count / messages for name, count in ties.items()},
        decides=path(world),
    )


def path(world: World) -> str:
    """Describe who decides how messages are answered."""
    if world.settings.furoshiki_user_path == "router":
        return say("this router, before a model is asked (FUROSHIKI_USER_PATH=router)")
    hinted, alone = later("the model that answers, with a hint"), later("the model that answers, without hints")
    return f"{say(hinted if world.settings.furoshiki_router_hints else alone)} (FUROSHIKI_USER_PATH=unified)"


def _share(mode: Mode, count: int, messages: int) -> Share:
    share = count / messages if messages else 0.0
    return Share(mode, count, share, *HEALTHY[mode], verdict(mode, share, messages))
