"""Saying plainly what it is and what it lacks: once early, again when asked, and not in every message."""

from __future__ import annotations

import re

from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import Wording
from furoshiki.language.stems import stem
from furoshiki.language.words import WORD

_SAID = re.compile(r"language model|API_KEY", re.IGNORECASE)

HOW_TO = (
    "Put ANTHROPIC_API_KEY or OPENAI_API_KEY into the .env file of my data folder (usually ~/.furoshiki/.env) and "
    "start me again. For a model on your own machine set FUROSHIKI_MODEL_CHAT, as in ollama:qwen3.5:4b; "
    "`furoshiki setup` finds what is there."
)

_FIRST = {
    "no-model": (
        "One honest thing first: I have no language model yet, so I am better at listening and remembering than at "
        "clever talk.",
        "So you know: I run without a language model for now. I can listen, remember, remind and keep lists; the "
        "clever talk comes later.",
    ),
    "unreachable": (
        "My language model is out of reach just now, so this is my simpler self. I still hear you and keep everything.",
        "I cannot reach my language model at the moment. Until it is back I answer with what I have: memory and rules.",
    ),
    "thinking": ("My language model thought too long over this and came to no answer, so this is my simpler self.",),
    "budget": (
        "Today's budget for my language model is spent, so this is my simpler self until tomorrow. I keep all of it.",
        "The money set aside for my language model is used up for today. I go on with memory and rules.",
    ),
    "ceiling": (),  # said once a day for itself, whoever answers
}
_STATE = {
    "no-model": (
        "I run without a language model: signals, memory, rules and a few prepared words, all on your machine.",
        "There is no language model behind me right now. What you hear is memory, rules and prepared words.",
    ),
    "unreachable": (
        "I do have a language model, but it does not answer just now. I will use it again as soon as it does.",
        "My language model is there, only not reachable at the moment. Until then I get by on memory and rules.",
    ),
    "thinking": (
        "I do have a language model, but it thought too long over the last message. I ask it again with the next one.",
    ),
    "budget": (
        "I do have a language model, but the day's budget for it is spent. Tomorrow I think with it again.",
        "My language model rests until tomorrow: the day's budget is used up. You can raise it in the settings.",
    ),
    "ceiling": (
        "I do have a language model, but whoever looks after the machine I live on set a limit for it, and that is "
        "reached for today. Tomorrow I think with it again.",
        "My language model rests until tomorrow: it has reached the limit set by whoever looks after this machine.",
    ),
}

_USE = re.compile(r"\b(?:use|run|call|try|ask|start)\b|\b(?:plugin|tool|server)s?\b", re.IGNORECASE)

NOT_WITHOUT_A_MODEL = (
    "That is for {what} of {whose}, and what others made I can only use with a language model, which I do not have "
    "just now.",
    "I cannot use {what} of {whose} without a language model: I would not know what to ask of it, nor how to say what "
    "it answers.",
)
UNSAID = (
    "I did ask for it, and there is an answer, but I cannot put it into words without my language model.",
    "The tool has answered. To tell you what it says I need my language model, which is away just now.",
)


def use(heard: Heard, wording: Wording) -> Reflex | None:
    """That a tool of a plugin or of a server, asked for by its name, needs a model; None when none was asked for."""
    if not heard.situation.outside or not _USE.search(heard.plain):
        return None
    said = {stem(word.lower()) for word in WORD.findall(heard.plain)}
    for title, whose in heard.situation.outside:
        for named in (title, whose.rpartition(" ")[2]):
            words = {stem(word.lower()) for word in WORD.findall(named)}
            if words and words <= said:
                return Reflex(wording.one(NOT_WITHOUT_A_MODEL, what=f"“{title}”", whose=whose))
    return None


def unsaid_answer(wording: Wording) -> str:
    """That a tool of somebody else's has answered, and nobody is there to say what."""
    return wording.one(UNSAID)


def first_note(wording: Wording) -> str | None:
    """What the user should know once; None when it was said lately."""
    known = _FIRST[wording.situation.why]
    return wording.one(known) if known and unsaid(wording) else None


def unsaid(wording: Wording) -> bool:
    """Whether it has not come up lately."""
    return not any(_SAID.search(reply) for reply in wording.replies)


def state(wording: Wording) -> str:
    """How it thinks right now, in a sentence or two."""
    return wording.one(_STATE[wording.situation.why])


def remedy(wording: Wording) -> str:
    """What the user can do about it."""
    return HOW_TO if wording.situation.why == "no-model" else ""
