"""Update facts after a message is edited, as if only the new text had been sent.

A fact that the new text still states cites the new turn; one that it no longer states is withdrawn
as never true; new facts are stored. Reminders follow in `conversation.edited_message`.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, tzinfo

from furoshiki.language.facts import conflicts
from furoshiki.language.facts.extraction import Fact, facts_in, past_facts_in
from furoshiki.memory import facts
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory, Note
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import turns
from furoshiki.messages.values import Turn

# source tags of memories from the user's messages, without the owner's corrections
TOLD = frozenset({"external_user"})


def take_back(db: sqlite3.Connection, old: Sequence[Turn]) -> None:
    """Withdraw facts that cite only these messages, which will be answered again."""
    old_ids = {turn.id for turn in old}
    for memory in memories.of_ids(db, memories.list_by_turns(db, sorted(old_ids))):
        if memory.source_tag in TOLD and not memory.immutable and not _is_supported_elsewhere(db, memory, old_ids):
            memories.withdraw(db, memory.id)


def follow(db: sqlite3.Connection, old: Turn, new: Turn, cycle: Cycle, now: datetime, zone: tzinfo) -> None:
    """Replace the facts of the old text by those of the new."""
    stated = [*facts_in(new.own), *past_facts_in(new.own)]
    rested = memories.of_ids(db, memories.list_by_turns(db, [old.id]))
    for memory in rested:
        if memory.source_tag not in TOLD or memory.immutable:
            continue
        if any(_same(memory, fact) for fact in stated) or _still_says(memory, new):
            memories.reinforce(db, memory.id, [new.id], now)
            memories.drop_source(db, memory.id, old.id)
        elif not _is_supported_elsewhere(db, memory, {old.id}):
            memories.withdraw(db, memory.id)
    for fact in stated:
        note = Note(f"{fact.text}.", _type(fact), fact.subject, fact.predicate, fact.object, fact.category)
        facts.learn(db, note, [new.id], now, cycle=cycle, zone=zone)


def _same(memory: Memory, fact: Fact) -> bool:
    return (
        memory.predicate == fact.predicate
        and (memory.subject or "").casefold() == fact.subject.casefold()
        and memory.object is not None
        and conflicts.same(memory.object, fact.object)
    )


def _still_says(memory: Memory, new: Turn) -> bool:
    """Whether the new text contains the object of a fact that no pattern recognises."""
    return memory.object is not None and memory.object.casefold() in new.own.casefold()


def _is_supported_elsewhere(db: sqlite3.Connection, memory: Memory, besides: set[int]) -> bool:
    """Whether another cited message contains the object, and did not merely accompany it."""
    others = [turn for turn in turns.many(db, list(memory.turn_ids)) if turn.id not in besides]
    words = (memory.object or memory.content).casefold()
    return any(words in turn.own.casefold() for turn in others)


def _type(fact: Fact) -> str:
    return "preference" if fact.category == "preference" else "semantic"
