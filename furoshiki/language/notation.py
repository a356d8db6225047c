"""How ways of saying something are written down, wherever they are: words and choices, apart by spaces.

"a|b" means either, "[a|b]" perhaps one of them, "close_to" words that belong together inside of these. Two readers add
signs of their own and look for what is written so: `phrases` finds thousands of phrases in one pass through a text,
`facts/pattern_language` cuts out what stands in the place of a hole (ADR 0023).
"""

from __future__ import annotations

from typing import NamedTuple


class Choice(NamedTuple):
    """One of several ways, each a row of words; `optional` when it may be left out."""

    ways: tuple[tuple[str, ...], ...]
    optional: bool = False


def read(token: str) -> Choice:
    """What a token stands for: "a|b", "[a|b]", "close_to|near"."""
    if token.isalpha():  # as most are
        return Choice(((token,),))
    optional = token.startswith("[")
    inside = token[1:-1] if optional else token
    return Choice(tuple(tuple(way.split("_")) for way in inside.split("|")), optional)
