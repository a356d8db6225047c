"""Read what is only jotted down: a name and no clause, with days and hours in short: "flu jab fri 11am, occy health",
"boiler man thurs 8-12". The words are `config/words`, "jotted"."""

import functools
import re
from collections.abc import Callable
from datetime import datetime
from itertools import filterfalse
from typing import Any

from furoshiki.core.catalogue import ENGLISH
from furoshiki.language.dates import parsing
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.tokens import AT, words_of
from furoshiki.language.tables.function_words import COMMON
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import CODED, fold, with_apostrophes

LONGEST = 14  # most words of such a note
MARK = re.compile(r"[,.;:!]\s")  # what stands between the parts of a note


def is_jotted(text: str, code: str, *, sure: bool, whole: str = "") -> bool:
    """Return whether a text names something, maybe as what somebody has ("Mia has ballet"), and states nothing of it.
    `sure`: there is an hour with it, so that words of a mood may stand in it. `code` is the language of the message,
    and `whole` the note with its time."""
    if code not in _TABLES:
        return False
    table, rest = _TABLES[code], drop_has(text, code, sure=sure)
    words = CODED.findall(_plain(rest, code))
    clause, booked, mood, no_end, opens, places = map(table.__getitem__, _WORDS)
    if words and sure and words[0] in opens | places:
        opened, *words = words
        if opened in opens and any(word.endswith("s") for word in words[1:]):
            return False  # "the shop closes on friday at 6pm"
    if not words or len(words) > LONGEST or (code == ENGLISH and words[0] in COMMON):
        return False
    said = CODED.findall(_plain(whole, code)) or words
    over = table["over"].search(" ".join(filterfalse(booked.__contains__, said)))
    return over is None and clause.isdisjoint(words) and (sure or (mood.isdisjoint(words) and words[-1] not in no_end))


def split_times(text: str, code: str, now: datetime, habits: Habits) -> list[str]:
    """Return the parts of a note that have a time each; `now` is in the user's zone."""

    def has_time(part: str) -> bool:
        return parsing.read(spell_out(part, code), now, habits) is not None

    parts: list[str] = []
    for said in _PARTS.split(text[:LONGEST_NOTE]):
        halves = _AND.split(said, maxsplit=1)
        if not all(map(has_time, halves)):
            halves = [said]
        parts += halves
    return list(filter(has_time, parts))


def drop_has(text: str, code: str, *, sure: bool, named: bool = False) -> str:
    """Return a text without the words by which somebody has what is named; with `named` they stay if they name who. In
    English only at an hour (`sure`)."""
    table = _TABLES[code]
    text = table["be"].sub("", " ".join(text.split()).lstrip(",.;: "))
    match = table["has"].match(text)
    if match is None or (code == ENGLISH and not sure):
        return text
    who = match["who"] or ""
    if (who and named) or not table["clause"].isdisjoint(CODED.findall(_plain(who, code))):
        return text
    return text[match.end() :]


def drop_lead(text: str, code: str) -> str:
    """Return a note without the words that tie it to what was said before: "and also lunch on friday"."""
    if code not in _TABLES:
        return text
    lead: re.Pattern[str] = _TABLES[code]["lead"]
    return lead.sub("", text, count=1)


def _plain(text: str, code: str) -> str:
    text = text.lower().replace("\u2019", "'")
    if code == ENGLISH:
        return with_apostrophes(text)
    return text.replace("'", "' ")


def spell_out(text: str, code: str, *, hours: bool = False) -> str:
    """Return a note with its days and hours as the parser reads them: "mot 2pm wed" is "mot 2pm wednesday", "lesson 9
    may 10.15" is "lesson 9 may at 10:15". Where an hour or a day has an end, it is left out. With `hours` a number
    behind a weekday is an hour in every language: "viernes 7 cena"."""
    for pattern, instead in _list_ways(code, hours or code in _HOUR_AFTER_DAY):
        text = pattern.sub(instead, text)
    return text


_PARTS = re.compile(r"[,;!]\s{1,3}|(?<!\d)\.\s{1,3}|\n|[，。；、]")
_AND = re.compile(r"\s(?:and|und|y|et|e|и|ve)\s|[和跟]", re.IGNORECASE)
LONGEST_NOTE = 400  # most characters of a note of several things

Instead = str | Callable[[re.Match[str]], str]

_PATTERNS, _WORDS = ("has", "be", "over", "lead"), ("clause", "booked", "mood", "no_end", "opens", "places")
_TABLES: dict[str, dict[str, Any]] = {}
for _code, _table in by_language("jotted").items():
    _TABLES[_code] = dict(_table)
    for _key in _PATTERNS:
        _TABLES[_code][_key] = re.compile(_table.get(_key, "(?!)"), re.IGNORECASE)
    for _key in _WORDS:
        _TABLES[_code][_key] = frozenset(_table.get(_key, "").split())
# hour before which an hour that does not end earlier in the day ("2-4", but not "6-2") is in the
# afternoon
_EARLY = 7

_HOUR = r"\d{1,2}(?:[:.]?[0-5]\d)?"
_HOUR_PARTS = re.compile(r"(?P<hour>\d{1,2}?)[:.]?(?P<minutes>[0-5]\d)?")
_LAST_NUMBER = r"(?<=[^\W\d_])\s+(?:ore\s+|h\s+)?(?P<hour>\d{1,2}(?:[:.]\d\d)?)\s?(?:h|hs|hrs)?\W*$"
_BETWEEN = (
    rf"(?:between|zwischen|entre|tra|fra|между) (?P<start>{_HOUR}) (?:and|und|y|et|e|и) (?P<end>{_HOUR})"
    r"(?:\s?(?P<half>[ap])m)?\b"
)
_NO_NTH = "the", r"(?P<n>)(?!)"
# languages in which a number behind a weekday is an hour ("montag 10 zahnarzt"); in others it is
# the day's
_HOUR_AFTER_DAY = ("en", "de", "tr")

# what stands behind a short weekday besides an hour, and before a day of the month without its
# article
_IN_ENGLISH = (
    r"|[.,!]?$|[.,] |\s?[-–&/]\s?[^\W\d_]",
    r"\b(?P<due>due|by|out|on|until|till) (?=\d{1,2}(?:st|nd|rd|th)\b)",
)


@functools.cache
def _list_ways(code: str, hours: bool) -> list[tuple[re.Pattern[str], Instead]]:
    """Return the short forms of a language and what they are spelled out to."""
    if "short" not in _TABLES.get(code, {}):
        return []
    at, short, day, month = AT[code], _TABLES[code]["short"], _either(code, "wr"), _either(code, "M")
    names, (beside, due) = "|".join(short), _IN_ENGLISH
    folded = {fold(form): written for form, written in short.items()}
    behind = rf" (?!(?:{_either(code, 'MuU')})\b)[^\W\d_]{{4,}}(?: [^\W\d_]{{1,20}}){{0,3}}$"
    if not hours:
        behind = r"(?!)"
    if code != "en":
        beside, due = "", r"(?P<due>)(?!)"
    unit, nth = _TABLES[code].get("nth", _NO_NTH)
    led = rf"(?P<day>\b(?:{day}|{month})\b\.?)[, ]{{1,2}}(?:{at} |from )?"
    to = r"\s?(?:-|–|to|till?|until|bis|до|à|alle|às|a las|ile)\s?"
    spans = rf"(?P<start>{_HOUR}){to}(?P<end>{_HOUR})(?:\s?(?P<half>[ap])m)?\b"

    def spell(found: re.Match[str]) -> str:
        return str(folded[fold(found["short"])])

    def begin(found: re.Match[str]) -> str:
        return f"{found['day']} {at} {_begin(found['start'], found['end'], found['half'])}"

    ways: list[tuple[str, Instead]] = [
        (rf"(?<![\w'-])(?P<short>{names})\b\.?(?= \d{beside})", spell),
        (rf"(?<=\d )(?P<short>{names})\b", spell),
        (rf"(?<=\d[aph]m )(?P<short>{names})\b", spell),
        (rf"\b(?P<first>{day})\b\s?(?:[-–/]|and |& )\s?(?:{day})\b", r"\g<first>"),
        (rf"\b(?P<first>\d{{1,2}})\s?[-–]\s?\d{{1,2}}(?=\.? (?:{month})\b)", r"\g<first>"),
        (led + spans, begin),
        (rf"\b(?P<day>{day}),? {_BETWEEN}", begin),
        (rf"\b{spans} (?P<day>(?:{day})\b)", begin),
        (led + r"(?P<hour>\d{1,2})\.(?P<minutes>[0-5]\d)\b(?!\s?[ap]m)", rf"\g<day> {at} \g<hour>:\g<minutes>"),
        (rf"(?<!\S)(?P<hour>\d{{1,2}})\.(?P<minutes>[0-5]\d)(?= (?:{day})\b)", rf"{at} \g<hour>:\g<minutes>"),
        (rf"{nth}(?!\.? (?:{month})\b)", rf"{unit} \g<n>"),
        (rf"(?<!\b{at})(?<!\b{unit}){_LAST_NUMBER}", rf" {at} \g<hour>"),
        (due, r"\g<due> the "),
        (rf"\b(?P<day>(?:{day})) (?P<hour>[7-9]|1\d|20)(?={behind})", rf"\g<day> {at} \g<hour>"),
    ]
    return list(map(_compile, ways))


def _either(code: str, kinds: str) -> str:
    return "|".join(sorted(words_of(code, kinds), key=len, reverse=True))


def _compile(way: tuple[str, Instead]) -> tuple[re.Pattern[str], Instead]:
    return re.compile(way[0], re.IGNORECASE), way[1]


def _begin(start: str, end: str, half: str | None) -> str:
    """Return the first hour of two as HH:MM."""
    first, last = map(_HOUR_PARTS.fullmatch, (start, end))
    assert first is not None and last is not None
    hour, until = int(first["hour"]), int(last["hour"])
    afternoon = hour < _EARLY and hour <= until
    if half is not None:
        afternoon = half.lower() == "p" and hour < until
    return f"{hour + 12 * (afternoon and hour < 12):02}:{first['minutes'] or '00'}"
