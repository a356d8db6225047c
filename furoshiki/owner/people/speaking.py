"""Identify the speaker of a message from its channel and account."""

import sqlite3

from furoshiki.language.testimony import name_of
from furoshiki.messages.channels import HERE, TELEGRAM
from furoshiki.messages.roles import OWNER, Person, Role
from furoshiki.messages.store import accounts
from furoshiki.messages.values import Envelope


def whose(db: sqlite3.Connection, envelope: Envelope) -> Person:
    """Return the sender: the owner at the machine itself, else the person paired with the account,
    else a stranger. Until an account is paired on Telegram, its first sender counts as the
    owner."""
    if envelope.channel in HERE:
        return OWNER
    account = accounts.find_account(db, envelope.channel, envelope.sender)
    first = envelope.channel == TELEGRAM and not accounts.anybody(db, TELEGRAM)
    nobody: Role = "owner" if first else "stranger"
    return Person(
        role=nobody if account is None else account.role,
        channel=envelope.channel,
        id=envelope.sender,
        chat_id=envelope.chat_id,
        name=None if account is None else name_of(account.name),  # the name is untrusted text
        private=envelope.private,
    )


def welcome(db: sqlite3.Connection, person: Person, groups: bool) -> bool:
    """Whether unprompted messages may go to a person: paired, not blocked, groups if enabled."""
    account = accounts.find_account(db, person.channel, person.id)
    return account is not None and not account.blocked and (person.private or groups)
