"""The confidence of an answer, and whether to reconsider it. No model is asked: the message's
intent comes from its vector (`language.intents`), the confidence from the answer's form.

Confidence is the weighted mean of an objective part (0.5) and the feeling of knowing (0.35). The
objective part is the probability of the words, if the provider reports it, else the form:
questions, unusual length.
"""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from furoshiki.core.catalogue import later, say, words
from furoshiki.language.grounding.words import content_of
from furoshiki.language.humanize import join_items
from furoshiki.language.intents import is_meant
from furoshiki.language.tables.function_words import DENIES
from furoshiki.language.words import count_words, ends_asking

Trigger = Literal[
    "low_confidence", "contradiction", "complexity", "novelty", "irreversible", "identity", "goal_changed"
]
# any one of these triggers suffices to reconsider; of the others, two are needed
STRONG: frozenset[Trigger] = frozenset({"irreversible", "identity", "goal_changed"})

# each trigger in words
REASONS: Mapping[Trigger, str] = {
    "low_confidence": "it is less sure than it should be",
    "contradiction": "it may be at odds with what is known",
    "complexity": "the message has several parts",
    "novelty": "little is known about its subject",
    "irreversible": "much hangs on what they may be about to decide",
    "identity": "the message is about who the one that answers is",
    "goal_changed": "they give up or change something they wanted",
}

OF_OBJECTIVE, OF_KNOWING = 0.5, 0.35
# the threshold of an inexperienced companion, and the increase for a mature one
LEAST_SURE, BY_MATURITY = 0.3, 0.5

GROWN_AT = 1000  # number of memories of a mature companion

# the loss of objective confidence when all sentences are questions, and for unusual length
ASKING, ODD_LENGTH = 0.3, 0.1

ODD_TIMES = 4.0  # the factor on the usual length, or its inverse, that counts as unusual
FEW_KNOWN = 0.2  # the feeling of knowing below which a subject counts as new
LEAST_SUBJECT = 3  # minimum content words of a question about a new subject

LONG_WORDS, MANY_QUESTIONS = 60, 3  # minimum words, or questions, of a complex message

HELD_IN = 0.6  # minimum share of a fact's words in a sentence about it

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")


@dataclass(frozen=True)
class Confidence:
    """The confidence of an answer: its parts, in [0, 1]."""

    objective: float
    knowing: float

    @property
    def composite(self) -> float:
        """Return the weighted sum of both parts."""
        return (OF_OBJECTIVE * self.objective + OF_KNOWING * self.knowing) / (OF_OBJECTIVE + OF_KNOWING)


def of(text: str, knowing: float, usual_words: float = 0.0, logprob: float | None = None) -> Confidence:
    """Rate an answer. `knowing` is the feeling of knowing, in [0, 1]; `usual_words` the usual
    length of answers (0: unknown); `logprob` the mean log-probability of its tokens."""
    seen = rate_structure(text, usual_words) if logprob is None else min(1.0, math.exp(min(0.0, logprob)))
    return Confidence(seen, min(1.0, max(0.0, knowing)))


def rate_structure(text: str, usual_words: float = 0.0) -> float:
    """Return the objective confidence by an answer's form, in [0, 1]."""
    sentences = [one for one in _SENTENCE.findall(text) if one.strip()]
    if not sentences:
        return 0.0
    asking = sum(ends_asking(sentence) for sentence in sentences) / len(sentences)
    words = count_words(text)
    odd = usual_words > 0 and words > 0 and abs(math.log(words / usual_words)) > math.log(ODD_TIMES)
    return float(1.0 - ASKING * asking - ODD_LENGTH * odd)


def maturity(memories: int, density: float) -> float:
    """Return the maturity in [0, 1]: the mean of the amount of memory and the density of identity
    (`acting.store.second_thoughts.density`)."""
    return (min(1.0, memories / GROWN_AT) + min(1.0, max(0.0, density))) / 2.0


def threshold(grown: float) -> float:
    """Return the confidence threshold of an unsure answer; it rises with maturity."""
    return LEAST_SURE + BY_MATURITY * grown


def questions(said: str) -> int:
    """Count the question marks of a message."""
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
    """Return the triggers found in the message alone. `content` are its stems, `meant` its intents,
    `goals` the stems of known plans; `corrects`: it corrects a known fact; `orders`: it asks the
    companion to act, which its skills decide on."""
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
    """Return the triggers found in an answer: it is less `sure` than the `limit`, or contradicts a
    `known` fact (texts with their stems)."""
    found: set[Trigger] = set()
    if questions(said) and sure < limit:
        found.add("low_confidence")
    if find_denied_fact(answer, known):
        found.add("contradiction")
    return frozenset(found)


def find_denied_fact(answer: str, known: Sequence[tuple[str, frozenset[str]]]) -> str | None:
    """Return the first known fact that a sentence of the answer contradicts, or None."""
    for sentence in _SENTENCE.findall(answer):
        its, denies = content_of(sentence), bool(DENIES.search(sentence))
        for fact, content in known:
            near = len(content) >= 2 and len(its & content) >= HELD_IN * len(content)
            if near and denies != bool(DENIES.search(fact)) and not ends_asking(sentence):
                return fact
    return None


def escalates(triggers: Collection[Trigger]) -> bool:
    return bool(STRONG & set(triggers)) or len(set(triggers) - STRONG) >= 2


def describe_rethink(triggers: Sequence[Trigger], *, asked: bool, changed: bool) -> str:
    """Describe to the user how an answer was reconsidered; "" when no model was asked again."""
    if not asked:
        return ""
    reasons = join_items([say(OWN_REASONS[trigger]) for trigger in triggers if trigger in OWN_REASONS])
    righted = later("I gave it a second thought, because {reasons}, and corrected something in it.")
    left = later("I gave it a second thought, because {reasons}, and left it as it was.")
    return say(righted if changed else left, reasons=reasons)


OWN_REASONS = words("second_thoughts")  # each trigger as the companion says it


def feedback(sure: Confidence, triggers: Collection[Trigger], denies: str | None) -> list[str]:
    """Return hints for the model that revises an answer."""
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
