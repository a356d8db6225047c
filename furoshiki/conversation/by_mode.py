"""What the mode router changes in how a turn is answered.

On the router's path the mode picks the words a mind is given and the skills it may use; on both it sees to it that
nobody says they do not know something about the user without having looked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from furoshiki.conversation.transcript import Transcript
from furoshiki.conversation.values import NOBODY, REFLEX, Context, Draft
from furoshiki.language import nlp
from furoshiki.models.llm.values import Answer, Tool, ToolCall
from furoshiki.owner.routing import tie_breaker
from furoshiki.owner.routing.rules.hints import must_search
from furoshiki.owner.routing.values import Mode
from furoshiki.world import World

RECALL = "recall"

SKILLS: dict[Mode, frozenset[str]] = {
    "RESPOND": frozenset({RECALL, "memorize", "introspect"}),
    "CLARIFY": frozenset({RECALL}),
    "ACKNOWLEDGE": frozenset(),
}
"""The skills of each mode on the router's path; what is not here has all of them."""

LONGEST_QUERY = 500


async def settle_route(world: World, context: Context) -> Context:
    """The context once its route is certain: where the mode decides, a small model may be asked about close ones."""
    if context.route is None or mode(context) is None:
        return context
    text, key = context.percept.own_text, context.percept.key
    return replace(context, route=await tie_breaker.ask_model(world, context.route, text, key))


def pack_decision(context: Context) -> dict[str, str] | None:
    """What was decided, to be kept with the answer, so that no model is asked again after a crash."""
    return None if context.route is None else {"mode": context.route.mode, "tie_break": context.route.tie_break}


def again(context: Context, decided: Mapping[str, Any] | None) -> Context:
    """The context of an answer that was kept, with what had been decided for it."""
    if context.route is None or not decided:
        return context
    return replace(context, route=replace(context.route, **decided))


def mode(context: Context) -> Mode | None:
    """The mode that a turn is answered in; None where the model that answers decides. An order has every skill, also
    where words seem to be wanted more, and so has a cancel: there may be something to take back."""
    route = context.route
    if route is None or route.path != "router":
        return None
    return "ACT" if route.signals.get("action_intent") or route.signals.get("cancel") else route.mode


def tools(context: Context, every: Sequence[Tool]) -> tuple[Tool, ...]:
    """Return the tools that the mode allows."""
    chosen = mode(context)
    allowed = None if chosen is None else SKILLS.get(chosen)
    return tuple(one for one in every if allowed is None or one.name in allowed)


def prompt(world: World, context: Context) -> str:
    """What the mode says of how to answer; nothing where the model decides."""
    chosen = mode(context)
    if chosen is None or chosen == "IGNORE":
        return ""
    return world.prompts.render(f"routing/{chosen.lower()}")


def draft_silence(context: Context) -> Draft | None:
    """The silence that answers a message in which there is nothing at all; None for every other."""
    if mode(context) != "IGNORE":
        return None
    return Draft("NO_REPLY (the message was empty)", NOBODY, NOBODY, NOBODY)


def may_look_first(context: Context, transcript: Transcript) -> bool:
    """Whether memory has still to be searched before it may be said that something about the user is not known."""
    looked = any(call.name == RECALL for call, _ in transcript.runs)
    return context.route is not None and not looked and must_search(context.route)


def looks_first(world: World, context: Context, transcript: Transcript, answer: Answer) -> Answer | None:
    """The same answer as a call of `recall`, where it says that something about the user is not known and nobody has
    looked; None where it may stand. Once in a turn."""
    heard = context.percept.own_text
    if answer.model == REFLEX or not may_look_first(context, transcript):
        return None
    if not nlp.admits_ignorance(answer.text, world.lexicon):
        return None
    call = ToolCall("look-first", RECALL, {"query": heard[:LONGEST_QUERY]})
    return replace(answer, text="", calls=(call,), native=None)
