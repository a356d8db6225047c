"""The state that the gates check, read once."""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from furoshiki.core.similarity import cosine, cosine_of_counts, of_halves
from furoshiki.feelings.rules import user_needs
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.language.grounding.words import stems_of
from furoshiki.messages.store import inbox, turns
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.mind.outreach.addressee import Address
from furoshiki.mind.outreach.rules.gates import Moment
from furoshiki.mind.outreach.rules.laws import URGENT, OutreachLaws
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.decisions import Decision
from furoshiki.owner.agenda.rules import mind_queue
from furoshiki.owner.agenda.store import focus_sessions, quiet
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import compose_turn
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
        reminded_at=decisions.find_last_requested(db),
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
        weighed_at=find_weighed(db, now - laws.after_weight),
    )


def find_last_sign(db: sqlite3.Connection) -> datetime | None:
    """Return when the owner last sent anything, commands included."""
    last = turns.last_said(db, USER)
    return None if last is None else last.at


def find_weighed(db: sqlite3.Connection, since: datetime) -> datetime | None:
    """Return when the owner last wrote something heavy after `since`; None if they did not."""
    felt = turns.read_felt_since(db, since)
    return next((turn.at for turn, strengths in reversed(felt) if mind_queue.heavy(strengths)), None)


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


# -- whether a text repeats recent messages of the companion, even in other words --
#
# Meaning is compared by stored embeddings where an encoder is available, else by word stems. The gate
# therefore works while memoryd is down.


# How many of the newest messages without a vector are embedded; older ones have one. In other
# languages than English, stored vectors are useless: only the newest messages are compared.
COMPARED_AT_ONCE = 32


def likeness(world: World, text: str, since: datetime, item_id: int | None = None) -> float:
    """Return the highest cosine to the companion's messages since `since`, in [0, 1] or slightly
    below 0; 0 without messages. Messages about `item_id` are left out: a repetition is wanted."""
    with world.database.read() as db:
        own = decisions.turns_of(db, item_id)
        said = [turn for turn in turns.read_since(db, COMPANION, since) if turn.id not in own]
    if not said:
        return 0.0
    by_words = max(cosine_of_counts(_counts(text), _counts(turn.text)) for turn in said)
    try:
        return max(by_words, _compare_meaning(world, text, said))
    except VectorsAway:
        return by_words


def _compare_meaning(world: World, text: str, said: Sequence[Turn]) -> float:
    languages = load_languages(world.config)
    if languages.of(text) is not None:
        own, *earlier = world.vectors.compare([text, *(turn.text for turn in said[-COMPARED_AT_ONCE:])])
        return max(cosine(own, one) for one in earlier)
    encoder, (own,) = world.vectors.said([compose_turn(COMPANION, text)])
    with world.database.read() as db:
        kept = dict(vectors.of_speaker(db, encoder, COMPANION, said[0].at))
    near = [of_halves(kept[turn.id]) for turn in said if turn.id in kept]
    bare = [compose_turn(COMPANION, turn.text) for turn in said if turn.id not in kept]
    fresh = world.vectors.embed(bare[-COMPARED_AT_ONCE:]) if bare else []
    return max(cosine(own, one) for one in (*near, *fresh))


def _counts(text: str) -> Counter[str]:
    return Counter(stems_of(text))
