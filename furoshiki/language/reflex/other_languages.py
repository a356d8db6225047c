"""Being written to in another language: said so in that language, once; the words are kept, and quoted when asked for.

Nothing of it is understood. What is found is found by the words that a question and an old message share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta

from furoshiki.core import timestamps
from furoshiki.language.detection import Language
from furoshiki.language.reflex import caring
from furoshiki.language.reflex.answering import memories_in
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Memory, Reflex, SkillCall, ToolResult, Utterance
from furoshiki.language.reflex.wording import COMPANION, Wording, joined

CONVERSATION = timedelta(hours=6)
"""How long what was said about it holds: after that it is said once more."""

ANSWERS, ANSWERS_IN_SIGNS = 0.5, 0.25
"""The share of a question's words (or pairs of signs) that an old message must hold to be quoted."""

_QUOTE = 200
"""Characters of a quoted message."""

_HEAVY = frozenset({"sadness", "worry"})

UNKNOWN_FIRST = (
    "I don't know this language, I'm sorry: without a language model I only speak English. I keep your words as they "
    "are, and can find them for you again."
)
UNKNOWN_AGAIN = (
    "I can't read this, but I keep it word for word.",
    "I keep it as you wrote it.",
    "Not a word of it is lost, though I don't understand it.",
)


def answer(heard: Heard, wording: Wording) -> Reflex | None:
    """What to say to a message that is not in English: a question is looked up by its words first."""
    language = heard.situation.language
    if language is None:
        return None
    if not language.spoken:
        told = any(line in reply for line in (UNKNOWN_FIRST, *UNKNOWN_AGAIN) for reply in _lately(heard))
        return Reflex(wording.one(UNKNOWN_AGAIN) if told else UNKNOWN_FIRST)
    if language.is_asked(heard.text) and language.content(heard.text):
        return Reflex(calls=(SkillCall("recall", {"query": heard.text[:400], "k": 8}),))
    return Reflex(_plainly(language, heard, wording), complete=True)


def name_source(heard: Heard, _wording: Wording) -> Reflex | None:
    """Where its last words come from, in the language in which that is asked."""
    language, sources = heard.situation.language, heard.situation.sources
    if language is None or sources is None or not language.spoken:
        return None
    own = next((one for one in sources if one.own), None)
    return Reflex(language.unsourced if own is None else _quoted(language, own, heard), complete=True)


def found(results: tuple[ToolResult, ...], heard: Heard, wording: Wording) -> Reflex | None:
    """The answer to a question in another language after the search; None when none was asked."""
    language = heard.situation.language
    if language is None or not language.spoken or any(result.name != "recall" for result in results):
        return None
    best = _best(language, [one for result in results for one in memories_in(result)], heard)
    first = None if _told(language, heard) else _first(language, heard)
    if best is None and (stayed := caring.stay(heard, wording)) is not None:
        return stayed
    if best is None:
        return Reflex(first or language.asked, complete=True)
    return Reflex(joined(_quoted(language, best, heard), first), complete=True)


def _quoted(language: Language, one: Memory | Utterance, heard: Heard) -> str:
    words = one.own if len(one.own) <= _QUOTE else f"{one.own[:_QUOTE]} \u2026"
    day = timestamps.local(one.at, heard.situation.now.tzinfo).strftime("%Y-%m-%d")
    return language.quoted.format(day=day, words=words)


def _plainly(language: Language, heard: Heard, wording: Wording) -> str:
    weighs = language.weighs(heard.text)
    if not _told(language, heard):
        return joined(language.again[0] if weighs else None, _first(language, heard))
    if weighs or heard.situation.signals.strongest in _HEAVY:
        return language.again[0]  # the one that says first that somebody is there
    return wording.one(language.again)


def _first(language: Language, heard: Heard) -> str:
    return language.first.format(me=heard.situation.companion)


def told(language: Language, companion: str, replies: Iterable[str]) -> bool:
    """Whether one of these replies said that the language is not spoken."""
    lines = (language.first.format(me=companion), language.asked, *language.again)
    return any(line in reply for reply in replies for line in lines)


def _told(language: Language, heard: Heard) -> bool:
    return heard.situation.told_language or told(language, heard.situation.companion, _lately(heard))


def _lately(heard: Heard) -> Iterator[str]:
    since = heard.situation.now - CONVERSATION
    return (said.text for said in heard.situation.recent if said.speaker == COMPANION and said.at >= since)


def _best(language: Language, memories: list[Memory], heard: Heard) -> Memory | Utterance | None:
    """The message of theirs that holds most of the question's words; of two that hold as much the newer."""
    wanted = language.content(heard.text)
    least = ANSWERS_IN_SIGNS if language.dense else ANSWERS
    spoken: list[Memory | Utterance] = [*memories, *heard.situation.recalled, *heard.situation.recent]
    fitting = [
        (share, one.at, one)
        for one in spoken
        if one.speaker == "user" and one.own and one.own.strip() != heard.text and not language.is_asked(one.own)
        if (share := len(wanted & language.content(one.own)) / len(wanted)) >= least
    ]
    return max(fitting, key=lambda row: row[:2])[2] if fitting else None
