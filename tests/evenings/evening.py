"""An evening as its file tells it: what a person writes, what a capable mind answered, and what must come of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

FOLDER = Path(__file__).parent
QUIET = FOLDER / "quiet.toml"
"""What a mind says everywhere where nothing comes to it."""

NAMES = sorted(path.stem for path in FOLDER.glob("*.toml") if path != QUIET)

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Evening:
    """An evening and the days after it. `says` are the person's messages with their moments; `facts` what they tell of
    themselves; `answers` by purpose, in the order in which they are asked; `shows` is what must come of it."""

    name: str
    owner: str
    zone: ZoneInfo
    says: tuple[tuple[datetime, str], ...]
    facts: Sequence[Mapping[str, Any]]
    answers: Mapping[str, Sequence[Mapping[str, Any]]]
    shows: Mapping[str, Any]

    @property
    def begins(self) -> datetime:
        """An hour before the first message."""
        return self.says[0][0] - timedelta(hours=1)

    @property
    def days(self) -> int:
        """Days from the beginning to after the last message."""
        return (self.says[-1][0] - self.begins) // DAY + 1


def read(name: str) -> Evening:
    """The evening of a file."""
    found = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    zone = ZoneInfo(found["zone"])
    says: list[tuple[datetime, str]] = []
    for day in found["days"]:
        for line in day["says"]:
            clock, _, text = line.partition(" ")
            at = datetime.fromisoformat(f"{day['on']}T{clock}").replace(tzinfo=zone).astimezone(UTC)
            says.append((at, text))
    return Evening(name, found["owner"], zone, tuple(says), found["facts"], found["answers"], found["shows"])
