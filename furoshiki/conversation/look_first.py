"""Search memory before an answer says that something about the user is unknown."""

from dataclasses import replace

from furoshiki.conversation.transcript import Transcript
from furoshiki.conversation.values import REFLEX, Context
from furoshiki.language import nlp
from furoshiki.models.llm.values import Answer, ToolCall
from furoshiki.owner.routing.rules.modes import must_search
from furoshiki.world import World

RECALL = "recall"

LONGEST_QUERY = 500


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
