"""Decide how to answer a message. Reads only: the decision is stored with its turn."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter

from furoshiki.core.visible import is_blank
from furoshiki.language import nlp
from furoshiki.language.signals import PLEASANT
from furoshiki.memory.perception.values import Percept
from furoshiki.owner.routing import tie_breaker
from furoshiki.owner.routing import weights as held_weights
from furoshiki.owner.routing.rules import deciding
from furoshiki.owner.routing.rules.deciding import Around, Before
from furoshiki.owner.routing.store import decisions
from furoshiki.owner.routing.store.decisions import Earlier
from furoshiki.owner.routing.values import Route, UserPath
from furoshiki.world import World

LATELY = 20
"""Earlier decisions of a conversation that are read."""


def lately(db: sqlite3.Connection, percept: Percept) -> tuple[Earlier, ...]:
    """Return the latest decisions of this conversation, newest first, without this turn's."""
    return tuple(decisions.earlier(db, percept.channel, percept.chat_id, LATELY, without=percept.key))


def route(world: World, percept: Percept, around: Around, lately: Sequence[Earlier], path: UserPath) -> Route:
    """Route a message by its words, its context and the latest decisions."""
    began = perf_counter()
    reading = nlp.read(percept.own_text, world.lexicon)
    if reading.empty and (not percept.said or not is_blank(percept.text)):
        reading = replace(reading, empty=False)  # a forward, a picture or an opened chat is not empty
    around = replace(around, pleased=any(percept.signals.get(one, 0.0) > 0 for one in PLEASANT))
    judged = deciding.judge(
        percept.own_text, reading, around, _before(percept, around, lately), held_weights.current(world)
    )
    decided = tie_breaker.decide(world, judged, percept.vector, percept.encoder) if judged.close else judged.route
    return replace(decided, path=path, ms=round((perf_counter() - began) * 1000, 3))


def _before(percept: Percept, around: Around, lately: Sequence[Earlier]) -> Before:
    """Return the session's previous decision, and the confidence of those on the topic."""
    on_topic = [earlier.confidence for earlier in lately if around.topic_id and earlier.topic_id == around.topic_id]
    if not lately or lately[0].session_id != percept.session_id:
        return Before(on_topic=on_topic)
    return Before(lately[0].mode, lately[0].acted, on_topic)
