"""Slash commands and buttons: answered at once, without a model, the same on every channel.

Every module of this folder says with `@Command` and `@Button` what it answers, and whom; menus, /help and what may be
asked are made of that. They are imported when the first of them is needed.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from furoshiki.core import numbers
from furoshiki.core.catalogue import ENGLISH, languages, later, say, speaking
from furoshiki.messages.events import Press
from furoshiki.messages.roles import Standing, Who, may
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World

IN_PRIVATE = later("That is between the two of us: ask me in our own chat.")
OWNER_ONLY = later("Only the person I belong to may ask me that.")

_Run = Callable[[World, str, Envelope], Awaitable[Words]]
_Press = Callable[[World, str, Any, Envelope], Awaitable[Words | None]]


@dataclass
class Command:
    """Has `/name` answered by the function it decorates, which is given what stands behind the name.

    Without words about it menus do not show it; the smaller its `place`, the earlier they do. One that is not recorded
    is on record without what followed it: to keep the words would be to remember them. One that only `shows` can be
    tapped among the words of others. `in_menu` are the few that stand in Telegram's menu; /more has the rest.
    """

    name: str
    about: str = ""
    who: Who = "owner"
    place: int = 1000
    is_recorded: bool = True
    shows: bool = False
    in_menu: bool = False

    def __call__(self, run: _Run) -> _Run:
        self.run = run
        _COMMANDS[self.name] = self
        return run


@dataclass
class Button:
    """Has buttons ("task.done:12") answered by the function it decorates, which is given one of its verbs and the
    value: a number where it is that of a row. A plain yes or no in words means the first or the second of the verbs.
    One that `stays` settles nothing and can be pressed again.
    """

    name: str
    verbs: tuple[str, ...]
    who: Who = "owner"
    of_row: bool = False
    by_word: bool = False
    stays: bool = False

    def __call__(self, press: _Press) -> _Press:
        self.press = press
        _BUTTONS[self.name] = self
        return press


_COMMANDS: dict[str, Command] = {}
_BUTTONS: dict[str, Button] = {}


@functools.cache
def commands() -> dict[str, Command]:
    """All commands by name, in the order of menus."""
    _load()
    return {one.name: one for one in sorted(_COMMANDS.values(), key=lambda one: (one.place, one.name))}


@functools.cache
def buttons() -> dict[str, Button]:
    """All buttons, by what stands before the dot in their data."""
    _load()
    return _BUTTONS


async def run(world: World, name: str, args: str, envelope: Envelope) -> Words | None:
    """The answer to `/name args`; None for a command nobody knows, which then goes to the companion as text."""
    found = commands().get(name.lower())
    if found is None:
        return None
    standing = _choose_standing(world, envelope)
    if not may(found.who, standing):
        return Words(say(IN_PRIVATE if standing == "group" else OWNER_ONLY))
    return await found.run(world, args.strip(), envelope)


def is_allowed(world: World, name: str, envelope: Envelope) -> bool:
    """Whether the sender may use a command."""
    return may(commands()[name].who, _choose_standing(world, envelope))


def is_recorded(name: str) -> bool:
    """Whether what stands behind a command may be kept."""
    found = commands().get(name.lower())
    return found is None or found.is_recorded


async def press(world: World, data: str, envelope: Envelope) -> Words | None:
    """The answer to a pressed button ("task.done:12"); None for one nobody knows any more."""
    subject, _, rest = data.partition(".")
    found = buttons().get(subject)
    if found is None or not may(found.who, _choose_standing(world, envelope)):
        return None
    verb, _, said = rest.partition(":")
    value = numbers.row(said) if found.of_row else said
    return None if verb not in found.verbs or value is None else await found.press(world, verb, value, envelope)


def stays(envelope: Envelope) -> bool:
    """Whether a press was on a button that can be pressed again."""
    found = buttons().get(envelope.event.data.partition(".")[0]) if isinstance(envelope.event, Press) else None
    return found is not None and found.stays


def list_commands(standing: Standing = "owner") -> tuple[tuple[str, str], ...]:
    """The commands somebody in this standing may use, with what each is for."""
    return tuple((one.name, one.about) for one in commands().values() if one.about and may(one.who, standing))


def in_menu(standing: Standing = "owner") -> tuple[tuple[str, str], ...]:
    """Return the commands used most, and the one that shows the rest."""
    return tuple(one for one in list_commands(standing) if commands()[one[0]].in_menu)


def menus() -> dict[str | None, tuple[tuple[str, str], ...]]:
    """The owner's menu by the code of each language, as it is described in it; by None in English."""
    found: dict[str | None, tuple[tuple[str, str], ...]] = {None: in_menu()}
    for code in sorted(languages() - {ENGLISH}):
        with speaking(code):
            found[code] = tuple((name, say(about)) for name, about in in_menu())
    return found


def _load() -> None:
    package = importlib.import_module(__package__)
    for module in pkgutil.walk_packages(package.__path__, f"{__package__}."):
        importlib.import_module(module.name)


def _choose_standing(world: World, envelope: Envelope) -> Standing:
    return world.who.standing if envelope.private else "group"
