"""English lines of the built-in mind and patterns to hear them: `config/small_talk.toml`.

The commonest questions about the companion have headings in its page
(prompts/self_knowledge/plain.md.j2), whose answers are written from the settings.
"""

import re
from collections.abc import Mapping
from typing import Any

from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.language.word_tables import pattern

Lines = Mapping[str, tuple[str, ...]]

TABLES: Mapping[str, Mapping[str, Any]] = read_toml_file(ROOT / "config" / "small_talk.toml")


def read_lines(name: str) -> Lines:
    """Read a table of lines; one line of a key is chosen at a time. Raises KeyError if unknown."""
    return {key: tuple(lines) for key, lines in TABLES[name].items()}


_SMALL_TALK = read_lines("small_talk")
JOKES, CURIOSITIES, ANSWERED = _SMALL_TALK["jokes"], _SMALL_TALK["curiosities"], _SMALL_TALK["answered"]
LAUGHED, UNSURE, KEPT = _SMALL_TALK["laughed"], _SMALL_TALK["unsure"], _SMALL_TALK["kept"]
# added occasionally to replies to messages the rules do not understand: two abilities
WHAT_IT_CAN = _SMALL_TALK["what_it_can"]

YES_NO, NO_KNOWLEDGE, REPLIES, AGREED = map(read_lines, ("yes_no", "no_knowledge", "replies", "agreed"))

HEARD_ANYTHING = _SMALL_TALK["heard_anything"]
HEARD, CURIOUS = read_lines("heard_fact"), read_lines("curious")
# questions for facts told with worry, sadness or anger; others are not asked then
CURIOUS_WHEN_HEAVY = read_lines("curious_when_heavy")

MOODS = read_lines("moods")
ITSELF, _ASKS = read_lines("itself"), read_lines("asks")
MOOD_UNKNOWN, AND_YOU, HOW = ITSELF["mood_unknown"], ITSELF["and_you"], ITSELF["how"]

# answers that are honest only together with whether a language model is available
WITH_STATE = (HOW,)

ASKED = tuple((patterns, ITSELF[name]) for name, patterns in read_lines("asked_of_itself").items())

MODEL = "|".join(_ASKS["model"])  # questions about its language model
HOW_ARE_YOU = "|".join(_ASKS["how_are_you"])  # questions about its mood
HOW_I_WORK = "|".join(_ASKS["how_i_work"])  # questions that its documents answer

# questions for figures
LOOK_INSIDE = r"\b(?:introspect|your state|your emotions in|statistics|stats|how many (?:messages|memories|facts))\b"

_MOST = {
    heading: re.compile(pattern("\n".join(patterns), TABLES["asked_most_parts"]))
    for heading, patterns in read_lines("asked_most").items()
}


def find_heading(plain: str) -> str | None:
    """Return the heading that answers a question (lower case, no final punctuation), or None."""
    return next((one for one, pattern in _MOST.items() if pattern.search(plain)), None)
