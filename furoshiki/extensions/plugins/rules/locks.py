"""The lock file of a plugin's packages: requirements.txt of pip-compile or uv, parsed strictly.

Only names, versions and hashes are accepted. pip would also obey options, URLs and further files
(`--index-url`, `-r`, `git+https://…`): so pip gets a generated file instead.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

LOCK = "requirements.txt"  # the file name, next to PLUGIN.md
MOST_PACKAGES = 40  # maximum packages of one plugin, including indirect dependencies

_PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,99})==(?P<version>[A-Za-z0-9][A-Za-z0-9.!+_-]{0,49})")
_MARKER = re.compile(r"[\w .'\"<>=!()~-]{1,300}")
_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_MAKE_ONE = f"write it with: uv pip compile --universal --generate-hashes requirements.in -o {LOCK}"


@dataclass(frozen=True)
class Package:
    """A pinned package: `marker` limits platforms ("": all), `hashes` are its files'."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]

    @property
    def line(self) -> str:
        """The line for pip."""
        wanted = f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")
        return " ".join([wanted, *(f"--hash={one}" for one in self.hashes)])


class BadLock(ValueError):
    """The lock has an invalid line: the message names it and what to write instead."""


def read(text: str) -> tuple[Package, ...]:
    """Parse a lock. Raises BadLock for anything but packages with hashes."""
    packages: list[Package] = []
    for number, line in _join_lines(text):
        packages.append(_package(line, number))
    if len(packages) > MOST_PACKAGES:
        raise BadLock(f"{LOCK}: {len(packages)} packages; a plugin may bring {MOST_PACKAGES}, so do with fewer")
    return tuple(packages)


def pick_packages(text: str, names: Sequence[str]) -> tuple[Package, ...]:
    """Return these packages from a lock of the project, however long. Raises BadLock."""
    wanted = {_normal(name) for name in names}
    found = (_package(line, number) for number, line in _join_lines(text))
    return tuple(package for package in found if _normal(package.name) in wanted)


def list_missing(wanted: Sequence[str], locked: Sequence[Package]) -> tuple[str, ...]:
    """Return the requirements ("name==version") that the lock does not have at that version."""
    held = {(_normal(package.name), package.version) for package in locked}
    return tuple(one for one in wanted if (_normal(one.partition("==")[0]), one.partition("==")[2].strip()) not in held)


def _join_lines(text: str) -> list[tuple[int, str]]:
    """Return numbered lines (from 1) without comments, continuation lines joined."""
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
    match = _PIN.fullmatch(pin)
    if match is None:
        raise BadLock(f"{LOCK} line {number}: {line[:60]!r} is no pinned package; {_MAKE_ONE}")
    if marker and not _MARKER.fullmatch(marker):
        raise BadLock(f"{LOCK} line {number}: the condition {marker[:60]!r} cannot be read; {_MAKE_ONE}")
    if not hashes or not all(_HASH.fullmatch(one.strip()) for one in hashes):
        raise BadLock(f"{LOCK} line {number}: {pin} stands there without the SHA-256 of its files; {_MAKE_ONE}")
    return Package(match["name"], match["version"], marker, tuple(one.strip() for one in hashes))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).lower()
