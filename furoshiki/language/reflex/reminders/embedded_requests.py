"""Requests within other text: "in two hours I have to move the car, remind me".

Reported, hypothetical, quoted or withdrawn words are no request.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import islice

from furoshiki.language import word_tables
from furoshiki.language.dates import lead_times, parsing
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import When
from furoshiki.language.dates.tokens import AHEAD, MONTH, words_of
from furoshiki.language.reflex.reminders.reminding import matter
from furoshiki.language.requests import short_notes
from furoshiki.language.requests.consent import consent
from furoshiki.language.requests.correction_words import is_opening
from furoshiki.language.requests.values import ChangeList, Remind, Request

MOSTSENTENCES = 12
QUOTES = tuple('"\u201c„«‘')  # marks that begin another person's words

MOST_JOINTS = 8

# a Chinese task of this many signs says what it is about: "打电话", not "写完"
STANDS_ALONE = 3
# a Turkish object: "evrakları bulmamı", not "doktora gideceğim"
_OBJECT = re.compile(r"[ıiuü]\s*$")

Reader = Callable[[str], Request | None]

_MONTH = "|".join(sorted(words_of("de", MONTH)))  # "am 10. Mai" is one sentence
SENTENCE = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bSt)(?<!\bSra)(?<!\bProf)(?<=[.!?;\u2026])"
    rf"(?!(?<=\d\.)\s(?:{_MONTH})\b)\s+|\n+|(?<=[。！？])",
    re.IGNORECASE,
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


def read_behind(text: str, read: Reader, now: datetime, habits: Habits) -> Remind | None:
    """Return the reminder behind a statement: of the event it tells with day and hour, at another
    hour ("cumartesi saat 10'da tesisatçı geliyor, saat 9'da hatırlat"), or of something else
    ("周五下午三点有个面试，周四晚上提醒我熨衬衫")."""
    *told, last = list(filter(str.strip, SENTENCE.split(text.replace("\uff0c", ",")))) or [""]
    head, _, tail = ("".join(told), "", last) if told else last.rpartition(",")
    if not head or _TOLD.search(head) is not None:
        return None
    order = read(tail)
    if not isinstance(order, Remind) or order.when is None or read(head) is not None:
        return None
    event = parsing.parse_when(head, now, habits)
    spans = event.spans if isinstance(event, When) else ()
    if not matter(head, spans):
        return None
    if order.what:
        return _leave_statement(order, order.when, head, spans, joined=not told)
    if told or order.when.dated or order.when.rule or not isinstance(event, When):
        return None
    if not (event.timed and event.dated):
        return None
    return _complete_reminder(order, head, tail, now, habits)


def _leave_statement(order: Remind, when: When, head: str, spans: parsing.Spans, *, joined: bool) -> Remind | None:
    """Return a whole request without the statement before it; None if that may belong to it.

    Only Chinese and Turkish read words before "remind me" in the same sentence as the task."""
    brief = len(order.what) < STANDS_ALONE
    bare = parsing.without(head, spans)
    if order.tongue == "zh" and when.dated and brief and _HAVE_TO.search(bare) is not None:
        return replace(order, what=f"{_without_duty(head, spans)}，{order.what}")
    alone = not joined
    if order.tongue == "tr" and joined:
        alone = _OBJECT.search(order.what) is not None and _OBJECT.search(head) is None
    if order.tongue == "zh":
        alone = when.dated and (bool(spans) or not brief)
    return order if alone else None


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
    """Yield the sentence split in two at each joint outside quotations, first at commas."""
    joints = list(islice(_JOINT.finditer(sentence), MOST_JOINTS))
    for joint in sorted(joints, key=lambda one: one[0][:1].isspace()):
        head = sentence[: joint.start()]
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
    if isinstance(before, When) and not before.timed:
        before = parsing.parse_when(short_notes.spell_out(head, found.tongue), now, habits)
    if (earlier := _earlier(found, tail, before, now, habits)) is not None:
        named = lead_times.name_event(_without_duty(head, spans))
        return earlier if not spans else replace(earlier, what=named)
    of_event = not found.what and found.when is not None and not found.when.dated
    if isinstance(before, parsing.Unclear) and of_event:
        return replace(found, what=_without_duty(head, ()), when=None, asks=before.asks)
    if found.what and not _PRONOUN.fullmatch(found.what):
        return found if found.when is not None or not isinstance(before, When) else None
    when = found.when or (before if isinstance(before, When) else None)
    if found.when is not None and isinstance(before, When):
        when, spans = lead_times.on_its_day(found.when, before, now), ()
    what = _without_duty(head, spans)
    if is_opening(what):
        return replace(found, what="")  # "no wait, remind me of it tomorrow"
    return replace(found, what=what, when=when) if what and (when is not None or spans) else None


def _earlier(found: Remind, tail: str, before: object, now: datetime, habits: Habits) -> Remind | None:
    """Resolve "… on Friday at 3, remind me an hour before" relative to the event."""
    if found.when is not None or not isinstance(before, When):
        return None
    for phrase in _list_ahead(found, tail, habits):
        counted = parsing.parse_when(phrase, now, habits)
        if not isinstance(counted, When) or counted.at <= now:
            continue
        at = lead_times.ahead_of_event(counted.at - now, before)
        if at is not None:
            when = replace(before, at=at, timed=True, past=at <= now)
            return replace(found, when=when, asks=None)
    return None


def _list_ahead(found: Remind, tail: str, habits: Habits) -> Iterator[str]:
    """Yield what a lead time alone, "an hour before", may be as a time from now."""
    lead = lead_times.split_lead(found.what, found.tongue)
    if lead is not None and not lead[1]:
        yield lead[0]
    match = _BEFORE.search(tail)
    if match is None:
        return
    words = match["span"].split()
    for tongue in dict.fromkeys((found.tongue, *habits.tongues)):
        for first in range(len(words) - 1):
            yield AHEAD.get(tongue, "in {}").format(" ".join(words[first:]))


def _without_duty(head: str, spans: parsing.Spans) -> str:
    """Return the task in a statement: "I have to move the car" is "move the car"."""
    words = parsing.without(head, spans)
    if (duty := next(reversed(list(_HAVE_TO.finditer(words))), None)) is not None:
        words = words[duty.end() :] if words[duty.end() :].strip(" ,.") else words[: duty.start()]
    return matter(words.strip(" ,."))
