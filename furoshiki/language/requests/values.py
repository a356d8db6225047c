"""Requests about reminders and lists, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from furoshiki.language.dates.parsing import When


@dataclass(frozen=True)
class Remind:
    """A requested reminder. `when` is None without a clear time: then `asks` states the doubt,
    and `halves` are the two possible times. `tongue` is the request's language, `priority` 1
    (urgent) to 5 if given; `day` is the day or rhythm whose hour is asked for."""

    what: str
    when: When | None
    asks: str | None = None
    tongue: str = "en"
    priority: int | None = None
    halves: tuple[When, ...] = ()
    day: When | None = None


@dataclass(frozen=True)
class CancelReminder:
    """Cancel a reminder; `what` is "" if not named, `every` cancels all matches. `surely` is
    False if something else may be meant, `alarm` True if only one that wakes is."""

    what: str
    every: bool = False
    surely: bool = True
    alarm: bool = False


@dataclass(frozen=True)
class SkipReminder:
    """Leave out one time of a recurring reminder, on a `day` or the next: "skip this week's bins"."""

    reminder: int
    day: date | None = None


@dataclass(frozen=True)
class MoveReminder:
    """Move a reminder: `to` are the words for the time. `named`: it was called a reminder (or
    alarm), so nothing else is meant; `what` is "" for the last one."""

    what: str
    to: str
    named: bool = False


@dataclass(frozen=True)
class RenameReminder:
    """Rename a reminder, or (if not `named` a reminder) a list item."""

    what: str
    title: str
    named: bool = False


@dataclass(frozen=True)
class Snooze:
    """Repeat a rung reminder; `to` are the words for when, "" for a little later. `surely`:
    nothing else can be meant."""

    to: str
    surely: bool = True


@dataclass(frozen=True)
class ShowReminders:
    """Show the pending reminders; with `what` only those about it."""

    what: str = ""


@dataclass(frozen=True)
class ShowDay:
    """Show reminders and lists. `when` are the words for a day, "" for no particular one."""

    when: str = ""


@dataclass(frozen=True)
class ChangeList:
    """Add, remove or check off items. `name` is None if no list was named; `surely` is False if
    it is news unless the items are listed ("I bought the eggs"). No items: all. `when` is the
    due time of added items, `asks` the doubt about it (`halves` as above); `priority` 1 (urgent)
    to 5, `tongue` the request's language."""

    action: str
    items: tuple[str, ...]
    name: str | None
    surely: bool = True
    when: When | None = None
    asks: str | None = None
    priority: int | None = None
    tongue: str = "en"
    halves: tuple[When, ...] = ()


@dataclass(frozen=True)
class MoveItems:
    """Move items to another list: `name`, "" for "the other list"."""

    items: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class ClearList:
    """Remove everything from a list."""

    name: str | None


@dataclass(frozen=True)
class ShowList:
    """Show a list; without a name, the names of all. `surely`: the name is surely a list's."""

    name: str | None
    surely: bool = True


@dataclass(frozen=True)
class DropQuestion:
    """Drop the open question."""


@dataclass(frozen=True)
class SeveralRequests:
    """Several requests, in order."""

    wanted: tuple[Request, ...]


Request = (
    Remind
    | CancelReminder
    | SkipReminder
    | MoveReminder
    | RenameReminder
    | Snooze
    | ShowReminders
    | ShowDay
    | ChangeList
    | MoveItems
    | ClearList
    | ShowList
    | DropQuestion
    | SeveralRequests
)


def list_each(request: Request | None) -> tuple[Request, ...]:
    """Return the single requests of one or several."""
    if isinstance(request, SeveralRequests):
        return request.wanted
    return () if request is None else (request,)
