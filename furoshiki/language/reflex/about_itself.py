"""The words of the companion about itself: what it is asked, by pattern, and what it says then.

What it is asked most stands under headings of its page (prompts/self_knowledge/plain.md.j2), where the answers are
written from the settings.
"""

from __future__ import annotations

import re

from furoshiki.language.reflex.lines import TABLES, read_lines
from furoshiki.language.word_tables import pattern

MOODS = read_lines("moods")
ITSELF, _ASKS = read_lines("itself"), read_lines("asks")
MOOD_UNKNOWN, AND_YOU, HOW = ITSELF["mood_unknown"], ITSELF["and_you"], ITSELF["how"]

WITH_STATE = (HOW,)
"""What is only honest together with whether there is a language model."""

ASKED = tuple((patterns, ITSELF[name]) for name, patterns in read_lines("asked_of_itself").items())

MODEL = "|".join(_ASKS["model"])
"""Asking about its brains."""

HOW_ARE_YOU = "|".join(_ASKS["how_are_you"])
"""Asking for its mood."""

HOW_I_WORK = "|".join(_ASKS["how_i_work"])
"""Asking for what stands in its documents about itself."""

LOOK_INSIDE = r"\b(?:introspect|your state|your emotions in|statistics|stats|how many (?:messages|memories|facts))\b"
"""Asking for figures."""

_MOST = {
    heading: re.compile(pattern("\n".join(patterns), TABLES["asked_most_parts"]))
    for heading, patterns in read_lines("asked_most").items()
}


def find_heading(plain: str) -> str | None:
    """The heading that answers a question (in small letters, without marks at its end); None for any other."""
    return next((one for one, pattern in _MOST.items() if pattern.search(plain)), None)
