"""Slash commands: answered at once, without a model, the same on every channel.

`COMMANDS` is what menus and /help show. A module per subject holds `async run(world, args, envelope) -> Words`; it is
imported when its command is used.
"""

from __future__ import annotations

import importlib

from furoshiki.messages import roles
from furoshiki.messages.values import Envelope, Words
from furoshiki.world import World

COMMANDS: tuple[tuple[str, str], ...] = (
    ("help", "what I understand"),
    ("status", "how I am, and whether everything works"),
    ("mood", "how I feel; /mood week as a picture (day, month, year)"),
    ("self", "who I say I am; /self diff for what changed and why"),
    ("memory", "what I know; /memory words to search"),
    ("why", "why I said what I said last; /why not: why I did not write"),
    ("forget", "forget something for good: /forget words, a day, or an id"),
    ("tasks", "open lists, reminders and long tasks; /tasks long for what came of those"),
    ("remind", "remind you: /remind tomorrow at 9 call Anika"),
    ("quiet", "write only when written to: /quiet 8 hours, /quiet 22:00-07:30, /quiet off"),
    ("promises", "what I promised you, and myself"),
    ("cost", "what my thinking has cost; /cost week, /cost purpose, /cost day"),
    ("readiness", "how far along I am: ten milestones, and how long I have lived"),
    ("repairs", "errors of mine that came back, and what became of them"),
    ("plugins", "programs you allowed me, what they may, and why one does not run"),
    ("wish", "what I should learn, as a plugin for you to allow; what became of wishes"),
    ("settings", "how I am set up"),
    ("dashboard", "my pages, in your browser or here"),
    ("export", "everything I know, as a file"),
    ("voice", "whether I hear voice notes, and answer them with voice: /voice on, auto, off"),
    ("undo", "take back the last thing I noted"),
)

_MODULES = {
    "start": "help",
    "help": "help",
    "status": "status",
    "mood": "look.mood",
    "self": "look.self_description",
    "memory": "memory",
    "why": "look.why",
    "forget": "forget",
    "tasks": "tasks",
    "remind": "remind",
    "quiet": "quiet",
    "promises": "look.promises",
    "cost": "cost",
    "readiness": "look.readiness",
    "repairs": "repairs",
    "plugins": "plugins",
    "wish": "wish",
    "settings": "settings",
    "dashboard": "look.dashboard",
    "export": "export",
    "voice": "voice",
    "undo": "undo",
}

IN_PRIVATE = "That is between the two of us: ask me in our own chat."
OWNER_ONLY = "Only the person I belong to may ask me that."

UNWRITTEN = frozenset({"forget"})
"""Commands that are on record without what followed them: to keep the words would be to remember them."""

_PRESSES = {
    "task": "tasks",
    "remind": "remind",
    "undo": "undo",
    "zone": "time_zone",
    "forget": "forget",
    "self": "look.self_description",
    "do": "proposals",
    "count": "count_on",
    "doubt": "memory",
    "outreach": "outreach",
    "promise": "look.promises",
    "plugin": "wish",
    "longtask": "long_tasks",
    "setting": "settings",
    "quiet": "quiet",
}
"""What stands before the dot in a button's data, and the module whose `press` answers it."""


async def run(world: World, name: str, args: str, envelope: Envelope) -> Words | None:
    """The answer to `/name args`; None for a command nobody knows, which then goes to the companion as text."""
    module = _MODULES.get(name.lower())
    if module is None:
        return None
    if not allowed(world, name, envelope):
        return Words(IN_PRIVATE if _standing(world, envelope) == "group" else OWNER_ONLY)
    found = importlib.import_module(f"{__package__}.{module}")
    words: Words = await found.run(world, args.strip(), envelope)
    return words


def allowed(world: World, name: str, envelope: Envelope) -> bool:
    """Whether whoever wrote this may use a command."""
    return roles.may(roles.COMMANDS, name.lower(), _standing(world, envelope))


async def press(world: World, data: str, envelope: Envelope) -> Words | None:
    """The answer to a pressed button ("task.done:12"); None for one nobody knows any more."""
    subject, _, rest = data.partition(".")
    module = _PRESSES.get(subject)
    if module is None or not roles.may(roles.BUTTONS, subject, _standing(world, envelope)):
        return None
    verb, _, value = rest.partition(":")
    found = importlib.import_module(f"{__package__}.{module}")
    words: Words | None = await found.press(world, verb, value, envelope)
    return words


def offered(standing: roles.Standing) -> tuple[tuple[str, str], ...]:
    """The commands somebody in this standing may use, with what each is for."""
    return tuple((name, what) for name, what in COMMANDS if roles.may(roles.COMMANDS, name, standing))


def _standing(world: World, envelope: Envelope) -> roles.Standing:
    return world.who.standing if envelope.private else "group"
