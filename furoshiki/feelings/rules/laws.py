"""All constants of the inner life: emotions, needs, user needs, mood and the mind queue.

They are read from `config/inner_life.toml`; an owner's own file is merged over the shipped one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from furoshiki.core.config_table import ConfigTable, overlaid
from furoshiki.feelings.rules.emotions import TABLES, EmotionLaws
from furoshiki.feelings.rules.mood import MoodLaws
from furoshiki.feelings.rules.needs import NeedLaws
from furoshiki.feelings.rules.user_needs import UserNeedLaws

KINDS: tuple[str, ...] = tuple(TABLES["queue"]["priority"])  # kinds of thoughts in the mind queue

MOST_PRESSING, LEAST_PRESSING = 1, 5


@dataclass(frozen=True)
class SecondLookLaws:
    """When a model reads a message too: its least length (characters), the least time since the
    last such reading, that time for a reply to wait for a perhaps dark message, and how many
    seconds it may wait."""

    over: int
    every: timedelta
    every_half_heard: timedelta
    waits_s: float

    @classmethod
    def from_checked(cls, table: ConfigTable) -> SecondLookLaws:
        """Read the `[second_look]` table. Raises ValueError with the wrong key."""
        table.only(("over_characters", "every_minutes", "every_minutes_half_heard", "waits_seconds"))
        return cls(
            over=int(table.number("over_characters", 0, 100_000)),
            every=timedelta(minutes=table.number("every_minutes", 0, 24 * 60)),
            every_half_heard=timedelta(minutes=table.number("every_minutes_half_heard", 0, 24 * 60)),
            waits_s=table.number("waits_seconds", 0.0, 10.0),
        )


@dataclass(frozen=True)
class QueueLaws:
    """The `[queue]` table: the priority of each kind of thought (1 is highest), the most of it
    waiting at once, how long before its time an anticipation appears, the pause between questions
    about gaps, and how long news about the companion is news."""

    priority: Mapping[str, int]
    most: Mapping[str, int]
    near: timedelta
    gap_rests: timedelta
    news_lasts: timedelta

    @classmethod
    def from_checked(cls, table: ConfigTable) -> QueueLaws:
        """Read the table. Raises ValueError with the wrong key."""
        table.only(("priority", "most", "near_hours", "gap_rests_hours", "news_lasts_days"))
        priority, most = table.table("priority"), table.table("most")
        priority.only(KINDS)
        most.only(KINDS)
        return cls(
            priority={kind: int(priority.number(kind, MOST_PRESSING, LEAST_PRESSING)) for kind in KINDS},
            most={kind: int(most.number(kind, 1, 50)) for kind in KINDS},
            near=timedelta(hours=table.number("near_hours", 0, 24 * 7)),
            gap_rests=timedelta(hours=table.number("gap_rests_hours", 1, 24 * 365)),
            news_lasts=timedelta(days=table.number("news_lasts_days", 0, 365)),
        )


# starting points of idle wandering; `far` are important neglected, distant, open or own ones
SEEDS = ("decaying", "recent", "salient", "insight", "far", "random")


def _read_seed_shares(table: ConfigTable) -> dict[str, float]:
    """Read the `[wandering]` table. Raises ValueError with the wrong key."""
    table.only(("seeds",))
    seeds = table.table("seeds")
    seeds.only(SEEDS)
    shares = {name: seeds.number(name, 0.0, 100.0) for name in SEEDS}
    if not any(shares.values()):
        raise ValueError(f"{table.name('seeds')}: one of {', '.join(SEEDS)} must be above 0")
    return shares


@dataclass(frozen=True)
class InnerLife:
    """All constants of the companion's feelings. `history` is how long the history of feelings is
    stored in full, `hourly` how long one row of each hour; `seed_shares` are the relative
    frequencies of the kinds of seed of idle wandering."""

    emotions: EmotionLaws
    needs: NeedLaws
    user_needs: UserNeedLaws
    mood: MoodLaws
    queue: QueueLaws
    history: timedelta
    hourly: timedelta
    second_look: SecondLookLaws
    seed_shares: Mapping[str, float]

    @classmethod
    def from_mapping(
        cls, shipped: Mapping[str, Any], own: Mapping[str, Any] | None = None, strange: list[str] | None = None
    ) -> InnerLife:
        """Merge the owner's parsed file over the shipped one; `strange` as in ConfigTable. Raises
        ValueError with the wrong key."""
        table = ConfigTable(overlaid(shipped, own or {}), strange=strange)
        table.only(("emotions", "needs", "user_needs", "mood", "queue", "history", "second_look", "wandering"))
        history = table.table("history")
        history.only(("kept_days", "hourly_days"))
        return cls(
            emotions=EmotionLaws.from_checked(table.table("emotions")),
            needs=NeedLaws.from_checked(table.table("needs")),
            user_needs=UserNeedLaws.from_checked(table.table("user_needs")),
            mood=MoodLaws.from_checked(table.table("mood")),
            queue=QueueLaws.from_checked(table.table("queue")),
            history=timedelta(days=history.number("kept_days", 1, 366)),
            hourly=timedelta(days=history.number("hourly_days", 1, 4000)),
            second_look=SecondLookLaws.from_checked(table.table("second_look")),
            seed_shares=_read_seed_shares(table.table("wandering")),
        )
