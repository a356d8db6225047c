"""Decide which way a message is best answered. Reading only: the decision is written with its turn."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from furoshiki.language import nlp
from furoshiki.language.signals import PLEASANT
from furoshiki.perception.values import Percept
from furoshiki.routing import weights as held_weights
from furoshiki.routing.rules import modes, warmth
from furoshiki.routing.store import decisions
from furoshiki.routing.store.decisions import Decision
from furoshiki.routing.values import Mode, Route, UserPath
from furoshiki.world import World

LATELY = 20
"""Decisions of a conversation that are looked at for the one before and those on the same topic."""


@dataclass(frozen=True)
class Around:
    """What there is around a message: the turns of this conversation, the words recall found (best first), thoughts of
    the last half hour, whether there are surroundings, whether the companion's last words asked something, and the
    topic."""

    turns: int = 0
    recalled: Sequence[str] = ()
    gists: int = 0
    surroundings: bool = False
    asked: bool = False
    new_topic: bool = False
    topic_id: int | None = None


def lately(db: sqlite3.Connection, percept: Percept) -> tuple[Decision, ...]:
    """What was decided in this conversation lately, newest first, this turn aside."""
    return tuple(decisions.in_chat(db, percept.channel, percept.chat_id, LATELY, without=percept.key))


def route(world: World, percept: Percept, around: Around, lately: Sequence[Decision], path: UserPath) -> Route:
    """Which way the message is best answered, by its own words, what is around it and what was decided `lately`."""
    began = perf_counter()
    w = held_weights.current(world)
    said = nlp.read(percept.own_text, world.lexicon)
    if said.empty and (percept.text.strip() or not percept.said):
        said = replace(said, empty=False)  # a forward, a picture, somebody who is there: something came
    bears = warmth.bearing(percept.own_text, around.recalled)
    # what a question about the world or the companion asks for is in no memory, and at hand all the same
    facts = sum(bears) if said.about_them or not said.asks else int(w.facts_full)
    knowing = warmth.knowing(
        warmth.warmth(around.turns, around.gists, around.surroundings), bears, facts, new_topic=around.new_topic
    )
    pleased = any(percept.signals.get(one, 0.0) > 0 for one in PLEASANT)
    seen = modes.signals(said, facts, around.gists, new_topic=around.new_topic, asked=around.asked, pleased=pleased)
    before = lately[0] if lately and lately[0].session_id == percept.session_id else None
    previous: Mode | None = None if before is None else before.mode
    if seen.empty or seen.cancel:
        mode: Mode = "IGNORE" if seen.empty else "ACKNOWLEDGE"
        found = Route(mode, {mode: 1.0}, confidence=1.0)
    else:
        scored = modes.adjusted(
            modes.scores(seen, knowing, w), w, previous, productive=None if before is None else before.acted
        )
        first, _second, confidence = modes.ranked(scored)
        on_topic = [one.confidence for one in lately if around.topic_id and one.topic_id == around.topic_id]
        found = Route(first, scored, confidence=confidence, margin=modes.margin(seen, knowing, w, on_topic))
        if confidence < found.margin:
            found = replace(found, tie_break="score")
    return replace(
        found,
        signals=seen.plain(),
        knowing=knowing,
        previous_mode=previous,
        topic_id=around.topic_id,
        weights_version=w.version,
        path=path,
        ms=round((perf_counter() - began) * 1000, 3),
    )
