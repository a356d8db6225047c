"""Decide how to answer a message. Reads only: the decision is stored with its turn."""

import asyncio
import functools
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.framing import is_blank
from furoshiki.language import nlp
from furoshiki.language.signals import PLEASANT
from furoshiki.language.tokens import cut
from furoshiki.memory.perception.values import Percept
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.owner.routing.rules import deciding, modes
from furoshiki.owner.routing.rules.deciding import NO_ENCODER, Around, Before, Head, Judged, heads
from furoshiki.owner.routing.rules.weights import Weights, parse_weights
from furoshiki.owner.routing.store import decisions
from furoshiki.owner.routing.store.decisions import Decision
from furoshiki.owner.routing.values import Route, UserPath
from furoshiki.world import World

LATELY = 20  # earlier decisions of a conversation that are read


def lately(db: sqlite3.Connection, percept: Percept) -> tuple[Decision, ...]:
    """Return the latest decisions of this conversation, newest first, without this turn's."""
    return tuple(decisions.in_chat(db, percept.channel, percept.chat_id, LATELY, without=percept.key))


def route(world: World, percept: Percept, around: Around, lately: Sequence[Decision], path: UserPath) -> Route:
    """Route a message by its words, its context and the latest decisions."""
    began = perf_counter()
    reading = nlp.read(percept.own_text, world.lexicon)
    if reading.empty and (not percept.said or not is_blank(percept.text)):
        reading = replace(reading, empty=False)  # a forward, a picture or an opened chat is not empty
    around = replace(around, pleased=any(percept.signals.get(one, 0.0) > 0 for one in PLEASANT))
    judged = deciding.judge(percept.own_text, reading, around, _before(percept, around, lately), current_weights(world))
    decided = break_tie(world, judged, percept.vector, percept.encoder) if judged.close else judged.route
    return replace(decided, path=path, ms=round((perf_counter() - began) * 1000, 3))


def _before(percept: Percept, around: Around, lately: Sequence[Decision]) -> Before:
    """Return the session's previous decision, and the confidence of those on the topic."""
    on_topic = [earlier.confidence for earlier in lately if around.topic_id and earlier.topic_id == around.topic_id]
    if not lately or lately[0].session_id != percept.session_id:
        return Before(on_topic=on_topic)
    return Before(lately[0].mode, lately[0].acted, on_topic)


# -- between close modes: by the classifier, by a small model if worthwhile, else by score --
#
# The classifier is `config/tie_breaker.json`, fitted by `python -m bench.routing --write`.


FILE = "tie_breaker.json"

PURPOSE = "routing"  # the purpose of the question which of the close modes is meant
WAITS_S = 2.0  # how long an answer waits for a small model's choice

READ_TOKENS = 400

# the modes in words for a small model
WANTED: Mapping[str, str] = {
    "RESPOND": "an answer in words, from what is known",
    "CLARIFY": "something that is unclear: one question back is needed first",
    "ACT": "something done, noted or looked up",
    "ACKNOWLEDGE": "no more than a sign that they were heard",
}


def break_tie(world: World, judged: Judged, vector: Sequence[float], encoder: str) -> Route:
    """Return the route of a message with close modes; without a vector by features alone."""
    known = _load_heads(world.config / FILE)
    head = known.get(encoder) if vector else None
    if head is None:
        head, vector = known[NO_ENCODER], ()
    return deciding.broken(judged, head, vector, current_weights(world))


async def ask_model(world: World, route: Route, text: str, turn_key: str) -> Route:
    """Ask a small model where the classifier was unsure, for at most two seconds; without a usable
    answer the highest score decides."""
    if route.tie_break != "score" or not text.strip():
        return route
    from furoshiki.owner.routing.tie_form import Choice

    close = modes.within(route.scores, route.margin)
    ways = [(mode, f"they want {WANTED[mode]}") for mode in close]
    question = Question(
        tier="micro",
        purpose=PURPOSE,
        system=(
            Block(world.prompts.render("routing/close", companion=world.settings.furoshiki_companion_name, ways=ways)),
        ),
        messages=(Message("user", world.prompts.render("signals/message", text=cut(text, READ_TOKENS))),),
        answer=Choice,
        max_tokens=60,
        timeout_s=WAITS_S,
        turn_key=turn_key,
    )
    try:
        answer = (await asyncio.wait_for(world.ask(question), WAITS_S)).parsed
    except (AnswerUnusable, NoMindAnswered, TimeoutError):
        return route
    if answer is None or answer.mode not in close:
        return route
    return replace(route, mode=answer.mode, tie_break="model")


@functools.cache
def _load_heads(path: Path) -> Mapping[str, Head]:
    return heads(json.loads(path.read_text(encoding="utf-8")))


def current_weights(world: World) -> Weights:
    """Return the weights. Raises ValueError for an invalid file."""
    return _load(world.config / "mode_router.json")


@functools.cache
def _load(path: Path) -> Weights:
    return parse_weights(json.loads(path.read_text(encoding="utf-8")))
