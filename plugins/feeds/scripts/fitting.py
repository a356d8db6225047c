"""Scores news by the owner's interests, word by word, and says which words counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

ENOUGH = 3.0
"""Points from which an entry fits."""

OF_A_FACT, OF_TALK, OF_A_DISLIKE = 3.0, 1.0, -4.0
IN_THE_TITLE = 2.0
COMMON = 0.2
"""A word in a larger share of all entries counts less, the more frequent the less."""

_WORD = re.compile(r"[^\W\d_]{3,}")
_EMPTY_TEXT = """
about after again all also and any are because been before being between both but can could did does doing down
during each few for from further had has have having her here hers him his how into its just like more most new nor
not now off once one only other our out over own same she should some such than that the their them then there these
they this those through too two under until very was were what when where which while who why will with would you
your good great thing things day days year years time people user work working way week today
"""
_EMPTY = frozenset(_EMPTY_TEXT.split())


@dataclass(frozen=True)
class Entry:
    """An entry of a feed. `key` identifies it; `at` is its publication in seconds, 0 if unknown."""

    key: str
    feed: str
    title: str
    text: str
    link: str
    at: float = 0.0


@dataclass(frozen=True)
class Fit:
    """The score of an entry, and the interests behind it, the strongest first."""

    entry: Entry
    points: float
    because: tuple[str, ...]


def words(text: str) -> list[str]:
    """Return the words of a text in comparable form: lower case, without plural endings."""
    return [_base(one) for one in _WORD.findall(text.casefold()) if one not in _EMPTY]


def _base(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def interests(likes: Iterable[str], dislikes: Iterable[str], talked: Iterable[str]) -> dict[str, float]:
    """Return the weight of each interest. One of several words ("film music") needs all of them."""
    found: dict[str, float] = {}
    for names, points in ((talked, OF_TALK), (likes, OF_A_FACT), (dislikes, OF_A_DISLIKE)):
        for name in names:
            phrase = " ".join(dict.fromkeys(words(name)))
            if phrase and phrase.count(" ") < 4:
                found[phrase] = points
    return found


def best(entries: Sequence[Entry], cared: Mapping[str, float]) -> Fit | None:
    """Return the entry with the highest score, of equals the newest; None if none fits."""
    stands = [(set(words(one.title)), set(words(f"{one.title} {one.text}"))) for one in entries]
    spread = Counter(word for _, everywhere in stands for word in everywhere)
    fits = [_fit(one, *places, cared, spread, len(entries)) for one, places in zip(entries, stands, strict=True)]
    enough = [one for one in fits if one.points >= ENOUGH]
    return max(enough, key=lambda one: (one.points, one.entry.at), default=None)


def _fit(
    entry: Entry, title: set[str], everywhere: set[str], cared: Mapping[str, float], spread: Counter[str], count: int
) -> Fit:
    points = 0.0
    counted: list[tuple[float, str]] = []
    for interest, worth in cared.items():
        parts = set(interest.split())
        if not parts <= everywhere:
            continue
        share = min(spread[part] for part in parts) / count
        telling = 1.0 if count < 1 / COMMON or share <= COMMON else COMMON / share
        gained = worth * telling * (IN_THE_TITLE if worth > 0 and parts <= title else 1.0)
        points += gained
        if gained > 0:
            counted.append((gained, interest))
    because = tuple(name for _, name in sorted(counted, key=lambda one: (-one[0], one[1])))
    return Fit(entry, points, because)


def told(fit: Fit) -> str:
    """Describe the entry without links and @names, which unprompted messages must not contain."""
    because = ", ".join(fit.because[:3])
    return f'In "{_sayable(fit.entry.feed, 40)}" there is "{_sayable(fit.entry.title, 100)}" (because of: {because})'[
        :200
    ]


def _sayable(text: str, longest: int) -> str:
    bare = re.sub(r"\S*://\S*|www\.\S*|t\.me/\S*", "", text, flags=re.IGNORECASE)
    line = " ".join(re.sub(r"(?<!\w)@+(?=\w)", "", bare).split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
