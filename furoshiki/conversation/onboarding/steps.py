"""The questions of the introduction, their order, and their buttons' meaning. Pure."""

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

STEPS: tuple[Step, ...] = get_args(Step)  # the steps in order

SKIP = "skip"

# alternative quiet hours offered besides the current ones
NIGHTS = ((time(22), time(8)), (time(23), time(7)), (time(0), time(9)))

MOST_BESIDE = 3  # maximum further words in an answer that only gives a name
LATEST_START = 6  # maximum characters before the name: a greeting, no sentence ("… im Garten")
MOST_OWN_WORDS = 600  # maximum characters of a manner in their own words, or in a card's

Buttons = tuple[tuple[str, str], ...]  # button texts with their values


@dataclass(frozen=True)
class Character:
    """A manner: its `title` and description, and the paragraph added to SOUL.md."""

    title: str
    about: str
    manner: str


def characters(parsed: Mapping[str, Any]) -> dict[str, Character]:
    """Read a parsed characters.toml. Raises ValueError naming the invalid key."""
    file = ConfigTable(parsed)
    return {
        name: Character(*(file.table(name).text(key).strip() for key in ("title", "about", "manner"))) for name in file
    }


def with_manner(soul: str, manner: str) -> tuple[str, str]:
    """Return SOUL.md's text with the chosen manner ("" for none) at its end, and the one before."""
    own, _, before = soul.partition(f"\n{_CHOSEN}\n")
    text = f"{own.rstrip()}\n"
    if manner:
        text += f"\n{_CHOSEN}\n{manner}\n"
    return text, before.strip()


def put_in_own_words(text: Own) -> str:
    """Return the paragraph for SOUL.md about a manner that they described themselves."""
    return f"They wrote how they like you best: \u201c{' '.join(text.split())[:MOST_OWN_WORDS]}\u201d"


_CHOSEN = "What they chose at the beginning:"


def name_in(own: Own) -> str | None:
    """Return the name from a message that says nothing else ("I'm Noor", "call me Jo, please").

    A single word does not count: it may be a call for help, and is checked for danger.
    """
    stated = names.find_name(own)
    alone = stated is not None and len(own.split()) <= MOST_BESIDE + len(stated.name.split())
    return stated.name if stated is not None and alone and stated.start <= LATEST_START else None


def zone_in(text: str) -> ZoneInfo | None:
    """Return the time zone of an answer: a big city, or a zone's name; None if unknown."""
    return zones.of_place(text.strip(" .!"))


def night_in(value: str) -> tuple[time, time] | None:
    """Parse the hours of a button ("22:00-08:00"); None if invalid."""
    since, _, until = value.partition("-")
    try:
        return time.fromisoformat(since), time.fromisoformat(until)
    except ValueError:
        return None


def night_value(since: time, until: time) -> str:
    """Format hours for a button's value."""
    return f"{since:%H:%M}-{until:%H:%M}"


def nights(held: tuple[time, time]) -> Buttons:
    """Return the buttons for quiet hours: the current ones and two alternatives."""
    others = [one for one in NIGHTS if one != held][:2]
    shown = [(f"{since:%H:%M} – {until:%H:%M}", night_value(since, until)) for since, until in others]
    return ((say("Yes"), night_value(*held)), *shown)
