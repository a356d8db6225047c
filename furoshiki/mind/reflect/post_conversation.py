"""After a conversation: read it once as a whole, and keep what it leaves behind.

One session at a time, each in one transaction with its document: killed at any point, the next run does what is
missing and nothing twice. What a model claims about the user counts only when the user's own words carry it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from furoshiki.crash import point
from furoshiki.domain.asking import Answer, Block, Message, Question
from furoshiki.domain.conversation import COMPANION, USER, Turn
from furoshiki.domain.grounding import grounded, only_said_back
from furoshiki.domain.reflex.situation import Said
from furoshiki.domain.tokens import cut
from furoshiki.domain.when import parse
from furoshiki.errors import AnswerUnusable, NoMindAnswered
from furoshiki.mind import user
from furoshiki.mind.commands.words import plural
from furoshiki.mind.reflect import commitments, expecting, profile
from furoshiki.mind.reflect import context as session_context
from furoshiki.mind.reflect.reading import FollowUp, ReadFact, SessionReading
from furoshiki.mind.remember import keeping, weighing
from furoshiki.mind.remember.weighing import Cycle
from furoshiki.mind.turn.values import Note
from furoshiki.mind.worth import QUIET
from furoshiki.storage import anticipations, feelings, memories, mindqueue, sessions, turns
from furoshiki.storage.sessions import SessionDocument
from furoshiki.vectors import VectorsAway
from furoshiki.world import Report, World

MATERIAL_TOKENS = 12_000
LONGEST_TURN_TOKENS = 800
MOST_AT_ONCE = 10

SOMEBODY = "somebody else (passed on)"
"""Who speaks in a message that the user forwarded: nothing in it is about the user."""


async def read_sessions(world: World) -> Report:
    """Read every finished session that has no document yet, oldest first."""
    with world.store.read() as db:
        waiting = sessions.unwritten(db, world.now - QUIET)[:MOST_AT_ONCE]
        zone = user.zone(world, db)
    kept, rejected, failed = 0, 0, []
    for session_id in waiting:
        with world.store.read() as db:
            others = turns.passed_on(db, session_id)
            said = [
                replace(turn, speaker=SOMEBODY) if turn.id in others else turn
                for turn in turns.of_session(db, session_id)
            ]
        if not any(turn.speaker == USER for turn in said):
            _keep_quietly(world, session_id, said)
            continue
        try:
            reading, mind = await _read(world, said, zone)
        except (AnswerUnusable, NoMindAnswered) as error:
            failed.append(session_id)
            with world.store.write() as db:
                feelings.announce(db, "reading_failed", {"session": session_id, "reason": str(error)[:300]}, world.now)
            continue
        new, refused = _keep(world, session_id, said, reading, mind, zone)
        kept, rejected = kept + new, rejected + refused
    if waiting:
        await commitments.learn(world)
        await profile.refine(world)
        session_context.refresh(world)
        with contextlib.suppress(VectorsAway):
            world.vectors.nudge()
    read = plural(len(waiting) - len(failed), "session")
    summary = f"{read} read, {plural(kept, 'fact')} kept, {rejected} refused"
    data = {"sessions": waiting, "facts": kept, "rejected": rejected, "failed": failed}
    return Report(bool(waiting), summary if waiting else "no finished conversation is unread", data)


async def _read(world: World, said: Sequence[Turn], zone: tzinfo) -> tuple[SessionReading, Answer]:
    with world.store.read() as db:
        name = user.name(db)
        known = [f"[memory:{one.id}] {one.content}" for one in memories.known(db, 30)]
        expected = [f"[{one.id}] {one.text}" for one in anticipations.pending(db, said[0].at)]
    values = {
        "companion": world.settings.furoshiki_companion_name,
        "name": name,
        "day": said[0].at.astimezone(zone).strftime("%A, %-d %B %Y"),
        "known": known,
        "expected": expected,
        "lines": _lines(said, name, world.settings.furoshiki_companion_name, zone),
    }
    question = Question(
        tier="fast",
        purpose="post_conversation",
        system=(Block(world.prompts.render("post_conversation/instructions", companion=values["companion"]), True),),
        messages=(Message("user", world.prompts.render("post_conversation/session", **values)),),
        answer=SessionReading,
        max_tokens=3000,
        timeout_s=120.0,
        material=tuple(Said(turn.speaker, turn.text, turn.at, turn.id) for turn in said),
        turn_key=f"session:{said[0].session_id}",
    )
    answer = await world.ask(question)
    reading: SessionReading = answer.parsed
    return reading, answer


def _keep(
    world: World, session_id: str, said: Sequence[Turn], reading: SessionReading, mind: Answer, zone: tzinfo
) -> tuple[int, int]:
    """Everything a session leaves behind, in one transaction. Answers how many facts were kept and refused."""
    now = world.now
    own = {turn.id: turn for turn in said if turn.speaker == USER}
    told = [turn.text for turn in said if turn.speaker == COMPANION]
    cycle = weighing.cycle(world, "reading")
    kept = refused = 0
    with world.store.write() as db:
        document = SessionDocument(
            session_id=session_id,
            started_at=said[0].at,
            ended_at=said[-1].at,
            topics=tuple(reading.topics),
            document=_document(world, said, reading, zone),
            connection_quality=reading.connection_quality,
            warmth=reading.warmth,
        )
        if sessions.add(db, document, reading.authentic, reading.grounded) is None:
            return 0, 0  # another run was quicker
        for fact in reading.facts:
            if _keep_fact(db, fact, own, told, mind.provider, cycle, zone):
                kept += 1
            else:
                refused += 1
        for follow_up in reading.follow_ups:
            _queue(db, follow_up, session_id, now)
        pending = anticipations.pending(db, said[0].at)
        expecting.judge(db, pending, reading.anticipations, own, session_id, now)
        quality = {"connection_quality": reading.connection_quality, "warmth": reading.warmth, "session": session_id}
        feelings.announce(db, "session_closed", quality, now)
        for event in reading.events:
            feelings.announce(db, event, {"session": session_id}, now)
        for score, what in ((reading.authentic, "authentic"), (reading.grounded, "grounded")):
            if score is not None and score <= 2:
                _observe(db, what, score, said, now)
        point("post_conversation.before_commit")
    return kept, refused


def _keep_fact(
    db: sqlite3.Connection,
    fact: ReadFact,
    own: dict[int, Turn],
    told: Sequence[str],
    provider: str,
    cycle: Cycle,
    zone: tzinfo,
) -> bool:
    """Write one fact down if the user's own cited words carry it; otherwise keep the claim where it can be seen."""
    now = cycle.now
    cited = [own[turn_id] for turn_id in fact.messages if turn_id in own]
    if not cited:
        reason = "it cites no message of the user in this session"
        memories.reject(db, "fact", fact.text, fact.messages, reason, now)
        return False
    verdict = grounded(fact.text, fact.object, [turn.text for turn in cited])
    if not verdict.ok:
        memories.reject(db, "fact", fact.text, fact.messages, verdict.reason, now)
        return False
    echo = only_said_back(fact.text, [turn.text for turn in cited], told)
    if echo is not None:
        memories.reject(db, "fact", fact.text, fact.messages, f"{echo!r} was said by the companion alone", now)
        return False
    note = Note(
        text=fact.text,
        type="preference" if fact.category == "preference" else "semantic",
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        category=fact.category,
    )
    confidence = 0.9 if provider != "local" else 0.8
    kept = keeping.keep(
        db,
        note,
        [turn.id for turn in cited],
        now,
        event_time=_moment(fact.event_time),
        confidence=confidence,
        cycle=cycle,
        zone=zone,
    )
    return kept != "forgotten"


def _queue(db: sqlite3.Connection, follow_up: FollowUp, session_id: str, now: datetime) -> None:
    key = f"follow_up:{session_id}:{' '.join(follow_up.text.casefold().split())[:120]}"
    source = f"sessions:{session_id}"
    mindqueue.add(db, "follow_up", follow_up.text, key, now, source=source, not_before=_moment(follow_up.after))


def _observe(db: sqlite3.Connection, what: str, score: int, said: Sequence[Turn], now: datetime) -> None:
    """A poor conversation is worth remembering: the companion should see it in itself."""
    replies = [turn.id for turn in said if turn.speaker == COMPANION][-5:]
    if not replies:
        return
    text = f"In a conversation on {said[0].at.date().isoformat()} my replies were not {what} enough ({score} of 5)."
    memories.add(
        db,
        memories.NewMemory("reflection", text, tuple(replies), source_tag="internal_consolidation", category="self"),
        now,
    )


def _keep_quietly(world: World, session_id: str, said: Sequence[Turn]) -> None:
    """A session in which only the companion spoke (reminders): on record, and nothing to read."""
    started, ended = (said[0].at, said[-1].at) if said else (world.now, world.now)
    words = "\n".join(turn.text for turn in said)
    with world.store.write() as db:
        sessions.add(db, SessionDocument(session_id, started, ended, (), words, None, None))


def _document(world: World, said: Sequence[Turn], reading: SessionReading, zone: tzinfo) -> str:
    companion = world.settings.furoshiki_companion_name
    with world.store.read() as db:
        name = user.name(db)
    started, ended = said[0].at.astimezone(zone), said[-1].at.astimezone(zone)
    return world.prompts.render(
        "post_conversation/document",
        date=started.strftime("%Y-%m-%d (%A)"),
        part_of_day=_part_of_day(started.hour),
        start=started.strftime("%H:%M"),
        end=ended.strftime("%H:%M"),
        topics=", ".join(reading.topics) or "nothing in particular",
        user_state=reading.user_state,
        companion=companion,
        mood=world.state.heartbeat().mood.word,
        connection=f"{reading.connection_quality:.1f}, warmth {reading.warmth:.1f}",
        facts=[fact.text for fact in reading.facts],
        summary=reading.summary,
        lines=[f"{_speaker(turn, name, companion)}: {turn.text}" for turn in said],
    )


def _lines(said: Sequence[Turn], name: str | None, companion: str, zone: tzinfo) -> list[str]:
    """The conversation with message ids, cut from its beginning when it is longer than a model should be shown."""
    lines: list[str] = []
    left = MATERIAL_TOKENS
    for turn in reversed(said):
        text = cut(" ".join(turn.text.split()), LONGEST_TURN_TOKENS)
        left -= len(text) // 4 + 8
        if left < 0:
            break
        clock = turn.at.astimezone(zone).strftime("%H:%M")
        lines.append(f"[{turn.id} · {clock}] {_speaker(turn, name, companion)}: {text}")
    return lines[::-1]


def _speaker(turn: Turn, name: str | None, companion: str) -> str:
    return {USER: name or "User", COMPANION: companion}.get(turn.speaker, turn.speaker)


def _part_of_day(hour: int) -> str:
    for until, name in ((5, "night"), (12, "morning"), (18, "afternoon"), (23, "evening")):
        if hour < until:
            return name
    return "night"


def _moment(text: str | None) -> datetime | None:
    try:
        return parse(text) if text else None
    except ValueError:
        return None
