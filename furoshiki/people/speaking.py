"""Who speaks: settled once for each message, from the channel and the account that sent it."""

from __future__ import annotations

import sqlite3

from furoshiki.language.testimony import name_of
from furoshiki.messages.roles import OWNER, Person, Role
from furoshiki.messages.store import accounts
from furoshiki.messages.values import Envelope

PUBLIC = frozenset({"telegram"})
"""Channels that others can write on, too. Whoever sits at the machine itself is the owner."""


def whose(db: sqlite3.Connection, envelope: Envelope) -> Person:
    """The person behind a message. Where nobody is paired as the owner yet, whoever got in is the owner."""
    if envelope.channel not in PUBLIC:
        return OWNER
    account = accounts.paired(db, envelope.channel, envelope.sender)
    nobody: Role = "owner" if accounts.owner(db, envelope.channel) is None else "stranger"
    return Person(
        role=nobody if account is None else account.role,
        channel=envelope.channel,
        id=envelope.sender,
        chat_id=envelope.chat_id,
        name=None if account is None else name_of(account.name),  # whatever its owner typed there
        private=envelope.event.private is not False,
    )


def welcome(db: sqlite3.Connection, person: Person, groups: bool) -> bool:
    """Whether words may go to a person by themselves: paired, reachable, and in groups only where those are on."""
    account = accounts.paired(db, person.channel, person.id)
    return account is not None and not account.blocked and (person.private or groups)
