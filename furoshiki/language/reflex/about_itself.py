"""The words of the companion about itself: what it is asked, by pattern, and what it says then."""

from __future__ import annotations

from furoshiki.language.reflex.lines import read_lines

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
