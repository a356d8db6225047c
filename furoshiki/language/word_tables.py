"""Words and patterns of each language beside its lexicon: `config/words/<code>.toml`, a table for each reader of them.

How they are written is told at the head of `config/words/en.toml`; a language that has a table is one that its reader
knows.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from furoshiki.core.paths import ROOT, read_toml_file

FOLDER = ROOT / "config" / "words"
_PART = re.compile(r"\{([a-z_]+)\}")
_NO_PARTS: Mapping[str, str] = MappingProxyType({})


@cache
def _read_all() -> dict[str, dict[str, Any]]:
    """The tables of every language by its code, English first."""
    paths = sorted(FOLDER.glob("*.toml"), key=lambda path: (path.stem != "en", path.stem))
    return {path.stem: read_toml_file(path) for path in paths}


def by_language(area: str) -> dict[str, dict[str, Any]]:
    """The table of an area in each language that has one, by code, English first."""
    return {code: tables[area] for code, tables in _read_all().items() if area in tables}


def texts(area: str, key: str) -> dict[str, Any]:
    """What stands at one key of an area, for each language that has it."""
    return {code: table[key] for code, table in by_language(area).items() if key in table}


def pattern(ways: str, parts: Mapping[str, str] = _NO_PARTS) -> str:
    """A regular expression of ways to say something, one a line, with its `{parts}` filled in. KeyError for a part
    that has no words."""
    found = "|".join(ways.strip("\n").split("\n"))
    while _PART.search(found):
        found = _PART.sub(lambda part: parts[part[1]], found)
    return found
