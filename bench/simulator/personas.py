"""Personas, read from people/NAME.toml or another file. Every error names file and key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import time
from pathlib import Path
from typing import Any

from furoshiki.core.config_table import ConfigTable
from furoshiki.core.errors import BadSetting
from furoshiki.core.paths import is_zone, read_toml_file
from furoshiki.language.tables.calendar_names import WEEKDAYS

SHIPPED = Path(__file__).parent / "people"

_HOURS = re.compile(r"(\d\d?):(\d\d)-(\d\d?):(\d\d)")
_CLOCK = re.compile(r"(\d\d?):(\d\d)")
_DUE = re.compile(
    rf"(?:in (?P<minutes>\d+) minutes|(?P<day>tomorrow|daily|{'|'.join(WEEKDAYS)}) (?P<hour>\d\d?):(?P<minute>\d\d))"
)


@dataclass(frozen=True)
class Span:
    """Local hours in which a person writes; if it ends before it begins, it spans midnight."""

    begins: time
    ends: time

    @property
    def minutes(self) -> int:
        """Its length."""
        begins, ends = (at.hour * 60 + at.minute for at in (self.begins, self.ends))
        return (ends - begins) % (24 * 60) or 24 * 60


@dataclass(frozen=True)
class Due:
    """When a reminder is due: in some minutes, or at a local time tomorrow, weekly, or daily."""

    minutes: int | None
    day: str
    at: time | None


@dataclass(frozen=True)
class Lines:
    """Lines of one mood, and their relative frequency."""

    mood: str
    weight: float
    says: tuple[str, ...]


@dataclass(frozen=True)
class Request:
    """A reminder request in words, words that identify it (`about`), and when it is due."""

    says: str
    about: str
    due: Due


@dataclass(frozen=True)
class Move:
    """A move to another zone on a day (from 0), with the shared location."""

    day: int
    zone: str
    latitude: float
    longitude: float


@dataclass(frozen=True)
class Saying:
    """Words at a local time of one day (from 0)."""

    day: int
    at: time
    says: str


@dataclass(frozen=True)
class Writes:
    """When a person starts conversations, and how many messages each has, seconds apart."""

    conversations_a_day: float
    hours: tuple[Span, ...]
    messages: tuple[int, int]
    seconds_between: tuple[int, int]
    silent_days: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Hears:
    """Reactions to unprompted messages: shares from 0 to 1, minutes until the answer, its words."""

    answers: float
    within_minutes: tuple[int, int]
    reacts: float
    later: float
    less: float
    says: tuple[str, ...]
    reactions: tuple[str, ...]


@dataclass(frozen=True)
class Reminded:
    """How often a reminder's buttons are pressed: shares between 0 and 1."""

    done: float
    later: float


@dataclass(frozen=True)
class Persona:
    """A person's observable behaviour."""

    name: str
    about: str
    zone: str
    writes: Writes
    hears: Hears
    reminded: Reminded
    lines: tuple[Lines, ...]
    requests: tuple[Request, ...]
    requests_a_week: float
    moves: tuple[Move, ...]
    sayings: tuple[Saying, ...]

    def silent(self, day: int) -> bool:
        """Return whether the person is silent on a day, whatever they receive."""
        return any(begins <= day <= ends for begins, ends in self.writes.silent_days)

    def zone_on(self, day: int) -> str:
        """Return the person's zone on a day."""
        return next((move.zone for move in reversed(self.moves) if move.day <= day), self.zone)


def shipped() -> list[str]:
    """Return the names of the bundled personas."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def read(which: str) -> Persona:
    """Read a persona: a file, or a bundled name. Raises BadSetting naming file, key and fix."""
    path = Path(which)
    if not path.suffix and not path.exists():
        path = SHIPPED / f"{which}.toml"
        if not path.exists():
            raise BadSetting(
                f"--persona {which}: there is no such persona; there are {', '.join(shipped())}, or a file"
            )
    try:
        return from_mapping(path.stem, read_toml_file(path))
    except ValueError as error:
        raise BadSetting(f"{path}: {error}") from error


def from_mapping(name: str, found: Mapping[str, Any]) -> Persona:
    """Parse a persona. Raises ValueError naming the key, the error, and the right form."""
    table = ConfigTable(found)
    table.only(
        ("about", "zone", "writes", "hears", "reminded", "lines", "requests", "requests_a_week", "moves", "sayings")
    )
    moves = tuple(_move(one) for one in table.tables("moves"))
    persona = Persona(
        name=name,
        about=table.text("about"),
        zone=_zone(table),
        writes=_writes(table.table("writes")),
        hears=_hears(table.table_or_empty("hears")),
        reminded=_reminded(table.table_or_empty("reminded")),
        lines=tuple(_lines(one) for one in table.tables("lines")),
        requests=tuple(_request(one) for one in table.tables("requests")),
        requests_a_week=table.number("requests_a_week", 0, 70) if "requests_a_week" in table else 0.0,
        moves=tuple(sorted(moves, key=lambda one: one.day)),
        sayings=tuple(_saying(one) for one in table.tables("sayings")),
    )
    if not persona.lines:
        raise ValueError('lines is missing: write at least one [[lines]] with says = ["…"]')
    if persona.requests_a_week and not persona.requests:
        raise ValueError("requests_a_week is set, and there is no [[requests]] to ask for")
    return persona


def _writes(table: ConfigTable) -> Writes:
    table.only(("conversations_a_day", "hours", "messages", "seconds_between", "silent_days"))
    hours = tuple(_span(table.name("hours"), text) for text in table.texts("hours"))
    if not hours:
        raise ValueError('writes.hours is missing: write the local hours, as ["08:00-09:00", "19:00-23:00"]')
    return Writes(
        conversations_a_day=table.number("conversations_a_day", 0, 200),
        hours=hours,
        messages=_range(table, "messages", 1, 100, (1, 3)),
        seconds_between=_range(table, "seconds_between", 1, 3600, (20, 120)),
        silent_days=tuple(_pairs(table, "silent_days", 0, 100_000)),
    )


def _hears(table: ConfigTable) -> Hears:
    shares = ("answers", "reacts", "later", "less")
    table.only((*shares, "within_minutes", "says", "reactions"))
    found = {name: table.number(name, 0, 1) if name in table else 0.0 for name in shares}
    if sum(found.values()) > 1:
        raise ValueError("hears: answers, reacts, later and less are shares of one whole, and are more than 1 together")
    says, reactions = table.texts("says"), table.texts("reactions")
    if found["answers"] and not says:
        raise ValueError('hears.says is missing: what is answered, as ["Oh, thanks for asking!"]')
    if found["reacts"] and not reactions:
        raise ValueError('hears.reactions is missing: what is reacted with, as ["👍"]')
    return Hears(
        **found, within_minutes=_range(table, "within_minutes", 0, 3000, (1, 60)), says=says, reactions=reactions
    )


def _reminded(table: ConfigTable) -> Reminded:
    table.only(("done", "later"))
    done, later = (table.number(name, 0, 1) if name in table else 0.0 for name in ("done", "later"))
    if done + later > 1:
        raise ValueError("reminded: done and later are shares of one whole, and are more than 1 together")
    return Reminded(done, later)


def _lines(table: ConfigTable) -> Lines:
    table.only(("mood", "weight", "says"))
    says = table.texts("says")
    if not says:
        raise ValueError(f'{table.name("says")} is missing: what is said, as ["Hello!"]')
    weight = table.number("weight", 0, 1000) if "weight" in table else 1.0
    return Lines(table.text("mood") if "mood" in table else "plain", weight, says)


def _request(table: ConfigTable) -> Request:
    table.only(("says", "about", "due"))
    says, about, text = table.text("says"), table.text("about"), table.text("due")
    found = _DUE.fullmatch(text.lower())
    if found is None:
        raise ValueError(
            f"{table.name('due')}: {text!r} is not understood; write it as 'in 20 minutes', 'tomorrow 09:00', "
            "'friday 18:00' or 'daily 08:00'"
        )
    if found["minutes"]:
        return Request(says, about, Due(int(found["minutes"]), "", None))
    return Request(says, about, Due(None, found["day"], _time(table.name("due"), found["hour"], found["minute"])))


def _move(table: ConfigTable) -> Move:
    table.only(("day", "zone", "latitude", "longitude"))
    return Move(
        int(table.number("day", 0, 100_000)),
        _zone(table),
        table.number("latitude", -90, 90),
        table.number("longitude", -180, 180),
    )


def _saying(table: ConfigTable) -> Saying:
    table.only(("day", "at", "says"))
    clock = _CLOCK.fullmatch(table.text("at"))
    if clock is None:
        raise ValueError(f'{table.name("at")}: write a local time, as "14:30"')
    return Saying(int(table.number("day", 0, 100_000)), _time(table.name("at"), clock[1], clock[2]), table.text("says"))


def _zone(table: ConfigTable) -> str:
    name = table.text("zone")
    if not is_zone(name):
        raise ValueError(f"{table.name('zone')}: there is no time zone {name!r}; write it as Europe/Lisbon")
    return name


def _span(key: str, text: str) -> Span:
    found = _HOURS.fullmatch(text)
    if found is None:
        raise ValueError(f'{key}: {text!r} is no span of hours; write it as "19:00-23:00"')
    return Span(_time(key, found[1], found[2]), _time(key, found[3], found[4]))


def _time(key: str, hour: str, minute: str) -> time:
    try:
        return time(int(hour), int(minute))
    except ValueError:
        raise ValueError(f"{key}: {hour}:{minute} is not a time of day") from None


def _range(table: ConfigTable, key: str, low: int, high: int, default: tuple[int, int]) -> tuple[int, int]:
    if key not in table:
        return default
    return _pair(table.name(key), table.value(key), low, high)


def _pairs(table: ConfigTable, key: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    found = table.value(key) if key in table else []
    if not isinstance(found, list):
        raise ValueError(f"{table.name(key)}: write pairs, as [[30, 59]]")
    for one in found:
        yield _pair(table.name(key), one, low, high)


def _pair(key: str, found: object, low: int, high: int) -> tuple[int, int]:
    whole = isinstance(found, list) and len(found) == 2 and all(type(one) is int for one in found)
    if not whole or not isinstance(found, list) or not low <= found[0] <= found[1] <= high:
        raise ValueError(f"{key}: write two whole numbers from {low} to {high}, the smaller one first, as [1, 4]")
    return found[0], found[1]
