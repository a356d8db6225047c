"""Who may have what done: one table of roles for commands, buttons and skills.

What a person may *see* is settled elsewhere and before: whoever is not the owner, alone with the companion, is answered
from a place of their own (`furoshiki.owner.people`), which holds nothing of anybody else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from furoshiki.messages.channels import chat_and_topic

Role = Literal["owner", "member", "stranger"]

Standing = Literal["owner", "member", "group", "stranger"]
"""In what standing somebody speaks: the owner or a member with nobody else there, anybody paired in a group, or
somebody who is not paired at all."""

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True)
class Person:
    """Whoever a message is from and where they say it: the channel's ids of them and of the chat, the name the channel
    knows them by, and whether nobody else reads along (`private`)."""

    role: Role
    channel: str = "console"
    id: str = "owner"
    chat_id: str = "console"
    name: str | None = None
    private: bool = True

    @property
    def standing(self) -> Standing:
        """In what standing they speak here."""
        if self.role == "stranger" or self.private:
            return self.role
        return "group"

    @property
    def place(self) -> str | None:
        """The name of the place where what they say is kept; None for the owner's own.

        In a group everybody has a place for that group: nothing private is told there, and nothing said there mixes.
        """
        if self.standing == "owner":
            return None
        where = "" if self.private else f"-in-{chat_and_topic(self.chat_id)[0]}"
        return _NOT_IN_A_NAME.sub("_", f"{self.channel}-{self.id}{where}")


OWNER = Person("owner")
"""The owner at their own machine: the console, the command line, and everything that the companion does by itself."""


def of_place(name: str) -> Person:
    """Whoever a place is named after, as far as its name tells."""
    channel, _, rest = name.partition("-")
    number, inside, chat = rest.partition("-in-")
    return Person("member", channel, number, chat if inside else number, private=not inside)


_OWNER: frozenset[Standing] = frozenset({"owner"})
_ALONE: frozenset[Standing] = frozenset({"owner", "member"})
_PAIRED: frozenset[Standing] = frozenset({"owner", "member", "group"})

Table = Mapping[str, frozenset[Standing]]

COMMANDS: Table = {
    "start": _PAIRED,
    "help": _PAIRED,
    "mood": _PAIRED,
    "remind": _PAIRED,
    "voice": _PAIRED,
    "memory": _ALONE,
    "why": _ALONE,
    "forget": _ALONE,
    "tasks": _ALONE,
    "undo": _ALONE,
    "status": _OWNER,
    "self": _OWNER,
    "quiet": _OWNER,
    "promises": _OWNER,
    "cost": _OWNER,
    "readiness": _OWNER,
    "repairs": _OWNER,
    "plugins": _OWNER,
    "wish": _OWNER,
    "settings": _OWNER,
    "dashboard": _OWNER,
    "export": _OWNER,
}
"""Slash commands. What a member may ask is answered from their own place; what tells how the owner lives, what the
companion makes of itself, or leaves the chat as a file, is the owner's."""

BUTTONS: Table = {
    "task": _PAIRED,
    "remind": _PAIRED,
    "undo": _PAIRED,
    "zone": _PAIRED,
    "forget": _ALONE,
    "self": _OWNER,
    "do": _PAIRED,
    "count": _OWNER,
    "doubt": _PAIRED,
    "outreach": _OWNER,
    "promise": _OWNER,
    "plugin": _OWNER,
    "longtask": _OWNER,
    "setting": _OWNER,
    "quiet": _OWNER,
}
"""Buttons, by what stands before the dot in their data."""

SKILLS: Table = {
    "recall": _PAIRED,
    "memorize": _PAIRED,
    "schedule": _PAIRED,
    "list": _PAIRED,
    "introspect": _PAIRED,
    "associate": _PAIRED,
    "find_tools": _PAIRED,
    "autobiography": _ALONE,
    "focus": _OWNER,
    "quiet": _OWNER,
    "wish_plugin": _OWNER,
    "persistent_task": _OWNER,
}
"""Skills. They work on the place of whoever speaks: a model that obeys everybody still reaches nothing else."""


def may(table: Table, name: str, standing: Standing) -> bool:
    """Whether somebody in this standing may have it done. What no table names is the owner's alone."""
    return standing in table.get(name, _OWNER)
