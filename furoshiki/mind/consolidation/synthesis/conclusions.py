"""Store a conclusion as a memory: with all its sources, once."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from furoshiki.language.grounding import insights
from furoshiki.memory import weighing
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.store import links, memories, tombstones
from furoshiki.memory.store.links import Relation
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import turns
from furoshiki.mind.consolidation.store import synthesis

CONFIDENCE = 0.7
"""Confidence of a conclusion; facts that a model read in messages have 0.9."""

AGAIN_WITH_MORE = 0.5
"""The gain in alpha of an insight found again in other memories."""

INSIGHT = "insight"
"""The operation that combines several statements into one insight."""

AGAIN = 0.1
"""The gain in alpha of an insight found again in the same memories: weak evidence."""


@dataclass(frozen=True)
class Conclusion:
    """A judged conclusion from memories."""

    type: str
    text: str
    cited: tuple[int, ...]
    relation: Relation
    operation: str
    input: str


@dataclass(frozen=True)
class StoredConclusion:
    """The memory of a conclusion, and whether it is new."""

    id: int
    new: bool


def conclude(db: sqlite3.Connection, cycle: Cycle, found: Conclusion) -> StoredConclusion | None:
    """Store a conclusion in the caller's transaction; None when its evidence has changed."""
    cited = [memory for memory in memories.of_ids(db, found.cited) if memory.status == "active"]
    turn_ids = tuple(sorted({turn_id for memory in cited for turn_id in memory.turn_ids}))
    if len(cited) < len(found.cited) or not turn_ids:
        memories.reject(db, found.type, found.text, found.cited, "what it cites is gone or holds no more", cycle.now)
        return None
    if found.operation == INSIGHT and len(turn_ids) < insights.LEAST_CITED:  # one fact and its episode
        memories.reject(db, found.type, found.text, found.cited, "what it cites was said in one message", cycle.now)
        return None
    said_at = max(turn.at for turn in turns.many(db, list(turn_ids)))
    if tombstones.is_buried(db, "memory", found.text, said_at):
        return None  # the user wanted it forgotten: the refusal is not stored either
    held = _find_existing(db, found)
    if held is not None:
        _again(db, cycle, held, found, turn_ids)
        return StoredConclusion(held.id, False)
    memory_id = memories.add(
        db,
        NewMemory(
            type=found.type,
            content=found.text,
            turn_ids=turn_ids,
            source_tag=synthesis.DERIVED,
            valid_from=cycle.now,
            confidence=CONFIDENCE,
            compressed=compress(found.text),
            importance=round(fmean(memory.importance for memory in cited), 3),
            metadata={"cites": list(found.cited), "cycle": cycle.id},
        ),
        cycle.now,
    )
    _link(db, cycle, memory_id, found)
    evidence = {"cites": list(found.cited)}
    synthesis.note(db, cycle.id, found.operation, memory_id, found.input, evidence, cycle.now)
    return StoredConclusion(memory_id, True)


def refuse(db: sqlite3.Connection, cycle: Cycle, kind: str, text: str, cited: Sequence[int], reason: str) -> None:
    """Record an unfounded conclusion in the list of rejections."""
    memories.reject(db, kind, text[:300], list(cited), reason, cycle.now)


def _find_existing(db: sqlite3.Connection, found: Conclusion) -> Memory | None:
    for memory in synthesis.read_conclusions(db, (found.type,)):
        if insights.same(memory.content, found.text):
            return memory
    return None


def _again(db: sqlite3.Connection, cycle: Cycle, held: Memory, found: Conclusion, turn_ids: Sequence[int]) -> None:
    """Reinforce a repeated conclusion and add its new evidence."""
    cites = list(held.metadata.get("cites", ()))
    more = [memory_id for memory_id in found.cited if memory_id not in cites]
    amount = AGAIN_WITH_MORE if more else AGAIN
    evidence = {"cites": list(found.cited)}  # nothing that differs each night: repetitions must be recognised
    weighing.reinforce(db, cycle, held.id, amount, f"{found.operation}_again", evidence)
    memories.reinforce(db, held.id, turn_ids, cycle.now)
    _link(db, cycle, held.id, found)
    if more:
        synthesis.remark(db, held.id, {"cites": [*cites, *more]})


def _link(db: sqlite3.Connection, cycle: Cycle, memory_id: int, found: Conclusion) -> None:
    for cited in found.cited:
        links.link(db, memory_id, cited, found.relation, CONFIDENCE, cycle.now)
