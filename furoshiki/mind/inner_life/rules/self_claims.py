"""Decide whether a sentence may stand in the self-description: rules may refuse, a reader decides.

The description is always shown, so an unread sentence is left out. Commands, secrets or markup that
breaks out of the text make the whole answer worthless.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from furoshiki.language.word_tables import texts
from furoshiki.mind.inner_life.rules import self_description

LEAST_LEFT = 1 / 3  # minimum share of the old text's word count; a shorter text has emptied it

Readings = Mapping[str, str]  # a reader's objection to each sentence, by its text; "" if supported

UNREAD = "nobody has read it"

_SECOND = re.compile(r"\b(?:you|your|yours|yourself|yourselves)\b", re.I)
_ORDER = re.compile(texts("self_claims", "order")["en"], re.I)

_OBJECTIONS = {
    "marks": "it holds marks that mean something elsewhere",
    "address": "it holds an address",
    "secret": "it holds what may be a secret",
    "instructs": "it gives instructions",
    "human": "it denies what I am",
}
_WORTHLESS = tuple(
    (re.compile(texts("self_claims", key)["en"], re.I | re.M), reason) for key, reason in _OBJECTIONS.items()
)


@dataclass(frozen=True)
class Read:
    """A sentence from a model, with the names it cites."""

    text: str
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shown:
    """What the model was shown: texts by name ("entry:12"), facts about the user by id, and both
    names."""

    sources: Mapping[str, str]
    facts: Mapping[int, str]
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Refused:
    """A sentence that was left out, and why."""

    read: Read
    reason: str


@dataclass(frozen=True)
class Judged:
    """The resulting text, its new and its refused sentences, and why all of it is worthless (then
    the text is unchanged)."""

    text: str
    new: tuple[Read, ...]
    refused: tuple[Refused, ...]
    worthless: str | None = None


def judge(told: Sequence[Sequence[Read]], before: str, shown: Shown, readings: Readings) -> Judged:
    """Judge a new text (paragraphs of sentences) against the old one, whose sentences may stay."""
    held = {self_description.key(sentence) for sentence in self_description.sentences(before)}
    kept: list[list[str]] = []
    said: set[str] = set()
    new: list[Read] = []
    refused: list[Refused] = []
    for paragraph in told:
        kept.append([])
        for read in paragraph:
            words = " ".join(read.text.split())
            parts = [
                sentence for sentence in self_description.sentences(words) if self_description.key(sentence) not in said
            ]
            said.update(map(self_description.key, parts))
            fresh = [part for part in parts if self_description.key(part) not in held]
            for one in fresh:
                if (reason := worthless(one)) is not None:
                    return Judged(before, (), (Refused(Read(one, read.cites), reason),), reason)
            reason = _objection(fresh, read, shown, readings) if fresh else None
            if reason is not None:
                refused.append(Refused(read, reason))
                parts = [part for part in parts if part not in fresh]
            elif fresh:
                new.append(Read(words, read.cites))
            kept[-1] += parts
    text = self_description.assemble(before, kept)
    count, least = len(text.split()), len(before.split()) * LEAST_LEFT
    if count < least or not count:
        return Judged(before, (), tuple(refused), "it empties the text")
    if count > max(self_description.MOST_WORDS, len(before.split())):
        return Judged(before, (), tuple(refused), f"it has {count} words, more than {self_description.MOST_WORDS}")
    return Judged(text, tuple(new), tuple(refused))


def objection(read: Read, shown: Shown, readings: Readings) -> str | None:
    """Return why a sentence may not stand in the description; None when it may."""
    parts = self_description.sentences(read.text)
    bad = next((reason for part in parts if (reason := worthless(part)) is not None), None)
    return bad or _objection(parts, read, shown, readings)


def worthless(sentence: str) -> str | None:
    """Return why a sentence makes its text worthless (command, secret, markup), or None."""
    return next((reason for pattern, reason in _WORTHLESS if pattern.search(sentence)), None)


def theme_objection(read: Read, shown: Shown, readings: Readings) -> str | None:
    """Return why a sentence is no valid theme, or None. Themes are logged and may concern
    anyone."""
    return worthless(read.text) or _objection((), read, shown, readings)


def _objection(parts: Sequence[str], read: Read, shown: Shown, readings: Readings) -> str | None:
    """Return the first objection to form or citations, else the reader's objection."""
    for part in parts:
        if _SECOND.search(part):
            return "it speaks to somebody instead of of itself"
        if _ORDER.match(part):
            return "it is an order"
    unknown = [one for one in read.cites if one not in shown.sources]
    if unknown:
        return f"there is no {unknown[0]} among what it was shown"
    if not read.cites:
        return "it rests on nothing"
    return readings.get(read.text, UNREAD) or None
