"""Paired accounts, the pairing code, and strangers who were answered once today."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from furoshiki.core.database import kv
from furoshiki.core.database.rows import Table, change_rows, first, from_row, has_row
from furoshiki.core.timestamps import parse, stamp
from furoshiki.messages.channels import HERE

OFFER = "pairing"  # the `kv` key of the active pairing code

CODE_MINUTES = 10
CODE_TRIES = 5  # wrong guesses at one code that a sender has
GUESSES_A_MINUTE = 30  # wrong guesses at one code by all senders together in a minute

Role = Literal["owner", "member"]


@dataclass(frozen=True)
class Account:
    """A paired account. `external_id` is the user id; `chat_id` gets unprompted messages."""

    id: int
    channel: str
    external_id: str
    role: Role
    name: str | None
    language: str | None
    chat_id: str
    blocked: bool


def find_account(db: sqlite3.Connection, channel: str, external_id: str) -> Account | None:
    """Return the account of a user id, None for a stranger."""
    return _TABLE.first(db, "channel=? AND external_id=?", channel, external_id)


def owner(db: sqlite3.Connection, channel: str) -> Account | None:
    """Return the first owner paired on a channel, or None."""
    return _TABLE.first(db, "channel=? AND role='owner' ORDER BY id LIMIT 1", channel)


def anybody(db: sqlite3.Connection, channel: str) -> bool:
    return has_row(db, "SELECT 1 FROM accounts WHERE channel=? LIMIT 1", channel)


def owner_chat(db: sqlite3.Connection, channel: str) -> str | None:
    """Return the chat for messages to the owner on a channel; None if there is no owner."""
    if channel in HERE:
        return channel
    account = owner(db, channel)
    return None if account is None else account.chat_id


def owners_language(db: sqlite3.Connection) -> str | None:
    """Return the language of an owner's channel as Telegram reports it ("de", "pt-br"), or None."""
    query = "SELECT language FROM accounts WHERE role='owner' AND language IS NOT NULL ORDER BY id LIMIT 1"
    return first(db.execute(query), lambda row: str(row["language"]))


def list_members(db: sqlite3.Connection) -> list[Account]:
    """Return the paired people besides the owner, oldest first."""
    return _TABLE.select(db, "role='member' ORDER BY id")


def everyone(db: sqlite3.Connection) -> list[Account]:
    """Return all paired accounts, oldest first."""
    return _TABLE.select(db, "1 ORDER BY id")


def pair(
    db: sqlite3.Connection,
    channel: str,
    external_id: str,
    chat_id: str,
    role: Role,
    now: datetime,
    name: str | None = None,
    language: str | None = None,
) -> None:
    """Pair an account, or update its chat, name and language; a member may become an owner, never
    the reverse."""
    db.execute(
        "INSERT INTO accounts (channel, external_id, role, name, language, chat_id, paired_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (channel, external_id) DO UPDATE SET chat_id=excluded.chat_id, "
        "role=CASE WHEN excluded.role='owner' THEN 'owner' ELSE role END, "
        "name=coalesce(excluded.name, name), language=coalesce(excluded.language, language), blocked_at=NULL",
        (channel, external_id, role, name, language, chat_id, stamp(now)),
    )


def become_owner(db: sqlite3.Connection, channel: str, external_id: str) -> None:
    """Make a member the owner."""
    db.execute("UPDATE accounts SET role='owner' WHERE channel=? AND external_id=?", (channel, external_id))


def unpair(db: sqlite3.Connection, channel: str, external_id: str) -> bool:
    """Remove an account; return True if it was paired."""
    return change_rows(db, "DELETE FROM accounts WHERE channel=? AND external_id=?", channel, external_id) == 1


def set_blocked(db: sqlite3.Connection, channel: str, chat_id: str, blocked: bool, now: datetime) -> None:
    """Record that a person blocked the bot (no unprompted messages then) or unblocked it."""
    query = "UPDATE accounts SET blocked_at=? WHERE channel=? AND chat_id=?"
    db.execute(query, (stamp(now) if blocked else None, channel, chat_id))


def offer_code(db: sqlite3.Connection, code: str, role: Role, now: datetime) -> None:
    """Make `code` (6 digits) valid for one pairing within the next 10 minutes.

    Each sender has 5 guesses, all together 30 a minute; a sender's guesses do not use up the code
    for others. So at most 300 of a million codes are tried: a chance of 0.03 % with 60 accounts,
    0.0005 % with one.
    """
    until = stamp(now + timedelta(minutes=CODE_MINUTES))
    kv.put(db, OFFER, {"code": code, "role": role, "until": until, "wrong": []}, now)


def open_code(db: sqlite3.Connection, now: datetime) -> str | None:
    """Return the code that is valid now, or None."""
    offer = kv.get(db, OFFER)
    return None if offer is None or parse(offer["until"]) <= now else str(offer["code"])


def redeem_code(db: sqlite3.Connection, code: str, sender: str, now: datetime) -> Role | None:
    """Redeem a code for `sender` (a user id); return the role, or None if wrong or expired.

    A guess is not compared if its sender has none left, or after too many wrong ones within a
    minute.
    """
    import hmac  # loads OpenSSL: 3.5 MB in every process

    offer = kv.get(db, OFFER)
    if offer is None or parse(offer["until"]) <= now:
        return None
    wrong = [(str(who), str(at)) for who, at in offer.get("wrong", ())]
    lately = sum(parse(at) > now - timedelta(minutes=1) for _, at in wrong)
    if sum(who == sender for who, _ in wrong) >= CODE_TRIES or lately >= GUESSES_A_MINUTE:
        return None
    if not hmac.compare_digest(str(offer["code"]).encode(), code.encode("utf-8", "replace")):
        kv.put(db, OFFER, {**offer, "wrong": [*wrong, (sender, stamp(now))]}, now)
        return None
    kv.drop(db, OFFER)
    role: Role = "owner" if offer["role"] == "owner" else "member"
    return role


def stranger_may_hear(db: sqlite3.Connection, channel: str, external_id: str, now: datetime) -> bool:
    """Whether a stranger gets today's one polite answer; record that it was sent."""
    changed = change_rows(
        db,
        "INSERT INTO strangers (channel, external_id, told_at) VALUES (:channel, :id, :now) "
        "ON CONFLICT (channel, external_id) DO UPDATE SET told_at=:now WHERE told_at<=:day_ago",
        {"channel": channel, "id": external_id, "now": stamp(now), "day_ago": stamp(now - timedelta(days=1))},
    )
    return changed == 1


def _account(row: sqlite3.Row) -> Account:
    return from_row(Account, row, blocked=row["blocked_at"] is not None)


_TABLE = Table("accounts", _account)
