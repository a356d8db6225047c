"""Rules of form for any language. A statement that breaks one is refused; true ones rarely do.

At least one cited message must contain the owner's own words; only a thought of the companion about
itself cites none. Figures and names must occur in the conversation or be known; a date may be
computed from words ("next tuesday"), a year from a number of years.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from itertools import filterfalse
from typing import Any

from furoshiki.language.dates import chinese, library
from furoshiki.language.dates.past.told_dates import is_date_named
from furoshiki.language.dates.tokens import TONGUES, value_in
from furoshiki.language.grounding import words as words_of
from furoshiki.language.grounding.said_of import is_mentioned
from furoshiki.language.grounding.words import mostly_said
from furoshiki.language.inflection import Said, language_of
from furoshiki.language.tables.numbers import AND, DIGITS, LANGUAGES, NUMBERS, spelled
from furoshiki.language.words import HYPHENED, RUN, bare, trunk
from furoshiki.memory.grounding.rules.statement import Statement

# the share of a name's letters that another form must begin with: "Pskove" is "Pskov"
_LEAST_ALIKE = 0.6

_SHORTEST_ALIKE = 3
_SHORT_NAME = 3  # names of at most this many letters have no other forms

_LEAST_UNIT = 100

_WEEKDAY_REACH = 8  # days within which a weekday alone names a day

# days ahead within which words of an unread language may mean a day ("来週の水曜日"): the library finds
# few of them, so a reader decides
_NEXT_WEEK = 13

_REACH = 110  # years back to which a year may be computed from a number of years

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = r"(?P<month>[^\W\d_]{3,12})"
# dates with a month, as written in any language; whether the word is a month is checked later
_DATES = (
    re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|º)?(?: (?:de|of|di))? {_WORD}\b\.?(?:,? (?:de )?(?P<year>\d{{4}}))?"
    ),
    re.compile(rf"\b{_WORD}\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)(?:,? (?P<year>\d{{4}}))?"),
    re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b"),
)

_AND = rf"(?: ?[-\u2013/&] ?| (?:{'|'.join(sorted({*AND, 'to', 'until'}))}) )(?:the )?"
_DAY_BEFORE = re.compile(rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|º)?{_AND}$")
# where a stretch of days begins: "from Monday 12 to Wednesday" before "14 October"
_BEGINNING = re.compile(r"(?<!\d)(?P<day>\d{1,2})(?:st|nd|rd|th|\.|º)? [^\W\d_]{1,8} (?P<weekday>[^\W\d_]{3,12}),? $")
# another day of the same month beside a date: "7 and 8 March", "March 7-8"
_DAY_BEHIND = re.compile(rf"^{_AND}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)")

# a figure before a word that may multiply it: "8 thousand", "8k", "8 mil", "3万"
_SCALED = re.compile(r"(?<![\d.,:])(\d{1,6}(?:[.,]\d{1,3})?) ?([^\W\d_]{1,20})")

# a word that begins neither a sentence nor a quotation
_INSIDE = re.compile(r"(?<![.!?\u2026:\"\u201c\u201e\u00ab(]\s)(?<!^)(?<![\"\u201c\u201e\u00ab(])\b[^\W\d_]{2,}")

# a currency or another unit beside its figure
_UNIT = re.compile(r"(?<=\d) ?[A-Z]{2,3}\b|\b[A-Z]{2,3}(?= ?\d)")

_POSSESSIVE = re.compile(r"['\u2019]s?$")


def broken(statement: Statement) -> str:
    """Return the first rule of form that a statement breaks, or ""."""
    of_itself = (
        statement.free and statement.kind == "journal" and not statement.cited_whole
    )  # a reader decides whether it really is one
    if not of_itself and not any(HYPHENED.search(text) for text in statement.cited):
        return "it cites no words of the owner's own"
    heard = Heard(statement)
    for whole, days in _dates_in(statement.text):
        if not all(_is_day_meant(*day, statement, heard) or _is_day_of_saying(*day, statement) for day in days):
            return f"{whole.rstrip(' .')!r} is no date that was named"
    if (unheard := find_unheard(statement)) and not is_unread(statement.languages[1]):
        return f"{unheard[0]} was never said"
    for name in names_in(statement):
        if not heard.name(name) and not _in_other_words(statement):
            return f"{name!r} was never said"
        if statement.of_owner and heard.only_passed_on(name):
            return f"{name!r} stands only in what they passed on or quoted"
    if statement.object and _only_passed_on(statement):
        return f"{statement.object!r} stands only in what they passed on or quoted"
    return ""


def is_unread(tongue: str) -> bool:
    """Whether the words of a language ("": undetected) for numbers, days and relatives are not known
    here: a reader decides what depends on them."""
    return tongue not in ("", *LANGUAGES)


def find_unheard(statement: Statement) -> list[str]:
    """Return the figures outside of dates that were not said and follow from nothing that was."""
    heard, rest = Heard(statement), statement.text
    for whole, _ in _dates_in(statement.text):
        rest = rest.replace(whole, " ")
    return list(filterfalse(heard.number, _NUMBER.findall(rest)))


def guesses_a_year(statement: Statement) -> bool:
    """Whether a statement gives a year that may be meant: two figures were said, which may be an age,
    or it is last or next year, and a time of the year was said."""
    return any(map(Heard(statement).may_mean_year, _NUMBER.findall(statement.text)))


def dates_itself(statement: Statement) -> bool:
    """Whether a statement gives the day on which something was said, though no day was named."""
    days = [day for _, some in _dates_in(statement.text) for day in some if _is_day_of_saying(*day, statement)]
    return bool(days) and not all(_is_day_meant(*day, statement, Heard(statement)) for day in days)


def _dates_in(text: str) -> Iterator[tuple[str, list[tuple[int, int, int]]]]:
    """Yield each date with another day of its month beside it, and their days, months and years (0
    where none stands there)."""
    for match in [match for pattern in _DATES for match in pattern.finditer(text)]:
        month = int(match["month"]) if match["month"].isdigit() else month_in(match["month"])
        if month is None:
            continue
        start, end, days = match.start(), match.end(), [int(match["day"])]
        before = _DAY_BEFORE.search(text[:start]) or _BEGINNING.search(text[:start])
        if before and weekday_in(before.groupdict().get("weekday", "monday")) is not None:
            start, days = before.start(), [*days, int(before["day"])]
        if behind := _DAY_BEHIND.search(text[end:]):
            end, days = end + behind.end(), [*days, int(behind["day"])]
        yield text[start:end], [(day, month, int(match["year"] or 0)) for day in days]


def _is_day_of_saying(day: int, month: int, year: int, statement: Statement) -> bool:
    moment = statement.moment
    return (day, month) == (moment.day, moment.month) and year in (0, moment.year)


def _only_passed_on(statement: Statement) -> bool:
    """Whether a fact's object occurs only in quoted or forwarded text, not in the owner's words or
    known facts. If a cited message contains other people's words, an object that the owner did not
    say counts as theirs. A quotation of the person concerned ("Jonas says …") is left to the doubts
    and the reader."""
    of_another = not statement.of_owner and (
        is_unread(statement.languages[1]) or is_mentioned(statement.text, statement.cited)
    )
    if of_another or mostly_said(statement.object, own_said(statement)):
        return False
    if {*statement.cited_whole} - {*statement.cited}:
        return True
    texts = (*statement.passed_on, *statement.cited_whole)
    return mostly_said(statement.object, collect_words(texts, statement.text))


def is_day_stated(day: date, statement: Statement) -> bool:
    """Whether the owner's words name a day: by number, by weekday, or relative to their date."""
    return _is_day_meant(day.day, day.month, day.year, statement, Heard(statement))


def _is_day_meant(day: int, month: int, year: int, statement: Statement, heard: "Heard") -> bool:
    """Whether words name this day: by number, near weekday, or any time expression."""
    words, said = [*statement.own, *statement.cited_whole], "\n".join(statement.cited)
    if float(day) in heard.figures:
        return True
    for of_year in [year] if year else [statement.moment.year, statement.moment.year + 1, statement.moment.year - 1]:
        try:
            moment = statement.moment.replace(year=of_year, month=month, day=day)
        except ValueError:  # no such day exists
            continue
        near = abs((moment - statement.moment).days) <= _WEEKDAY_REACH
        if near and moment.weekday() in heard.weekdays:
            return True
        if any(is_date_named(moment, text, statement.moment) for text in words):
            return True
        tongue = statement.languages[1]
        if is_unread(tongue) and (
            0 <= (moment - statement.moment).days <= _NEXT_WEEK
            or moment.date() in library.find_days(said, tongue, statement.moment)
        ):
            return True
    return False


def _in_other_words(statement: Statement) -> bool:
    """Whether a statement is in another language than its sources: place names are translated."""
    mine = statement.languages[0] or language_of(statement.text) or "en"
    theirs = statement.languages[1] or language_by(tuple(statement.own)) or "en"
    return mine != theirs


class Heard:
    """The figures and words that were said or are known."""

    def __init__(self, one: Statement) -> None:
        typed, own = (tuple(one.own), tuple(one.known)), tuple(one.own)
        self._all = (*typed, tuple(one.cited_whole), tuple(one.others))
        self._words = frozenset().union(*map(_words, self._all))
        self._own_words = frozenset().union(*map(_words, typed))
        self._passed_on, self._typed = tuple(one.passed_on), (*typed[0], *typed[1])
        self._passed = _words(self._passed_on)
        self._this_year = one.moment.year
        self.values = frozenset[float]().union(*map(values_of, self._all))
        self.figures = frozenset[float]().union(*map(_figures, (*typed, tuple(one.cited_whole))))
        self.weekdays = weekdays_of(own)
        self._dates_year = any(map(_tells_of_year, (*typed[0], *one.cited_whole)))
        self._said: Said | None = None

    def number(self, text: str) -> bool:
        """Whether a figure was said, in digits or words, or follows from one: a year from a number
        of years, or the reverse."""
        hour, _, minutes = text.partition(":")
        if minutes.isdigit() and hour.isdigit():  # "quarter to four" is 3:45, "at three" 15:00
            hours = {int(hour), int(hour) + (int(minutes) > 0)}
            return any((one + half) in self.values for one in hours for half in (0, 12, -12))
        return self.may_mean_year(text) or any(
            value in self.values
            or value == self._this_year
            or any(abs(self._this_year - value - other) <= 1 for other in self.values if self._years(value, other))
            for value in _values(text)
        )

    def may_mean_year(self, text: str) -> bool:
        """Whether a year was said in two figures only ("came here in 82"), if it is one and no age, or
        is next to this one and a time was said that may lie in it ("from January", "last summer")."""
        years = [value for value in _values(text) if value >= 1900 and value not in self.values]
        return any(
            (self._dates_year and abs(value - self._this_year) == 1)
            or (value <= self._this_year and value % 100 in self.values)
            for value in years
        )

    def _years(self, value: float, other: float) -> bool:
        """Whether one figure can be a year and the other the number of years since."""
        return value <= self._this_year and max(value, other) >= self._this_year - _REACH and min(value, other) > 1

    def name(self, name: str) -> bool:
        """Whether a name was said in some form, in any script."""
        if has_form(name, self._words):
            return True
        if self._said is None:
            texts = tuple(text for some in self._all for text in some)
            self._said = collect_words(texts)
        return self._said.holds(trunk(name), name=True)

    def only_passed_on(self, name: str) -> bool:
        """Whether a name occurs only in forwarded or quoted text, in any script."""
        if has_form(name, self._own_words):
            return False
        if has_form(name, self._passed):
            return True
        passed, own = collect_words(self._passed_on), collect_words(self._typed)
        return passed.sounds(bare(name)) and not own.sounds(bare(name))


_REMEMBERED = 32  # the cache size; the texts of a conversation are the same for all its statements


@lru_cache(maxsize=_REMEMBERED)
def _words(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(bare(word) for text in texts for word in HYPHENED.findall(text))


@lru_cache(maxsize=_REMEMBERED)
def _figures(texts: tuple[str, ...]) -> frozenset[float]:
    return frozenset(value for text in texts for number in _NUMBER.findall(text) for value in _values(number))


@lru_cache(maxsize=_REMEMBERED)
def weekdays_of(texts: tuple[str, ...]) -> frozenset[int]:
    """Return the weekdays that texts name, 0 for Monday. Two-letter abbreviations are common words
    in other languages ("so", "mi") and do not count."""
    words = (word for word in _words(texts) if len(word) > 2)
    weekdays = frozenset(day for word in words if (day := weekday_in(word)) is not None)
    return weekdays.union(*map(chinese.weekdays_in, texts))


@lru_cache(maxsize=_REMEMBERED)
def values_of(texts: tuple[str, ...]) -> frozenset[float]:
    """Return every number in texts, in digits or in words of any language."""
    return frozenset(value for text in texts for value in values_in(text))


@lru_cache(maxsize=_REMEMBERED)
def collect_words(texts: tuple[str, ...], claim: str = "") -> Said:
    """Return the words of texts, inflected by their own languages or else the claim's."""
    return words_of.collect_words(texts, claim)


def own_said(statement: Statement) -> Said:
    """Return the owner's and the known words, inflected by language."""
    return collect_words((*statement.own, *statement.known), statement.text)


@lru_cache(maxsize=_REMEMBERED)
def language_by(texts: tuple[str, ...]) -> str | None:
    """Return the language of texts; None for English."""
    return language_of(" ".join(texts))


def values_in(text: str) -> set[float]:
    """Return every number in a text, in digits or in words of any language."""
    values = {value for number in _NUMBER.findall(text) for value in _values(number)}
    for number, word in _SCALED.findall(text):
        values.update(value * unit for value in _values(number) for unit in _units_in(word.casefold()))
    words = [part for word in HYPHENED.findall(text) for part in word.casefold().split("-")]
    return values.union(*(spelled(text, language) for language in LANGUAGES), *map(counts_in, words))


@lru_cache(maxsize=4096)  # a small vocabulary recurs
def _units_in(word: str) -> frozenset[int]:
    """Return the hundreds, thousands and more that a lower-case word means in any language."""
    units = frozenset[int]().union(*(spelled(word, language) for language in LANGUAGES))
    return frozenset(one for one in units if one >= _LEAST_UNIT) | ({1000} if word == "k" else set())


def _values(number: str) -> Iterator[float]:
    """Yield the possible values of figures: "1,200" is 1200 or 1.2, "9:30" is 9 and 30."""
    for part in number.split(":"):
        digits = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", part)
        for figure in {digits, part}:
            try:
                yield float(figure.replace(",", "."))
            except ValueError:  # "192.168.1.1"
                yield from map(float, re.split(r"[.,]", figure))


def names_in(statement: Statement) -> list[str]:
    """Return the capitalised words inside sentences, without the unit of a figure ("21,000 TL"); none
    for German."""
    if (statement.languages[0] or language_of(statement.text)) == "de":
        return []
    return [
        word
        for match in _INSIDE.finditer(_UNIT.sub(" ", statement.text))
        if (word := match[0])[:1].isupper() and not names_time(word)
    ]


def has_form(name: str, words: Iterable[str]) -> bool:
    """Whether some form of a name is among words (normalised)."""
    return any(alike(name, word) for word in words)


def alike(name: str, word: str) -> bool:
    """Whether a word (normalised) is some form of a name."""
    name, word = _POSSESSIVE.sub("", bare(name)), _POSSESSIVE.sub("", word)
    if name == word:
        return True
    least = max(_SHORTEST_ALIKE, round(_LEAST_ALIKE * max(len(name), len(word))))
    return len(name) > _SHORT_NAME and len(word) >= least and name[:least] == word[:least]


def month_in(word: str) -> int | None:
    """Return the number of the month that a word names, 1 for January, or None."""
    return _of_kind(word, "M")


_MONTH_IN_CHINESE = re.compile(r"[一二三四五六七八九十\d]月|[明去后前]年")


@functools.lru_cache(maxsize=256)  # several statements cite one message
def _tells_of_year(text: str) -> bool:
    """Whether a text names a month or a year, or says "last" or "next", in any language that is read."""
    for word in RUN.findall(text):
        if _of_kind(word, "MNL") is not None or _of_kind(word, "u") == "year":
            return True
    return _MONTH_IN_CHINESE.search(text) is not None


def weekday_in(word: str) -> int | None:
    """Return the weekday that a word names, 0 for Monday, or None."""
    return _of_kind(word, "wP")


def names_time(word: str) -> bool:
    """Whether a word names a month, a weekday or a feast, and so is not a person's name."""
    return _of_kind(word, "MwPY") is not None


@functools.lru_cache(maxsize=4096)  # a small vocabulary recurs
def counts_in(word: str) -> frozenset[float]:
    """Return the numbers that a lower-case word can mean in any language (without digits)."""
    counts = {NUMBERS.get(word), DIGITS.get(word), *(value_in(word, tongue, "n") for tongue in TONGUES)}
    return frozenset(float(one) for one in counts if one is not None)


@functools.lru_cache(maxsize=4096)  # a small vocabulary recurs
def _of_kind(word: str, kinds: str) -> Any | None:
    """Return the value of a time word of one of these kinds, in the first language that has it."""
    word = word.casefold()
    return next((found for tongue in TONGUES if (found := value_in(word, tongue, kinds)) is not None), None)
