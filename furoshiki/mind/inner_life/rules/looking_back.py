"""A long look at oneself by rule: what was promised until it needed no promise, and what keeps going wrong.

It says nothing of the person and makes nothing up, so it mostly changes nothing, and never more than a sentence or two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.language.grounding import insights, thoughts
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.humanize import join_items
from furoshiki.mind.inner_life.rules import self_description

MOST_NEW = 2
"""Sentences a week."""

LEAST_ENTRIES = 3
"""Entries of a journal in which something must come up to be a theme of the week."""

MOST_THEMES = 3
MOST_CITED = 8
A_LITTLE = self_description.MOST_CHANGED * 0.8
"""The share of the text that a rule may change: well below what the owner would be asked about."""

MOST_LEARNED = 6
"""Sentences on what was learned; with more, the oldest gives way."""

_LEARNED = "I have learned "
_HARD = "I still find it hard "
_LEARNING = "I am learning "
_LESSONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bnot grounded enough\b"), f"{_LEARNING}to keep my replies grounded in what I know."),
    (re.compile(r"\bnot authentic enough\b"), f"{_LEARNING}to let my replies be authentic, and my own."),
    (re.compile(r"^I expected this, and it was not so\b"), f"{_LEARNING}that what I expected is not always so."),
)
"""What the companion notes about itself by rule, and what follows when it had to note it more than once."""

_BROKEN = re.compile(r"^I promised myself this and broke it .*?: (?P<promise>[^.]+)")

LEAST_NOTED = 2

_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True)
class WeekInReview:
    """What there is to look at, each with its name: the description as it is, what was promised and retired and is in
    no description yet, what was seen of oneself and is in none, and the journal's entries."""

    before: str
    retired: tuple[tuple[str, str], ...] = ()
    observed: tuple[tuple[str, str], ...] = ()
    entries: tuple[tuple[str, str], ...] = ()


def look(week: WeekInReview) -> Mapping[str, Any]:
    """What is to be said, in the shape a model is asked for."""
    told = [
        [_line(one, ()) for one in self_description.sentences(part)]
        for part in self_description.paragraphs(week.before)
    ]
    for one in _new(week)[:MOST_NEW]:
        wider = _with(told, one)
        if self_description.measure_change(week.before, _text(wider)) <= A_LITTLE:
            told = wider
    return {"themes": _themes(week.entries), "shifts": [], "description": [{"sentences": part} for part in told]}


def _new(week: WeekInReview) -> list[dict[str, Any]]:
    """Sentences that could be new, the surest first."""
    found = [
        _line(f"{_LEARNED}{_habit(promise)}.", [name])
        for name, promise in week.retired
        if not content_of(promise, insights.FRAME) <= stems_of(week.before)
    ]
    for pattern, lesson in _LESSONS:
        names = [name for name, text in week.observed if pattern.search(text)]
        if len(names) >= LEAST_NOTED:
            found.append(_line(lesson, names[-MOST_CITED:]))
    for name, text in week.observed:
        if broken := _BROKEN.search(text):
            found.append(_line(f"{_HARD}{_habit(broken['promise'])}.", [name]))
    held = set(map(self_description.key, self_description.sentences(week.before)))
    return [one for one in found if self_description.key(one["text"]) not in held]


def _habit(promise: str) -> str:
    """ "Ask before giving advice." as what one has learned: "to ask before giving advice"."""
    bare = _AS_PROMISE.sub("", promise.strip().rstrip(".!"))
    refrain = _NOT.match(bare)
    rest = bare[refrain.end() :] if refrain else f"{bare[:1].lower()}{bare[1:]}"
    return f"{'not ' if refrain else ''}to {rest}"


_AS_PROMISE = re.compile(r"^(?:I\s+(?:will\s+)?|to\s+)", re.IGNORECASE)
_NOT = re.compile(r"^(?:don['\u2019]t|do not|never|not to)\s+", re.IGNORECASE)


def _with(told: Sequence[Sequence[dict[str, Any]]], line: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The text with one more sentence at its end, among what was learned before."""
    parts = [list(part) for part in told]
    if parts and any(_is_lesson(one["text"]) for one in parts[-1]):
        parts[-1] = [*parts[-1], line]
        lessons = [one for one in parts[-1] if _is_lesson(one["text"])]
        if len(lessons) > MOST_LEARNED:
            parts[-1].remove(lessons[0])
        return parts
    return [*parts, [line]]


def _is_lesson(text: str) -> bool:
    return text.startswith((_LEARNED, _LEARNING, _HARD))


def _themes(entries: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Words that come up in several entries, in one line that names them."""
    counts: Counter[str] = Counter()
    wording: dict[str, str] = {}
    for _, text in entries:
        words = {stem: word for word in _WORD.findall(text) for stem in content_of(word, thoughts.FRAME)}
        counts.update(words.keys())
        wording |= words
    often = [stem for stem, times in counts.most_common() if times >= LEAST_ENTRIES][:MOST_THEMES]
    if not often:
        return []
    where = [name for name, text in entries if stems_of(text) & set(often)]
    return [
        _line(f"What came up again and again: {join_items([wording[stem] for stem in often])}.", where[-MOST_CITED:])
    ]


def _text(told: Sequence[Sequence[Mapping[str, Any]]]) -> str:
    return "\n\n".join(" ".join(one["text"] for one in part) for part in told)


def _line(text: str, names: Sequence[str]) -> dict[str, Any]:
    return {"text": text, "rests_on": list(names)}
