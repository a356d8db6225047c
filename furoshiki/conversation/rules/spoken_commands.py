"""Plain words that mean a slash command and nothing else, whoever answers: "undo that"."""

from __future__ import annotations

import re

_UNDO = re.compile(
    r"\W{0,5}(?:(?:please|oops|oh|no|wait|sorry|can you|could you)[\s,.!]{1,3}){0,3}(?:undo(?: (?:that|it|this|the last"
    r"(?: one| thing| change)?|your last change))?|take (?:that|it|this) back|(?:put|bring) (?:that|it|them|those) back"
    r"|revert(?: (?:that|it))?|mach das rückgängig|rückgängig|deshazlo|deshacer|geri al|отмени это)"
    r"(?:[\s,]{1,3}please)?\W{0,5}",
    re.IGNORECASE,
)


def command(text: str) -> str | None:
    """The name of the command that a message means; None for what is to be talked about."""
    return "undo" if len(text) <= _LONGEST and _UNDO.fullmatch(text) else None


_LONGEST = 80
