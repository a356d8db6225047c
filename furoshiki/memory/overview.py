"""Read views of the memories for people: totals, one memory in full, and those that stand out."""

import sqlite3
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core import refs
from furoshiki.core.catalogue import later, say
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.timestamps import stamp
from furoshiki.language import testimony
from furoshiki.memory import concepts, weighing
from furoshiki.memory.rules import in_words
from furoshiki.memory.rules.concepts import Drift
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.store import accesses, links, memories, overview, safety, scratch, weights
from furoshiki.memory.store.links import Link
from furoshiki.memory.store.safety import Event
from furoshiki.memory.store.scratch import Decision
from furoshiki.memory.store.weights import Change
from furoshiki.memory.values import Memory
from furoshiki.messages.store import turns
from furoshiki.messages.values import Turn

# a memory unused for this long that weighs less than a new one is fading
FADING_AFTER = timedelta(days=30)

SHOWN = 6  # how many memories of each kind are shown

INSIGHTS = ("reflection", "narrative")

# a relation in words, as read from its first memory and from its second
_RELATIONS = later(
    {
        "because": ("because of", "a reason for"),
        "informed_by": ("concluded from", "went into"),
        "contradicts": ("speaks against", "contradicted by"),
        "updated_by": ("replaced by", "replaces"),
        "resulted_in": ("led to", "came of"),
        "part_of": ("part of", "has as a part"),
        "related_to": ("related to", "related to"),
        "supersedes": ("replaces", "replaced by"),
    }
)


@dataclass(frozen=True)
class Overview:
    """The memories that stand out at a moment. `themes`: topic changes found by the last night."""

    counts: dict[str, Any]
    hot: list[Memory]
    contested: list[Memory]
    fading: list[Memory]
    insights: list[Memory]
    tensions: list[Memory]
    themes: Drift


def read_overview(db: sqlite3.Connection, now: datetime, shown: int = SHOWN, counted: bool = True) -> Overview:
    """Return the most used, contested, fading and concluded memories, the newest conclusions first.

    Counting (`counts` is empty without `counted`) takes most of the time.
    """
    since = now - FADING_AFTER
    return Overview(
        counts=overview.counts(db, since) if counted else {},
        hot=overview.hot(db, shown),
        contested=overview.read_contested(db, shown),
        fading=overview.read_fading(db, since, shown),
        insights=overview.newest_of(db, INSIGHTS, shown),
        tensions=overview.newest_of(db, ("tension",), shown),
        themes=concepts.themes(db),
    )


def stats(database: Database, now: datetime, with_disk: bool) -> dict[str, Any]:
    """Return counts by kind; `with_disk` adds the bytes of each table (a full read)."""
    with database.read() as db:
        counts = overview.counts(db, now - FADING_AFTER)
        counts["imports"] = overview.imports(db)
        counts["gate"] = scratch.counts(db)
        counts["ceilings"] = weighing.count_held_back(db, now)
        counts["themes"] = asdict(concepts.themes(db))
        counts["vitals"] = kv.get(db, weighing.VITALS)
        counts["disk_bytes"] = overview.disk_bytes(db) if with_disk else None
    return counts


def whole(db: sqlite3.Connection, memory_id: int) -> dict[str, Any] | None:
    """Return one memory with all its data, as plain values; None if it does not exist."""
    memory = memories.get(db, memory_id)
    if memory is None:
        return None
    rests_on = turns.many(db, list(memory.turn_ids))
    origin, origin_in_words = in_words.came(
        memory.source_tag, memory.type, [turn.source for turn in rests_on], bool(memory.metadata.get(memories.DESIGN))
    )
    return {
        **brief(memory),
        "kind": "memory",
        "compressed": memory.compressed,
        "contextualized": memory.contextualized,
        "fact": None
        if memory.subject is None
        else {"subject": memory.subject, "predicate": memory.predicate, "object": memory.object},
        "category": memory.category,
        "valid_from": stamp(memory.valid_from),
        "valid_to": stamp(memory.valid_to),
        "event_time": stamp(memory.event_time),
        "evidence": round(memory.alpha + memory.beta, 4),
        "in_words": describe_weight(memory),
        "source": memory.source_tag,
        "came": origin,
        "came_in_words": origin_in_words,
        "confidence": memory.confidence,
        "importance": memory.importance,
        "charge": memory.charge,
        "feelings": dict(memory.feelings),
        "utility": round(memory.utility, 4),
        "gate": list(map(_describe_decision, scratch.of_memory(db, memory_id, SHOWN))),
        "held_back": list(map(_describe_ceiling, safety.newest(db, SHOWN, memory_id))),
        "cold_since": stamp(memory.cold_since),
        "metadata": dict(memory.metadata),
        "turns": list(map(describe_turn, rests_on)),
        "links": [_describe_link(db, link, memory_id) for link in links.links_of(db, memory_id)],
        "accesses": {
            "count": memory.access_count,
            "hits": memory.hit_count,
            "last": stamp(memory.last_accessed_at),
            "latest": list(map(stamp, accesses.times(db, memory_id))),
            "together_with": [
                {"id": refs.name("memory", other), "count": count}
                for other, count in accesses.partners(db, memory_id, 5)
            ],
        },
        "history": list(map(_describe_change, reversed(weights.history(db, memory_id, 50)))),
    }


def describe_turn(turn: Turn) -> dict[str, Any]:
    """Return a turn as plain values, with the origin of any words that are not the speaker's."""
    return {
        "id": refs.name("turn", turn.id),
        "kind": "turn",
        "at": stamp(turn.at),
        "speaker": turn.speaker,
        "text": turn.text,
        "session": turn.session_id,
        "channel": turn.channel,
        **testimony.origin(turn.text, turn.foreign),
    }


def brief(memory: Memory) -> dict[str, Any]:
    """Return one memory as a line of a list."""
    weight = Weight(memory.alpha, memory.beta)
    return {
        "id": refs.name("memory", memory.id),
        "type": memory.type,
        "text": memory.content,
        "at": stamp(memory.created_at),
        "status": memory.status,
        "unconfirmed": memory.unconfirmed,
        "weight": round(weight.centre, 4),
        "alpha": round(memory.alpha, 4),
        "beta": round(memory.beta, 4),
        "pinned": memory.immutable,
        "hits": memory.hit_count,
        "last_used": stamp(memory.last_accessed_at),
        "turn_ids": list(memory.turn_ids),
    }


def describe_weight(memory: Memory) -> str:
    """Return in words how firmly a memory is held."""
    weight = Weight(memory.alpha, memory.beta)
    if memory.immutable:
        return say("pinned: nothing changes it")
    if weight.contested:
        return say("contested: there's a lot for it and a lot against it")
    if weight.uninformed:
        return say("uninformed: there's hardly any evidence yet")
    for least, words in later(((0.8, "held firmly"), (0.5, "held"), (0.2, "held loosely"))):
        if weight.centre >= least:
            return say(words)
    return say("faint")


def relation_in_words(link: dict[str, Any]) -> str:
    """Return a link of `whole` in words, read from the memory that was asked for."""
    here, there = _RELATIONS.get(link["relation"], (link["relation"], link["relation"]))
    return str(here if link["direction"] == "to" else there)


def _describe_link(db: sqlite3.Connection, link: Link, asked_id: int) -> dict[str, Any]:
    outward = link.from_id == asked_id
    other = link.to_id if outward else link.from_id
    memory = memories.get(db, other)
    return {
        "relation": link.relation,
        "direction": "to" if outward else "from",
        "id": refs.name("memory", other),
        "text": None if memory is None else memory.content,
        "confidence": link.confidence,
        "at": stamp(link.created_at),
    }


def _describe_change(change: Change) -> dict[str, Any]:
    return {
        "at": stamp(change.at),
        "operation": change.operation,
        "cycle": change.cycle,
        "before": _round_counts(change.before),
        "after": _round_counts(change.after),
        "evidence": dict(change.evidence),
    }


def _round_counts(weight: Weight | None) -> list[float] | None:
    if weight is None:
        return None
    return [round(weight.alpha, 4), round(weight.beta, 4)]


def _describe_decision(decision: Decision) -> dict[str, Any]:
    return {
        "at": stamp(decision.at),
        "became": decision.state,
        "because": decision.reason,
        "cell": decision.cell,
        "relevance": decision.relevance,
        "novelty": decision.novelty,
        "activation": decision.activation,
    }


def _describe_ceiling(event: Event) -> dict[str, Any]:
    return {
        "at": stamp(event.at),
        "ceiling": event.ceiling,
        "stage": event.stage,
        "enforced": event.enforced,
        "asked": event.asked,
        "allowed": event.allowed,
        "detail": dict(event.detail),
    }
