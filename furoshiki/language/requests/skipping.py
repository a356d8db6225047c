"""Find what is to be left out once, of what recurs: "skip this week's bins". The words are
`config/words`, "skip"."""

from __future__ import annotations

import re

from furoshiki.language.word_tables import by_language, pattern

LONGEST = 160
"""Longest message, in characters, that is read."""


_WHAT = r"(?P<what>[\w' -]{1,60}?)"


def find_skipped(plain: str) -> str | None:
    """Return what a message leaves out once, or None. `plain` has single spaces; a reason may follow after a comma."""
    if len(plain) > LONGEST:
        return None
    for ways in _SKIP:
        match = ways.match(plain)
        if match is not None:
            return match["what"].strip()
    return None


_SKIP = tuple(
    re.compile(
        rf"^\W{{0,3}}{pattern(way, {'what': _WHAT, 'once': table['once']})}(?:\W{{0,5}}|[,;:，] ?.{{0,80}})$",
        re.IGNORECASE,
    )
    for table in by_language("skip").values()
    for way in table["ways"]
)
