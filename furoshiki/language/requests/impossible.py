"""Find requests that nothing here can fulfil: a call, a booking, music; and the courtesies that open a request."""

import re
from dataclasses import dataclass

from furoshiki.language.word_tables import texts

_COURTESIES: str = texts("impossible", "courtesies")["en"]
# tested before thirty words: most messages begin with none of them
_FIRST_LETTERS = "".join(sorted({courtesy[0] for courtesy in _COURTESIES.split("|")}))

# courtesies at the beginning of a request pattern
PLEASE = rf"^\W{{0,9}}\b(?:(?=[{_FIRST_LETTERS}])(?:{_COURTESIES})\b[\s,]{{0,9}}){{0,8}}"


@dataclass(frozen=True)
class NotPossible:
    """An impossible request: its kind, the user's words, and the object."""

    kind: str
    wanted: str
    thing: str = ""


def find_impossible(plain: str) -> NotPossible | None:
    """Return the impossible request in a message, or None. `plain` has single spaces."""
    if len(plain) > _LONGEST or _TOLD.match(plain):
        return None
    for kind, pattern in _WAYS:
        match = pattern.match(plain)
        if match is None:
            continue
        wanted = _POLITE.sub("", plain[match.start("wanted") :].strip(" .!?"))
        return NotPossible(kind, wanted, _POLITE.sub("", plain[match.start("thing") :].strip(" .!?")))
    return None


_NOT_THEM = "me|us|it|you|yourself|this|that|up|for|back"
_POLITE = re.compile(
    r"(?:[ ,](?:please|for me|for us|now|thanks|right now|will you|would you|can you)){1,4}$", re.IGNORECASE
)
_LONGEST = 160
_TOLD = re.compile(
    r"\W{0,5}(?:i|i'm|we|he|she|they|my|the|when|why|who|did|do you (?:like|know))\b|.{0,160}\b(?:i (?:said|told)"
    r"|told you|notes?)\b",
    re.IGNORECASE,
)


def _read() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Read the lines of `[impossible]`: the kind, the verbs ("+" allows "me" after it), and the objects ("*" is
    anything)."""
    found = []
    for line in "\n".join(texts("impossible", "ways").values()).strip().splitlines():
        kind, verbs, things = (part.strip() for part in line.split("|"))
        alone = [re.escape(verb) for verb in verbs.split(",") if not verb.endswith("+")]
        for_me = [re.escape(verb[:-1]) for verb in verbs.split(",") if verb.endswith("+")]
        verb = "|".join(
            [*(f"{one}(?: me| us)?" for one in for_me), *(f"{one}(?! (?:{_NOT_THEM})\\b)" for one in alone)]
        )
        named = "|".join(re.escape(thing) for thing in things.split(","))
        of = r"\w" if things == "*" else rf"(?:[^.!?]{{0,60}}? )??(?:{named})(?:e?s)?\b"
        lead = r"(?:(?:an?|the|some|my|our|this|more) ){0,2}"
        found.append((kind, re.compile(rf"{PLEASE}(?P<wanted>(?:{verb}) {lead}(?P<thing>{of}))", re.IGNORECASE)))
    return tuple(found)


_WAYS = _read()
