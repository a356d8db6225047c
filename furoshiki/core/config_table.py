"""A settings table that is read key by key, and whose every complaint names the full key.

Shared by what is loaded from `config/*.toml`: the file is parsed at the edge, judged here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

_T = TypeVar("_T")


class ConfigTable:
    """A view on one table of a parsed settings file; `path` is where it sits ("emotions.joy").

    Where `strange` is given, names that are not known are passed over, with a sentence each in it, and not refused: a
    file that a person wrote for an older or a newer release holds with the rest.
    """

    def __init__(self, table: Mapping[str, Any], path: str = "", strange: list[str] | None = None) -> None:
        self._table = table
        self._path = path
        self._strange = strange

    def name(self, key: str) -> str:
        """The key as the operator would look for it in the file."""
        return f"{self._path}.{key}" if self._path else key

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def only(self, allowed: Iterable[str]) -> None:
        """Pass over, or raise ValueError for, each key that is not in `allowed`, with its nearest match."""
        known = tuple(allowed)
        for key in [key for key in self._table if key not in known]:
            near = get_close_matches(key, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(sorted(known))}"
            if self._strange is None:
                raise ValueError(f"{self.name(key)} is not a setting{hint}")
            self._strange.append(f"{self.name(key)} is not a setting here, and does nothing{hint}")
            self._table = {name: value for name, value in self._table.items() if name != key}

    def table(self, key: str) -> ConfigTable:
        found = self._must(key)
        if not isinstance(found, Mapping):
            raise ValueError(f"{self.name(key)} must be a table, not {found!r}")
        return ConfigTable(found, self.name(key), self._strange)

    def table_or_empty(self, key: str) -> ConfigTable:
        return self.table(key) if key in self._table else ConfigTable({}, self.name(key), self._strange)

    def number(self, key: str, low: float, high: float) -> float:
        """The number at `key`; ValueError names the key and the range when it is missing, no number, or outside."""
        found = self._must(key)
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not math.isfinite(found):
            raise ValueError(f"{self.name(key)} must be a number, not {found!r}")
        if not low <= found <= high:
            raise ValueError(f"{self.name(key)} must lie between {low:g} and {high:g}, not {found:g}")
        return float(found)

    def numbers(self, low: float, high: float, among: Iterable[str]) -> dict[str, float]:
        """Every entry of this table as a number; keys must be from `among`."""
        self.only(among)
        return {key: self.number(key, low, high) for key in self._table}

    def flag(self, key: str) -> bool:
        """True or false; ValueError names the key when it is missing or anything else."""
        found = self._must(key)
        if not isinstance(found, bool):
            raise ValueError(f"{self.name(key)} must be true or false, not {found!r}")
        return found

    def text(self, key: str) -> str:
        found = self._must(key)
        if not isinstance(found, str) or not found:
            raise ValueError(f"{self.name(key)} must be a text, not {found!r}")
        return found

    def text_or_empty(self, key: str) -> str:
        return self.text(key) if key in self._table else ""

    def among(self, key: str, known: Sequence[_T]) -> _T:
        """One of the texts that are known; ValueError names the key and them where it is none."""
        found = self._must(key)
        if found not in known:
            raise ValueError(f"{self.name(key)} must be one of {', '.join(map(str, known))}, not {found!r}")
        return known[known.index(found)]

    def phrases(self, key: str) -> tuple[str, ...]:
        """A list of texts, or one text of many with commas between them (which is read ten times faster)."""
        if not isinstance(self._table.get(key), str):
            return self.texts(key)
        return tuple(phrase for phrase in map(str.strip, self.text(key).replace("\n", ",").split(",")) if phrase)

    def texts(self, key: str) -> tuple[str, ...]:
        """The list of texts at `key`; a missing key is an empty list."""
        found = self._table.get(key, [])
        if not isinstance(found, list) or not all(isinstance(item, str) and item for item in found):
            raise ValueError(f"{self.name(key)} must be a list of texts, not {found!r}")
        return tuple(found)

    def tables(self, key: str) -> list[ConfigTable]:
        """Every table under [[key]]; a missing key has none."""
        found = self._table.get(key, [])
        if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
            raise ValueError(f"{self.name(key)} must be tables, each under [[{self.name(key)}]], not {found!r}")
        return [ConfigTable(one, f"{self.name(key)}[{number}]", self._strange) for number, one in enumerate(found)]

    def value(self, key: str) -> Any:
        """Return the raw value of `key`, for a caller that checks it itself."""
        return self._must(key)

    def _must(self, key: str) -> Any:
        if key not in self._table:
            raise ValueError(f"{self.name(key)} is missing")
        return self._table[key]


def overlaid(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`base` with the entries of `over` laid on it, table by table (an owner's file need only say what differs)."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = overlaid(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return merged
