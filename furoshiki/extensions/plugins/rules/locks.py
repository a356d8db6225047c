"""The lock of a plugin's packages: its requirements.txt, as pip-compile and uv write it, read and judged.

Read is what names a package, its version and its hashes, and nothing else. pip would also obey options, addresses and
further files in there (`--index-url`, `-r`, `git+https://…`): so pip never sees the plugin's file, but one that is
written from what was read here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

LOCK = "requirements.txt"
"""The file beside PLUGIN.md."""

MOST_PACKAGES = 40
"""Packages one plugin may bring, those that its packages need included."""

_PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,99})==(?P<version>[A-Za-z0-9][A-Za-z0-9.!+_-]{0,49})")
_MARKER = re.compile(r"[\w .'\"<>=!()~-]{1,300}")
_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_MAKE_ONE = f"write it with: uv pip compile --universal --generate-hashes requirements.in -o {LOCK}"


@dataclass(frozen=True)
class Package:
    """One package at one version: `marker` says on which machines it is wanted ("" for all), `hashes` are the files
    that it may be."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]

    @property
    def line(self) -> str:
        """The package as pip reads it."""
        wanted = f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")
        return " ".join([wanted, *(f"--hash={one}" for one in self.hashes)])


class BadLock(ValueError):
    """The lock holds what no lock of a plugin holds: the message names the line and what to write instead."""


def read(text: str) -> tuple[Package, ...]:
    """The packages of a lock. Raises BadLock for whatever else than packages with their hashes stands in it."""
    found: list[Package] = []
    for number, line in _join_lines(text):
        found.append(_package(line, number))
    if len(found) > MOST_PACKAGES:
        raise BadLock(f"{LOCK}: {len(found)} packages; a plugin may bring {MOST_PACKAGES}, so do with fewer")
    return tuple(found)


def pick_packages(text: str, names: Sequence[str]) -> tuple[Package, ...]:
    """The packages of these names in a lock of our own, however long that is. Raises BadLock."""
    wanted = {_normal(name) for name in names}
    found = (_package(line, number) for number, line in _join_lines(text))
    return tuple(one for one in found if _normal(one.name) in wanted)


def list_missing(wanted: Sequence[str], locked: Sequence[Package]) -> tuple[str, ...]:
    """What the manifest requires ("name==version") and the lock does not hold at that version."""
    held = {(_normal(one.name), one.version) for one in locked}
    return tuple(one for one in wanted if (_normal(one.partition("==")[0]), one.partition("==")[2].strip()) not in held)


def _join_lines(text: str) -> list[tuple[int, str]]:
    """Lines without comments, those that end in a backslash joined with the next, each with its number from 1."""
    found: list[tuple[int, str]] = []
    began, kept = 0, ""
    for number, raw in enumerate(text.splitlines(), start=1):
        line = re.sub(r"(^|\s)#.*", "", raw).strip()
        began = began or number
        kept = f"{kept} {line.removesuffix(chr(92))}".strip()
        if line.endswith("\\"):
            continue
        if kept:
            found.append((began, kept))
        began, kept = 0, ""
    if kept:
        found.append((began, kept))
    return found


def _package(line: str, number: int) -> Package:
    wanted, *hashes = re.split(r"\s+--hash=", line)
    pin, _, marker = (part.strip() for part in wanted.partition(";"))
    read = _PIN.fullmatch(pin)
    if read is None:
        raise BadLock(f"{LOCK} line {number}: {line[:60]!r} is no pinned package; {_MAKE_ONE}")
    if marker and not _MARKER.fullmatch(marker):
        raise BadLock(f"{LOCK} line {number}: the condition {marker[:60]!r} cannot be read; {_MAKE_ONE}")
    if not hashes or not all(_HASH.fullmatch(one.strip()) for one in hashes):
        raise BadLock(f"{LOCK} line {number}: {pin} stands there without the SHA-256 of its files; {_MAKE_ONE}")
    return Package(read["name"], read["version"], marker, tuple(one.strip() for one in hashes))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).lower()
