"""English words of negation: whether a text affirms or denies something."""

import re

DENIALS = frozenset(
    {
        *("no", "not", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot"),
        *("hardly", "barely"),
    }
)

DENIES = re.compile(rf"\b(?:{'|'.join(sorted(DENIALS))})\b|n['\u2019]t\b", re.IGNORECASE)
"""Matches a negation anywhere in a text."""


def is_denial(word: str) -> bool:
    """Return whether a lower-case word is a negation, or ends in "n't"."""
    return word in DENIALS or word.endswith(("n't", "n\u2019t"))
