"""The companion's questions to itself: which are duplicates, and who can answer them. No model.

Questions are compared by stem: the question word, then the stems of the other words in order,
without function words. Similarity is not enough where a detail differs: "why did Ana leave" and
"why did Bea leave" are two questions, and so are "when" and "why".
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from furoshiki.language.grounding.words import stems_of
from furoshiki.language.tables.function_words import is_denial
from furoshiki.language.word_tables import by_language, texts
from furoshiki.language.words import WORD

SAME = 0.85  # stems with at least this similarity (0 to 1) are one question

# above this cosine (distance below 0.30) a question counts as an answered one in other words
NEAR_COSINE = 0.70

# above this cosine two pending questions share an answer: wrong closing is costlier
SIBLING_COSINE = 0.85

Resolver = Literal["self", "user", "ambiguous"]

_ASKING = frozenset({"what", "which", "who", "whom", "whose", "where", "when", "why", "how", "whether"})
_PLAINLY_ASKING = frozenset({"who", "where", "when", "why"})
# function words, left out of stems
_HOLDING = frozenset(by_language("small")["en"]["holding"].split())

_SPEAKING = frozenset({"i", "me", "my", "mine", "myself", "you", "your", "yours", "yourself"})

# prefix of a stem that must agree: a question word, number, negation, name, "I" or "you"
_MARKED = "^"


def stem(question: str) -> str:
    """Return a question's stems in order, separated by spaces; "" when nothing is left."""
    stems: list[str] = []
    for place, match in enumerate(WORD.finditer(question)):
        raw = match.group()
        word = raw.casefold().replace("\u2019", "'")
        if word in _ASKING or is_denial(word):
            stems.append(_MARKED + ("not" if word.endswith("n't") else word))
        elif word in _HOLDING:
            continue
        elif word in _SPEAKING or word.startswith(("i'", "you'")):
            stems.append(_MARKED + ("you" if word.startswith("you") else "i"))
        else:
            is_proper = (place > 0 and raw[0].isupper()) or word[0].isdigit()
            stems.append((_MARKED if is_proper else "") + min(stems_of(word), default=word))
    return " ".join(stems)


def likeness(first: str, second: str) -> float:
    """Return the Dice similarity of two stems in [0, 1], regardless of order.

    0 when a marked stem differs or one is empty; 1 for equal ones.
    """
    a, b = first.split(), second.split()
    if not a or not b:
        return 0.0
    left, right = Counter(one.removeprefix(_MARKED) for one in a), Counter(one.removeprefix(_MARKED) for one in b)
    marked = {one.removeprefix(_MARKED) for one in (*a, *b) if one.startswith(_MARKED)}
    if marked & (left.keys() ^ right.keys()):
        return 0.0
    return 2 * sum((left & right).values()) / (len(a) + len(b))


def same(first: str, second: str) -> bool:
    """Return whether two stems are the same question."""
    return likeness(first, second) >= SAME


def near(first: str, second: str, cosine: float, least: float = NEAR_COSINE) -> bool:
    """Return whether two stems with this cosine are one question in other words. Names, numbers
    and negations must agree, and so must "who", "where", "when" and "why" if both have one. With
    a single content word ("where do they work") that word must agree: encoders put "where do
    they live" too near."""
    if cosine <= least:
        return False
    a, b = set(first.split()), set(second.split())
    asking = [{one[1:] for one in its if one[1:] in _PLAINLY_ASKING} for its in (a, b)]
    if all(asking) and asking[0] != asking[1]:
        return False
    marked = [{one for one in its if one.startswith(_MARKED) and one[1:] not in _ASKING} for its in (a, b)]
    if marked[0] != marked[1]:
        return False
    content = [{one for one in its if not one.startswith(_MARKED)} for its in (a, b)]
    return min(map(len, content)) > 1 or content[0] == content[1]


def same_matter(first: str, second: str) -> bool:
    """Return whether two stems of two or more words match, ignoring question words."""
    a, b = _strip_question_words(first), _strip_question_words(second)
    return min(a.count(" "), b.count(" ")) >= 1 and likeness(a, b) >= SAME


def _strip_question_words(its: str) -> str:
    return " ".join(word for word in its.split() if word.removeprefix(_MARKED) not in _ASKING)


def duplicates(pending: Sequence[tuple[int, str]]) -> list[tuple[int, int]]:
    """Return pairs (question, older question it duplicates) of (id, stem), oldest first."""
    distinct: list[tuple[int, str]] = []
    merged = []
    for id_, its in pending:
        into = next((other for other, stem_ in distinct if same(its, stem_)), None)
        if into is None:
            distinct.append((id_, its))
        else:
            merged.append((id_, into))
    return merged


_OF_MINE = re.compile(r"\b(?:i|me|my|mine|myself|i'm|i've)\b", re.IGNORECASE)
_TO_THEM = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
_TOLD = re.compile(texts("of_others_alone", "told")["en"], re.IGNORECASE)
_THEIRS_ALONE = re.compile(texts("of_others_alone", "theirs_alone")["en"], re.IGNORECASE)


def resolver(question: str) -> Resolver:
    """Decide by rule who can answer a question: the companion from memory, the user, or unclear.

    What was said or done can be looked up. What a person wants, feels or will do only they can say.
    """
    theirs = bool(_TO_THEM.search(question) or _THEIRS_ALONE.search(question))
    mine = bool(_TOLD.search(question) or (_OF_MINE.search(question) and not theirs))
    if theirs == mine:
        return "ambiguous"
    return "user" if theirs else "self"
