"""How messages were routed, for the page: decisions with their words, and topics."""

import sqlite3
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Literal

from pydantic import BeforeValidator

from furoshiki.conversation.acting.store import attention, second_thoughts
from furoshiki.conversation.acting.store.attention import Cycle
from furoshiki.conversation.acting.store.second_thoughts import Checked
from furoshiki.core.catalogue import later
from furoshiki.faces.overview.errors import NotThere
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER
from furoshiki.owner.routing import routing
from furoshiki.owner.routing.rules import telling
from furoshiki.owner.routing.rules.telling import Explained
from furoshiki.owner.routing.rules.topics import Topic
from furoshiki.owner.routing.store import decisions, topics, turn_topics
from furoshiki.owner.routing.store.decisions import Decision
from furoshiki.owner.routing.store.turn_topics import Row
from furoshiki.owner.routing.values import Knowing
from furoshiki.world import World

Days = Annotated[Literal[1, 7, 30], BeforeValidator(int)]
"""The selectable periods in days."""

LAST_CHECKED = 5
MOST_TOPICS = 12


@dataclass(frozen=True)
class Filter:
    """A filter of decisions: by mode, or only close ones."""

    mode: str = ""
    close: bool = False


@dataclass(frozen=True)
class Taken:
    """A decision with the words of its message; "" if they were forgotten or are no message."""

    decision: Decision
    words: str
    topic: str


@dataclass(frozen=True)
class Subject:
    """The topic of one message, and whether it begins there."""

    row: Row
    words: str
    name: str


@dataclass(frozen=True)
class Minding:
    """The last attention cycle and the answers checked twice; `in_a_week` counts those by mind."""

    cycle: Cycle | None
    checked: list[Checked]
    in_a_week: int


def list_decisions(world: World, before: int | None, limit: int, wanted: Filter) -> list[Taken]:
    """Return decisions before one, newest first."""
    with world.database.read() as db:
        found = decisions.before(db, before, limit, mode=wanted.mode, close=wanted.close)
        return [_describe_decision(db, decision) for decision in found]


def one(world: World, decision_id: int) -> tuple[Taken, Explained]:
    """Return one decision with the contribution of each number. Raises NotThere."""
    with world.database.read() as db:
        decision = decisions.get(db, decision_id)
        if decision is None:
            raise NotThere(later("This decision doesn't exist."), later("The message may have been forgotten."))
        told = _describe_decision(db, decision)
        before = decisions.in_chat_before(db, decision)
    knowing = Knowing(
        decision.warmth,
        decision.knowing or 0.0,
        decision.signals.get("density", 0.0),
        decision.signals.get("sure", 0.0),
    )
    explained = telling.explain(
        decision.signals,
        knowing,
        routing.current_weights(world),
        decision.scores,
        decision.previous_mode,
        productive=None if before is None else before.acted,
    )
    return told, explained


def subjects(world: World, limit: int) -> tuple[list[Topic], list[Subject]]:
    """Return the latest topics, and how the last messages were assigned."""
    with world.database.read() as db:
        known = [one for _channel, one in topics.everywhere(db, MOST_TOPICS)]
        return known, [Subject(row, words, name) for row, words, name in turn_topics.newest(db, limit)]


def gather_attention(world: World) -> Minding:
    """Gather attention and second thoughts in short."""
    with world.database.read() as db:
        return Minding(
            attention.last_cycle(db),
            second_thoughts.newest(db, LAST_CHECKED),
            second_thoughts.count_since(db, world.now - timedelta(days=7)),
        )


def _describe_decision(db: sqlite3.Connection, decision: Decision) -> Taken:
    said = [turn.text for turn in turns.of_key(db, decision.turn_key) if turn.speaker == USER]
    topic = None if decision.topic_id is None else topics.get(db, decision.topic_id, "")
    return Taken(decision, said[-1] if said else "", topic.name if topic is not None else "")
