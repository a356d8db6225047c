"""Requests within other text: "in two hours I have to move the car, remind me".

Reported, hypothetical, quoted or withdrawn words are no request.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

from furoshiki.language import word_tables
from furoshiki.language.dates import parsing
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import When
from furoshiki.language.dates.tokens import AHEAD
from furoshiki.language.reflex.reminders.reminding import matter
from furoshiki.language.reflex.reminders.values import ChangeList, Remind, Request
from furoshiki.language.requests.consent import consent

MOSTSENTENCES = 12
QUOTES = tuple('"\u201c„«‘')  # marks that begin another person's words

MOST_JOINTS = 8

Reader = Callable[[str], Request | None]

SENTENCE = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bSt)(?<!\bSra)(?<!\bProf)(?<=[.!?;\u2026])\s+|\n+|(?<=[。！？])"
)
_WAYS = word_tables.by_language("embedded")["en"]
_JOINT = re.compile(_WAYS["joint"], re.IGNORECASE)
_ASIDE, _POLITE = (re.compile(_WAYS[key], re.IGNORECASE) for key in ("aside", "polite"))
# reports, hypotheses and wishes: requests after them are not meant for the companion
_TOLD = re.compile(_WAYS["told"], re.IGNORECASE)

_PRONOUN = re.compile(_WAYS["pronoun"], re.IGNORECASE)
_BEFORE = re.compile(_WAYS["before"], re.IGNORECASE)
_HAVE_TO = re.compile(_WAYS["have_to"], re.IGNORECASE)


def within(text: str, read: Reader, now: datetime, habits: Habits) -> Request | None:
    """Return the request in one part of a message, if the other parts have none. `read` reads
    one part; `now` is aware, in the user's zone."""
    parts = [part for part in SENTENCE.split(text) if part and part.strip()][:MOSTSENTENCES]
    found = None
    for place, part in enumerate(parts):
        if found is not None and consent(part) is False:
            return None
        if found is None and not (place and parts[place - 1].rstrip().endswith(":")):
            found = _in_sentence(part, read, now, habits, whole=len(parts) == 1)
            told = parts[place - 1] if place else ""
            event = parsing.parse_when(told, now, habits) if isinstance(found, Remind) and not found.what else None
            if isinstance(found, Remind) and isinstance(event, When) and event.timed and not _TOLD.search(told):
                found = _complete_reminder(found, told, part, now, habits) or found
    return found


def parts(text: str) -> Iterator[str]:
    """Yield the parts of a message that may stand alone: sentences, and clauses around joints."""
    for sentence in SENTENCE.split(text)[:MOSTSENTENCES]:
        if sentence and sentence.strip():
            yield sentence
            for pair in _split_sentence(sentence):
                yield from pair


def without_question(text: str) -> str:
    """Remove a question of its own behind a request: "… at 5 and how are you?"."""
    return text if _POLITE.match(text) else _ASIDE.sub("", text)


def is_withdrawn(text: str) -> bool:
    """Return whether a later sentence says no: "Remind me tomorrow? No, better not"."""
    return any(consent(part) is False for part in SENTENCE.split(text)[1:MOSTSENTENCES] if part)


def _in_sentence(sentence: str, read: Reader, now: datetime, habits: Habits, *, whole: bool) -> Request | None:
    if sentence.lstrip()[:1] in QUOTES:
        return None
    if not whole and _is_order(alone := read(sentence)):
        return alone
    for head, tail in _split_sentence(sentence):
        if _TOLD.search(head):
            return None
        first = read(head)
        if isinstance(first, Remind) and first.when is not None and not first.what:
            return replace(first, what=tail.strip(" ,.!"))
        if isinstance(first, ChangeList) and first.action == "remove" and _is_order(first):
            return first  # "take the milk off the list, I bought it"
        found = read(tail)
        if isinstance(found, Remind):
            if (said := _complete_reminder(found, head, tail, now, habits)) is not None:
                return said
        elif isinstance(found, ChangeList) and _is_order(found) and found.name is not None:
            return found
    return None


def _split_sentence(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the sentence split in two at each joint outside quotations."""
    for number, joint in enumerate(_JOINT.finditer(sentence)):
        head = sentence[: joint.start()]
        if number == MOST_JOINTS:
            return
        if head.count('"') % 2 == 0 and head.count("\u201c") <= head.count("\u201d") + head.count("\u201e"):
            yield head, sentence[joint.end() :]


def _is_order(found: Request | None) -> bool:
    if isinstance(found, ChangeList):
        return found.surely and bool(found.items)
    return isinstance(found, Remind) and (found.when is not None or bool(found.what))


def _complete_reminder(found: Remind, head: str, tail: str, now: datetime, habits: Habits) -> Remind | None:
    """Complete a reminder with the task and, if missing, the time from the words before."""
    before = parsing.parse_when(head, now, habits)
    spans = before.spans if isinstance(before, When) else ()
    if (earlier := _earlier(found, tail, before, now, habits)) is not None:
        return earlier if not spans else replace(earlier, what=_without_duty(head, spans))
    if found.what and not _PRONOUN.fullmatch(found.what):
        return found if found.when is not None or not isinstance(before, When) else None
    when = found.when or (before if isinstance(before, When) else None)
    if found.when is not None and isinstance(before, When) and before.timed:
        when, spans = _ahead_of(found.when, before), ()
    what = _without_duty(head, spans)
    return replace(found, what=what, when=when) if what and (when is not None or spans) else None


def _ahead_of(when: When, event: When) -> When:
    """Return the reminder's time, on the event's day if only a time of day was given."""
    at = event.at.replace(hour=when.at.hour, minute=when.at.minute)
    on_its_day = event.dated and not when.dated and when.timed and when.rule is None and at < event.at
    return replace(when, at=at, past=False) if on_its_day and at > when.at else when


def _earlier(found: Remind, tail: str, before: object, now: datetime, habits: Habits) -> Remind | None:
    """Resolve "… on Friday at 3, remind me an hour before" relative to the event."""
    match = _BEFORE.search(tail) if found.when is None else None
    if match is None or not isinstance(before, When) or not before.timed:
        return None
    words = match["span"].split()
    for tongue in dict.fromkeys((found.tongue, *habits.tongues)):
        for first in range(len(words) - 1):
            said = AHEAD.get(tongue, "in {}").format(" ".join(words[first:]))
            counted = parsing.parse_when(said, now, habits)
            if isinstance(counted, When) and counted.at > now:
                at = before.at - (counted.at - now)
                return replace(found, when=replace(before, at=at, past=at <= now), asks=None)
    return None


def _without_duty(head: str, spans: parsing.Spans) -> str:
    """Return the task in a statement: "I have to move the car" is "move the car"."""
    words = parsing.without(head, spans)
    if (duty := next(reversed(list(_HAVE_TO.finditer(words))), None)) is not None:
        words = words[duty.end() :] if words[duty.end() :].strip(" ,.") else words[: duty.start()]
    return matter(words.strip(" ,."))
