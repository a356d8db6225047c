"""The difference of two texts, line by line, with some context."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from furoshiki.core.framing import visible

AROUND = 3  # lines of context around a change
LONGEST = 4000  # lines shown of one difference

Kind = Literal["same", "gone", "new", "place"]

_KINDS: dict[str, Kind] = {"+": "new", "-": "gone"}


@dataclass(frozen=True)
class Line:
    """One line; `place` begins a hunk. Invisible characters are made visible."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class File:
    """A file, its change, and every line of the difference."""

    path: str
    what: Literal["new", "changed", "gone", "same"]
    lines: tuple[Line, ...]


def of_texts(before: str, after: str) -> tuple[Line, ...]:
    return parse_unified(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=AROUND))


def parse_unified(lines: Iterable[str]) -> tuple[Line, ...]:
    """Return the lines of a unified diff without its header."""
    found: list[Line] = []
    begun = False
    for line in lines:
        if line.startswith("@@"):
            begun = True
            found.append(Line("place", line))
        elif begun and line[:1] in ("+", "-", " ", ""):
            found.append(Line(_KINDS.get(line[:1], "same"), visible(line[1:])))
        if len(found) >= LONGEST:
            return (*found, Line("place", f"… more than {LONGEST:,} lines"))
    return tuple(found)


def of_files(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[File]:
    """What becomes of a folder's files; unchanged ones come last, in full."""
    files = [_file(path, before.get(path), after.get(path)) for path in sorted({*before, *after})]
    return sorted(files, key=lambda one: one.what == "same")


def _file(path: str, before: bytes | None, after: bytes | None) -> File:
    was, now = _text(before), _text(after)
    if before == after:
        return File(path, "same", tuple(Line("same", visible(line)) for line in now.splitlines()[:LONGEST]))
    what: Literal["new", "changed", "gone"] = "changed"
    if before is None:
        what = "new"
    elif after is None:
        what = "gone"
    return File(path, what, of_texts(was, now))


def _text(content: bytes | None) -> str:
    return "" if content is None else content.decode("utf-8", "replace")
