"""A unified diff as lines to show: what goes, what comes, what stays, each with the sign that says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["added", "removed", "same", "gap"]

_SIGNS: dict[str, Kind] = {"+": "added", "-": "removed", " ": "same"}


@dataclass(frozen=True)
class Line:
    """A line of a text. `kind` "gap" stands for lines that are left out because nothing changes there."""

    kind: Kind
    words: str


def parse(diff: str) -> list[Line]:
    """The lines of a diff without its head; blank ones, and a gap before the first line, are left out."""
    found: list[Line] = []
    for line in diff.splitlines()[2:]:
        if line.startswith("@@"):
            if found:
                found.append(Line("gap", ""))
        elif line[:1] in _SIGNS and line[1:].strip():
            found.append(Line(_SIGNS[line[0]], line[1:]))
    return found
