"""A wish for quiet inside a message is kept by the program, whatever answers; the answer says until when it holds."""

from __future__ import annotations

from furoshiki.conversation.rules import speech
from furoshiki.outreach import being_quiet
from furoshiki.perception.values import Percept
from furoshiki.world import World


def heard(world: World, percept: Percept) -> str:
    """What holds now that they asked for quiet, or for its end, in a sentence; nothing where they did not."""
    wish = being_quiet.wished(world, percept.own_text)
    if wish is None:
        return ""
    if wish.until is None:
        return being_quiet.told(world, wish, None) if being_quiet.end_quiet(world) else ""
    return being_quiet.told(world, wish, being_quiet.keep_quiet(world, wish.until, wish.why))


def stated(answer: str, quiet: str) -> str:
    """An answer that says what holds; silence does not say it."""
    if not quiet or quiet in answer:
        return answer
    return quiet if speech.parse(answer, ()).silent else f"{answer}\n\n{quiet}"
