"""The state that the gates check, read once."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from furoshiki.feelings.rules import user_needs
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.messages.store import inbox, turns
from furoshiki.messages.values import USER
from furoshiki.mind.outreach.addressee import Address
from furoshiki.mind.outreach.rules.gates import Moment
from furoshiki.mind.outreach.rules.laws import URGENT, OutreachLaws
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.decisions import Decision
from furoshiki.owner.agenda.store import focus_sessions, quiet
from furoshiki.owner.user_model import user
from furoshiki.world import World


def moment(world: World, db: sqlite3.Connection, beat: Heartbeat, to: Address, laws: OutreachLaws) -> Moment:
    """Collect the values that the gates check."""
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
        sent_today=sum(
            decision.at.astimezone(zone).date() == today and decision.priority > URGENT for decision in sent
        ),
        unanswered=sum(answered is None or decision.at > answered for decision in sent),
        burst_left=_burst_left(db, sent, now, laws),
        quiet_until=quiet.until(db, now),
        anger=beat.emotions.anger,
        loneliness=beat.emotions.loneliness,
        space=need("space"),
        focus=need("focus"),
        focus_until=None if session is None else session.until,
    )


def find_last_sign(db: sqlite3.Connection) -> datetime | None:
    """Return when the owner last sent anything, commands included."""
    last = turns.last_said(db, USER)
    return None if last is None else last.at


def _burst_left(db: sqlite3.Connection, sent: Sequence[Decision], now: datetime, laws: OutreachLaws) -> int:
    """Return how many messages may follow at once after the owner's quick answer."""
    burst = laws.burst
    for decision in sent:
        if now - decision.at > burst.answered + burst.lasts:
            return 0
        answer = turns.first_heard(db, decision.at)
        if answer is not None and answer - decision.at <= burst.answered and now - answer <= burst.lasts:
            return max(0, burst.most - sum(later.at >= answer for later in sent))
    return 0
