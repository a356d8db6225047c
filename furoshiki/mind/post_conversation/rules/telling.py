"""Whether anything in a message is worth reading for what somebody tells of themselves, by its form alone.

No language is known here: what counts is how much somebody said in their own words, and whether it only asks.
"""

import re

from furoshiki.language.testimony import Own

LEAST_LETTERS = 12
"""Letters from which on words may tell something by themselves: a greeting has fewer, and "I'm Ana now" has a name."""

LEAST_ANSWER = 4
"""Letters of an answer to a question that may tell something: "yes", "no", "ja" and "sí" have fewer."""

LONG_QUESTION = 45
"""Letters from which on a question tells something while it asks ("did I say that my sister Ruth moved to Oslo?")."""

_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Signs of which each is a syllable or a word."""

_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f\n]")
_ASKS = ("?", "\uff1f", "\u061f")


def may_tell(said: Own, before: str = "") -> bool:
    """Whether a message may tell something of who wrote it. `before` is what the companion said right before.

    A short one does when it answers a question, or gives a number or a name; one that only asks does when it is long.
    """
    text = said.strip()
    letters = _letters(text)
    if not letters:
        return False
    if only_asks(text):
        return letters >= LONG_QUESTION
    if letters >= LEAST_LETTERS:
        return True
    answers = any(sign in before for sign in _ASKS)
    return letters >= LEAST_ANSWER and (answers or _gives_a_name(text)) or bool(answers and _DIGIT.search(text))


def only_asks(text: str) -> bool:
    """Whether every sentence of a text ends with a question mark."""
    parts = [text[one.start()] for one in _END.finditer(text)]
    return text.rstrip().endswith(_ASKS) and all(sign in _ASKS for sign in parts)


def _letters(text: str) -> int:
    """How many letters were said; a sign that is a syllable or more counts for three."""
    return len(_LETTER.findall(text)) + 2 * len(_WIDE.findall(text))


def _gives_a_name(text: str) -> bool:
    """Whether a later word than the first has a capital."""
    return any(word[:1].isupper() and len(word) > 1 for word in text.split()[1:])
