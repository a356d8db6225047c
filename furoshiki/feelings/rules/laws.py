"""Every number of the inner life in one value: the laws of emotions, needs, user needs, mood and the mind queue.

The numbers are `config/inner_life.toml`, parsed at the edge; an owner's own file is laid over the shipped one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from furoshiki.core.config_table import ConfigTable, overlaid
from furoshiki.feelings.rules.emotions import EmotionLaws
from furoshiki.feelings.rules.mood import MoodLaws
from furoshiki.feelings.rules.needs import NeedLaws
from furoshiki.feelings.rules.user_needs import UserNeedLaws

KINDS = (
    "question",
    "follow_up",
    "curiosity",
    "anticipation",
    "reminder",
    "reply_nudge",
    "skill_result",
    "thought",
    "need",
    "growth",
    "task_update",
    "delegation",
    "plugin",
)
"""Of what waits on its mind to be said."""

MOST_PRESSING, LEAST_PRESSING = 1, 5


@dataclass(frozen=True)
class SecondLookLaws:
    """When a model reads a message too: how long it must be (characters), how long ago the last such read, how long ago
    it must be where something dark was heard by half, and how many seconds a reply may wait for it."""

    over: int
    every: timedelta
    every_half_heard: timedelta
    waits_s: float

    @classmethod
    def from_checked(cls, table: ConfigTable) -> SecondLookLaws:
        """Read the `[second_look]` table; ValueError names the key that is wrong."""
        table.only(("over_characters", "every_minutes", "every_minutes_half_heard", "waits_seconds"))
        return cls(
            over=int(table.number("over_characters", 0, 100_000)),
            every=timedelta(minutes=table.number("every_minutes", 0, 24 * 60)),
            every_half_heard=timedelta(minutes=table.number("every_minutes_half_heard", 0, 24 * 60)),
            waits_s=table.number("waits_seconds", 0.0, 10.0),
        )


@dataclass(frozen=True)
class QueueLaws:
    """The `[queue]` table: how pressing a thought of each kind is (1 presses most), how many of it wait at once, how
    long before its time an anticipation comes to mind, how far apart questions about gaps lie, and how long news about
    the companion itself is news."""

    priority: Mapping[str, int]
    most: Mapping[str, int]
    near: timedelta
    gap_rests: timedelta
    news_lasts: timedelta

    @classmethod
    def from_checked(cls, table: ConfigTable) -> QueueLaws:
        """Read the table; ValueError names the key that is wrong."""
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


SEEDS = ("decaying", "recent", "salient", "insight", "far", "random")
"""Where an idle mind begins; `far` is what is important and neglected, far apart, held open, or about itself."""


@dataclass(frozen=True)
class WanderingLaws:
    """The `[wandering]` table: how often an idle mind begins with each kind of seed, as shares of each other."""

    shares: Mapping[str, float]

    @classmethod
    def from_checked(cls, table: ConfigTable) -> WanderingLaws:
        """Read the table; ValueError names the key that is wrong."""
        table.only(("seeds",))
        seeds = table.table("seeds")
        seeds.only(SEEDS)
        shares = {name: seeds.number(name, 0.0, 100.0) for name in SEEDS}
        if not any(shares.values()):
            raise ValueError(f"{table.name('seeds')}: one of {', '.join(SEEDS)} must be above 0")
        return cls(shares)


@dataclass(frozen=True)
class InnerLife:
    """The laws by which the companion feels. `history` is how long the history of feelings is kept whole, `hourly` how
    long one row of each hour of it."""

    emotions: EmotionLaws
    needs: NeedLaws
    user_needs: UserNeedLaws
    mood: MoodLaws
    queue: QueueLaws
    history: timedelta
    hourly: timedelta
    second_look: SecondLookLaws
    wandering: WanderingLaws

    @classmethod
    def from_mapping(
        cls, shipped: Mapping[str, Any], own: Mapping[str, Any] | None = None, strange: list[str] | None = None
    ) -> InnerLife:
        """Laws from the parsed shipped file with the owner's laid over it; `strange` as in ConfigTable. ValueError
        names the key that is wrong."""
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
            wandering=WanderingLaws.from_checked(table.table("wandering")),
        )
