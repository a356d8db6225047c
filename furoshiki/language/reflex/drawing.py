"""Requests for a picture in plain words: order it, or say that nothing can paint."""

from furoshiki.core.catalogue import later, say
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Reflex, SkillCall, ToolResult
from furoshiki.language.reflex.wording import Wording
from furoshiki.language.requests import picture_words

SKILL = "draw_picture"

NOTHING_PAINTS = later("I can't draw: none of my models makes pictures. /pictures says which could.")
_ASKED = later("I'll ask you first; the question is below.")


def request(heard: Heard, _wording: Wording) -> Reflex | None:
    """Order a requested picture."""
    situation = heard.situation
    if not picture_words.is_picture_request(situation.text):
        return None
    if not situation.paints:
        return Reflex(say(NOTHING_PAINTS))
    itself = picture_words.is_about_itself(situation.text)
    return Reflex(calls=(SkillCall(SKILL, {"subject": situation.text, "itself": itself}),))


def describe_result(result: ToolResult) -> str:
    """Describe the outcome of the order."""
    return say(_ASKED) if result.data.get("asked") else result.text
