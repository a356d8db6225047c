"""Strict parsing and application of a unified diff for one file."""

import re
from dataclasses import dataclass

LONGEST_DIFF = 20_000  # maximum characters of a diff

_HUNK = re.compile(r"^@@ -(\d{1,7})(?:,\d{1,7})? \+\d{1,7}(?:,\d{1,7})? @@")
_FENCE = re.compile(r"^```")
_NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True)
class Hunk:
    """Replaced lines. `at` is the diff's position of the old lines, from 0."""

    at: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    changed: int


@dataclass(frozen=True)
class Patch:
    """A change of one file, as named in the diff."""

    target: str
    hunks: tuple[Hunk, ...]

    @property
    def changed(self) -> int:
        """The number of removed and added lines together."""
        return sum(hunk.changed for hunk in self.hunks)


@dataclass(frozen=True)
class NoPatch:
    """Why a text is no change of one file."""

    reason: str


def read(diff: str) -> Patch | NoPatch:
    """Parse a diff, ignoring surrounding text and a code fence."""
    if len(diff) > LONGEST_DIFF:
        return NoPatch("it is too long")
    lines = [line for line in diff.splitlines() if not _FENCE.match(line)]
    first = next((at for at, line in enumerate(lines[:-1]) if _begins_file(lines, at)), None)
    if first is None:
        return NoPatch("it names no file")
    old, new = _parse_name(lines[first]), _parse_name(lines[first + 1])
    if old != new:
        return NoPatch("it makes, removes or renames a file")
    hunks, at = [], first + 2
    while at < len(lines) and (head := _HUNK.match(lines[at])) is not None:
        end = at + 1
        while end < len(lines) and _belongs(lines, end):
            end += 1
        hunks.append(_hunk(max(0, int(head[1]) - 1), lines[at + 1 : end]))
        at = end
    if any(_begins_file(lines, later) for later in range(at, len(lines) - 1)):
        return NoPatch("it changes more than one file")
    if not hunks or not any(hunk.changed for hunk in hunks):
        return NoPatch("it changes nothing")
    if any(line.startswith("@@") for line in lines[at:]):
        return NoPatch("a part of it cannot be read")
    return Patch(new, tuple(hunks))


def apply_patch(patch: Patch, text: str) -> str | None:
    """Return the changed text; None unless every hunk matches exactly one place, in order."""
    lines, done, read_to = text.split("\n"), [], 0
    for hunk in patch.hunks:
        at = _place(hunk, lines, read_to)
        if at is None:
            return None
        done += [*lines[read_to:at], *hunk.new]
        read_to = at + len(hunk.old)
    return "\n".join([*done, *lines[read_to:]])


def _place(hunk: Hunk, lines: list[str], after: int) -> int | None:
    """Find the old lines: at the diff's position, or at the only other match (models miscount)."""
    if not hunk.old:
        return None
    many = len(hunk.old)
    if hunk.at >= after and tuple(lines[hunk.at : hunk.at + many]) == hunk.old:
        return hunk.at
    places = [at for at in range(after, len(lines) - many + 1) if tuple(lines[at : at + many]) == hunk.old]
    return places[0] if len(places) == 1 else None


def _begins_file(lines: list[str], at: int) -> bool:
    return lines[at].startswith("--- ") and lines[at + 1].startswith("+++ ")


def _belongs(lines: list[str], at: int) -> bool:
    """Return whether a line belongs to a hunk. An empty line is context that lost its blank."""
    line = lines[at]
    if at + 1 < len(lines) and _begins_file(lines, at):
        return False
    return line == "" or line[0] in " +-" or line == _NO_NEWLINE


def _parse_name(line: str) -> str:
    name = line[4:].split("\t")[0].strip()
    return name[2:] if name.startswith(("a/", "b/")) else name


def _hunk(at: int, lines: list[str]) -> Hunk:
    while lines and lines[-1] == "":  # blank lines after the last hunk do not belong to it
        lines = lines[:-1]
    body = [line or " " for line in lines if line != _NO_NEWLINE]
    old = tuple(line[1:] for line in body if line[0] in " -")
    new = tuple(line[1:] for line in body if line[0] in " +")
    return Hunk(at, old, new, sum(line[0] in "+-" for line in body))
