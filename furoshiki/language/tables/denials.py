"""The English words that deny: whether a text says that something is, or that it is not."""

import re

DENIALS = frozenset(
    {
        *("no", "not", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot"),
        *("hardly", "barely"),
    }
)

DENIES = re.compile(rf"\b(?:{'|'.join(sorted(DENIALS))})\b|n['\u2019]t\b", re.IGNORECASE)
"""A word that denies, anywhere in a text."""


def is_denial(word: str) -> bool:
    """Whether a word in small letters denies: one of those, or with "n't" at its end."""
    return word in DENIALS or word.endswith(("n't", "n\u2019t"))
