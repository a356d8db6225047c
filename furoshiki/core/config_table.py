"""Validated access to a parsed settings file; every error names the full key.

Shared by the loaders of `config/*.toml`, which parse the file themselves.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, TypeVar

_T = TypeVar("_T")


class ConfigTable:
    """One table of a parsed settings file; `path` is its place in the file ("emotions.joy").

    With `strange`, unknown keys are skipped instead of refused, and a sentence about each is
    appended to that list: a file written for an older or a newer release stays usable.
    """

    def __init__(self, table: Mapping[str, Any], path: str = "", strange: list[str] | None = None) -> None:
        self._table = table
        self._path = path
        self._strange = strange

    def name(self, key: str) -> str:
        """Return the full name of a key, as the operator finds it in the file."""
        return f"{self._path}.{key}" if self._path else key

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def only(self, allowed: Iterable[str]) -> None:
        """Refuse keys not in `allowed`, naming the nearest: ValueError, or skip with `strange`."""
        known = tuple(allowed)
        for key in [key for key in self._table if key not in known]:
            near = get_close_matches(key, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(sorted(known))}"
            if self._strange is None:
                raise ValueError(f"{self.name(key)} is not a setting{hint}")
            self._strange.append(f"{self.name(key)} is not a setting here, and does nothing{hint}")
            self._table = {name: value for name, value in self._table.items() if name != key}

    def table(self, key: str) -> "ConfigTable":
        found = self._must(key)
        if not isinstance(found, Mapping):
            raise ValueError(f"{self.name(key)} must be a table, not {found!r}")
        return ConfigTable(found, self.name(key), self._strange)

    def table_or_empty(self, key: str) -> "ConfigTable":
        return self.table(key) if key in self._table else ConfigTable({}, self.name(key), self._strange)

    def number(self, key: str, low: float, high: float) -> float:
        """Return the number at `key`. Raises ValueError: missing, not finite, or out of range."""
        found = self._must(key)
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not math.isfinite(found):
            raise ValueError(f"{self.name(key)} must be a number, not {found!r}")
        if not low <= found <= high:
            raise ValueError(f"{self.name(key)} must lie between {low:g} and {high:g}, not {found:g}")
        return float(found)

    def numbers(self, low: float, high: float, among: Iterable[str]) -> dict[str, float]:
        """Return all entries as numbers. Raises ValueError for a key not in `among`."""
        self.only(among)
        return {key: self.number(key, low, high) for key in self._table}

    def flag(self, key: str) -> bool:
        """Return the boolean at `key`. Raises ValueError when it is missing or of another type."""
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
        """Return the value at `key`. Raises ValueError unless it is one of `known`."""
        found = self._must(key)
        if found not in known:
            raise ValueError(f"{self.name(key)} must be one of {', '.join(map(str, known))}, not {found!r}")
        return known[known.index(found)]

    def phrases(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, also from one comma-separated text (ten times faster to read)."""
        if not isinstance(self._table.get(key), str):
            return self.texts(key)
        return tuple(phrase for phrase in map(str.strip, self.text(key).replace("\n", ",").split(",")) if phrase)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return the list of texts at `key`; an empty list when the key is missing."""
        found = self._table.get(key, [])
        if not isinstance(found, list) or not all(isinstance(item, str) and item for item in found):
            raise ValueError(f"{self.name(key)} must be a list of texts, not {found!r}")
        return tuple(found)

    def tables(self, key: str) -> "list[ConfigTable]":
        """Return the tables under [[key]]; an empty list when the key is missing."""
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
    """Merge `over` into `base`, table by table (an owner's file holds only the differences)."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        merged[key] = overlaid(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return merged
