"""Decide by form alone whether a message may contain facts about its author.

It works in any language: only the amount of own text and the question marks count.
"""

import re

from furoshiki.language.testimony import Own

# minimum letters of a message that may contain facts ("I'm Ana now"): greetings have fewer
LEAST_LETTERS = 12

# minimum letters of an answer that may contain facts: "yes", "no", "ja" and "sí" have fewer
LEAST_ANSWER = 4

# minimum letters of a question that may state facts ("did I say that my sister moved?")
LONG_QUESTION = 45

_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
# characters that each stand for a syllable or a word
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

_END = re.compile(r"[.!?\u2026\u3002\uff01\uff1f\n]")
_ASKS = ("?", "\uff1f", "\u061f")


def may_tell(said: Own, before: str = "") -> bool:
    """Return whether a message may state facts about its author. `before` is the preceding reply.

    A short one may if it answers a question, or has a number or name; a question if it is long.
    """
    text = said.strip()
    # count the letters; a character for a syllable or word counts three times
    letters = len(_LETTER.findall(text)) + 2 * len(_WIDE.findall(text))
    if not letters:
        return False
    if only_asks(text):
        return letters >= LONG_QUESTION
    if letters >= LEAST_LETTERS:
        return True
    answers = any(sign in before for sign in _ASKS)
    return letters >= LEAST_ANSWER and (answers or _gives_a_name(text)) or bool(answers and _DIGIT.search(text))


def only_asks(text: str) -> bool:
    """Return whether every sentence of a text ends with a question mark."""
    parts = [text[match.start()] for match in _END.finditer(text)]
    return text.rstrip().endswith(_ASKS) and all(sign in _ASKS for sign in parts)


def _gives_a_name(text: str) -> bool:
    """Return whether a word other than the first is capitalised."""
    return any(word[:1].isupper() and len(word) > 1 for word in text.split()[1:])
