"""The values that checks receive."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from bench.simulator.story import Said, Story

Embed = Callable[[Sequence[str]], list[list[float]]]


@dataclass(frozen=True)
class View:
    """The state after an event (`what`: "answer", the name of a job, or "end"): database, story,
    and new messages in it. `embed` returns unit vectors of texts."""

    db: sqlite3.Connection
    now: datetime
    story: Story
    what: str
    new: Sequence[Said]
    embed: Embed

    @property
    def unprompted(self) -> Sequence[Said]:
        """The new unprompted messages."""
        return [one for one in self.new if one.policy == "unprompted"]


Finding = tuple[datetime, str]
"""When a promise was broken, and what happened, in words."""

Check = Callable[[View], Iterator[Finding]]
