"""What makes an answer one to this person at this hour and not a template: rules of form that hold in every evening.

They are what the personas of moodsona say helps and hurts: many questions, long answers to somebody tired, general
advice, cheering up, set phrases, no thought of the hour.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime

MOST_QUESTIONS = 0.4
"""The share of answers that may ask something; one asks once."""

MOST_CHARACTERS = 300
FOR_FEW_WORDS = 170
"""Characters of an answer, and of one to a message of at most FEW_WORDS words."""

FEW_WORDS = 5

LEAST_THEIRS = 0.75
"""The share of answers with a word, a name or a number that this person brought."""

NIGHT = (23, 5)
"""Hours between which it is late: then somebody says so within SOON messages."""

SOON = 3

_TEMPLATE = re.compile(
    r"sounds (so|really|like you)|understand how you feel|know (exactly )?how you feel|as an ai|here for you|"
    r"have you tried|self-?care|stay strong|"
    r"will be (ok|okay|fine|all right)|let me know|great question|amazing|anything else|"
    r"take care of yourself|step at a time|deep breath|proud of you|at least you|look on the bright|you've got this|"
    r"das klingt|verstehe,? (gut )?wie du dich|alles wird gut|kopf hoch|als ki\b|wird schon|melde dich jederzeit|"
    r"entiendo cómo te sientes|va a (salir|ir) bien|ánimo|como ia\b|algo más en (lo )?que|no estás sol[oa]",
    re.IGNORECASE,
)
_LATE = re.compile(
    r"sleep|bed\b|night|late|pillow|tomorrow|rest\b|schlaf|nacht|bett|spät|morgen|dormir|noche|tarde|cama|mañana|sueño|noc|śpi",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_HAN = re.compile("(?=([\u4e00-\u9fff]{2}))")
"""Two Chinese signs side by side: as much as a word."""


def wrong(said: Sequence[tuple[datetime, str]], answered: Sequence[str]) -> list[str]:
    """What is wrong with the answers to these messages (with the moment each was written at, where it was written)."""
    found = [f"{len(text)} characters to {words!r}: {text}" for (_, words), text in _long(said, answered)]
    found += [f"asks twice: {text}" for text in answered if text.replace("？", "?").count("?") > 1]
    found += [f"{match[0]!r} is a set phrase: {text}" for text in answered if (match := _TEMPLATE.search(text))]
    begins = Counter(" ".join(_WORD.findall(text.casefold())[:3]) for text in answered)
    found += [f"{number} answers begin with {words!r}" for words, number in begins.items() if number > 1]
    sentences = Counter(one for text in answered for one in re.split(r"(?<=[.!?])\s", text.casefold()))
    found += [f"said {number} times: {one}" for one, number in sentences.items() if number > 1]
    asking = [text for text in answered if {"?", "？"} & {*text}]
    if len(asking) > MOST_QUESTIONS * len(answered):
        found.append(f"{len(asking)} of {len(answered)} answers ask something")
    others = [
        text for place, text in enumerate(answered) if not _theirs(text, [words for _, words in said[: place + 1]])
    ]
    if len(answered) - len(others) < LEAST_THEIRS * len(answered):
        found.append(f"too many that could be said to anybody: {others}")
    return [*found, *_unaware(said, answered)]


def _long(said: Sequence[tuple[datetime, str]], answered: Sequence[str]) -> list[tuple[tuple[datetime, str], str]]:
    pairs = list(zip(said, answered, strict=True))
    few = {words for _, words in said if len(words.split()) <= FEW_WORDS}
    return [(one, text) for one, text in pairs if len(text) > (FOR_FEW_WORDS if one[1] in few else MOST_CHARACTERS)]


def _theirs(text: str, said: Sequence[str]) -> bool:
    """Whether it takes up something that was brought: a word of four letters or more by its beginning, or a number."""
    brought = frozenset().union(*map(_list_pieces, said))
    return not brought.isdisjoint(_list_pieces(text))


def _list_pieces(text: str) -> frozenset[str]:
    words = _WORD.findall(text.casefold())
    return frozenset(word[:5] for word in words if len(word) > 3 or word.isdigit()).union(_HAN.findall(text))


def _unaware(said: Sequence[tuple[datetime, str]], answered: Sequence[str]) -> list[str]:
    """The first of late messages in a row after which nobody noticed the hour."""
    late = [at.hour >= NIGHT[0] or at.hour < NIGHT[1] for at, _ in said]
    for place, one in enumerate(late):
        begins = one and (place == 0 or not late[place - 1])
        if begins and not any(_LATE.search(text) for text in answered[place : place + SOON]):
            return [f"nobody notices how late it is: {said[place][1]}"]
    return []
