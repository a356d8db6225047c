"""Decide how to answer a message. Reads only: the decision is stored with its turn."""

import functools
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from furoshiki.core.framing import is_blank
from furoshiki.language import nlp
from furoshiki.language.signals import PLEASANT
from furoshiki.memory.perception.values import Percept
from furoshiki.owner.routing.rules import deciding
from furoshiki.owner.routing.rules.deciding import NO_ENCODER, Around, Before, Head, Judged, heads
from furoshiki.owner.routing.rules.weights import Weights, parse_weights
from furoshiki.owner.routing.store import decisions
from furoshiki.owner.routing.store.decisions import Decision
from furoshiki.owner.routing.values import Route
from furoshiki.world import World

LATELY = 20
"""Earlier decisions of a conversation that are read."""


def lately(db: sqlite3.Connection, percept: Percept) -> tuple[Decision, ...]:
    """Return the latest decisions of this conversation, newest first, without this turn's."""
    return tuple(decisions.in_chat(db, percept.channel, percept.chat_id, LATELY, without=percept.key))


def route(world: World, percept: Percept, around: Around, lately: Sequence[Decision]) -> Route:
    """Route a message by its words, its context and the latest decisions."""
    began = perf_counter()
    reading = nlp.read(percept.own_text, world.lexicon)
    if reading.empty and (not percept.said or not is_blank(percept.text)):
        reading = replace(reading, empty=False)  # a forward, a picture or an opened chat is not empty
    around = replace(around, pleased=any(percept.signals.get(one, 0.0) > 0 for one in PLEASANT))
    judged = deciding.judge(percept.own_text, reading, around, _before(percept, around, lately), current_weights(world))
    decided = break_tie(world, judged, percept.vector, percept.encoder) if judged.close else judged.route
    return replace(decided, ms=round((perf_counter() - began) * 1000, 3))


def _before(percept: Percept, around: Around, lately: Sequence[Decision]) -> Before:
    """Return the session's previous decision, and the confidence of those on the topic."""
    on_topic = [earlier.confidence for earlier in lately if around.topic_id and earlier.topic_id == around.topic_id]
    if not lately or lately[0].session_id != percept.session_id:
        return Before(on_topic=on_topic)
    return Before(lately[0].mode, lately[0].acted, on_topic)


# -- between close modes: by the classifier, else by score --
#
# The classifier is `config/tie_breaker.json`, fitted by `python -m bench.routing --write`.


FILE = "tie_breaker.json"


def break_tie(world: World, judged: Judged, vector: Sequence[float], encoder: str) -> Route:
    """Return the route of a message with close modes; without a vector by features alone."""
    known = _load_heads(world.config / FILE)
    head = known.get(encoder) if vector else None
    if head is None:
        head, vector = known[NO_ENCODER], ()
    return deciding.broken(judged, head, vector, current_weights(world))


@functools.cache
def _load_heads(path: Path) -> Mapping[str, Head]:
    return heads(json.loads(path.read_text(encoding="utf-8")))


def current_weights(world: World) -> Weights:
    """Return the weights. Raises ValueError for an invalid file."""
    return _load(world.config / "mode_router.json")


@functools.cache
def _load(path: Path) -> Weights:
    return parse_weights(json.loads(path.read_text(encoding="utf-8")))
