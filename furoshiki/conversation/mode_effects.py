"""The effects of the mode router on a turn.

On the router's path the mode selects the instructions and skills; on both paths, memory must be
searched before an answer says that something about the user is unknown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from furoshiki.conversation.transcript import Transcript
from furoshiki.conversation.values import NOBODY, REFLEX, Context, Draft
from furoshiki.language import nlp
from furoshiki.models.llm.values import Answer, Tool, ToolCall
from furoshiki.owner.routing import routing
from furoshiki.owner.routing.rules.modes import must_search
from furoshiki.owner.routing.values import Mode
from furoshiki.world import World

RECALL = "recall"

# the skills of each mode on the router's path; other modes have all
SKILLS: dict[Mode, frozenset[str]] = {
    "RESPOND": frozenset({RECALL, "memorize", "introspect"}),
    "CLARIFY": frozenset({RECALL}),
    "ACKNOWLEDGE": frozenset(),
}

LONGEST_QUERY = 500


async def settle_route(world: World, context: Context) -> Context:
    """Return the context with a settled route; a small model may be asked about close decisions."""
    if context.route is None or mode(context) is None:
        return context
    text, key = context.percept.own_text, context.percept.key
    return replace(context, route=await routing.ask_model(world, context.route, text, key))


def pack_decision(context: Context) -> dict[str, str] | None:
    """Return the decision to store with the answer, so that a crash causes no new model call."""
    return None if context.route is None else {"mode": context.route.mode, "tie_break": context.route.tie_break}


def again(context: Context, decided: Mapping[str, Any] | None) -> Context:
    """Return the context of a stored answer with its decision."""
    if context.route is None or not decided:
        return context
    return replace(context, route=replace(context.route, **decided))


def mode(context: Context) -> Mode | None:
    """Return the mode of a turn; None when the answering model decides. Orders and cancellations
    have all skills, because they may change something."""
    route = context.route
    if route is None or route.path != "router":
        return None
    return "ACT" if route.signals.get("action_intent") or route.signals.get("cancel") else route.mode


def tools(context: Context, every: Sequence[Tool]) -> tuple[Tool, ...]:
    chosen = mode(context)
    allowed = None if chosen is None else SKILLS.get(chosen)
    return tuple(one for one in every if allowed is None or one.name in allowed)


def prompt(world: World, context: Context) -> str:
    """Return the mode's instructions; "" when the model decides."""
    chosen = mode(context)
    if chosen is None or chosen == "IGNORE":
        return ""
    return world.prompts.render(f"routing/{chosen.lower()}")


def draft_silence(context: Context) -> Draft | None:
    """Return silence for an empty message; None for all others."""
    if mode(context) != "IGNORE":
        return None
    return Draft("NO_REPLY (the message was empty)", NOBODY, NOBODY, NOBODY)


def may_look_first(context: Context, transcript: Transcript) -> bool:
    """Return whether memory must be searched before an answer claims ignorance about the user."""
    looked = any(call.name == RECALL for call, _ in transcript.runs)
    return context.route is not None and not looked and must_search(context.route)


def looks_first(world: World, context: Context, transcript: Transcript, answer: Answer) -> Answer | None:
    """Turn an answer that claims ignorance about the user into a call of `recall`; None if it may
    stand. Once per turn."""
    heard = context.percept.own_text
    if answer.model == REFLEX or not may_look_first(context, transcript):
        return None
    if not nlp.admits_ignorance(answer.text, world.lexicon):
        return None
    call = ToolCall("look-first", RECALL, {"query": heard[:LONGEST_QUERY]})
    return replace(answer, text="", calls=(call,), native=None)
