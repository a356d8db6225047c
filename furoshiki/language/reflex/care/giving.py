"""The numbers of a place in somebody's own language, and whether an answer gives one of them already."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from furoshiki.language.reflex.care.helplines import Help, Line, LineKind, join_numbers
from furoshiki.language.reflex.care.words import CareWords, Kind
from furoshiki.language.tables.numbers import DIGITS

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
