"""The numbers that help where somebody is: emergencies, crisis lines, lines for people who are being hurt.

The numbers are facts with a source and a day (`config/care/help.tsv`), parsed at the edge. Nothing is guessed: where a
country is not known its part of the world is named, and where a line is not certain `findahelpline.com` stands for it.

The numbers of a place in somebody's own language, and whether an answer gives one of them already.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from furoshiki.language.reflex.care.words import CareWords, Kind
from furoshiki.language.tables.numbers import DIGITS

LineKind = Literal["emergency", "crisis", "violence"]
ANYWHERE = "*"
_NONE = "-"
_FIELDS = 6
_PLACE_FIELDS = 5
_PARTS = re.compile(r"\s*[,(/]\s*")


@dataclass(frozen=True)
class Line:
    """One number. `name` is who answers (of an emergency number: for whom it is, empty for everybody); `checked` is
    when it was last found in a second list, None when it was not; `anywhere` says that it is no country's own."""

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
    """The numbers of one place. `country` is its two letters, None where only the part of the world is known."""

    country: str | None = None
    lines: tuple[Line, ...] = ()

    def of(self, kind: LineKind) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.kind == kind)


@dataclass(frozen=True)
class Place:
    """A country: its names and the places in it that leave no doubt, the languages of it alone, its time zones."""

    country: str
    names: tuple[str, ...]
    languages: frozenset[str]
    zones: frozenset[str]


@dataclass(frozen=True)
class Helplines:
    """Every number and every country there is data for."""

    lines: tuple[tuple[str, Line], ...] = ()
    places: tuple[Place, ...] = ()

    @classmethod
    def from_rows(cls, numbers: Iterable[Sequence[str]], places: Iterable[Sequence[str]]) -> Helplines:
        """Build it from the rows of the two files. ValueError names the row that is wrong."""
        return cls(tuple(map(_line, numbers)), tuple(map(_place, places)))

    def where(self, *, lives_in: str | None, language: str | None, zone: str) -> str | None:
        """The country somebody is in, as its two letters, None when it is not known: by what they said of where they
        live, else their time zone, else their phone's language ("pt-BR", "tr")."""
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
        """The numbers of a country; of one that is not known the emergency number of its part of the world."""
        anywhere = [line for where, line in self.lines if where == ANYWHERE]
        own = [line for where, line in self.lines if country is not None and where == country]
        if not any(line.kind == "emergency" for line in own):
            part = f"{zone.partition('/')[0]}/"
            own += [line for where, line in self.lines if where == part and line.kind == "emergency"]
        kinds = {line.kind for line in own}
        return Help(country, (*own, *(line for line in anywhere if line.kind not in kinds)))

    def _find_country(self, told: str) -> str | None:
        """The country a place lies in: named as a whole, by a part of it ("Lyon, France"), or inside it, where its
        capital says that it is a name ("a village near Lyon")."""
        whole = told.casefold().strip(" .!")
        parts = [part.casefold().strip(" .!)") for part in _PARTS.split(told)]
        for name in (whole, *reversed(parts), *(part.removeprefix("the ") for part in parts)):
            for place in self.places:
                if any(name == one.casefold() for one in place.names):
                    return place.country
        held = [(len(one), place.country) for place in self.places for one in place.names if _holds(told, one)]
        return max(held)[1] if held else None


def rows(text: str) -> list[list[str]]:
    """The rows of a table in which fields are set apart by tabs and notes begin with #."""
    return [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]


def join_numbers(lines: Sequence[Line], joint: str = " · ") -> str:
    """The numbers of some lines in a row, no two alike."""
    return joint.join(dict.fromkeys(line.shown for line in lines))


def _holds(text: str, name: str) -> bool:
    """Whether a name stands in a text as words of its own."""
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


WRITES_ONLY = "findahelpline.com"
"""Stands in the place of a line that is not known."""

FITTING: dict[str, tuple[LineKind, ...]] = {
    "emergency": ("emergency",),
    "self": ("crisis", "emergency"),
    "friend": ("crisis", "emergency"),
    "violence": ("violence", "emergency"),
    "harm": ("emergency", "crisis"),
}
"""Which numbers fit which danger."""

_ADDED = {"emergency": "added_emergency", "violence": "added_violence"}
_BETWEEN = r"[\s.,()/\u00b7\u2010-\u2015\u2022-]{0,3}"
"""What may stand between the digits of a number, however it is written."""


def fill_frames(numbers: Help, language: CareWords) -> dict[LineKind, str]:
    """The numbers of each kind in the language's own frame for them: "Somebody to talk to: 116 123 (Samaritans)."."""
    kinds: tuple[LineKind, ...] = ("emergency", "crisis", "violence")
    return {kind: language.said[f"line_{kind}"][0].format(numbers=_numbers(kind, numbers, language)) for kind in kinds}


def render_addition(kind: Kind, numbers: Help, language: CareWords) -> str:
    """What is put under an answer that gives no number that fits this danger."""
    frame = language.said[_ADDED.get(kind, "added")][0]
    return frame.format(**fill_frames(numbers, language))


def gives(text: str, kind: Kind, numbers: Help) -> bool:
    """Whether a text gives a number that fits this danger, however spelt: "1-1-2", "one one two", "+351 800 …"."""
    plain = _digits(text)
    lines = [line for fitting in FITTING[kind] for line in numbers.of(fitting)]
    return any(_stands(number, plain) for line in lines for number in _each(line))


def _stands(number: str, plain: str) -> bool:
    digits = [sign for sign in number if sign.isdigit()]
    if not digits:
        return number in plain
    return re.search(rf"(?<!\d){_BETWEEN.join(digits)}(?!\d)", plain) is not None


def _each(line: Line) -> Iterator[str]:
    """The numbers of a line: "112 or 999" are two; without the zero of a trunk it may follow a country's code."""
    for number in re.split(r"\s+or\s+", line.number.casefold()):
        yield number
        if number.startswith("0"):
            yield number[1:]


def _digits(text: str) -> str:
    """A text with every digit as 0 to 9, also where it was written as a word."""
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
    """An emergency number with whom it fetches, in the language that is spoken: "police 110"."""
    if line.anywhere:
        return language.said["from_anywhere"][0]
    services = [language.said.get(f"service_{one}", (one,))[0] for one in line.name.split(" and ")]
    return f"{', '.join(services)} {line.number}" if line.name else line.number


def list_numbers(numbers: Help, titles: Sequence[tuple[LineKind, str]]) -> tuple[str, ...]:
    """The numbers for a mind to read, a line for each kind there is."""
    lines = [(title, join_numbers(numbers.of(kind))) for kind, title in titles]
    return tuple(f"{title}: {numbers}" for title, numbers in lines if numbers)
