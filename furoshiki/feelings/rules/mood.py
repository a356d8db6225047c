"""The companion's mood: one word, chosen by scores that are linear in the emotions.

The highest score wins, but a chosen word stays for a while and gives way only to a clearly better
one, so that the mood does not change with every message.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise

from furoshiki.core.config_table import ConfigTable
from furoshiki.feelings.rules import emotions as emotion_rules
from furoshiki.feelings.rules.emotions import NAMES, TABLES, EmotionLaws, Emotions
from furoshiki.language import testimony
from furoshiki.language.session_feeling import WORDS as FEELINGS
from furoshiki.messages.values import Turn

WORDS: tuple[str, ...] = tuple(TABLES["mood"]["words"])

# moods that are out of place in an answer to a distressed person
OF_EASE = frozenset({"playful", "lonely", "restless", "proud", "curious", "excited"})


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


NOTICEABLE = 0.03  # a smaller change is not reported; one message changes loneliness by as much


@dataclass(frozen=True)
class Moment:
    """The feelings at a time, and the events since the previous moment ("session_closed")."""

    at: datetime
    emotions: Emotions
    mood: str
    causes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Move:
    """An emotion's change beyond its drift: amount, the two moments, and the events."""

    emotion: str
    by: float
    after: datetime
    at: datetime
    causes: tuple[str, ...]


def largest(moments: Sequence[Moment], laws: EmotionLaws) -> Move | None:
    """Return the largest unexplained change (ties: the later); None if none is noticeable."""
    move: Move | None = None
    for before, after in pairwise(moments):
        by = _measure_unexplained(before, after, laws)
        name = max(NAMES, key=lambda one: abs(by[one]))
        if abs(by[name]) >= max(NOTICEABLE, 0.0 if move is None else abs(move.by)):
            move = Move(name, by[name], before.at, after.at, after.causes)
    return move


def _measure_unexplained(before: Moment, after: Moment, laws: EmotionLaws) -> dict[str, float]:
    drifted = emotion_rules.drift(
        before.emotions, emotion_rules.count_hours(before.at, after.at, laws), laws
    ).as_mapping()
    felt = after.emotions.as_mapping()
    return {name: felt[name] - drifted[name] for name in NAMES}


def curve(moments: Sequence[Moment], since: datetime, now: datetime, steps: int) -> dict[str, list[float | None]]:
    """Return each emotion's mean over `steps` equal periods; None for a period without data."""
    width = (now - since) / steps
    sums: list[list[Emotions]] = [[] for _ in range(steps)]
    for moment in moments:
        if since < moment.at <= now:
            sums[min(steps - 1, int((moment.at - since) / width))].append(moment.emotions)
    lines: dict[str, list[float | None]] = {name: [None] * steps for name in NAMES}
    for place, held in enumerate(sums):
        for name in NAMES if held else ():
            lines[name][place] = sum(getattr(emotions, name) for emotions in held) / len(held)
    return lines


def list_prevailing(
    moments: Sequence[Moment], zone_days: Mapping[str, tuple[datetime, datetime]]
) -> dict[str, list[str]]:
    """Return the moods of each day ("Monday": from, until), the longest first, at most two."""
    moods_of: dict[str, list[str]] = {}
    for day, (start, end) in zone_days.items():
        lasted: dict[str, timedelta] = {}
        for moment, then in pairwise((*moments, None)):
            if moment is not None and start <= moment.at < end:
                until = end if then is None else min(then.at, end)
                lasted[moment.mood] = lasted.get(moment.mood, timedelta()) + max(
                    until - moment.at, timedelta(minutes=1)
                )
        moods_of[day] = sorted(lasted, key=lambda mood: -lasted[mood])[:2]
    return moods_of


# -- the cause of the mood, for a prompt --


def describe_cause(
    signals: Mapping[str, float], cause: Turn | None, since: datetime, zone: tzinfo, laws: EmotionLaws
) -> str:
    """Describe the feeling in the present message (`signals`), or the `cause` of a mood that began
    before it (`since`); "" if there is neither."""
    if (feeling := emotion_rules.plainly_said(signals, laws)) is not None:
        return f"What moves you is what they have just written: they sound {FEELINGS[feeling]}."
    if cause is None:
        return ""
    words = testimony.render_marked(cause.text, cause.foreign, 15, flat=True)
    return f"You have been so since {since.astimezone(zone):%H:%M}, when they wrote: {words}"
