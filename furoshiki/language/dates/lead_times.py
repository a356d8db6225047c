"""Lead times before an event: "2 hours before my flight on 3 December at 14:20"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from furoshiki.language.dates.booked import When
from furoshiki.language.dates.tokens import AHEAD
from furoshiki.language.dates.values import BYDAY
from furoshiki.language.word_tables import by_language, pattern, patterns, texts
from furoshiki.language.words import fold

_N = r"(?:\d{1,3}|[^\W\d_]{1,12}(?: (?:an?|einhalb))?)"
_LETTER = r"[^\W\u3400-\u9fff]"  # of writing with spaces: Chinese has none before a lead time
_SAID = patterns("bounds", "before", {"some": _N})


_WAYS = by_language("lead_times_beside")["en"]
_ALONE = re.compile(_WAYS["alone"], re.IGNORECASE)
_AROUND = re.compile(_WAYS["around"], re.IGNORECASE)
_COUNTS = {"half a": 0.5, "half an": 0.5, "a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0}
_HOURS = {"minute": 1 / 60, "min": 1 / 60, "hour": 1.0, "hr": 1.0, "day": 24.0, "week": 168.0}
_PARTS = {"morning": 9, "day": 9, "evening": 19, "night": 20}  # hours of the day before


_EVENTS = texts("deeds", "events")
_REMIND_BEFORE = re.compile(_WAYS["remind_before"], re.IGNORECASE)


_ASKED: list[tuple[re.Pattern[str], str]] = []
_OF_THAT: list[re.Pattern[str]] = []
for _table in by_language("lead").values():
    _ASKED.append((re.compile(_table["that"], re.IGNORECASE), ""))
    _OF_THAT.append(re.compile(rf"\A(?P<base>.{{3,160}}?)[,;.\uff0c\u3002] ?(?:{_table['that']})", re.IGNORECASE))
    for _lead, _words in _table["times"].items():
        _way = pattern(_table["ask"], {"lead": f"(?:{_words})"})
        _ASKED.append((re.compile(_way, re.IGNORECASE), _lead))


@dataclass(frozen=True, slots=True)
class LeadAsked:
    """A reminder that is wanted by its lead time alone, or ("") at the time itself; `of` is the event, "" for the one
    told last, and `deed` what is to be done then, "" for the event."""

    of: str
    lead: str
    deed: str = ""
    ahead: timedelta | None = None


def read_lead(text: str) -> LeadAsked | None:
    """Read "remind me of that the evening before", "bin day is thursday, remind me the night before"."""
    plain = " ".join(text.replace(",", " ").split()).strip(" .!?。！")
    for way, lead in _ASKED:
        if way.fullmatch(plain):
            return LeadAsked("", lead)
    whole = " ".join(text.split()).strip(" .!?\u3002\uff01\uff1f")
    for way in _OF_THAT:
        if (behind := way.fullmatch(whole)) is not None:
            return LeadAsked(behind["base"], "")
    match = _REMIND_BEFORE.match(whole)
    if match is None or (match["lead"] and _ALONE.fullmatch(match["lead"]) is None):
        return None
    return LeadAsked(_COURTESY.sub("", match["base"] or "").strip(" ,;."), match["lead"] or "")


_COURTESY = re.compile(r"[,;.] (?:and|so|please|kindly) $", re.IGNORECASE)


def name_event(told: str) -> str:
    """Return what a statement names: "i have a midterm" is "midterm", "bin day is" "bin day"."""
    return _AROUND.sub("", told)


def lead_alone(words: str, at: datetime, timed: bool) -> datetime | None:
    """Return the moment that a lead time without its event means before `at`: "the evening before",
    "an hour before"; None for other words. `timed`: `at` has an hour of its own."""
    match = _ALONE.fullmatch(words)
    if match is None:
        return None
    if match["part"]:
        hour = _PARTS[fold(match["part"])]
        if fold(match["part"]) == "day" and timed:
            return at - timedelta(days=1)
        return (at - timedelta(days=1)).replace(hour=hour, minute=0)
    count = _COUNTS.get(fold(match["count"])) or float(match["count"])
    return at - timedelta(hours=count * _HOURS[fold(match["unit"])])


def ahead_of_event(ahead: timedelta, event: When) -> datetime | None:
    """Return the moment so long before an event; None for hours before a day without an hour."""
    if not event.timed and ahead < timedelta(days=1):
        return None
    return event.at - ahead


def on_its_day(when: When, event: When, now: datetime) -> When:
    """Return the reminder's time: on the event's day if only a time of day was given, in the half
    of the day that is nearer to the event."""
    if not event.dated or when.dated or not when.timed or when.rule is not None:
        return when
    hours = {when.at.hour}
    if when.either:
        hours.add((when.at.hour + _HALF_A_DAY) % (2 * _HALF_A_DAY))
    times = [event.at.replace(hour=hour, minute=when.at.minute) for hour in hours]
    if event.rule == f"FREQ=WEEKLY;BYDAY={BYDAY[event.at.weekday()]}":
        times += [at + timedelta(weeks=1) for at in times if at <= now]
    before = [at for at in times if now < at and (not event.timed or at.time() < event.at.time())]
    if not before:
        return when
    at = min(before)
    if event.timed:
        at = max(before)
    return replace(when, at=at, rule=event.rule, past=False, dated=True, either=False)


_HALF_A_DAY = 12  # hours


@dataclass(frozen=True, slots=True)
class Before:
    """text[start:end] is the lead time; `ahead` phrases it as a time from now."""

    start: int
    end: int
    ahead: str


def list_before(text: str) -> Iterator[Before]:
    """Yield the lead time that a text names, as each language reads it."""
    for tongue, said in _SAID.items():
        match = re.search(rf"(?<!{_LETTER}){said}(?!{_LETTER})", text, re.IGNORECASE)
        if match is not None:
            yield Before(match.start(), match.end(), AHEAD[tongue].format(match["span"]))


def split_lead(words: str, tongue: str) -> tuple[str, str] | None:
    """Return the lead time that a reminder begins with, as a time from now, and the words behind it:
    "two weeks before to pack"."""
    if tongue not in _SAID:
        return None
    for phrase in (words, _NO_EVENT.sub(r"\g<lead> до", words, count=1)):
        match = re.match(rf"{_SAID[tongue]}(?!{_LETTER})", phrase, re.IGNORECASE)
        if match is not None:
            behind = phrase[match.end() :].strip(" ,")
            return AHEAD[tongue].format(match["span"]), _OF_DEED.sub("", behind)
    return None


# a lead time that Russian need not tie to an event, and what ties a deed to a lead time
_NO_EVENT = re.compile(r"^(?P<lead>за (?:[^\W\d_]+ |\d+ )?[^\W\d_]+)(?! (?:до|заранее))")
_OF_DEED = re.compile(
    r"^(?:to|that|zu|dass|que|di|de|d'|ans?|daran)\s(?!(?:it|that|das|ça|eso|ciò|isso)\b)",
    re.IGNORECASE,
)


def split_event(text: str, tongue: str) -> tuple[str, str]:
    """Return what begins or ends a part of the day at an hour of their own ("after school"), and the rest of a text."""
    event = re.search(rf"(?<![^\W\u4e00-\u9fff])(?:{_EVENTS[tongue]})(?![^\W\u4e00-\u9fff])", text, re.IGNORECASE)
    if event is None:
        return "", text
    return event[0], f"{text[: event.start()].rstrip()} {text[event.end() :].lstrip()}"
