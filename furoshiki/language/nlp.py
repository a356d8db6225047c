"""What a message does (ask, greet, part, praise, order, cancel, refer back), read from its words.

Patterns over the lexicon, no model, under a millisecond.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from furoshiki.core.framing import is_blank
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.phrases import Hit, Said
from furoshiki.language.tables.function_words import COMMON

AHEAD = 8  # number of following words in which the verb of a sentence is searched

# one of these before an order noun makes it an order: statements do not contain "please"
_ASKED = frozenset({"please", "pls", "plz", "kindly", "you"})

# words that begin another clause: "text mum that I arrived"
_NEXT_CLAUSE = frozenset(
    {"i", "i'm", "i've", "i'll", "i'd", "we", "we're", "you", "he", "he's", "she", "she's", "they"}
    | {"that", "who", "which", "because", "since", "if", "when", "while", "how", "what", "where", "why", "whether"}
    | {"before", "after", "until", "about", "as", "but", "so", "to"}
)

# after these a word in -ed is an adjective: "for the tired kids"
_OF_ONE = frozenset({"the", "a", "an", "my", "our", "his", "her", "their", "your", "some", "these", "those"})

Feedback = Literal["positive", "negative", "none"]

LONGEST = 4096
FEW = 6  # most words of a message that counts as nothing but a goodbye

_FIRST, _LAST = 8, 4
_QUESTION_MARKS = ("?", "\u061f", "\uff1f")
_SENTENCE = re.compile(r"[.!?\n]+|\s[-\u2013\u2014]\s")
_NEGATORS = frozenset({"not", "no", "never", "hardly", "isn't", "wasn't", "don't", "doesn't", "didn't", "aren't"})
_BETWEEN = COMMON | {"really", "exactly", "particularly", "much"}


@dataclass(frozen=True, slots=True)
class Nlp:
    """The properties of one message."""

    has_question_mark: bool = False
    interrogative: bool = False
    greeting: bool = False
    farewell: bool = False
    explicit_feedback: Feedback = "none"
    cancel: bool = False
    rephrase: bool = False
    # "remind me", "add milk to my list", "could you look that up"
    action_intent: bool = False
    # "as I said", "last time", "do you remember": refers to earlier messages
    implicit_reference: bool = False
    # asks to look something up: "check again", "what did I tell you"
    lookup_request: bool = False
    # a request that names nothing: "fix it", "do the same again", "help me"
    ambiguous: bool = False
    # a question about the user's own life: "what's my sister called?"
    about_them: bool = False
    # nothing but "ok" or "I see": an acknowledgement
    assent_alone: bool = False
    # no visible characters
    empty: bool = False
    # the number of words, and the share of distinct ones, in [0, 1]
    tokens: int = 0
    information_density: float = 0.0
    # nothing but a greeting: "hi" but not "hi, how are you?"
    pure_greeting: bool = False
    feedback_alone: bool = False

    @property
    def asks(self) -> bool:
        """Whether the message wants an answer."""
        return self.has_question_mark or self.interrogative

    @property
    def statement(self) -> bool:
        """Whether it states something: no question, order, or mere greeting, thanks or goodbye."""
        besides = self.asks or self.action_intent or self.ambiguous or self.lookup_request or self.cancel
        social = self.pure_greeting or self.feedback_alone or self.parting_alone or self.assent_alone
        return self.tokens > 0 and not (besides or social)

    @property
    def parting_alone(self) -> bool:
        """Whether the message is nothing but a goodbye."""
        return self.farewell and not self.asks and self.tokens <= FEW


def read(text: str, lexicon: Lexicon) -> Nlp:
    """Return the NLP signals of a message; only its first 4,096 characters are read."""
    shown = text[:LONGEST]
    lexicon = lexicon.of(shown)
    whole = Said(shown)
    sentences = [message for part in _few(_SENTENCE.split(shown)) if (message := Said(part)).plain]
    has_mark = any(mark in shown for mark in _QUESTION_MARKS)
    interrogative = any(_asks(message, lexicon) for message in sentences)
    greeted = _count_words(whole, lexicon, "greeting")
    firsts: dict[str, Hit[str]] = {}
    for hit in lexicon.anywhere.everywhere(whole):
        firsts.setdefault(hit.meaning, hit)
    feedback, only_feedback = _feedback(whole, sentences, firsts, lexicon)
    quiet = not has_mark and not interrogative
    rephrase = lexicon.phrases["rephrase"]
    asks = has_mark or interrogative
    refers = _any(whole, lexicon, "implicit_reference")
    return Nlp(
        has_question_mark=has_mark,
        interrogative=interrogative,
        greeting=greeted > 0,
        farewell=_parts(sentences, lexicon),
        explicit_feedback=feedback,
        cancel=_cancels(whole, lexicon),
        rephrase=any(rephrase.starts(message, _past_courtesy(message, lexicon)) for message in sentences),
        action_intent=_orders(whole, sentences, lexicon),
        implicit_reference=refers,
        lookup_request=any(_leads(message, lexicon, "lookup_request") for message in sentences),
        ambiguous=_ambiguous(sentences, lexicon),
        about_them=asks and (refers or _any(whole, lexicon, "own_life")) and not _any(whole, lexicon, "advice"),
        assent_alone=quiet and 0 < len(whole) == _count_words(whole, lexicon, "assent"),
        empty=is_blank(shown),
        tokens=len(whole),
        information_density=len(set(whole.plain)) / len(whole) if len(whole) else 0.0,
        pure_greeting=quiet and greeted > 0 and _past_courtesy(whole, lexicon, greeted) >= len(whole) - 1,
        feedback_alone=quiet and only_feedback,
    )


def admits_ignorance(text: str, lexicon: Lexicon) -> bool:
    """Return whether an answer says that something is not known or remembered."""
    shown = text[:LONGEST]
    return _any(Said(shown), lexicon.of(shown), "unknowing")


def _few(sentences: list[str]) -> list[str]:
    """Return the first and last sentences: a longer text is a document."""
    return sentences if len(sentences) <= _FIRST + _LAST else sentences[:_FIRST] + sentences[-_LAST:]


def _asks(message: Said, lexicon: Lexicon) -> bool:
    first = _past_courtesy(message, lexicon)
    greeting = lexicon.phrases["greeting"].starts(message, first)
    if greeting is not None and greeting.last < len(message):
        first = _past_courtesy(message, lexicon, greeting.last)
    if first >= len(message):
        first = 0
    word = message.plain[first]
    if lexicon.phrases["wh_statements"].starts(message, first) or lexicon.phrases["orders"].starts(message, first):
        return False
    if word in lexicon.words["wh_words"]:
        return True
    follower = message.plain[first + 1] if first + 1 < len(message) else ""
    return word in lexicon.words["auxiliaries"] and follower in lexicon.words["subjects"]


def _any(message: Said, lexicon: Lexicon, name: str) -> bool:
    return next(lexicon.phrases[name].found(message), None) is not None


def _leads(message: Said, lexicon: Lexicon, name: str) -> Hit[bool] | None:
    """Return the phrase of a list that opens a sentence, after courtesies and "could you"."""
    first = _past_courtesy(message, lexicon)
    favour = lexicon.phrases["favours"].starts(message, first)
    if favour is not None:
        first = _past_courtesy(message, lexicon, favour.last)
    return lexicon.phrases[name].starts(message, first)


def _orders(whole: Said, sentences: list[Said], lexicon: Lexicon) -> bool:
    """Return whether a sentence opens with an order, or has one without subject or negation."""
    leading = ((message, _leads(message, lexicon, "action_intent")) for message in sentences)
    if any(hit is not None and gives(said, hit, lexicon) for said, hit in leading):
        return True
    subjects = lexicon.words["subjects"]
    return any(
        hit.first == 0 or whole.plain[hit.first - 1] not in subjects | _NEGATORS
        for hit in lexicon.phrases["action_within"].found(whole)
    )


def _ambiguous(sentences: list[Said], lexicon: Lexicon) -> bool:
    """Return whether the last sentence asks for something unnamed: "fix it", "can you help me?"."""
    if not sentences:
        return False
    last = sentences[-1]
    hit = _leads(last, lexicon, "ambiguous")
    return hit is not None and _past_courtesy(last, lexicon, hit.last) >= len(last)


def _past_courtesy(message: Said, lexicon: Lexicon, i: int = 0) -> int:
    """Return the index of the first word from `i` on that is not "please", "so", "well" or similar.

    "Could you …" and "would you …" are courtesies only before more words.
    """
    courtesies = lexicon.words["politeness"]
    while i < len(message) and message.plain[i] in courtesies:
        i += 1
    return i


def _count_words(whole: Said, lexicon: Lexicon, kind: str) -> int:
    """Count the words at the start that are phrases of a kind, as "greeting"; 0 without one."""
    last = 0
    while hit := lexicon.phrases[kind].starts(whole, last):
        last = hit.last
    return last


def _parts(sentences: list[Said], lexicon: Lexicon) -> bool:
    """Return whether a farewell opens or closes a sentence: not "he said goodbye to me"."""
    farewell = lexicon.phrases["farewell"]
    for message in sentences:
        if farewell.starts(message, _past_courtesy(message, lexicon)):
            return True
        if any(hit.last >= len(message) - 1 and hit.first <= 6 for hit in farewell.found(message)):
            return True
    return False


def _feedback(
    whole: Said, sentences: list[Said], firsts: Mapping[str, Hit[str]], lexicon: Lexicon
) -> tuple[Feedback, bool]:
    """Return the feedback on the last reply, and whether the message contains nothing else."""
    negative = firsts.get("negative_feedback")
    if negative is not None and not _is_denied(whole, negative.first):
        return "negative", len(whole) - (negative.last - negative.first) <= 2
    positive = firsts.get("positive_feedback")
    if positive is None:
        return "none", False
    taken = 0
    for message in sentences:
        hit = lexicon.phrases["positive_feedback"].starts(message, _past_courtesy(message, lexicon))
        if hit is not None:
            taken += len(message) if len(message) - hit.last <= 2 or _thanks_for(message, hit.last) else hit.last
    if taken:
        return "positive", taken >= len(whole) - 1
    return ("negative", len(whole) <= 4) if _is_denied(whole, positive.first) else ("none", False)


def _thanks_for(message: Said, i: int) -> bool:
    """Return whether the rest belongs to the thanks, as in "thanks for your help"."""
    return i < len(message) and message.plain[i] in {"for", "so", "very", "a"} and len(message) - i <= 5


def _is_denied(whole: Said, first: int) -> bool:
    """Return whether a negation is one word before, or two with a small word: "not bad"."""
    before = whole.plain[max(0, first - 2) : first]
    near = [*before[-1:], *(before[:1] if before[-1:] and before[-1] in _BETWEEN else ())]
    return any(word in _NEGATORS for word in near)


def _cancels(whole: Said, lexicon: Lexicon) -> bool:
    """Return whether the message only cancels: "please stop", not "I can't stop thinking"."""
    first = _past_courtesy(whole, lexicon)
    if first >= len(whole):
        return False
    last = len(whole)
    while last > first + 1 and whole.plain[last - 1] in lexicon.words["politeness"]:
        last -= 1
    hit = lexicon.phrases["cancel"].starts(whole, first)
    return hit is not None and hit.last >= last


def gives(message: Said, hit: Hit[bool], lexicon: Lexicon) -> bool:
    """Return whether words that open a sentence like an order are meant as one."""
    if hit.last - hit.first != 1 or message.plain[hit.first] not in lexicon.words["order_nouns"]:
        return True
    if not _ASKED.isdisjoint(message.plain[: hit.first]):
        return True
    if hit.last >= len(message) or lexicon.phrases["no_orders"].starts(message, hit.first):
        return False
    follower = message.plain[hit.last]
    return (
        follower in lexicon.words["order_objects"]
        or follower[:1].isdigit()
        or not _has_telling_verb(message, hit.last, lexicon)
    )


def _has_telling_verb(message: Said, first: int, lexicon: Lexicon) -> bool:
    """Return whether a finite verb follows in the same clause, which makes it a statement."""
    for i in range(first, min(len(message), first + AHEAD)):
        word = message.plain[i]
        if word in _NEXT_CLAUSE:
            return False
        if (word in lexicon.words["finite"] and not _name(message, i)) or _past(word, message.plain[i - 1], lexicon):
            return True
    return False


def _past(word: str, before: str, lexicon: Lexicon) -> bool:
    ends = word.endswith("ed") and len(word) > 4 and (not word.endswith("eed") or word == "agreed")
    return ends and before not in _OF_ONE and word not in lexicon.words["participles"]


def _name(message: Said, i: int) -> bool:
    """Return whether a word is capitalized ("text Will tomorrow") in a text not all capitals."""
    return message.text[message.place(i)[0]].isupper() and not message.text.isupper()
