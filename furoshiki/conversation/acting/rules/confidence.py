"""How sure an answer is, and whether it is worth a second thought. Nobody is asked: what a message
means to do is read from its vector (`language.meant`), how sure an answer is by how it is built.

Confidence is the mean of 0.5 objective and 0.35 feeling of knowing. Objective is how probable its own words were to the
model, where the provider reports it, else how it is built: questions, an odd length.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from furoshiki.core.catalogue import later, say
from furoshiki.language.grounding.words import content_of
from furoshiki.language.humanize import join_items
from furoshiki.language.meant import is_meant
from furoshiki.language.tables.denials import DENIES
from furoshiki.language.words import count_words, ends_asking

Trigger = Literal[
    "low_confidence", "contradiction", "complexity", "novelty", "irreversible", "identity", "goal_changed"
]
STRONG: frozenset[Trigger] = frozenset({"irreversible", "identity", "goal_changed"})
"""Any one of these is reason enough to think again; of the others it takes two."""

REASONS: Mapping[Trigger, str] = {
    "low_confidence": "it is less sure than it should be",
    "contradiction": "it may be at odds with what is known",
    "complexity": "the message has several parts",
    "novelty": "little is known about its subject",
    "irreversible": "much hangs on what they may be about to decide",
    "identity": "the message is about who the one that answers is",
    "goal_changed": "they give up or change something they wanted",
}
"""Each in words."""

OF_OBJECTIVE, OF_KNOWING = 0.5, 0.35
LEAST_SURE, BY_MATURITY = 0.3, 0.5
"""The threshold of a companion that knows nobody yet, and what comes on top of it for one that is grown."""

GROWN_AT = 1000
"""Memories at which as much is known as maturity asks for."""

ASKING, ODD_LENGTH = 0.3, 0.1
"""What objective confidence loses: when every sentence asks, and when it is much longer or shorter than usual."""

ODD_TIMES = 4.0
"""So many times the usual length, or its fraction, is odd."""

FEW_KNOWN = 0.2
"""Below this feeling of knowing a subject is new …"""

LEAST_SUBJECT = 3
"""… when a question has so many words of its own."""

LONG_WORDS, MANY_QUESTIONS = 60, 3
"""A message is complex from so many words on, or with so many questions."""

HELD_IN = 0.6
"""The share of a fact's words in a sentence from which on the sentence is about it."""

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


@dataclass(frozen=True)
class Confidence:
    """How sure an answer is: its parts and both of them together, in [0, 1]."""

    objective: float
    knowing: float

    @property
    def composite(self) -> float:
        """Return the weighted sum of both parts."""
        return (OF_OBJECTIVE * self.objective + OF_KNOWING * self.knowing) / (OF_OBJECTIVE + OF_KNOWING)


def of(text: str, knowing: float, usual_words: float = 0.0, logprob: float | None = None) -> Confidence:
    """How sure an answer is. `knowing` is the feeling of knowing, in [0, 1]; `usual_words` the usual length of answers,
    0 when there were too few; `logprob` the mean log-probability of its tokens."""
    seen = rate_structure(text, usual_words) if logprob is None else min(1.0, math.exp(min(0.0, logprob)))
    return Confidence(seen, min(1.0, max(0.0, knowing)))


def rate_structure(text: str, usual_words: float = 0.0) -> float:
    """Objective confidence by how an answer is built, in [0, 1]."""
    sentences = [one for one in _SENTENCE.findall(text) if one.strip()]
    if not sentences:
        return 0.0
    asking = sum(ends_asking(one) for one in sentences) / len(sentences)
    words = count_words(text)
    odd = usual_words > 0 and words > 0 and abs(math.log(words / usual_words)) > math.log(ODD_TIMES)
    return float(1.0 - ASKING * asking - ODD_LENGTH * odd)


def maturity(memories: int, density: float) -> float:
    """How grown the companion is, in [0, 1]: the mean of how much it remembers and how densely what it is made of is
    held (`acting.store.second_thoughts.density`)."""
    return (min(1.0, memories / GROWN_AT) + min(1.0, max(0.0, density))) / 2.0


def threshold(grown: float) -> float:
    """The confidence below which an answer is unsure: who knows more may be expected to know."""
    return LEAST_SURE + BY_MATURITY * grown


def questions(said: str) -> int:
    """How many questions a message asks, by its marks."""
    return sum(map(said.count, "?\uff1f\u061f"))


def of_message(
    said: str,
    content: frozenset[str],
    knowing: float,
    meant: Mapping[str, float],
    *,
    goals: Iterable[frozenset[str]] = (),
    corrects: bool = False,
    orders: bool = False,
) -> frozenset[Trigger]:
    """Return the reasons, seen in the message alone, to think twice about its answer. `content` are
    the stems of its own words, `meant` what it means to do, `goals` the stems of what they are
    known to plan; `corrects` says that it puts right what was known, `orders` that the companion is
    to do something itself: whether that may be is for its skills."""
    found: set[Trigger] = set()
    words = count_words(said)
    if not orders and is_meant(meant, "grave"):
        found.add("irreversible")
    if is_meant(meant, "identity"):
        found.add("identity")
    if is_meant(meant, "gives_up") and any(len(content & goal) >= min(2, len(goal)) for goal in goals if goal):
        found.add("goal_changed")
    if corrects:
        found.add("contradiction")
    if words >= LONG_WORDS or questions(said) >= MANY_QUESTIONS:
        found.add("complexity")
    if questions(said) and len(content) >= LEAST_SUBJECT and knowing < FEW_KNOWN:
        found.add("novelty")
    return frozenset(found)


def of_answer(
    said: str, answer: str, sure: float, limit: float, known: Sequence[tuple[str, frozenset[str]]] = ()
) -> frozenset[Trigger]:
    """Return the reasons, seen in an answer, to think again: it is less `sure` than the `limit`, or
    it denies what is `known` (texts with their stems), or says what is known not to be so."""
    found: set[Trigger] = set()
    if questions(said) and sure < limit:
        found.add("low_confidence")
    if find_denied_fact(answer, known):
        found.add("contradiction")
    return frozenset(found)


def find_denied_fact(answer: str, known: Sequence[tuple[str, frozenset[str]]]) -> str | None:
    """The first known fact that a sentence of the answer denies, or affirms where the fact denies it."""
    for sentence in _SENTENCE.findall(answer):
        its, denies = content_of(sentence), bool(DENIES.search(sentence))
        for fact, content in known:
            near = len(content) >= 2 and len(its & content) >= HELD_IN * len(content)
            if near and denies != bool(DENIES.search(fact)) and not ends_asking(sentence):
                return fact
    return None


def escalates(triggers: Collection[Trigger]) -> bool:
    """Whether they are reason enough."""
    return bool(STRONG & set(triggers)) or len(set(triggers) - STRONG) >= 2


def describe_rethink(triggers: Sequence[Trigger], *, asked: bool, changed: bool) -> str:
    """How an answer was thought over, in words for the person who got it; empty where no mind was asked again."""
    if not asked:
        return ""
    reasons = join_items([say(OWN_REASONS[one]) for one in triggers if one in OWN_REASONS])
    righted = later("I thought it over a second time, because {reasons}, and put something right in it.")
    left = later("I thought it over a second time, because {reasons}, and left it as it was.")
    return say(righted if changed else left, reasons=reasons)


OWN_REASONS: Mapping[Trigger, str] = later(
    {
        "low_confidence": "I was less sure than I should be",
        "contradiction": "it may have been at odds with what I know",
        "complexity": "your message had several parts",
        "novelty": "I knew little about its subject",
        "irreversible": "it was about a decision on which much hangs",
        "identity": "it was about who I am",
        "goal_changed": "you gave up or changed something you had wanted",
    }
)
"""Each as the companion says it."""


def feedback(sure: Confidence, triggers: Collection[Trigger], denies: str | None) -> list[str]:
    """What to look at in an answer, in words for the mind that goes over it."""
    found = ["Where it hedges, say plainly what the evidence carries, and plainly what is not known."]
    if denies is not None:
        found.append(f"It says otherwise than this, which is known: {denies}")
    if "contradiction" in triggers and denies is None:
        found.append("Their message puts right what was believed before: go by what they say now.")
    if "complexity" in triggers:
        found.append("The message has several parts: see that each has its answer.")
    if sure.knowing < FEW_KNOWN:
        found.append("Little is known about this: claim nothing about them that the evidence does not say.")
    return found
