"""What a message may ask to be done with reminders and lists, as values."""

from __future__ import annotations

from dataclasses import dataclass

from furoshiki.language.dates.parsing import When


@dataclass(frozen=True)
class Remind:
    """A reminder wanted. `when` is None when no time was said, or none that is clear: then `asks` says what is not, and
    `halves` are the two times that an hour may be. `tongue` is the
    language it was asked in, `priority` 1 (urgent) to 5 where they said it."""

    what: str
    when: When | None
    asks: str | None = None
    tongue: str = "en"
    priority: int | None = None
    halves: tuple[When, ...] = ()


@dataclass(frozen=True)
class CancelReminder:
    """A reminder taken back; `what` is "" when it was not said which, `every` when all that fit are meant. `surely` is
    False where something else than a reminder can be meant."""

    what: str
    every: bool = False
    surely: bool = True


@dataclass(frozen=True)
class MoveReminder:
    """Another time for a reminder: `to` are the words for it. `named` when it was called a reminder (or an alarm), so
    that nothing else can be meant; `what` is "" for the one the talk is about."""

    what: str
    to: str
    named: bool = False


@dataclass(frozen=True)
class RenameReminder:
    """Other words for a reminder, or for something on a list where it was not called a reminder (`named`)."""

    what: str
    title: str
    named: bool = False


@dataclass(frozen=True)
class Snooze:
    """A reminder that was said, once more; `to` are the words for when, "" for a little later. `surely` when nothing
    else can be meant."""

    to: str
    surely: bool = True


@dataclass(frozen=True)
class ShowReminders:
    """The reminders that wait; with `what` only those about it."""

    what: str = ""


@dataclass(frozen=True)
class ShowDay:
    """All that there is to do: reminders and lists. `when` are the words for a day, "" for whenever."""

    when: str = ""


@dataclass(frozen=True)
class ChangeList:
    """Items to add to a list, remove from it or check off. `name` is None when no list was named; `surely` is False
    where it is news unless the items stand on a list ("I bought the eggs"). No items: all of them. `when` is by when
    what is added is to be done, `asks` what is not clear about that (`halves` as above); `priority` 1 (urgent) to 5,
    `tongue` the language it was asked in."""

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
    """Items from the list they are on to another: `name`, "" for "the other list"."""

    items: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class ClearList:
    """Everything off a list."""

    name: str | None


@dataclass(frozen=True)
class ShowList:
    """A list to look at; without a name, the names of all. `surely` is False where the name may be something else."""

    name: str | None
    surely: bool = True


@dataclass(frozen=True)
class DropQuestion:
    """What was asked about is not wanted after all."""


@dataclass(frozen=True)
class SeveralRequests:
    """More than one thing, in the order they were asked for."""

    wanted: tuple[Request, ...]


Request = (
    Remind
    | CancelReminder
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

_COURTESIES = (
    "hey|hi|hello|ok|okay|oh|and|also|so|please|pls|plz|plz|well|then|now|yes|yeah|no|let's|just|actually|oops|sorry|wait"
    "|can we|can you|can u|can ya|could you|could u|could ya|would you|would u|would ya|will you|will u|will ya"
    "|i'd like you to|i would like you to|i want you to|i need you to"
)
_FIRST_LETTERS = "".join(sorted({courtesy[0] for courtesy in _COURTESIES.split("|")}))
"""Looked at before thirty words are tried: most messages begin with none of them."""

PLEASE = rf"^\W{{0,9}}\b(?:(?=[{_FIRST_LETTERS}])(?:{_COURTESIES})\b[\s,]{{0,9}}){{0,8}}"
"""Courtesies before a request; a pattern begins with them."""
