"""Recognize a message that is only a yes or no, in words and signs of the main languages.

The phrases are `config/words`, "consent".
"""

import re
from collections.abc import Mapping
from functools import cache

from furoshiki.language.word_tables import texts
from furoshiki.language.words import asks, bare

_LONGEST = 60  # longest message, in characters: a longer one says more than yes or no

_SEPARATES = re.compile(r"[\s,.!;:\u2026\u3002\uff01\uff0c\u060c\ufe0f\U0001f3fb-\U0001f3ff)(]+")


@cache
def _list_meanings() -> Mapping[tuple[str, ...], bool | None]:
    """Return what each phrase of `[consent]` means, None for courtesy."""
    kinds = (("courtesy", None), ("yes", True), ("no", False))
    return {
        tuple(bare(phrase).split()): meaning
        for kind, meaning in kinds
        for lines in texts("consent", kind).values()
        for phrase in re.split(r"[|\n]", lines.strip())
    }


def consent(text: str) -> bool | None:
    """Return True for a plain yes, False for a plain no; None for neither, both, or anything more.

    "please" alone is a yes. A question ("yes?") is neither.
    """
    if len(text) > _LONGEST or asks(text):
        return None
    straight = text.replace("\u2019", "'")
    words = tuple(bare(word) for word in _SEPARATES.split(straight) if word)
    means = _read(words)
    if not means:
        return None
    said = {one for one in means if one is not None}
    if not said:
        return True if set(words) & _ASKING else None
    return said.pop() if len(said) == 1 else None


_ASKING = frozenset({"please", "pls", "plz", "bitte", "lutfen", "пожалуйста", "prosze"})


def _read(words: tuple[str, ...]) -> list[bool | None] | None:
    """Return the meaning of each part, longest known parts first; None if a part is unknown."""
    means: list[bool | None] = []
    meanings, at = _list_meanings(), 0
    widest = max(map(len, meanings))
    while at < len(words):
        for width in range(min(widest, len(words) - at), 0, -1):
            part = words[at : at + width]
            if part in meanings:
                means.append(meanings[part])
                at += width
                break
        else:
            return None
    return means
