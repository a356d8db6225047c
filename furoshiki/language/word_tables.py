"""Words and patterns of each language besides its lexicon: `config/words/<code>.toml`.

Each area of the file serves one reader. The format is described at the head of
`config/words/en.toml`. A reader knows exactly the languages whose file has its area.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from furoshiki.core.paths import ROOT, read_toml_file

FOLDER = ROOT / "config" / "words"
_PART = re.compile(r"\{([a-z_]+)\}")
_PATTERNS = (
    "lists",
    "move",
    "moved",
    "errands",
    "skip",
    "quiet",
    "forget",
    "likely_answers",
    "naming",
    "deeds",
    "lead",
    "debts_and_jobs",
    "ended",
    "spoken_commands",
)
_PLAIN = str.maketrans("ışçğöüáéíóúñàèìòùâêîôûãõëïё", "iscgouaeiounaeiouaeiouaoeiе")
_EITHER = {letter: f"[{chr(letter)}{chr(plain)}]" for letter, plain in _PLAIN.items()}
_CLASS = re.compile(r"(\[[^\]]{1,60}\])")
_NO_PARTS: Mapping[str, str] = MappingProxyType({})


@cache
def _read_all() -> dict[str, dict[str, Any]]:
    """Read the tables of every language, keyed by language code, English first."""
    paths = sorted(FOLDER.glob("*.toml"), key=lambda path: (path.stem != "en", path.stem))
    return {path.stem: read_toml_file(path) for path in paths}


@cache
def _read_patterns(area: str) -> dict[str, dict[str, Any]]:
    """Return an area of patterns for each language; only those asked for are widened, which takes memory."""
    return {code: _allow_plain(tables[area]) for code, tables in _read_all().items() if area in tables}


def _allow_plain(patterns: Any) -> Any:
    """Let patterns also match without diacritics: many people type "artik", "piu" and "manana"."""
    if isinstance(patterns, dict):
        return {key: _allow_plain(one) for key, one in patterns.items()}
    if isinstance(patterns, list):
        return [_allow_plain(one) for one in patterns]
    parts = _CLASS.split(patterns)
    return "".join(_widen(part) if part.startswith("[") else part.translate(_EITHER) for part in parts)


def _widen(letters: str) -> str:
    """Add the plain letter for each accented one in a character class."""
    beside = "".join(letter for letter in letters.translate(_PLAIN) if letter not in letters)
    return letters if letters.startswith("[^") else f"[{beside}{letters[1:]}"


def by_language(area: str) -> dict[str, dict[str, Any]]:
    """Return the table of an area for each language that has it, by code, English first."""
    if area in _PATTERNS:
        return dict(_read_patterns(area))
    return {code: tables[area] for code, tables in _read_all().items() if area in tables}


def texts(area: str, key: str) -> dict[str, Any]:
    """Return the value at one key of an area, for each language that has it."""
    return {code: table[key] for code, table in by_language(area).items() if key in table}


def pattern(ways: str, parts: Mapping[str, str] = _NO_PARTS) -> str:
    """Build a regular expression from alternatives, one per line, filling in `{parts}`. Raises
    KeyError for a part that is not given."""
    alternatives = "|".join(ways.strip("\n").split("\n"))
    while _PART.search(alternatives):
        alternatives = _PART.sub(lambda part: parts[part[1]], alternatives)
    return alternatives


def patterns(area: str, key: str, parts: Mapping[str, str] = _NO_PARTS) -> dict[str, str]:
    """Return the regular expression at one key of an area, for each language that has it."""
    return {code: pattern(ways, parts) for code, ways in texts(area, key).items()}


# -- the notation for phrases: words and choices, separated by spaces --
#
# "a|b" means either, "[a|b]" optionally one of them, "close_to" words that belong together inside
# these. Two modules add signs of their own: `phrases` finds thousands of phrases in one pass,
# `facts/patterns` extracts the text in place of a hole (ADR 0023).


class Choice(NamedTuple):
    """Alternatives, each a sequence of words; `optional` when it may be left out."""

    ways: tuple[tuple[str, ...], ...]
    optional: bool = False


def read_notation(token: str) -> Choice:
    """Parse a token: "a|b", "[a|b]", "close_to|near"."""
    if token.isalpha():  # the usual case
        return Choice(((token,),))
    optional = token.startswith("[")
    inside = token[1:-1] if optional else token
    return Choice(tuple(tuple(way.split("_")) for way in inside.split("|")), optional)
