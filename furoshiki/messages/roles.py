"""Who may have what done: the roles, of which every command, button and skill names those that it is for.

What a person may *see* is settled elsewhere and before: anyone but the owner, alone with the companion, is answered
from a place of their own (`furoshiki.owner.people`), which holds nothing of anybody else.
"""

from __future__ import annotations

import re
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
    """Who a message is from and where they say it: the channel's ids of them and of the chat, the name the channel
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
    """The person a place is named after, as far as its name tells."""
    channel, _, rest = name.partition("-")
    number, inside, chat = rest.partition("-in-")
    return Person("member", channel, number, chat if inside else number, private=not inside)


Who = Literal["owner", "alone", "paired"]
"""Whom a command, a button or a skill is for. The owner's alone is what tells how they live, what the companion makes
of itself, or leaves the chat as a file, and whatever says nothing else; `alone` is anyone alone with the companion,
a member with their own place; `paired` everybody who is, also in a group."""

_STANDINGS: dict[Who, frozenset[Standing]] = {
    "owner": frozenset({"owner"}),
    "alone": frozenset({"owner", "member"}),
    "paired": frozenset({"owner", "member", "group"}),
}


def may(who: Who, standing: Standing) -> bool:
    """Whether what is for them may be done for somebody in this standing. A skill works on the place of the speaker:
    a model that obeys everybody still reaches nothing else."""
    return standing in _STANDINGS[who]
