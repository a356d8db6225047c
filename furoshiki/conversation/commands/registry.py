"""Slash commands and buttons: answered at once, without a model, the same on every channel.

The modules of this folder register with `@Command` and `@Button`; menus, /help and permissions are
derived from that. They are imported on first use.
"""

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
    """Register the decorated function for `/name`; it receives the text after the name.

    Without `about`, menus omit it; a smaller `place` comes first. `is_recorded=False` stores the
    command without its arguments. A command that only `shows` can be tapped in other messages.
    `in_menu` puts it in Telegram's menu; /more lists the rest.
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
    """Register the decorated function for buttons ("task.done:12"); it receives a verb and the
    value, a number with `of_row`. With `by_word`, a typed yes or no means the first or second verb.
    A button that `stays` can be pressed again."""

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
    """Return all commands by name, in menu order."""
    _load()
    return {command.name: command for command in sorted(_COMMANDS.values(), key=lambda one: (one.place, one.name))}


@functools.cache
def buttons() -> dict[str, Button]:
    """Return all buttons, by the part of their data before the dot."""
    _load()
    return _BUTTONS


async def run(world: World, name: str, args: str, envelope: Envelope) -> Words | None:
    """Return the answer to `/name args`; None for an unknown command, which is then normal text."""
    command = commands().get(name.lower())
    if command is None:
        return None
    standing = _choose_standing(world, envelope)
    if not may(command.who, standing):
        return Words(say(IN_PRIVATE if standing == "group" else OWNER_ONLY))
    return await command.run(world, args.strip(), envelope)


def is_allowed(world: World, name: str, envelope: Envelope) -> bool:
    """Return whether the sender may use a command."""
    return may(commands()[name].who, _choose_standing(world, envelope))


def is_recorded(name: str) -> bool:
    """Return whether a command's arguments may be stored."""
    command = commands().get(name.lower())
    return command is None or command.is_recorded


async def press(world: World, data: str, envelope: Envelope) -> Words | None:
    """Return the answer to a pressed button ("task.done:12"); None for an unknown one."""
    subject, _, rest = data.partition(".")
    button = buttons().get(subject)
    if button is None or not may(button.who, _choose_standing(world, envelope)):
        return None
    verb, _, said = rest.partition(":")
    value = numbers.row(said) if button.of_row else said
    return None if verb not in button.verbs or value is None else await button.press(world, verb, value, envelope)


def stays(envelope: Envelope) -> bool:
    """Return whether the pressed button can be pressed again."""
    button = buttons().get(envelope.event.data.partition(".")[0]) if isinstance(envelope.event, Press) else None
    return button is not None and button.stays


def list_commands(standing: Standing = "owner") -> tuple[tuple[str, str], ...]:
    """Return the commands available to this role, each with its description."""
    return tuple(
        (command.name, command.about) for command in commands().values() if command.about and may(command.who, standing)
    )


def in_menu(standing: Standing = "owner") -> tuple[tuple[str, str], ...]:
    """Return the commands used most, and the one that shows the rest."""
    return tuple(one for one in list_commands(standing) if commands()[one[0]].in_menu)


def menus() -> dict[str | None, tuple[tuple[str, str], ...]]:
    """Return the owner's menu by language code; None stands for English."""
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
