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

TOLD = frozenset({"external_user"})
"""Source tags of memories from the user's messages, without the owner's corrections."""


def take_back(db: sqlite3.Connection, old: Sequence[Turn]) -> None:
    """Withdraw facts that cite only these messages, which will be answered again."""
    gone = {turn.id for turn in old}
    for held in memories.of_ids(db, memories.list_by_turns(db, sorted(gone))):
        if held.source_tag in TOLD and not held.immutable and not _is_supported_elsewhere(db, held, gone):
            memories.withdraw(db, held.id)


def follow(db: sqlite3.Connection, old: Turn, new: Turn, cycle: Cycle, now: datetime, zone: tzinfo) -> None:
    """Replace the facts of the old text by those of the new."""
    stated = [*facts_in(new.own), *past_facts_in(new.own)]
    rested = memories.of_ids(db, memories.list_by_turns(db, [old.id]))
    for held in rested:
        if held.source_tag not in TOLD or held.immutable:
            continue
        if any(_same(held, fact) for fact in stated) or _still_says(held, new):
            memories.reinforce(db, held.id, [new.id], now)
            memories.drop_source(db, held.id, old.id)
        elif not _is_supported_elsewhere(db, held, {old.id}):
            memories.withdraw(db, held.id)
    for fact in stated:
        note = Note(f"{fact.text}.", _type(fact), fact.subject, fact.predicate, fact.object, fact.category)
        facts.learn(db, note, [new.id], now, cycle=cycle, zone=zone)


def _same(held: Memory, fact: Fact) -> bool:
    return (
        held.predicate == fact.predicate
        and (held.subject or "").casefold() == fact.subject.casefold()
        and held.object is not None
        and conflicts.same(held.object, fact.object)
    )


def _still_says(held: Memory, new: Turn) -> bool:
    """Whether the new text contains the object of a fact that no pattern recognises."""
    return held.object is not None and held.object.casefold() in new.own.casefold()


def _is_supported_elsewhere(db: sqlite3.Connection, held: Memory, besides: set[int]) -> bool:
    """Whether another cited message contains the object, and did not merely accompany it."""
    others = [turn for turn in turns.many(db, list(held.turn_ids)) if turn.id not in besides]
    words = (held.object or held.content).casefold()
    return any(words in turn.own.casefold() for turn in others)


def _type(fact: Fact) -> str:
    return "preference" if fact.category == "preference" else "semantic"
