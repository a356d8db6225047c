"""The companion's mood: one word, chosen by scores that are linear in the emotions.

The highest score wins, but a chosen word stays for a while and gives way only to a clearly better
one, so that the mood does not change with every message.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.core.config_table import ConfigTable
from furoshiki.feelings.rules.emotions import NAMES, Emotions

WORDS = (
    "playful",
    "reflective",
    "tender",
    "lonely",
    "restless",
    "content",
    "worried",
    "irritated",
    "proud",
    "curious",
    "excited",
)

OF_EASE = frozenset({"playful", "lonely", "restless", "proud", "curious", "excited"})
"""Moods that are out of place in an answer to a distressed person."""


@dataclass(frozen=True)
class MoodLaws:
    """Weights and offset of each word's score; how long a word holds, and what ends it sooner."""

    weights: Mapping[str, Mapping[str, float]]
    offset: Mapping[str, float]
    margin: float
    hold: timedelta
    jolt: float

    @classmethod
    def from_checked(cls, table: ConfigTable) -> "MoodLaws":
        """Read the `[mood]` table. Raises ValueError with the wrong key."""
        table.only(("margin", "hold_minutes", "jolt", "words"))
        words = table.table("words")
        words.only(WORDS)
        each = {word: words.table(word) for word in WORDS}
        return cls(
            weights={word: _weights(entry) for word, entry in each.items()},
            offset={word: entry.number("offset", -2.0, 2.0) for word, entry in each.items()},
            margin=table.number("margin", 0.0, 1.0),
            hold=timedelta(minutes=table.number("hold_minutes", 0.0, 24 * 60)),
            jolt=table.number("jolt", 0.0, 1.0),
        )


@dataclass(frozen=True)
class Mood:
    """The word, and since when (aware)."""

    word: str
    since: datetime


def choose_word(emotions: Emotions, laws: MoodLaws) -> str:
    """Return the word with the highest score. Ties go to the earlier word in `WORDS`."""
    scores = _scores(emotions, laws)
    return max(WORDS, key=lambda word: scores[word])


def settle(before: Mood | None, emotions: Emotions, now: datetime, moved: float, laws: MoodLaws) -> Mood:
    """Return the mood at `now`: the old one, unless it has held long enough and another is better
    by the margin.

    `moved` is the largest change of an emotion by an event since the last call; from `jolt` on the
    mood may change at once.
    """
    best = choose_word(emotions, laws)
    if before is None:
        return Mood(best, now)
    if best == before.word:
        return before
    jolted = moved >= laws.jolt
    if not jolted and now - before.since < laws.hold:
        return before
    scores = _scores(emotions, laws)
    if not jolted and scores[best] - scores[before.word] < laws.margin:
        return before
    return Mood(best, now)


def _scores(emotions: Emotions, laws: MoodLaws) -> dict[str, float]:
    felt = emotions.as_mapping()
    return {
        word: laws.offset[word] + sum(weight * felt[name] for name, weight in laws.weights[word].items())
        for word in WORDS
    }


def _weights(entry: ConfigTable) -> dict[str, float]:
    entry.only((*NAMES, "offset"))
    return {name: entry.number(name, -3.0, 3.0) for name in entry if name != "offset"}
