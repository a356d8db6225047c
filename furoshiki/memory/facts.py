"""Store facts: a repeated fact gains weight, a changed fact ends the old one with a date.

The related memories are read once, `memory.rules.facts` decides, and its actions are carried out.
The dates of a fact are read from the user's own words in the cited turns
(`memory.rules.stated_facts`).
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from itertools import chain

from furoshiki.core.timestamps import stamp
from furoshiki.language.facts.extraction import USER
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.grounding.words import opposite
from furoshiki.language.testimony import doubt
from furoshiki.memory import weighing
from furoshiki.memory.rules import facts as rules
from furoshiki.memory.rules import stated_facts as words
from furoshiki.memory.rules.facts import Add, Again, Cite, Close, Held, LetGo, Verdict, Withdraw
from furoshiki.memory.rules.stated_facts import Told
from furoshiki.memory.store import links, memories, tombstones
from furoshiki.memory.values import Note
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import turns

AGAIN = 0.5  # added to alpha by a repetition: a moderate reinforcement


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
    unconfirmed: str | None = None,
    *,
    read: bool = False,
) -> Verdict:
    """Store a note with the turns it cites, in the caller's transaction; return the verdict.

    `zone` is the user's, for "last year" and "since March". `unconfirmed` is a reason for doubt:
    with it, or if all cited turns may be other people's words, the note is stored apart until the
    user confirms or denies it. A note that was `read` ends older facts that are its opposite.
    Raises ValueError for a new fact without a turn.
    """
    cited_turns = turns.many(db, list(turn_ids))
    claim = words.read(note, turn_ids, cited_turns, now, zone)
    claim = replace(claim, event_time=event_time or claim.event_time, source_tag=source_tag, confidence=confidence)
    claim = replace(claim, unconfirmed=unconfirmed or doubt(turn.foreign for turn in cited_turns))
    knowledge = _read_held(db, claim)
    if read and claim.unconfirmed is None and not claim.past and note.subject and not knowledge.forgotten:
        before = memories.facts_before(db, (USER, note.subject), min(claim.turn_ids, default=0))
        opposed = {memory_id: learned for memory_id, text, learned in before if opposite(text, note.text)}
        knowledge = replace(knowledge, opposed=opposed)
    decision = rules.decide(claim, knowledge, now)
    cycle = cycle or Cycle(f"keeping:{stamp(now)}", now, frozenset({"A"}))
    for action in decision.actions:
        _do(db, action, claim.turn_ids, now, cycle)
    return decision.verdict


def _read_held(db: sqlite3.Connection, claim: Told) -> Held:
    """Read the stored memories that concern a note."""
    note = claim.note
    marked = tombstones.fact(note.subject, note.predicate, note.object, note.text)
    if tombstones.is_buried(db, "memory", marked, claim.said_at):
        return Held(forgotten=True)
    if not (note.subject and rules.is_fact(note)):
        return Held(worded=memories.with_content(db, note.text))
    knowledge = Held(facts=memories.of_facts(db, note.subject, rules.predicates(note)))
    if rules.asks_for_people(note):
        people = chain.from_iterable(memories.of_facts(db, USER, RELATIONS).values())
        knowledge = replace(knowledge, people=[memory for memory in people if memory.is_current])
    if names := rules.names(claim, knowledge):
        knowledge = replace(knowledge, of=memories.of_subjects(db, names))
    if mistakes := rules.find_corrected(note, knowledge):
        knowledge = replace(knowledge, replaced_at=links.read_replacement_times(db, mistakes))
    return knowledge


def _do(db: sqlite3.Connection, action: rules.Action, turn_ids: Sequence[int], now: datetime, cycle: Cycle) -> None:
    match action:
        case Add():
            _add(db, action, now)
        case Again(memory_id):
            weighing.reinforce(db, cycle, memory_id, AGAIN, "said again", {"turns": list(turn_ids)})
            memories.reinforce(db, memory_id, turn_ids, cycle.now)
        case Cite(memory_id, at):
            memories.reinforce(db, memory_id, turn_ids, at)
        case Close(memory_id, at):
            memories.close(db, memory_id, at)
        case LetGo(memory_id):
            memories.retire(db, memory_id, "something else was said of it since", denied=False)
        case Withdraw(memory_id):
            memories.withdraw(db, memory_id)


def _add(db: sqlite3.Connection, action: Add, now: datetime) -> None:
    new_id = action.confirms
    if new_id is None:
        new_id = memories.add(db, action.memory, now)
    else:
        memories.confirm(db, new_id, now, action.memory)
    if action.until is not None:
        memories.close(db, new_id, action.until)
    if action.replaced_by is not None:
        _replaces(db, action.replaced_by, new_id, now)
    for old_id in action.replaces:
        _replaces(db, new_id, old_id, now)
    if action.replaces:
        memories.inherit(db, new_id, action.replaces)


def _replaces(db: sqlite3.Connection, new_id: int, old_id: int, now: datetime) -> None:
    links.link(db, new_id, old_id, "supersedes", 1.0, now)
    links.link(db, old_id, new_id, "updated_by", 1.0, now)
