"""What the built-in mind says in English, and the patterns by which it hears that: `config/small_talk.toml`.

What it is asked most about itself stands under headings of its page (prompts/self_knowledge/plain.md.j2), where the
answers are written from the settings.
"""

import re
from collections.abc import Mapping
from typing import Any

from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.language.word_tables import pattern

Lines = Mapping[str, tuple[str, ...]]

TABLES: Mapping[str, Mapping[str, Any]] = read_toml_file(ROOT / "config" / "small_talk.toml")


def read_lines(name: str) -> Lines:
    """A table of lines; of each key one is chosen that was not said lately. KeyError for a table that is not there."""
    return {key: tuple(lines) for key, lines in TABLES[name].items()}


_SMALL_TALK = read_lines("small_talk")
JOKES, CURIOSITIES, ANSWERED = _SMALL_TALK["jokes"], _SMALL_TALK["curiosities"], _SMALL_TALK["answered"]
LAUGHED, UNSURE, KEPT = _SMALL_TALK["laughed"], _SMALL_TALK["unsure"], _SMALL_TALK["kept"]
WHAT_IT_CAN = _SMALL_TALK["what_it_can"]
"""What is said beside it to words that mean nothing to the rules: two things that it can do, once in a while."""

YES_NO, NO_KNOWLEDGE = read_lines("yes_no"), read_lines("no_knowledge")

HEARD_ANYTHING = _SMALL_TALK["heard_anything"]
HEARD, CURIOUS = read_lines("heard_fact"), read_lines("curious")
CURIOUS_WHEN_HEAVY = read_lines("curious_when_heavy")
"""The same when it is told with worry, sadness or anger: what is not here is not asked about at such a moment."""

ONLY_WRITES = (
    "I only write, and the size of my letters is your screen's to choose: the settings of the app or of the terminal "
    "make them larger."
)

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
