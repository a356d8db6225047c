"""Roles and permissions: every command, button and skill names the roles that may use it.

Visibility is decided earlier: anyone except the owner who talks alone with the companion has a
separate data directory (`furoshiki.owner.people`) without other people's data.
"""

import re
from dataclasses import dataclass
from typing import Literal

from furoshiki.messages.channels import chat_and_topic

Role = Literal["owner", "member", "stranger"]

# the context in which a person speaks: the owner or a member in private, a paired person in a
# group, or an unpaired stranger
Standing = Literal["owner", "member", "group", "stranger"]

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True)
class Person:
    """The sender of a message and the chat: the channel's ids of both, the sender's name and language
    there ("de", "pt-br"), and whether nobody else reads along (`private`)."""

    role: Role
    channel: str = "console"
    id: str = "owner"
    chat_id: str = "console"
    name: str | None = None
    private: bool = True
    language: str | None = None

    @property
    def standing(self) -> Standing:
        """The context in which this person speaks here."""
        if self.role == "stranger" or self.private:
            return self.role
        return "group"

    @property
    def place(self) -> str | None:
        """The name of the place (data directory) of this person; None for the owner's own.

        In a group every person has a place for that group, separate from the private one.
        """
        if self.standing == "owner":
            return None
        where = "" if self.private else f"-in-{chat_and_topic(self.chat_id)[0]}"
        return _NOT_IN_A_NAME.sub("_", f"{self.channel}-{self.id}{where}")


# the owner at their own machine: the console, the command line, and all scheduled jobs
OWNER = Person("owner")


def of_place(name: str) -> Person:
    """Return the person of a place, as far as its name says."""
    channel, _, rest = name.partition("-")
    number, inside, chat = rest.partition("-in-")
    return Person("member", channel, number, chat if inside else number, private=not inside)


# Who may use a command, a button or a skill. `owner` (the default): anything about the owner's life
# or the companion's inner state, or sending files. `alone`: anyone in private. `paired`: everyone
# paired, also in a group.
Who = Literal["owner", "alone", "paired"]

_STANDINGS: dict[Who, frozenset[Standing]] = {
    "owner": frozenset({"owner"}),
    "alone": frozenset({"owner", "member"}),
    "paired": frozenset({"owner", "member", "group"}),
}


def may(who: Who, standing: Standing) -> bool:
    """Whether this context has a permission. A skill works on the speaker's place, so even a
    manipulated model reaches no other."""
    return standing in _STANDINGS[who]
