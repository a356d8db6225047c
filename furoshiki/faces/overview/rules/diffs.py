"""A unified diff as lines for display: added, removed and unchanged ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["added", "removed", "same", "gap"]

_SIGNS: dict[str, Kind] = {"+": "added", "-": "removed", " ": "same"}


@dataclass(frozen=True)
class Line:
    """A line of a text. `kind` "gap" stands for omitted unchanged lines."""

    kind: Kind
    words: str


def parse(diff: str) -> list[Line]:
    """Return the lines of a diff without its header; blank lines and a leading gap are left out."""
    found: list[Line] = []
    for line in diff.splitlines()[2:]:
        if line.startswith("@@"):
            if found:
                found.append(Line("gap", ""))
        elif line[:1] in _SIGNS and line[1:].strip():
            found.append(Line(_SIGNS[line[0]], line[1:]))
    return found
