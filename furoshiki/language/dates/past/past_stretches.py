"""Past stretches of time in other languages than English: "vor zwei Jahren", "el verano pasado".

Words are tokenized like future times (`tokens`), plus words for the past (`config/words`, "dates",
`past`). A month or day without a year is the last one that has begun. English has richer patterns
of its own (`asked_dates`, `fact_times`).
"""

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Literal

from furoshiki.core.timestamps import FIRST
from furoshiki.language.dates.tokens import LONGEST, Token, tokens, words_of
from furoshiki.language.dates.values import MOST_COUNTED, count_in, has, months_on, number_of, value_of, values_of
from furoshiki.language.word_tables import texts
from furoshiki.language.words import RUN

Unit = Literal["day", "week", "month", "season", "year"]
Lead = Literal["since", "until", "in"]

# least letters of the one word that proves the language: "a", "do" and "mar" are in many
_OWN_LETTERS = 4

_VAGUE: Mapping[Unit, float] = {"day": 1, "week": 3, "month": 15, "season": 45, "year": 183}


_LEADS: Mapping[str, Lead] = {"k": "since", "v": "until"}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days [start, end), their unit and relation to the fact. `counted`: so many units ago."""

    start: date
    end: date
    unit: Unit
    lead: Lead = "in"
    counted: bool = False

    @property
    def vague(self) -> timedelta:
        """Tolerance around a counted stretch: half of its unit."""
        return timedelta(days=_VAGUE[self.unit]) if self.counted else timedelta()


@dataclass(frozen=True, slots=True)
class Past:
    """The stretches of a text, and whether it says that something began then."""

    stretches: tuple[Stretch, ...] = ()
    became: bool = False


NOTHING = Past()
_TABLES = texts("dates", "past")


def read(text: str, today: date) -> Past:
    """Return past times in the language that reads most of the text; nothing in the future."""
    best, most = NOTHING, 0
    words = {word.casefold() for word in RUN.findall(text[:LONGEST])}
    for tongue in _TABLES:
        if words.isdisjoint(_list_telling_words(tongue)):
            continue  # most texts name no time, and reading takes 0.3 ms for each language
        past, taken = _in(text, tongue, today)
        if taken > most:
            best, most = past, taken
    return best


@functools.cache
def _list_telling_words(tongue: str) -> frozenset[str]:
    """Return words of a language; a text without any names no past time in it."""
    return words_of(tongue, "rwMu") | frozenset(words_of_past(tongue))


def _in(text: str, tongue: str, today: date) -> tuple[Past, int]:
    """Return the reading in one language and the letters read; 0 without a word of its own."""
    words = [_reread_token(token, text, tongue) for token in tokens(text, tongue)]
    kinds = "".join(token.kind for token in words)
    stretches: list[Stretch] = []
    taken, own, at = 0, False, 0
    while at < len(kinds):
        longest = _longest(kinds, at, words, text, tongue, today)
        if longest is None:
            at += 1
            continue
        stretch, end = longest
        if _may_be_a_name(words[at:end], kinds[at - 1 : at], tongue):
            at = end
            continue
        lead, first, last = _lead(kinds, at, end, tongue)
        stretches.append(replace(stretch, lead=lead))
        run = words[first:last]
        taken += sum(token.end - token.start for token in run)
        own = own or len(run) > 2 or any(_of_its_own(token, text) for token in run)
        at = last
    return Past(tuple(stretches), "C" in kinds), taken if own else 0


def _may_be_a_name(run: Sequence[Token], before: str, tongue: str) -> bool:
    """Return whether it is a bare month or short season: "August" is a name, "yaz" is "write"."""
    [first, *more] = run
    if more or first.kind not in "MS":
        return False
    if first.kind == "S":
        return first.end - first.start < _OWN_LETTERS
    return tongue != "tr" and not (first.lead or (before and before in "@ikv"))


def _of_its_own(token: Token, text: str) -> bool:
    word = text[token.start : token.end]
    return token.kind not in "nody." and (len(word) >= _OWN_LETTERS or not word.isascii() or token.kind == "M")


def _reread_token(token: Token, text: str, tongue: str) -> Token:
    meaning = words_of_past(tongue).get(text[token.start : token.end].casefold())
    return token if meaning is None else replace(token, kind=meaning[0], value=meaning[1])


@functools.cache
def words_of_past(tongue: str) -> Mapping[str, tuple[str, Any]]:
    """Return kind and value of each word of the past in a language; none for English."""
    return read_table(_TABLES.get(tongue, ""))


def read_table(lines: str) -> Mapping[str, tuple[str, Any]]:
    """Return kind and value of each word in lines of `config/words`, "past"."""
    table: dict[str, tuple[str, Any]] = {}
    for line in lines.strip().splitlines():
        spec, _, forms = line.partition(" = ")
        kind, _, value = spec.partition(" ")
        meaning = (kind, int(value) if kind in "SrM" and value else value)
        table.update(dict.fromkeys(forms.split(), meaning))
    return table


def _lead(kinds: str, at: int, end: int, tongue: str) -> tuple[Lead, int, int]:
    """Return the relation word before a stretch (in Turkish after it), and the run including it."""
    if kinds[at : at + 1] == "k" or "z" in kinds[at:end]:
        return "since", at, end
    if tongue == "tr":
        beside = end + (kinds[end : end + 1] == ".")
        if kinds[beside : beside + 1] in _LEADS:
            return (_LEADS[kinds[beside]], at, beside + 1)
        return ("in", at, end)
    before = at - 1
    return (_LEADS[kinds[before]], before, end) if before >= 0 and kinds[before] in _LEADS else ("in", at, end)


def _longest(
    kinds: str, at: int, words: Sequence[Token], text: str, tongue: str, today: date
) -> tuple[Stretch, int] | None:
    matches = [(match.end(), order) for order, (rule, _) in enumerate(RULES) if (match := rule.match(kinds, at))]
    for end, order in sorted(matches, key=lambda one: (-one[0], one[1])):
        try:
            stretch = RULES[order][1](words[at:end], text, tongue, today)
        except (ValueError, OverflowError):  # not in the calendar
            continue
        if stretch is not None and FIRST.date() <= stretch.start <= today:
            return stretch, end
    return None


# units that are counted back; a fortnight or an hour is not
_UNITS: Mapping[str, Unit] = {"day": "day", "week": "week", "month": "month", "year": "year"}


def _ago(run: Sequence[Token], _text: str, _tongue: str, today: date) -> Stretch | None:
    """Return so many units back; "seit zwei Jahren" begins then, too."""
    unit = _UNITS.get(str(value_of(run, "uz")))
    count = count_in(run)
    if unit is None or count > MOST_COUNTED:
        return None
    if unit in ("day", "week"):
        day = today - timedelta(days=round(count * (7 if unit == "week" else 1)))
    else:
        day = months_on(today.replace(day=1), -round(count * (12 if unit == "year" else 1)))
        day = day.replace(day=min(today.day, 28))
    return Stretch(day, day + timedelta(days=1), unit, counted=True)


def _last_unit(run: Sequence[Token], _text: str, _tongue: str, today: date) -> Stretch | None:
    """Return the week, month or year before this one."""
    unit = value_of(run, "u")
    if unit == "week":
        monday = today - timedelta(days=today.weekday())
        return Stretch(monday - timedelta(days=7), monday, "week")
    if unit == "month":
        first = today.replace(day=1)
        return Stretch(months_on(first, -1), first, "month")
    return Stretch(date(today.year - 1, 1, 1), date(today.year, 1, 1), "year") if unit == "year" else None


def last_weekday(run: Sequence[Token], _text: str, _tongue: str, today: date) -> Stretch:
    """Return the last such weekday before today."""
    day = today - timedelta(days=(today.weekday() - value_of(run, "w")) % 7 or 7)
    return Stretch(day, day + timedelta(days=1), "day")


def near_day(run: Sequence[Token], _text: str, _tongue: str, today: date) -> Stretch | None:
    """Return today or a day counted back from it."""
    ahead = value_of(run, "r")
    day = today + timedelta(days=ahead)
    return Stretch(day, day + timedelta(days=1), "day") if ahead <= 0 else None


def _month(run: Sequence[Token], text: str, tongue: str, today: date) -> Stretch | None:
    """Return a month or a day in it: the last that has begun if no year is named."""
    word = next(token for token in run if token.kind == "M")
    days = [number_of(token) for token in run if token.kind in "no"]
    years = [int(year) for year in values_of(run, "y")]
    year = years[0] if years else today.year
    start = date(year, word.value, days[0] if days else 1)
    if not years and (start > today or (has(run, "lL") and start.month == today.month)):
        start = start.replace(year=today.year - 1)
    end = start + timedelta(days=1) if days else months_on(start, 1)
    return Stretch(start, end, "day" if days else "month")


def _season(run: Sequence[Token], _text: str, _tongue: str, today: date) -> Stretch:
    years = [int(year) for year in values_of(run, "y")]
    start = date(years[0] if years else today.year, value_of(run, "S"), 1)
    if not years and start > today:
        start = start.replace(year=today.year - 1)
    return Stretch(start, months_on(start, 3), "season")


def _year(run: Sequence[Token], _text: str, _tongue: str, _today: date) -> Stretch:
    year = int(value_of(run, "y"))
    return Stretch(date(year, 1, 1), date(year + 1, 1, 1), "year")


RULES: Sequence[tuple[re.Pattern[str], Callable[[Sequence[Token], str, str, date], Stretch | None]]] = tuple(
    (re.compile(pattern), maker)
    for pattern, maker in (
        (r"k?g[nA]?u|k[nA]u|[nA]?ua|[nA]z", _ago),
        (r"[lL]u|ul", _last_unit),
        (r"[lL]w|wl", last_weekday),
        (r"r", near_day),
        (r"[no]My?|Moy?|[lL]M|Ml|My?", _month),
        (r"[lL]S|Sl|Sy?", _season),
        (r"yu?", _year),
    )
)
