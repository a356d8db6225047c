"""What the first talk asks, in which order, and what each button of it means. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from typing import Any, Literal, get_args
from zoneinfo import ZoneInfo

from furoshiki.core.catalogue import say
from furoshiki.core.config_table import ConfigTable
from furoshiki.language.dates import zones
from furoshiki.language.facts import names
from furoshiki.language.testimony import Own

Step = Literal["name", "clock", "hours", "manner", "mind", "first"]

STEPS: tuple[Step, ...] = get_args(Step)
"""In the order in which they are asked."""

SKIP = "skip"

NIGHTS = ((time(22), time(8)), (time(23), time(7)), (time(0), time(9)))
"""Hours of the night that are proposed beside those that hold."""

MOST_BESIDE = 3
"""Words that may stand beside a name in an answer that says nothing else."""

LATEST_START = 6
"""Characters before the statement of a name: a greeting, and no sentence ("… im Garten")."""

Buttons = tuple[tuple[str, str], ...]
"""What stands on buttons, with the value that a press brings back."""


@dataclass(frozen=True)
class Character:
    """One way to be: its `title` and what it says of itself (English, put into their language when said), and the
    paragraph that stands beneath SOUL.md."""

    title: str
    about: str
    manner: str


def characters(parsed: Mapping[str, Any]) -> dict[str, Character]:
    """Read a parsed characters.toml. ValueError names the key that is wrong."""
    file = ConfigTable(parsed)
    return {
        name: Character(*(file.table(name).text(key).strip() for key in ("title", "about", "manner"))) for name in file
    }


def with_manner(soul: str, manner: str) -> str:
    """Who the companion is, with how its person likes it beneath, in place of how they liked it before."""
    kept = re.split(rf"\n+{_CHOSEN}\n", soul)[0].rstrip()
    return f"{kept}\n\n{_CHOSEN}\n{manner}\n"


_CHOSEN = "What they chose at the beginning:"


def name_in(own: Own) -> str | None:
    """The name that a message gives which says nothing else ("I'm Noor", "call me Jo, please").

    A word alone is none: it may be a call for help. It goes its way as talk, where danger is looked for.
    """
    stated = names.find_name(own)
    alone = stated is not None and len(own.split()) <= MOST_BESIDE + len(stated.name.split())
    return stated.name if stated is not None and alone and stated.start <= LATEST_START else None


def zone_in(text: str) -> ZoneInfo | None:
    """The zone of the place that an answer names: a big city, or a zone by its own name."""
    return zones.of_place(text.strip(" .!"))


def night_in(value: str) -> tuple[time, time] | None:
    """The hours that a button's value stands for ("22:00-08:00")."""
    since, _, until = value.partition("-")
    try:
        return time.fromisoformat(since), time.fromisoformat(until)
    except ValueError:
        return None


def night_value(since: time, until: time) -> str:
    """How the hours stand in a button's data, and on it."""
    return f"{since:%H:%M}-{until:%H:%M}"


def nights(held: tuple[time, time]) -> Buttons:
    """The buttons for the hours of the night: those that hold, and two others."""
    others = [one for one in NIGHTS if one != held][:2]
    shown = [(f"{since:%H:%M} – {until:%H:%M}", night_value(since, until)) for since, until in others]
    return ((say("Yes"), night_value(*held)), *shown)
