"""Store a conclusion as a memory: with all its sources, once."""

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

CONFIDENCE = 0.7  # confidence of a conclusion; facts that a model read in messages have 0.9
AGAIN_WITH_MORE = 0.5  # the gain in alpha of an insight found again in other memories
INSIGHT = "insight"  # the operation that combines several statements into one insight
AGAIN = 0.1  # the gain in alpha of an insight found again in the same memories: weak evidence


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


def conclude(db: sqlite3.Connection, cycle: Cycle, conclusion: Conclusion) -> StoredConclusion | None:
    """Store a conclusion in the caller's transaction; None when its evidence has changed."""
    cited = [memory for memory in memories.of_ids(db, conclusion.cited) if memory.status == "active"]
    turn_ids = tuple(sorted({turn_id for memory in cited for turn_id in memory.turn_ids}))
    if len(cited) < len(conclusion.cited) or not turn_ids:
        memories.reject(
            db, conclusion.type, conclusion.text, conclusion.cited, "what it cites is gone or holds no more", cycle.now
        )
        return None
    if conclusion.operation == INSIGHT and len(turn_ids) < insights.LEAST_CITED:  # one fact and its episode
        memories.reject(
            db, conclusion.type, conclusion.text, conclusion.cited, "what it cites was said in one message", cycle.now
        )
        return None
    said_at = max(turn.at for turn in turns.many(db, list(turn_ids)))
    if tombstones.is_buried(db, "memory", conclusion.text, said_at):
        return None  # the user wanted it forgotten: the refusal is not stored either
    existing = _find_existing(db, conclusion)
    if existing is not None:
        _again(db, cycle, existing, conclusion, turn_ids)
        return StoredConclusion(existing.id, False)
    memory_id = memories.add(
        db,
        NewMemory(
            type=conclusion.type,
            content=conclusion.text,
            turn_ids=turn_ids,
            source_tag=synthesis.DERIVED,
            valid_from=cycle.now,
            confidence=CONFIDENCE,
            compressed=compress(conclusion.text),
            importance=round(fmean(memory.importance for memory in cited), 3),
            metadata={"cites": list(conclusion.cited), "cycle": cycle.id},
        ),
        cycle.now,
    )
    _link(db, cycle, memory_id, conclusion)
    evidence = {"cites": list(conclusion.cited)}
    synthesis.note(db, cycle.id, conclusion.operation, memory_id, conclusion.input, evidence, cycle.now)
    return StoredConclusion(memory_id, True)


def refuse(db: sqlite3.Connection, cycle: Cycle, kind: str, text: str, cited: Sequence[int], reason: str) -> None:
    """Record an unfounded conclusion in the list of rejections."""
    memories.reject(db, kind, text[:300], list(cited), reason, cycle.now)


def _find_existing(db: sqlite3.Connection, conclusion: Conclusion) -> Memory | None:
    for memory in synthesis.read_conclusions(db, (conclusion.type,)):
        if insights.same(memory.content, conclusion.text):
            return memory
    return None


def _again(
    db: sqlite3.Connection, cycle: Cycle, memory: Memory, conclusion: Conclusion, turn_ids: Sequence[int]
) -> None:
    """Reinforce a repeated conclusion and add its new evidence."""
    cites = list(memory.metadata.get("cites", ()))
    more = [memory_id for memory_id in conclusion.cited if memory_id not in cites]
    amount = AGAIN_WITH_MORE if more else AGAIN
    evidence = {"cites": list(conclusion.cited)}  # nothing that differs each night: repetitions must be recognised
    weighing.reinforce(db, cycle, memory.id, amount, f"{conclusion.operation}_again", evidence)
    memories.reinforce(db, memory.id, turn_ids, cycle.now)
    _link(db, cycle, memory.id, conclusion)
    if more:
        synthesis.remark(db, memory.id, {"cites": [*cites, *more]})


def _link(db: sqlite3.Connection, cycle: Cycle, memory_id: int, conclusion: Conclusion) -> None:
    for cited in conclusion.cited:
        links.link(db, memory_id, cited, conclusion.relation, CONFIDENCE, cycle.now)
