"""The notation for phrases in all word lists: words and choices, separated by spaces.

"a|b" means either, "[a|b]" optionally one of them, "close_to" words that belong together inside
these. Two modules add signs of their own: `phrases` finds thousands of phrases in one pass,
`facts/pattern_language` extracts the text in place of a hole (ADR 0023).
"""

from typing import NamedTuple


class Choice(NamedTuple):
    """Alternatives, each a sequence of words; `optional` when it may be left out."""

    ways: tuple[tuple[str, ...], ...]
    optional: bool = False


def read(token: str) -> Choice:
    """Parse a token: "a|b", "[a|b]", "close_to|near"."""
    if token.isalpha():  # the usual case
        return Choice(((token,),))
    optional = token.startswith("[")
    inside = token[1:-1] if optional else token
    return Choice(tuple(tuple(way.split("_")) for way in inside.split("|")), optional)
