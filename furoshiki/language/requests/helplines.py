"""Helplines by place: emergency numbers, crisis lines, lines for victims of violence.

The numbers are facts with a source and a date (`config/care/help.tsv`). Nothing is guessed: for an
unknown country the continent's emergency number is given, and `findahelpline.com` replaces an
uncertain line. Also formats the numbers in a language and checks whether a text already gives one.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from furoshiki.language.inflection import CYRILLIC, is_same_name
from furoshiki.language.tables.care_words import CareWords, Kind
from furoshiki.language.tables.numbers import DIGITS
from furoshiki.language.words import WORD, bare

LineKind = Literal["emergency", "crisis", "violence"]
ANYWHERE = "*"
_NONE = "-"
_FIELDS = 6
_PLACE_FIELDS = 5
_PARTS = re.compile(r"\s*[,(/]\s*")


@dataclass(frozen=True)
class Line:
    """A number. `name` is who answers (of an emergency number: for whom it is, "" for
    everybody); `checked` is the date of the last confirmation by a second list, or None;
    `anywhere`: it belongs to no country."""

    kind: str
    number: str
    name: str
    source: str
    checked: date | None
    anywhere: bool = False

    @property
    def shown(self) -> str:
        """The number with who answers: "116 123 (Samaritans)"."""
        return f"{self.number} ({self.name})" if self.name else self.number


@dataclass(frozen=True)
class Help:
    """The numbers of one place. `country` has two letters, None if only the continent is known."""

    country: str | None = None
    lines: tuple[Line, ...] = ()

    def of(self, kind: LineKind) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.kind == kind)


@dataclass(frozen=True)
class Place:
    """A country: its names and unambiguous places, languages spoken only there, time zones."""

    country: str
    names: tuple[str, ...]
    languages: frozenset[str]
    zones: frozenset[str]


@dataclass(frozen=True)
class Helplines:
    """All numbers and countries on file."""

    lines: tuple[tuple[str, Line], ...] = ()
    places: tuple[Place, ...] = ()

    @classmethod
    def from_rows(cls, numbers: Iterable[Sequence[str]], places: Iterable[Sequence[str]]) -> "Helplines":
        """Build from the rows of the two files. Raises ValueError naming the wrong row."""
        return cls(tuple(map(_line, numbers)), tuple(map(_place, places)))

    def where(self, *, lives_in: str | None, language: str | None, zone: str) -> str | None:
        """Return the country code by stated residence, time zone, or phone language; else None."""
        if lives_in and (told := self._find_country(lives_in)):
            return told
        for place in self.places:
            if zone in place.zones:
                return place.country
        code, _, region = (language or "").replace("_", "-").partition("-")
        known = {place.country for place in self.places}
        if region.upper() in known:
            return region.upper()
        return next((place.country for place in self.places if code.lower() in place.languages), None)

    def help_in(self, country: str | None, zone: str) -> Help:
        """Return a country's numbers; for an unknown one the continent's emergency number."""
        anywhere = [line for where, line in self.lines if where == ANYWHERE]
        own = [line for where, line in self.lines if country is not None and where == country]
        if not any(line.kind == "emergency" for line in own):
            part = f"{zone.partition('/')[0]}/"
            own += [line for where, line in self.lines if where == part and line.kind == "emergency"]
        kinds = {line.kind for line in own}
        return Help(country, (*own, *(line for line in anywhere if line.kind not in kinds)))

    def _find_country(self, told: str) -> str | None:
        """Return the country of a place: the whole text, a part of it ("Lyon, France"), a capitalized
        name within it ("a village near Lyon"), or one in another case ("Казани")."""
        whole = told.casefold().strip(" .!")
        parts = [part.casefold().strip(" .!)") for part in _PARTS.split(told)]
        for name in (whole, *reversed(parts), *(part.removeprefix("the ") for part in parts)):
            for place in self.places:
                if any(name == one.casefold() for one in place.names):
                    return place.country
        held = [(len(one), place.country) for place in self.places for one in place.names if _holds(told, one)]
        if held:
            return max(held)[1]
        words = WORD.findall(told) if CYRILLIC.search(told) else ()
        return next(
            (place.country for place in self.places if any(_is_inflected(name, words) for name in place.names)), None
        )


def _is_inflected(name: str, words: Sequence[str]) -> bool:
    """Whether each word of a Russian name is among these in some case."""
    parts = WORD.findall(name) if words and CYRILLIC.search(name) else ()
    return bool(parts) and all(any(is_same_name(bare(part), bare(word)) for word in words) for part in parts)


def rows(text: str) -> list[list[str]]:
    """Split a tab-separated table into rows; lines that begin with # are comments."""
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


def join_numbers(lines: Sequence[Line]) -> str:
    """Join the distinct numbers of some lines."""
    return " · ".join(dict.fromkeys(line.shown for line in lines))


def _holds(text: str, name: str) -> bool:
    """Return whether a name occurs in a text as whole words."""
    at = text.find(name)
    return at >= 0 and not text[at - 1 : at].isalnum() and not text[at + len(name) : at + len(name) + 1].isalnum()


def _line(row: Sequence[str]) -> tuple[str, Line]:
    if len(row) != _FIELDS or row[1] not in ("emergency", "crisis", "violence") or not row[2]:
        raise ValueError(f"help.tsv: not a number with its country, kind, name, source and day: {row!r}")
    country, kind, number, name, source, checked = row
    day = None if checked == _NONE else date.fromisoformat(checked)
    return country, Line(kind, number, "" if name == _NONE else name, source, day, country == ANYWHERE)


def _place(row: Sequence[str]) -> Place:
    if len(row) != _PLACE_FIELDS:
        raise ValueError(f"countries.tsv: not a country with names, places, languages and zones: {row!r}")
    country, names, inside, languages, zones = row
    return Place(
        country,
        _split_list(names) + _split_list(inside),
        frozenset(_split_list(languages)),
        frozenset(_split_list(zones)),
    )


def _split_list(field: str) -> tuple[str, ...]:
    return () if field == _NONE else tuple(part.strip() for part in field.split(",") if part.strip())


WRITES_ONLY = "findahelpline.com"  # replaces a line that is not known

# the kinds of lines for each danger
FITTING: dict[str, tuple[LineKind, ...]] = {
    "emergency": ("emergency",),
    "self": ("crisis", "emergency"),
    "friend": ("crisis", "emergency"),
    "violence": ("violence", "emergency"),
    "harm": ("emergency", "crisis"),
}

_ADDED = {"emergency": "added_emergency", "violence": "added_violence"}
_BETWEEN = r"[\s.,()/\u00b7\u2010-\u2015\u2022-]{0,3}"  # separators between the digits of a number


def fill_frames(numbers: Help, language: CareWords) -> dict[LineKind, str]:
    """Format each kind's numbers in a language: "Somebody to talk to: 116 123 (Samaritans)."."""
    kinds: tuple[LineKind, ...] = ("emergency", "crisis", "violence")
    return {kind: language.said[f"line_{kind}"][0].format(numbers=_numbers(kind, numbers, language)) for kind in kinds}


def render_addition(kind: Kind, numbers: Help, language: CareWords) -> str:
    """Return the text added below an answer without a number for this danger."""
    frame = language.said[_ADDED.get(kind, "added")][0]
    return frame.format(**fill_frames(numbers, language))


def gives(text: str, kind: Kind, numbers: Help) -> bool:
    """Return whether a text has a number for this danger: "1-1-2", "one one two", "+351 800 …"."""
    plain = _digits(text)
    lines = [line for fitting in FITTING[kind] for line in numbers.of(fitting)]
    return any(_stands(number, plain) for line in lines for number in _each(line))


def _stands(number: str, plain: str) -> bool:
    digits = [sign for sign in number if sign.isdigit()]
    if not digits:
        return number in plain
    return re.search(rf"(?<!\d){_BETWEEN.join(digits)}(?!\d)", plain) is not None


def _each(line: Line) -> Iterator[str]:
    """Yield the numbers of a line ("112 or 999" are two), also without a leading trunk zero."""
    for number in re.split(r"\s+or\s+", line.number.casefold()):
        yield number
        if number.startswith("0"):
            yield number[1:]


def _digits(text: str) -> str:
    """Return a text with all digits, also spelled-out ones, as 0 to 9."""
    plain = "".join(
        sign if (digit := unicodedata.digit(sign, None)) is None else str(digit) for sign in text.casefold()
    )
    return re.sub(r"[^\W\d_]+", lambda word: DIGITS.get(word.group(), word.group()), plain)


def _numbers(kind: LineKind, numbers: Help, language: CareWords) -> str:
    named = [line for line in numbers.of(kind) if line.number != WRITES_ONLY]
    if not named:
        return language.said["line_elsewhere"][0]
    if kind == "emergency":
        return ", ".join(_for_whom(line, language) for line in named)
    return join_numbers(named)


def _for_whom(line: Line, language: CareWords) -> str:
    """Format an emergency number with its service in the language: "police 110"."""
    if line.anywhere:
        return language.said["from_anywhere"][0]
    services = [language.said.get(f"service_{one}", (one,))[0] for one in line.name.split(" and ")]
    return f"{', '.join(services)} {line.number}" if line.name else line.number


def list_numbers(numbers: Help, titles: Sequence[tuple[LineKind, str]]) -> tuple[str, ...]:
    """Return the numbers for the model, a line for each kind."""
    lines = [(title, join_numbers(numbers.of(kind))) for kind, title in titles]
    return tuple(f"{title}: {numbers}" for title, numbers in lines if numbers)
