"""What the companion wants to do and may not before its owner says yes: kept for a day, done once or never."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core import stored
from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp

OPEN = timedelta(hours=24)
"""How long a yes is heard."""

_PREFIX = "proposal."


@dataclass(frozen=True)
class Proposal:
    """One call of a skill that waits. `shown` is what its owner reads and all that will be done; `sender` may press.

    `ways` are the times of which one is to stand in the place of the call's `when`: then no "yes" does. Nor does one
    that is typed for what has a `form` of its own (a mail): that waits for a tap on its button.
    """

    token: str
    skill: str
    args: Mapping[str, Any]
    shown: str
    channel: str
    chat_id: str
    sender: str
    turn_key: str
    at: str
    ways: tuple[str, ...] = ()
    form: str = ""


def propose(db: sqlite3.Connection, proposal: Proposal, now: datetime) -> None:
    """Keep it; the same one again changes nothing."""
    if kv.get(db, _PREFIX + proposal.token) is None:
        kv.put(db, _PREFIX + proposal.token, asdict(proposal), now)


def get(db: sqlite3.Connection, token: str, now: datetime) -> Proposal | None:
    """The proposal behind a token; None when it was answered, or a day has gone by."""
    found = kv.get(db, _PREFIX + token)
    if found is None or not timedelta(0) <= now - parse(found["at"]) <= OPEN:
        return None
    return stored.build(Proposal, found)


def take(db: sqlite3.Connection, token: str) -> bool:
    """Take it out; True for the one who did."""
    return kv.drop(db, _PREFIX + token)


def list_waiting(db: sqlite3.Connection, channel: str, chat_id: str, sender: str, now: datetime) -> list[Proposal]:
    """What waits for somebody's yes in a chat: of the newest turn that asked for any, oldest first."""
    held = [get(db, key.removeprefix(_PREFIX), now) for key in kv.keys(db, _PREFIX)]
    here = [one for one in held if one and (one.channel, one.chat_id, one.sender) == (channel, chat_id, sender)]
    return [one for one in here if one.turn_key == here[-1].turn_key]


def every_open(db: sqlite3.Connection, now: datetime) -> list[Proposal]:
    """Everything that waits for somebody's yes, in whatever chat, oldest first."""
    held = (get(db, key.removeprefix(_PREFIX), now) for key in kv.keys(db, _PREFIX))
    return [one for one in held if one is not None and not one.ways]


def was_passed(db: sqlite3.Connection, proposal: Proposal) -> bool:
    """Whether something was said in its chat since it was asked."""
    own = db.execute("SELECT max(id) FROM turns WHERE turn_key=?", (proposal.turn_key,)).fetchone()[0]
    later = db.execute(
        "SELECT 1 FROM turns WHERE channel=? AND chat_id=? AND kind!='command' AND id>? LIMIT 1",
        (proposal.channel, proposal.chat_id, own or 0),
    )
    return own is None or later.fetchone() is not None


def of_turn(db: sqlite3.Connection, turn_key: str) -> list[str]:
    """The tokens of what a turn asks for."""
    return [key.removeprefix(_PREFIX) for key in kv.keys(db, _PREFIX) if kv.get(db, key)["turn_key"] == turn_key]


def settle(db: sqlite3.Connection, channel: str, chat_id: str, what: str) -> None:
    """Drop the questions at which time something is to be, where it has been made otherwise."""
    for key in kv.keys(db, _PREFIX):
        held = kv.get(db, key)
        if held.get("ways") and (held["channel"], held["chat_id"], held["args"].get("what")) == (
            channel,
            chat_id,
            what,
        ):
            kv.drop(db, key)


def prune(db: sqlite3.Connection, now: datetime) -> int:
    """Drop what nobody can say yes to any more; returns how many."""
    late = [key for key in kv.keys(db, _PREFIX) if get(db, key.removeprefix(_PREFIX), now) is None]
    return sum(kv.drop(db, key) for key in late)


def make_proposal(
    token: str, skill: str, args: Mapping[str, Any], shown: str, where: tuple[str, str, str], key: str, now: datetime
) -> Proposal:
    """A new proposal. `where` is channel, chat and sender."""
    return Proposal(token, skill, dict(args), shown, *where, key, stamp(now))


def choose_call(proposal: Proposal, way: int) -> Mapping[str, Any]:
    """The call of one of the ways."""
    return {**proposal.args, "when": proposal.ways[way]}
