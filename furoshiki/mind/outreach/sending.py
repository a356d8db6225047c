"""Send an unprompted message: turn, outbox, queue and decision in one transaction, or nothing.

A model may have worked for a minute since the gates were checked. A message that came meanwhile is
answered first; a matter closed meanwhile is not said.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from furoshiki.core import refs
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.feelings import heartbeat
from furoshiki.messages.store import inbox, outbox, turns
from furoshiki.messages.values import NewOutgoing, Shaped
from furoshiki.mind.outreach import gate_inputs, reply_queue
from furoshiki.mind.outreach import laws as all_laws
from furoshiki.mind.outreach.addressee import Address
from furoshiki.mind.outreach.rules import buttons
from furoshiki.mind.outreach.rules.buttons import Row
from furoshiki.mind.outreach.rules.gates import Look
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.decisions import NewDecision
from furoshiki.mind.outreach.voice import Worded
from furoshiki.owner.agenda.rules import mind_queue
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.owner.agenda.store import mind_queue as queue_store
from furoshiki.world import World

KIND = "outreach"  # the kind of turns in which the companion wrote first


def send(
    world: World, item: Waiting, priority: int, seen: Sequence[Look], words: Worded, to: Address, heard: datetime | None
) -> int | None:
    """Send an item; return its decision id, or None when something intervened.

    `heard` is the time of the owner's last message when the gates were checked.
    """
    now = world.now
    with world.database.write() as db:
        if inbox.count_pending(db) or gate_inputs.find_last_sign(db) != heard or not queue_store.is_open(db, item.id):
            return None
        if not queue_store.went_out(db, item.id, now):
            return None
        decision = NewDecision(
            item.kind, priority, "sent", _by(words), item_id=item.id, source=item.source or None, gates=as_rows(seen)
        )
        shaped = world.shape(to.channel, words.text, frozenset())
        rows = buttons.of(item)
        number, turn_id = say(
            db, decision, to, words.text, shaped, now, lambda number: (*rows, buttons.beneath(number))
        )
        reply_queue.expect(db, item, number, turn_id, now, all_laws.current(world))
        point("outreach.said")
    point("outreach.sent")
    if mind_queue.curious(item):
        world.state.change(heartbeat.ease_curiosities(world.laws, 1, now))
    return number


def say(
    db: sqlite3.Connection,
    decision: NewDecision,
    to: Address,
    text: str,
    shaped: Sequence[Shaped],
    now: datetime,
    rows: Callable[[int], Sequence[Row]] = lambda _number: (),
    kind: str = KIND,
) -> tuple[int, int]:
    """Store a decision, its turn (of this `kind`) and its `shaped` messages; return the ids of the
    decision and the turn. `rows` makes the buttons of the last message from the decision id."""
    number = decisions.record(db, decision, now)
    key = refs.name("outreach", number)
    turn_id = turns.add_unasked(db, to.channel, to.chat_id, text, now, key, kind)
    decisions.record_words(db, number, turn_id)
    outbox.put(db, _messages(to, shaped, rows(number)), now, turn_id, key)
    return number, turn_id


def as_rows(seen: Sequence[Look]) -> tuple[Mapping[str, Any], ...]:
    """Return the gates' findings as they are stored."""
    return tuple(
        {
            "gate": look.gate,
            "passed": look.passed,
            "value": look.value,
            "limit": look.limit,
            "until": None if look.until is None or look.passed else stamp(look.until),
        }
        for look in seen
    )


def _by(words: Worded) -> str:
    return f"every gate was open; in the words of {words.provider}:{words.model}"


def _messages(to: Address, shaped: Sequence[Shaped], rows: Sequence[Row]) -> list[NewOutgoing]:
    found = []
    for place, message in enumerate(shaped):
        extra = dict(message.extra)
        if rows and place == len(shaped) - 1:
            extra["buttons"] = list(rows)
        found.append(
            NewOutgoing(
                to.channel,
                to.chat_id,
                message.text,
                message.kind,
                place,
                message.entities,
                extra=extra,
                policy="unprompted",
            )
        )
    return found
