"""Store the results of a read session, its document first, in one transaction."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import compress

from furoshiki.core import refs
from furoshiki.core.database import events, kv
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import stamp
from furoshiki.feelings import heartbeat
from furoshiki.feelings.store import emotional_weights
from furoshiki.feelings.store.emotional_weights import EmotionalWeight
from furoshiki.language.facts import conflicts, names
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.grounding.words import content_of
from furoshiki.language.tables.function_words import query_words
from furoshiki.language.testimony import label_speaker
from furoshiki.language.words import stem_lightly
from furoshiki.memory import facts as memory_facts
from furoshiki.memory import weighing
from furoshiki.memory.concepts import find_key_nouns
from furoshiki.memory.similarity import embed_english
from furoshiki.memory.store import concepts, memories
from furoshiki.memory.values import Note
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import sessions
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.messages.values import COMPANION, Turn
from furoshiki.mind.inner_life.queue_thoughts import find_new_notes
from furoshiki.mind.inner_life.self_model import commitments
from furoshiki.mind.inner_life.store import drift, self_questions
from furoshiki.mind.post_conversation.due import READING_OWED
from furoshiki.mind.post_conversation.reading_check import CheckedReading, Refused
from furoshiki.mind.post_conversation.reading_form import FollowUp, ReadFact, ReadOutcome, SessionReading
from furoshiki.mind.post_conversation.session import Session
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model import style
from furoshiki.owner.user_model.store import anticipations, ways
from furoshiki.world import World

POOR = 2  # a rating (1 to 5) up to which the companion stores a self-observation about its replies
MANNER = "manner"  # the category of the user's preferred way of doing things
ENDS_A_GOAL = frozenset({"reached", "gave_up"})  # predicates for the outcome of a goal

_REPLIES_CITED = 5
_TURNS_CITED = 20
SURE, SURE_BY_RULE = 0.9, 0.8
_LOCAL = "local"  # the provider name of small local models and of the built-in mind

RULES = (_LOCAL, "reflex")  # provider and model of the built-in mind; it does not judge commitments


# how long after a conversation its reading still moves the companion as what was plainly said
FELT_STILL = timedelta(hours=2)

# the hour at which each part of the day ends
_PARTS_OF_DAY = ((5, "night"), (12, "morning"), (18, "afternoon"), (23, "evening"))


@dataclass(frozen=True)
class Read:
    """The reading of a session; `unread` counts first messages that no model was shown."""

    reading: SessionReading
    provider: str
    model: str
    unread: int = 0

    @property
    def by_rule(self) -> bool:
        """Return whether rules wrote the reading, without a model."""
        return (self.provider, self.model) == RULES


def keep(world: World, session: Session, read: Read, sound: CheckedReading) -> tuple[int, int]:
    """Store all results of a session in one transaction; `sound` is the accepted reading.

    Returns the number of certain facts stored and of claims refused.
    """
    now = world.now
    reading = read.reading
    asked = embed_english(world, sound.questions)
    noted = [(one.text, session.moment(one.after)) for one in sound.follow_ups]
    follow_ups = list(compress(sound.follow_ups, find_new_notes(world, noted, sound.settled)))
    sure = SURE_BY_RULE if read.provider == _LOCAL else SURE
    cycle = weighing.cycle(world, "reading")
    mood = world.state.heartbeat().mood.word
    facts: list[str] = []
    refused = list(sound.refused)
    with world.database.write() as db:
        if sessions.has(db, session.id):
            return 0, 0  # another run was quicker
        for fact, ids, doubt in sound.facts:
            reason = keep_fact(db, fact, ids, sure, cycle, session, doubt)
            if reason is None and doubt is None:
                facts.append(fact.text)
            elif reason:
                refused.append(Refused("fact", fact.text, ids, reason))
        quality = (reading.connection_quality, reading.warmth)
        text = render_document(world, session, sound, facts, quality, mood, read.unread)
        _keep_document(db, session, sound, reading, text, now)
        for thought_id in sound.settled:  # first: what was put off is noted again
            mind_queue.let_go(db, thought_id, "expired")
        for follow_up in follow_ups:
            _queue(db, follow_up, session, now)
        judge_expected(db, session, sound.outcomes, now)
        commitments.judge(db, session.commitments, sound.verdicts, session.said, session.id, now)
        for question, vector in zip(sound.questions, asked, strict=True):
            self_questions.add(db, question, refs.name("sessions", session.id), now, vector=vector)
        _keep_feelings(db, session, sound, reading, now)
        if reading.style is not None:
            style.learn_reading(db, reading.style, now)
        for score, what in ((reading.authentic, "authentic"), (reading.grounded, "grounded")):
            if score is not None and score <= POOR:
                _observe(db, what, score, session, now)
        for refusal in refused:
            memories.reject(db, refusal.kind, refusal.text, refusal.messages, refusal.reason, now)
        for key in kv.keys(db, f"{sessions.READ_IN_PARTS}{session.id}:"):
            kv.drop(db, key)
        kv.put(db, READING_OWED, True, now)
        point("post_conversation.before_commit")
    return len(facts), len(refused)


def keep_fact(
    db: sqlite3.Connection,
    fact: ReadFact,
    ids: Sequence[int],
    sure: float,
    cycle: Cycle,
    session: Session,
    unconfirmed: str | None = None,
) -> str | None:
    """Store a fact. Returns None, or why it was not stored; "" if the reason must not be listed.

    A fact that the same messages already yielded in other words is not stored again. `unconfirmed`
    is the reason of a doubt.
    """
    replaced = []
    if unconfirmed is None and fact.instead_of:
        replaced = _end_replaced(db, fact, session, ids)
    known = _is_known(db, fact, ids) or (fact.category == MANNER and ways.were_read(db, list(ids), cycle.now))
    reason: str | None = ""
    if not known:
        done = memory_facts.learn(
            db,
            _note(fact),
            ids,
            cycle.now,
            event_time=session.moment(fact.event_time),
            confidence=sure,
            cycle=cycle,
            zone=session.zone,
            unconfirmed=unconfirmed,
            read=True,
        )
        reason = {"forgotten": "", "stranger": f"nothing is known of {fact.subject!r}"}.get(done)
    # only now, as what rests on the same messages and is about the same thing counts as known
    for old in replaced:
        memories.reinforce(db, old, ids, max(session.own[number].at for number in ids))
    if not known and unconfirmed is None and fact.predicate in ENDS_A_GOAL:
        _end_goals(db, fact, session, ids)
    return reason


def _note(fact: ReadFact) -> Note:
    return Note(
        text=fact.text,
        type={"preference": "preference", MANNER: ways.TYPE}.get(fact.category, "semantic"),
        subject=fact.subject,
        predicate=fact.predicate,
        object=names.as_written(fact.object, fact.text) if fact.predicate == "name" else fact.object,
        category=fact.category,
    )


def _end_replaced(db: sqlite3.Connection, fact: ReadFact, session: Session, ids: Sequence[int]) -> list[int]:
    """End the known facts that a fact replaces, or withdraw those that were wrong, and return their
    ids: earlier ones with a word in common."""
    said_at, words, ended = max(session.own[number].at for number in ids), content_of(fact.text), []
    for old in memories.of_ids(db, fact.instead_of):
        replaceable = old.is_current and not old.immutable and not set(old.turn_ids) & set(ids)
        if not (
            replaceable
            and (words & content_of(old.content))
            and f"[{refs.name('memory', old.id)}]" in " ".join(session.known)
        ):
            continue
        if fact.was_wrong:
            memories.withdraw(db, old.id)
        else:
            memories.close(db, old.id, said_at)
        ended.append(old.id)
    return ended


def _end_goals(db: sqlite3.Connection, fact: ReadFact, session: Session, ids: Sequence[int]) -> None:
    """Close goals that a message says are reached or given up. A goal matches if most words of the
    shorter text occur in the other."""
    words = frozenset(query_words(fact.object))
    said_at = max(session.own[number].at for number in ids)
    for goal in memories.goals(db):
        held = frozenset(query_words(goal.object or goal.content))
        shorter = min(len(held), len(words))
        if goal.subject == fact.subject and shorter and len(held & words) > shorter / 2:
            memories.close(db, goal.id, said_at)


def _is_known(db: sqlite3.Connection, fact: ReadFact, ids: Sequence[int]) -> bool:
    """Return whether a current fact from the same messages says this in other words."""
    this = (fact.subject, fact.predicate, fact.object, fact.category)
    for held in memories.of_ids(db, memories.list_by_turns(db, ids)):
        if not (held.is_current and held.subject and held.predicate and held.object):
            continue
        that = (held.subject, held.predicate, held.object, held.category)
        if this[:2] == that[:2] and (this[1] == "name" or conflicts.same(this[2], that[2])):
            continue  # an identical fact is detected when facts are learned; a name is no other one
        if same(this, that):
            return True
    return False


def _keep_document(
    db: sqlite3.Connection, session: Session, sound: CheckedReading, reading: SessionReading, text: str, now: datetime
) -> None:
    """Store the document and its concepts: the model's, else the nouns of the topics."""
    document = SessionDocument(
        session_id=session.id,
        started_at=session.started_at,
        ended_at=session.ended_at,
        topics=sound.topics,
        document=text,
        connection_quality=reading.connection_quality,
        warmth=reading.warmth,
    )
    row = sessions.add(db, document, reading.authentic, reading.grounded)
    if row is not None:
        names = sound.concepts or find_key_nouns(". ".join(sound.topics))
        concepts.of_session(db, row, names, now, sound.links)


def _keep_feelings(
    db: sqlite3.Connection, session: Session, sound: CheckedReading, reading: SessionReading, now: datetime
) -> None:
    """Store the session's emotional weight, and events about feelings and the user's needs."""
    weight = EmotionalWeight(
        session_id=session.id,
        at=now,
        feelings=sound.felt.feelings,
        valence=sound.felt.valence,
        intensity=sound.felt.intensity,
        connection_quality=reading.connection_quality,
        warmth=reading.warmth,
        note=sound.moved_by,
        turn_ids=sound.moved_turns or tuple(session.own)[-_TURNS_CITED:],
    )
    emotional_weights.add(db, weight)
    closed = {"connection_quality": reading.connection_quality, "warmth": reading.warmth, "session": session.id}
    if now - session.ended_at <= FELT_STILL:
        closed["felt"] = dict(sound.felt.feelings)
    events.announce(db, "session_closed", closed, now)
    for event in dict.fromkeys(reading.events):
        events.announce(db, event, {"session": session.id}, now)
    if sound.needs:
        own = session.own
        needs = [
            {
                "need": need.need,
                "level": need.level,
                "confidence": need.confidence,
                "turns": [turn_id for turn_id in dict.fromkeys(need.messages) if turn_id in own],
            }
            for need in sound.needs
        ]
        told = {"session": session.id, "ended_at": stamp(session.ended_at), "needs": needs}
        events.announce(db, heartbeat.NEEDS_READ, told, now)


def _queue(db: sqlite3.Connection, follow_up: FollowUp, session: Session, now: datetime) -> None:
    key = f"follow_up:{session.id}:{' '.join(follow_up.text.casefold().split())[:120]}"
    after = session.moment(follow_up.after)
    source = refs.name("sessions", session.id)
    mind_queue.add(db, "follow_up", follow_up.text, key, now, source=source, not_before=after)


def _observe(db: sqlite3.Connection, what: str, score: int, session: Session, now: datetime) -> None:
    """Store a self-observation about a poor conversation, with the companion's last replies."""
    replies = [turn.id for turn in session.replies.values() if turn.text][-_REPLIES_CITED:]
    if not replies:
        return
    day = session.started_at.astimezone(session.zone).date().isoformat()
    text = f"In a conversation on {day} my replies were not {what} enough ({score} of 5)."
    drift.observe(db, text, replies, now)


def keep_quietly(world: World, session: Session) -> None:
    """Store a session in which only the companion spoke (reminders), without reading it."""
    said = session.said
    started, ended = (session.started_at, session.ended_at) if said else (world.now, world.now)
    words = "\n".join(_plain(turn) for turn in said)
    with world.database.write() as db:
        sessions.add(db, SessionDocument(session.id, started, ended, (), words, None, None))


def _plain(turn: Turn) -> str:
    return (
        turn.text
        if turn.speaker == COMPANION
        else f"{label_speaker(turn.speaker, turn.text, turn.foreign)}: {turn.text}"
    )


def judge_expected(db: sqlite3.Connection, session: Session, outcomes: Sequence[ReadOutcome], now: datetime) -> None:
    """Settle expectations by judged outcomes, in the caller's transaction."""
    by_id = {expectation.id: expectation for expectation in session.expected}
    for outcome in outcomes:
        expected = by_id.pop(outcome.id, None)
        if outcome.outcome == "open" or expected is None:
            continue
        if anticipations.judge(db, expected.id, outcome.outcome, session.id, now) and outcome.outcome == "miss":
            text = f"I expected this, and it was not so: {expected.text}"
            cited = {*expected.cited, *(turn_id for turn_id in outcome.messages if turn_id in session.own)}
            drift.observe(db, text, sorted(cited), now)


def render_document(
    world: World,
    session: Session,
    sound: CheckedReading,
    facts: Sequence[str],
    quality: tuple[float, float],
    mood: str,
    unread: int = 0,
) -> str:
    """Render the document that recall searches. `facts` are the stored ones; `quality` is
    connection and warmth, in [0, 1]; `unread` counts the first messages that were not read."""
    started, ended = (at.astimezone(session.zone) for at in (session.started_at, session.ended_at))
    return world.prompts.render(
        "post_conversation/document",
        date=started.strftime("%Y-%m-%d (%A)"),
        part_of_day=next((name for until, name in _PARTS_OF_DAY if started.hour < until), "night"),
        start=started.strftime("%H:%M"),
        end=ended.strftime("%H:%M"),
        topics=", ".join(sound.topics) or "nothing in particular",
        user_state=sound.user_state,
        companion=session.companion,
        mood=mood,
        connection=f"{quality[0]:.1f}, warmth {quality[1]:.1f}",
        unread=unread,
        facts=list(facts),
        summary=sound.summary,
        lines=[
            f"{label_speaker(session.speaker(turn), turn.text, turn.foreign)}: {turn.text}" for turn in session.said
        ],
    )


# -- the same fact in other words --
#
# One sentence may state several facts ("my sister Ruth lives in Oslo"), and two facts may share an
# object: a person may like a town and live in it.


Told = tuple[str, str, str, str | None]  # a fact as subject, predicate, object and category


def same(first: Told, second: Told) -> bool:
    """Return whether two facts are the same: equal subject, and equal predicate or category."""
    if first[0].casefold() != second[0].casefold():
        return False
    if {first[1], second[1]} & RELATIONS and first[1] != second[1]:
        return False
    alike = conflicts.same(first[2], second[2]) or _within(first[2], second[2]) or _within(second[2], first[2])
    one_kind = first[3] == second[3] and first[3] not in (None, "other")
    return alike and (first[1] == second[1] or one_kind)


def _within(small: str, large: str) -> bool:
    """Return whether the longer object contains all words of the short one ("the harbour")."""
    words = {stem_lightly(word) for word in query_words(small)}
    return bool(words) and words <= {stem_lightly(word) for word in query_words(large)}
