"""What is neither asked, told nor ordered: that it was heard, and honesty about what is beyond it."""

from __future__ import annotations

from furoshiki.reflex import attached
from furoshiki.reflex.hearing import Heard
from furoshiki.reflex.values import Reflex
from furoshiki.reflex.wording import Wording

_HEARD = (
    "I'm listening.",
    "I'm here.",
    "I've kept that, word for word.",
    "I have nothing clever to say to that, but I'm glad you told me.",
)
_WORLD = (
    "That's beyond me: I know what you tell me, and next to nothing of the world. For that I'd need a language model; "
    "ask me how to add one.",
    "I'd have to make that up, and I won't. Knowing the world takes a language model. Ask me how to add one, if you "
    "like.",
)
_WORLD_AGAIN = (
    "That's one I can't answer as I am, sorry.",
    "I don't know, and I'd rather say so than guess.",
    "Beyond me, I'm afraid. Ask me about things you've told me, there I'm good.",
)
_ADVICE = (
    "I can't weigh that for you. What speaks for it, and what makes you hesitate?",
    "Hard to say from in here. If a friend asked you the same, what would you tell them?",
)
_MYSELF = (
    "I don't have a good answer to that. I'm simpler than I sound.",
    "I'd have to invent something, and I'd rather not.",
)
_ONLY_WRITES = (
    "I only write, and the size of my letters is your screen's to choose: the settings of the app or of the terminal "
    "make them larger."
)

_ORDERS = (
    r"^(?:please )?(?:write|explain|translate|summari[sz]e|describe|compare|recommend|suggest|teach|sing|compose|draft"
    r"|code|program|solve|search|google|look up|give me|tell me|show me)\b"
)
_LETTERS = r"\b(?:small|tiny|bigger|larger|large) (?:letters|print|text|font|type)\b|\b(?:speak up|louder)\b"
_ABOUT_US = r"\b(?:you|your)\b"
_ASKS_ABILITY = r"\b(?:can|could|would|will|do) you (?!like|love|think|feel|want|believe|hate|ever)"
_ASKS_ADVICE = r"\b(?:should (?:i|we)|i should|we should)\b|\bwhat would you do\b|\bany advice\b"


def admit(heard: Heard, wording: Wording) -> Reflex | None:
    """A question or an order that wants knowledge or skill it does not have: said so, with the way out once."""
    if not heard.asks and not heard.says(_ORDERS):
        return None
    if heard.says(_ASKS_ADVICE):
        return Reflex(wording.one(_ADVICE))
    if heard.says(_ABOUT_US) and not heard.says(_ASKS_ABILITY):
        return Reflex(wording.one(_MYSELF))
    told = any("language model" in reply for reply in wording.replies)
    return Reflex(wording.one(_WORLD_AGAIN if told else _WORLD))


def converse(heard: Heard, wording: Wording) -> Reflex:
    """Whatever else is said: that it was heard. It guesses at no subject and asks about none."""
    if not heard.text and heard.situation.attachments:
        said, about = attached.lines(heard.situation.attachments[0])
        return Reflex(wording.one(said, **about))
    return Reflex(_ONLY_WRITES if heard.says(_LETTERS) else wording.one(_HEARD))
