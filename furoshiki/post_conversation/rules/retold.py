"""What may be written over a conversation: its topics, how somebody was in it, and what it was about in a sentence.

None of it is a memory, but all of it is read later, so each must stand in what was said. What only the companion
brought up may be told as its own, never as the user's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from furoshiki.language.grounding.thoughts import FRAME, Near, judge
from furoshiki.language.grounding.words import Verdict, content_of, grounded, stems_of
from furoshiki.language.testimony import Own

_FRAME_WORDS = """
exchanged exchange few chat chatted conversation discussed discussion discuss topic greeted greeting hello goodbye
brief briefly short shortly opened closed started ended continued both other another several various
"""
_TELLING = FRAME | stems_of(_FRAME_WORDS)

_STATE_WORDS = """
tired exhausted drained rested awake sleepy overwhelmed stressed tense nervous hopeful cheerful playful serious busy
hurried rushed distracted open opened guarded reserved distant friendly affectionate grateful hurt bored uncertain
unsure determined confident shy gentle kind polite curt thoughtful pensive melancholic down upset irritated annoyed
furious impatient patient disappointed ashamed guilty embarrassed jealous homesick nostalgic amused joking light heavy
ease composed balanced motivated focused engaged interested talkative comfortable uneasy restless wistful delighted
eager energetic flat subdued vulnerable neutral relaxed settled matter fact forward slightly visibly clearly mostly
end beginning towards toward throughout
"""
_STATES = _TELLING | stems_of(_STATE_WORDS)

THEM = re.compile(r"\b(?:[Tt]he user|User)(?:['\u2019]s)?\b")
"""How models and rules call whom they write of; it is no name and proves nothing."""

_ARTICLE = re.compile(r"^\s*(?:the|a|an|their|his|her|my|your)\s+", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\u2026]+[.!?\u2026]*")


def topic(text: str, said: Sequence[str], near: Near | None = None) -> Verdict:
    """Whether a conversation was about this: its names were said, and some of its words or something near them."""
    bare = _ARTICLE.sub("", text).strip()
    if not bare:
        return Verdict(False, "it says nothing")
    return _carried(f"about {bare}", said, _TELLING | stems_of("about"), near)


def state(text: str, said: Sequence[str]) -> Verdict:
    """Whether somebody may be said to have been like this: words of feeling are free, what happened must be said."""
    return grounded(f"They seemed {text[:1].lower()}{text[1:]}" if text else "", None, said, None, _STATES)


def summary(
    text: str,
    own: Sequence[Own],
    told: Sequence[str],
    companion: str,
    names: Sequence[str] = (),
    near: Near | None = None,
) -> tuple[str, list[tuple[str, str]]]:
    """What may stay of a summary, and which sentences may not, each with the reason.

    A sentence is carried by what the user said (`own`); one that names the companion by what both said.
    """
    kept: list[str] = []
    refused: list[tuple[str, str]] = []
    for found in _SENTENCE.findall(text):
        sentence = found.strip()
        if not content_of(sentence):
            kept += [sentence] if sentence else []
            continue
        verdict = judge(_without_frame(THEM.sub("they", sentence)), own, own, told, (*names, companion), near)
        if not verdict.ok and re.search(rf"\b{re.escape(companion)}\b", sentence):
            bare = re.sub(rf"\b{re.escape(companion)}(?:['\u2019]s)?\b", "they", THEM.sub("they", sentence))
            verdict = _carried(bare, [*own, *told], _TELLING, near)
        if verdict.ok:
            kept.append(sentence)
        else:
            refused.append((sentence, verdict.reason))
    return " ".join(kept), refused


def _without_frame(sentence: str) -> str:
    """The sentence without words of telling, which prove nothing and need no proof."""
    words = stems_of(_FRAME_WORDS)
    return " ".join(word for word in sentence.split() if not stems_of(word) or not stems_of(word) <= words)


def _carried(text: str, said: Sequence[str], frame: frozenset[str], near: Near | None) -> Verdict:
    verdict = grounded(text, None, said, None, frame)
    if verdict.ok or near is None:
        return verdict
    return grounded(text, None, said, near(text, said), frame)
