"""Keep what was learned: the same thing said again strengthens it, a changed thing ends the old one with a date.

When a fact began and ended is read from the user's own words, the turns it rests on. A change leaves both facts
answerable, each in its time; a correction takes the old one back; what was so only once is kept as over.
"""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal

from furoshiki.core.timestamps import stamp
from furoshiki.dates import fact_times, parsing
from furoshiki.dates.fact_times import UNSAID, Times
from furoshiki.language.facts import conflicts
from furoshiki.language.facts.extraction import USER, Fact, facts_in, past_facts_in, sentence_around
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.facts.words import PARTNERS
from furoshiki.language.one_line import compressed
from furoshiki.language.testimony import Own
from furoshiki.memory import weighing
from furoshiki.memory.store import links, memories, tombstones
from furoshiki.memory.values import Memory, NewMemory, Note
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import turns
from furoshiki.messages.values import Turn

Kept = Literal["new", "again", "changed", "corrected", "past", "forgotten", "stranger"]

AGAIN = 0.5
"""What saying it again adds to alpha: a moderate reinforcement."""

MISHEARD = 0.6
"""Two names this alike (difflib's ratio) are the same one, misheard and put right, when the user says it is wrong."""

IMPORTANCE: Mapping[str, float] = {
    "health": 0.7,
    "addressing": 0.6,
    "family": 0.6,
    "relationship": 0.6,
    "location": 0.5,
    "employment": 0.5,
    "belief": 0.5,
    "plan": 0.4,
    "preference": 0.4,
    "skill": 0.4,
}
"""How important a fact is at first, in [0, 1], by its category."""

USUAL_IMPORTANCE = 0.3

_ENDED = ("used to ", "no longer ", "formerly ", "previously ", "not anymore", "any more", "former ")
_OPPOSITE = {"likes": "dislikes", "dislikes": "likes"}
_TOGETHER = PARTNERS - {"ex"}


@dataclass(frozen=True)
class _Told:
    """A note with what the user's words say about its time. `since` and `until` bound it; `said_at` is the latest
    moment it was said."""

    said_at: datetime
    since: datetime
    until: datetime | None
    times: Times
    past: bool
    corrects: bool
    instead: str | None


def learn(
    db: sqlite3.Connection,
    note: Note,
    turn_ids: Sequence[int],
    now: datetime,
    source_tag: str = "external_user",
    event_time: datetime | None = None,
    confidence: float = 1.0,
    cycle: Cycle | None = None,
    zone: tzinfo = UTC,
) -> Kept:
    """Write a note down with the turns it rests on, inside the caller's transaction.

    `zone` is the user's, for "last year" and "since March". "forgotten": the user had it forgotten, and the words it
    rests on are older than that; "stranger": somebody died of whom nothing is known. Then nothing is written.
    """
    cycle = cycle or Cycle(f"keeping:{stamp(now)}", now, frozenset({"A"}))
    told = _told(note, turns.many(db, list(turn_ids)), now, zone)
    if note.instead is not None:
        told = replace(told, instead=note.instead, past=False)
    names = tombstones.fact(note.subject, note.predicate, note.object, note.text)
    if tombstones.buried(db, "memory", names, told.said_at):
        return "forgotten"
    event_time = event_time or _planned_for(note, told.said_at.astimezone(zone))
    if not (note.subject and note.predicate and note.object):
        held_id = memories.with_content(db, note.text)
        if held_id is not None:
            _again(db, cycle, held_id, turn_ids)
            return "again"
        _add(db, note, turn_ids, told, now, source_tag, event_time, confidence)
        return "new"
    if _died(note) and note.subject not in RELATIONS and not _known(db, note.subject):
        return "stranger"
    current = memories.about(db, note.subject, note.predicate)
    if told.past:
        return _over(db, note, current, turn_ids, told, now, source_tag, event_time, confidence)
    for held in current:
        if conflicts.same(held.object, note.object):
            _again(db, cycle, held.id, turn_ids)
            return "again"
    for held in memories.ever(db, note.subject, note.predicate):
        told_then = held.valid_to is not None and told.said_at < held.valid_to
        if conflicts.same(held.object, note.object) and (told_then or set(turn_ids) <= set(held.turn_ids)):
            memories.reinforce(db, held.id, turn_ids, now)  # words of its time, read late: it stays over
            return "again"
    if _taken_back(db, note, turn_ids, told):
        return "again"
    outcome: Kept = "new"
    ended: list[int] = []
    for held in [*current, *_opposite(db, note)]:
        if held.immutable:
            continue
        if _puts_right(note, told, held):
            memories.withdraw(db, held.id)
            outcome = "corrected"
            ended.append(held.id)
        elif held.predicate != note.predicate or conflicts.ends(note.predicate, held.object, note.object):
            if held.valid_from is not None and told.said_at < held.valid_from:
                # told before what is known now, and read only later: it was over by then
                return _older(db, note, held, turn_ids, told, now, source_tag, event_time, confidence)
            memories.close(db, held.id, told.since)
            outcome = "changed" if outcome == "new" else outcome
            ended.append(held.id)
    new_id = _add(db, note, turn_ids, told, now, source_tag, event_time, confidence)
    for held in _ends_with(db, note, told.said_at):
        memories.close(db, held.id, told.times.at or told.since)
        outcome = "changed" if outcome == "new" else outcome
    for old_id in ended:
        _replaces(db, new_id, old_id, now)
    memories.inherit(db, new_id, ended)
    if outcome == "corrected" and note.predicate in RELATIONS:
        for held in memories.of_ids(db, ended):
            _renamed(db, held, note, turn_ids, now)
    return outcome


def _planned_for(note: Note, said_at: datetime) -> datetime | None:
    """When a plan is for, if its words name a day."""
    if note.category != "plan" or note.object is None:
        return None
    when = parsing.read(note.object, said_at)
    return None if when is None or when.past or when.rule else when.at.astimezone(UTC)


def _died(note: Note) -> bool:
    return note.predicate == "is" and note.object in conflicts.DEATH


def _known(db: sqlite3.Connection, name: str) -> bool:
    return bool(memories.of_subject(db, name) or _called(db, name))


def _called(db: sqlite3.Connection, name: str) -> list[Memory]:
    """The user's people and pets who are called so; for a relation ("cat") the one there is of that kind."""
    held = [one for one in memories.of_subject(db, USER) if one.predicate in RELATIONS]
    if name in RELATIONS:
        of_kind = [one for one in held if one.predicate == name]
        return of_kind if len(of_kind) == 1 else []
    return [one for one in held if conflicts.same(one.object, name)]


def _ends_with(db: sqlite3.Connection, note: Note, said_at: datetime) -> list[Memory]:
    """What else is over when this is so: whoever died lives nowhere, who has a partner is not single."""
    assert note.subject is not None
    if _died(note):
        called = _called(db, note.subject)
        names = {note.subject, *(one.object for one in called if one.object)}
        own = [one for name in sorted(names) for one in memories.of_subject(db, name) if one.predicate != "is"]
        ended = [*own, *called]
    elif note.subject != USER:
        return []
    elif note.predicate == "marital_status" and (note.object or "").casefold() in conflicts.ENDS_PARTNERSHIP:
        ended = [one for one in memories.of_subject(db, USER) if one.predicate in _TOGETHER]
    elif note.predicate in _TOGETHER:
        status = memories.about(db, USER, "marital_status")
        ended = [one for one in status if (one.object or "").casefold() == "single"]
    else:
        return []
    return [one for one in ended if not one.immutable and (one.valid_from is None or one.valid_from <= said_at)]


def _renamed(db: sqlite3.Connection, wrong: Memory, note: Note, turn_ids: Sequence[int], now: datetime) -> None:
    """What is known of somebody whose name was misheard is known of whoever it is."""
    assert wrong.object is not None and note.object is not None
    for held in memories.of_subject(db, wrong.object):
        if held.immutable:
            continue
        content = held.content.replace(wrong.object, note.object)
        right = NewMemory(
            type=held.type,
            content=content,
            turn_ids=(*held.turn_ids, *turn_ids),
            source_tag=held.source_tag,
            subject=note.object,
            predicate=held.predicate,
            object=held.object,
            category=held.category,
            valid_from=held.valid_from,
            event_time=held.event_time,
            confidence=held.confidence,
            compressed=compressed(content),
            importance=held.importance,
        )
        memories.withdraw(db, held.id)
        new_id = memories.add(db, right, now)
        _replaces(db, new_id, held.id, now)
        memories.inherit(db, new_id, [held.id])


def _taken_back(db: sqlite3.Connection, note: Note, turn_ids: Sequence[int], told: _Told) -> bool:
    """Whether these are the words of a mistake that has been put right since: read late, they bring nothing back."""
    assert note.subject and note.predicate
    for held in memories.withdrawn(db, note.subject, note.predicate):
        if not conflicts.same(held.object, note.object):
            continue
        since = [link.created_at for link in links.links_of(db, held.id) if link.relation == "updated_by"]
        if set(turn_ids) <= set(held.turn_ids) or any(told.said_at < at for at in since):
            return True
    return False


def _again(db: sqlite3.Connection, cycle: Cycle, memory_id: int, turn_ids: Sequence[int]) -> None:
    """Said again: heavier, with one more source; the same words read twice change nothing."""
    held = memories.get(db, memory_id)
    if held is not None and set(turn_ids) <= set(held.turn_ids):
        return
    weighing.reinforce(db, cycle, memory_id, AGAIN, "said again", {"turns": list(turn_ids)})
    memories.reinforce(db, memory_id, turn_ids, cycle.now)


def _over(
    db: sqlite3.Connection, note: Note, current: Sequence[Memory], turn_ids: Sequence[int], told: _Told, *more: Any
) -> Kept:
    """It was so and is no longer: what was held as true ends; what was not known is kept as over."""
    until = told.until or told.said_at
    if note.subject == USER and note.predicate in _TOGETHER:
        current = [one for one in memories.of_subject(db, USER) if one.predicate in _TOGETHER]
    for held in current:
        if conflicts.same(held.object, note.object):
            memories.close(db, held.id, until)
            memories.reinforce(db, held.id, turn_ids, told.said_at)
            return "changed"
    assert note.subject and note.predicate
    for held in memories.ever(db, note.subject, note.predicate):
        if conflicts.same(held.object, note.object):
            memories.reinforce(db, held.id, turn_ids, told.said_at)
            return "again"
    memories.close(db, _add(db, note, turn_ids, told, *more), until)
    return "past"


def _older(
    db: sqlite3.Connection, note: Note, held: Memory, turn_ids: Sequence[int], told: _Told, now: datetime, *more: Any
) -> Kept:
    """Said before what is held now began: kept as over since then."""
    assert held.valid_from is not None
    old_id = _add(db, note, turn_ids, told, now, *more)
    memories.close(db, old_id, held.valid_from)
    _replaces(db, held.id, old_id, now)
    return "past"


def _replaces(db: sqlite3.Connection, new_id: int, old_id: int, now: datetime) -> None:
    links.link(db, new_id, old_id, "supersedes", 1.0, now)
    links.link(db, old_id, new_id, "updated_by", 1.0, now)


def _opposite(db: sqlite3.Connection, note: Note) -> list[Memory]:
    """What is held as liked and is now disliked, or the other way round."""
    predicate = _OPPOSITE.get(note.predicate or "")
    if predicate is None or note.subject is None:
        return []
    return [one for one in memories.about(db, note.subject, predicate) if conflicts.same(one.object, note.object)]


def _puts_right(note: Note, told: _Told, held: Memory) -> bool:
    """Whether the held fact was never true: its object was denied, or a name was misheard."""
    if held.predicate != note.predicate or held.object is None or note.object is None:
        return False
    if told.instead is not None:
        return conflicts.same(told.instead, held.object)
    named = note.predicate in RELATIONS or note.predicate == "name"
    alike = difflib.SequenceMatcher(None, held.object.casefold(), note.object.casefold()).ratio()
    return told.corrects and named and alike >= MISHEARD


def _add(
    db: sqlite3.Connection,
    note: Note,
    turn_ids: Sequence[int],
    told: _Told,
    now: datetime,
    source_tag: str,
    event_time: datetime | None,
    confidence: float,
) -> int:
    unsure = {"until": "unknown"} if told.past and told.until is None else {}
    return memories.add(
        db,
        NewMemory(
            type=note.type,
            content=note.text,
            turn_ids=tuple(turn_ids),
            source_tag=source_tag,
            subject=note.subject,
            predicate=note.predicate,
            object=note.object,
            category=note.category,
            valid_from=None if told.past and told.times.since is None and told.times.at is None else told.since,
            event_time=event_time or told.times.at,
            confidence=confidence,
            compressed=compressed(note.text),
            importance=IMPORTANCE.get(note.category or "", USUAL_IMPORTANCE),
            metadata=unsure or None,
        ),
        now,
    )


def _told(note: Note, said: Sequence[Turn], now: datetime, zone: tzinfo) -> _Told:
    """What the words say about the time of a note; the newest turn that speaks of it is believed."""
    said_at = max((min(turn.at, now) for turn in said), default=now)
    for turn in sorted(said, key=lambda one: one.at, reverse=True):
        local = min(turn.at, now).astimezone(zone)
        fact = _stated(note, turn.own)
        if fact is not None:
            times = fact_times.read(sentence_around(turn.own, *fact.span), local)
            return _with_times(note, times, min(turn.at, now), fact.past, fact.corrects, fact.instead)
        where = turn.own.casefold().find((note.object or "").casefold()) if note.object else -1
        if where >= 0:
            around = sentence_around(turn.own, where, where + len(note.object or ""))
            past = any(word in f"{note.text.casefold()} " for word in _ENDED)
            return _with_times(note, fact_times.read(around, local), min(turn.at, now), past, False, None)
    return _Told(said_at, said_at, None, UNSAID, False, False, None)


def _with_times(note: Note, times: Times, said_at: datetime, past: bool, corrects: bool, instead: str | None) -> _Told:
    """Plans name a time to come, which bounds nothing; of what is over, the stretch that was named is when it was."""
    if note.category == "plan":
        times = UNSAID
    since, until = times.since, times.until
    if past:
        since, until = since or times.at, until or times.at_end
    if until is not None and until > said_at:
        until = said_at
    since = min((since or said_at).astimezone(UTC), said_at.astimezone(UTC))
    return _Told(said_at, since, None if until is None else until.astimezone(UTC), times, past, corrects, instead)


def _stated(note: Note, text: Own) -> Fact | None:
    """The fact in a turn that this note keeps, in the present if it is stated both ways."""
    for fact in (*facts_in(text), *past_facts_in(text)):
        if not conflicts.same(fact.object, note.object):
            continue
        same_subject = note.subject is not None and fact.subject.casefold() == note.subject.casefold()
        if same_subject and fact.predicate == note.predicate:
            return fact
    return None
