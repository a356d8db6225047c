"""Actions of the companion that need the owner's yes: valid for a day, done once or never."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core import json_values
from furoshiki.core.database import kv
from furoshiki.core.database.rows import find_value
from furoshiki.core.timestamps import parse, stamp

OPEN = timedelta(hours=24)  # how long a yes is accepted

_PREFIX = "proposal."


@dataclass(frozen=True)
class Proposal:
    """A waiting call of a skill. `shown` is the text its owner sees, with the whole effect;
    `sender` may press.

    `ways` are the possible times for the call's `when`, of which one must be chosen, so a "yes" is
    not enough. Nor is a typed one for a proposal with a `form` (a mail), which needs its button.
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
    """Store a proposal; repeating it changes nothing."""
    if kv.get(db, _PREFIX + proposal.token) is None:
        kv.put(db, _PREFIX + proposal.token, asdict(proposal), now)


def get(db: sqlite3.Connection, token: str, now: datetime) -> Proposal | None:
    """Return the proposal of a token; None if it was answered, or after a day."""
    stored_proposal = kv.get(db, _PREFIX + token)
    if stored_proposal is None or not timedelta(0) <= now - parse(stored_proposal["at"]) <= OPEN:
        return None
    return json_values.build(Proposal, stored_proposal)


def take(db: sqlite3.Connection, token: str) -> bool:
    """Remove a proposal; return True for the caller that did."""
    return kv.drop(db, _PREFIX + token)


def list_waiting(db: sqlite3.Connection, channel: str, chat_id: str, sender: str, now: datetime) -> list[Proposal]:
    """Return a sender's proposals in a chat: those of the newest turn, oldest first."""
    place = (channel, chat_id, sender)
    here = [one for one in _every(db, now) if (one.channel, one.chat_id, one.sender) == place]
    return [proposal for proposal in here if proposal.turn_key == here[-1].turn_key]


def every_open(db: sqlite3.Connection, now: datetime) -> list[Proposal]:
    """Return all proposals that wait for a yes, in any chat, oldest first."""
    return [proposal for proposal in _every(db, now) if not proposal.ways]


def _every(db: sqlite3.Connection, now: datetime) -> Iterator[Proposal]:
    for key in kv.keys(db, _PREFIX):
        proposal = get(db, key.removeprefix(_PREFIX), now)
        if proposal is not None:
            yield proposal


def was_passed(db: sqlite3.Connection, proposal: Proposal) -> bool:
    """Whether there was a later turn in its chat."""
    own = find_value(db, "SELECT max(id) FROM turns WHERE turn_key=?", proposal.turn_key)
    query = "SELECT 1 FROM turns WHERE channel=? AND chat_id=? AND kind!='command' AND id>? LIMIT 1"
    later = db.execute(query, (proposal.channel, proposal.chat_id, own or 0))
    return own is None or later.fetchone() is not None


def of_turn(db: sqlite3.Connection, turn_key: str) -> list[str]:
    """Return the tokens of a turn's proposals."""
    return [key.removeprefix(_PREFIX) for key in kv.keys(db, _PREFIX) if kv.get(db, key)["turn_key"] == turn_key]


def settle(db: sqlite3.Connection, channel: str, chat_id: str, what: str) -> None:
    """Delete open questions about the time of something that was settled otherwise, and offers of
    a reminder of it."""
    for key in kv.keys(db, _PREFIX):
        held = kv.get(db, key)
        asks = held.get("ways") or held["args"].get("offered")
        if asks and (held["channel"], held["chat_id"], held["args"].get("what")) == (channel, chat_id, what):
            kv.drop(db, key)


def prune(db: sqlite3.Connection, now: datetime) -> int:
    """Delete expired proposals; return their number."""
    late = [key for key in kv.keys(db, _PREFIX) if get(db, key.removeprefix(_PREFIX), now) is None]
    return sum(kv.drop(db, key) for key in late)


def make_proposal(
    skill: str,
    args: Mapping[str, Any],
    shown: str,
    where: tuple[str, str, str],
    turn_key: str,
    now: datetime,
    *,
    ways: Sequence[str] = (),
    form: str = "",
) -> Proposal:
    """Create a proposal. `where` is channel, chat and sender. The same call of a turn has the same token."""
    call = json.dumps([turn_key, skill, args, *([list(ways)] if ways else [])], sort_keys=True)
    import hashlib  # loads OpenSSL: not at the start of every script

    token = hashlib.sha256(call.encode()).hexdigest()[:16]
    return Proposal(token, skill, dict(args), shown, *where, turn_key, stamp(now), tuple(ways), form)


def choose_call(proposal: Proposal, way: int) -> Mapping[str, Any]:
    """Return the call with one of the possible times."""
    return {**proposal.args, "when": proposal.ways[way]}
