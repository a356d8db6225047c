"""The one way in which words go out unasked: turn, outbox, queue and decision in one transaction, or nothing.

Between the look at how things stand and this moment a model may have thought for a minute. A message that came
meanwhile is answered first; what was closed meanwhile is not said.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from furoshiki.core import refs
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules import user_needs
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.messages.store import inbox, outbox, turns
from furoshiki.messages.values import COMPANION, USER, NewOutgoing, NewTurn, Shaped, session_for
from furoshiki.mind.outreach import laws as all_laws
from furoshiki.mind.outreach import reply_queue
from furoshiki.mind.outreach.outcomes import Address
from furoshiki.mind.outreach.rules import buttons
from furoshiki.mind.outreach.rules.buttons import Row
from furoshiki.mind.outreach.rules.gates import Look, Moment
from furoshiki.mind.outreach.rules.laws import URGENT, OutreachLaws
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.decisions import Decision, NewDecision
from furoshiki.mind.outreach.voice import Worded
from furoshiki.owner.agenda.rules import mind_queue
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.owner.agenda.store import focus_sessions, quiet
from furoshiki.owner.agenda.store import mind_queue as queue_store
from furoshiki.owner.user_model import user
from furoshiki.world import World

KIND = "outreach"
"""Of the turns in which the companion wrote first."""


def send(
    world: World, item: Waiting, priority: int, seen: Sequence[Look], words: Worded, to: Address, heard: datetime | None
) -> int | None:
    """Say it; returns the number of the decision, None when something has come in between.

    `heard` is when the owner had last said anything as the gates were asked.
    """
    now = world.now
    with world.database.write() as db:
        if inbox.count_pending(db) or find_last_sign(db) != heard or not queue_store.is_open(db, item.id):
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
    """Note a decision, the turn of this `kind`, and the messages it is `shaped` into; returns the numbers of the
    decision and of the turn. `rows` are the buttons under the last message, made with the number of the decision."""
    number = decisions.record(db, decision, now)
    key = refs.name("outreach", number)
    turn = NewTurn(
        session_id=session_for(now, turns.last_session(db)),
        channel=to.channel,
        chat_id=to.chat_id,
        speaker=COMPANION,
        text=text,
        at=now,
        kind=kind,
        turn_key=key,
    )
    turn_id = turns.add(db, turn)
    decisions.record_words(db, number, turn_id)
    outbox.put(db, _messages(to, shaped, rows(number)), now, turn_id, key)
    return number, turn_id


def as_rows(seen: Sequence[Look]) -> tuple[Mapping[str, Any], ...]:
    """What the gates saw, as it is kept."""
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
    for place, one in enumerate(shaped):
        extra = dict(one.extra)
        if rows and place == len(shaped) - 1:
            extra["buttons"] = list(rows)
        found.append(
            NewOutgoing(
                to.channel, to.chat_id, one.text, one.kind, place, one.entities, extra=extra, policy="unprompted"
            )
        )
    return found


def moment(world: World, db: sqlite3.Connection, beat: Heartbeat, to: Address, laws: OutreachLaws) -> Moment:
    """What the gates look at."""
    now, zone = world.now, user.zone(world, db)
    sent = decisions.list_sent(db, now - laws.same_within)
    heard, pressed = find_last_sign(db), inbox.find_last_press(db, to.channel, to.chat_id)
    answered = max((at for at in (heard, pressed) if at is not None), default=None)
    today = now.astimezone(zone).date()
    session = focus_sessions.current(db, now)

    def need(name: str) -> tuple[float, float]:
        one = beat.user_needs[name]
        return one.level, user_needs.confidence_at(one, now, world.laws.user_needs)

    return Moment(
        now=now,
        zone=zone,
        heard_at=now if inbox.count_pending(db) else heard,
        last_sent=sent[0].at if sent else None,
        sent_today=sum(one.at.astimezone(zone).date() == today and one.priority > URGENT for one in sent),
        unanswered=sum(answered is None or one.at > answered for one in sent),
        burst_left=_burst_left(db, sent, now, laws),
        quiet_until=quiet.until(db, now),
        anger=beat.emotions.anger,
        loneliness=beat.emotions.loneliness,
        space=need("space"),
        focus=need("focus"),
        focus_until=None if session is None else session.until,
    )


def find_last_sign(db: sqlite3.Connection) -> datetime | None:
    """When the owner last said or showed anything, commands included."""
    last = turns.last_said(db, USER)
    return None if last is None else last.at


def _burst_left(db: sqlite3.Connection, sent: Sequence[Decision], now: datetime, laws: OutreachLaws) -> int:
    """What may be said at once because they answered at once: counted from the answer on."""
    burst = laws.burst
    for one in sent:
        if now - one.at > burst.answered + burst.lasts:
            return 0
        answer = turns.first_heard(db, one.at)
        if answer is not None and answer - one.at <= burst.answered and now - answer <= burst.lasts:
            return max(0, burst.most - sum(later.at >= answer for later in sent))
    return 0
