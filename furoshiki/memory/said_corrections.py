"""Carry out corrections in the user's messages: of a fact, or of words without a fact.

`furoshiki.language.reflex.corrections.reading` interprets the message. This module reads the stored
facts and turns, withdraws the old fact as never true, and stores the new one with the message as
its source.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, get_language
from furoshiki.language.facts import conflicts, endings
from furoshiki.language.facts.retelling import sentence
from furoshiki.language.intents import NAME, is_meant
from furoshiki.language.reflex.corrections import reading
from furoshiki.language.reflex.corrections.reading import ReadCorrection
from furoshiki.language.reflex.reminders import requests
from furoshiki.language.reflex.values import KnownFact, PutRight
from furoshiki.language.requests import correction_words
from furoshiki.language.testimony import Own
from furoshiki.language.words import ends_asking
from furoshiki.memory import facts as memory_facts
from furoshiki.memory.correction import OWNER
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.store import corrections, links, memories
from furoshiki.memory.values import Memory, NewMemory, Note
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, Turn
from furoshiki.recall.retrieval.other_languages import load_languages

RECENT = 12  # latest turns of the conversation that a correction may concern
IMPORTANCE = 0.4  # the importance of corrected words without a fact, in [0, 1]


def learn(db: sqlite3.Connection, percept: Percept, heard: Sequence[int], cycle: Cycle, zone: tzinfo) -> bool:
    """Carry out a message's correction in the caller's transaction; return False without one."""
    history, facts = turns.before(db, percept.channel, percept.chat_id, heard[0], RECENT), memories.read_known(db)
    correction = _find_correction(db, percept, history, facts)
    if correction is None and not percept.doubtful:
        _end(db, percept, facts, heard)
    if correction is None or percept.doubtful:
        return False
    source = correction.fact.said_text if correction.fact is not None else ""
    if correction.message is not None:
        source = correction.message.own
    if source and requests.request(source, percept.now) is not None:
        return False  # the reminder or list is moved, and what was asked for stays as it was said
    if correction.fact is None:
        message = correction.message
        if message is not None and not message.id:  # a quotation of an older message
            turn_id = turns.newest_of_words(db, message.text) or corrections.find_reading(db, message.text)
            message = None if turn_id is None else replace(message, id=turn_id)
        if message is not None:
            _words(db, replace(correction, message=message), heard, percept)
    elif correction.object is None:
        memories.withdraw(db, correction.fact.id)
        memories.reinforce(db, correction.fact.id, heard, percept.now)
    else:
        _fact(db, correction, heard, percept, cycle, zone)
    return True


def _end(db: sqlite3.Connection, percept: Percept, facts: Sequence[Memory], heard: Sequence[int]) -> None:
    """End the facts that a message says are over, and withdraw those that were never true."""
    if ends_asking(percept.own_text):
        return
    for fact, never in endings.find_ended(percept.own_text, add_sources(db, facts), get_language()):
        if fact.fixed:
            continue
        if never:
            memories.withdraw(db, fact.id)
        else:
            memories.close(db, fact.id, percept.now)
        memories.reinforce(db, fact.id, heard, percept.now)


def rests_on(
    db: sqlite3.Connection, percept: Percept, history: Sequence[Turn], facts: Sequence[Memory]
) -> tuple[str, ...]:
    """Return the ids of the facts or turn that a message corrects, as sources of an answer."""
    correction = _find_correction(db, percept, history[-RECENT:], facts)
    if correction is None:
        return ()
    if correction.message is not None and correction.message.id:
        return (refs.name("turn", correction.message.id),)
    return tuple(
        refs.name("memory", fact.id) for fact in (*((correction.fact,) if correction.fact else ()), *correction.unsure)
    )


def find_denied(db: sqlite3.Connection, history: Sequence[Turn]) -> KnownFact | None:
    """Return the fact that the user's last message denied, if nothing replaces it yet."""
    last = next((turn for turn in reversed(history) if turn.speaker == USER), None)
    if last is None or not correction_words.denies(last.own):
        return None
    taken_back = corrections.read_taken_back(db, last.id)
    return add_sources(db, taken_back)[0] if len(taken_back) == 1 else None


def find_corrected(db: sqlite3.Connection, names: Sequence[str]) -> dict[str, PutRight]:
    """Map those of these messages ("turn:12") that were corrected later to the correcting words."""
    numbers = refs.rows(names, "turn")
    later = corrections.by_turn(db, numbers) if numbers else {}
    turn_of = {turn.id: turn for turn in turns.many(db, sorted(set(later.values())))}
    words = corrections.read_words(db, list(later)) if later else {}
    return {
        refs.name("turn", old): PutRight(turn_of[new].own, turn_of[new].at, words.get(old, (old, ""))[1])
        for old, new in later.items()
        if new in turn_of
    }


def add_sources(db: sqlite3.Connection, held: Sequence[Memory]) -> tuple[KnownFact, ...]:
    """Return facts with the words that each cites."""
    sources = {turn.id: turn for turn in turns.many(db, [_source(fact) for fact in held if fact.turn_ids])}
    corrects = [turn.id for turn in sources.values() if correction_words.may_correct(turn.own)]
    before = corrections.read_corrected(db, corrects)
    said_first = {turn.id: turn.own for turn in turns.many(db, sorted(set(before.values())))}
    first = {later: said_first[early] for later, early in before.items() if early in said_first}
    facts = []
    for fact in held:
        source = sources.get(_source(fact))
        facts.append(
            KnownFact(
                id=fact.id,
                subject=fact.subject or "user",
                predicate=fact.predicate or "said",
                object=fact.object or fact.content,
                text=fact.content,
                said_at=source.at if source else fact.created_at,
                said_text=source.own if source else "",
                first_said=first.get(_source(fact), ""),
                fixed=fact.immutable,
            )
        )
    return tuple(facts)


def _may_correct(text: Own, history: Sequence[Turn]) -> bool:
    last = next((turn for turn in reversed(history) if turn.speaker == USER), None)
    return (
        get_language() != ENGLISH
        or correction_words.may_correct(text)
        or (last is not None and correction_words.denies(last.own))
    )


def _find_correction(
    db: sqlite3.Connection, percept: Percept, history: Sequence[Turn], facts: Sequence[Memory]
) -> ReadCorrection | None:
    text = percept.own_text
    if not _may_correct(text, history):
        return None
    language = next((one for one in load_languages().each if one.code == get_language()), None)
    says_name = is_meant(percept.meant, NAME)
    return reading.find_correction(
        text, add_sources(db, facts), history, find_denied(db, history), language, says_name=says_name
    )


def _fact(
    db: sqlite3.Connection,
    correction: ReadCorrection,
    heard: Sequence[int],
    percept: Percept,
    cycle: Cycle,
    zone: tzinfo,
) -> None:
    assert correction.fact is not None and correction.object is not None
    old, object_ = memories.get(db, correction.fact.id), correction.object
    if old is None or old.subject is None or old.predicate is None:
        return
    predicate = correction.predicate or old.predicate
    text = f"{sentence(old.subject, predicate, object_)}."
    same = predicate == old.predicate
    note = Note(text, old.type, old.subject, predicate, object_, old.category, instead=(same and old.object) or None)
    memory_facts.learn(db, note, heard, percept.now, cycle=cycle, zone=zone)
    facts = memories.about(db, old.subject, predicate)
    if not same or any(memory.id == old.id for memory in facts):  # the right fact was stored next to the wrong one
        memories.withdraw(db, old.id)
    stands = [memory for memory in facts if memory.id != old.id and conflicts.same(memory.object, object_)]
    if stands:
        links.link(db, old.id, stands[-1].id, "updated_by", 1.0, percept.now)


def _words(db: sqlite3.Connection, correction: ReadCorrection, heard: Sequence[int], percept: Percept) -> None:
    """Store corrected words without a fact, citing the original turn and the correction."""
    assert correction.message is not None
    before = corrections.read_words(db, [correction.message.id])
    first, words = before.get(correction.message.id, (correction.message.id, str(correction.message.own)))
    reads = {}
    content = f"They took back: \u201c{words}\u201d"
    if correction.right is not None:
        corrected = correction_words.instead(words, correction.wrong, correction.right)
        reads, content = {corrections.READS: corrected}, f"They meant: \u201c{corrected}\u201d"
    memories.add(
        db,
        NewMemory(
            type="episodic",
            content=content,
            turn_ids=(first, *heard),
            compressed=compress(content),
            importance=IMPORTANCE,
            metadata={corrections.WORDS: first, **reads},
        ),
        percept.now,
    )


def _source(fact: Memory) -> int:
    """Return the turn to quote: the first one, or of an owner's correction the last."""
    if not fact.turn_ids:
        return 0
    return fact.turn_ids[-1] if fact.source_tag == OWNER else fact.turn_ids[0]
