"""Say what it is and what it lacks: once early, and when asked."""

import re

from furoshiki.core.catalogue import ENGLISH, get_language, later, say
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import Wording
from furoshiki.language.requests import lines
from furoshiki.language.requests.lines import read_lines
from furoshiki.language.words import WORD, stem

_SAID = re.compile("language model", re.IGNORECASE)
AWAY = later("My language model isn't answering right now.")

HOW_TO = (
    "To give me one, send /mind: it finds what runs on this machine, says what a month costs, and takes a key "
    "in a message that it deletes at once."
)

# By reason why no model answers. A reached spending ceiling is mentioned once a day.
_FIRST, _STATE = read_lines("frank_first"), read_lines("frank_state")

_USE = re.compile(r"\b(?:use|run|call|try|ask|start)\b|\b(?:plugin|tool|server)s?\b", re.IGNORECASE)


def use(heard: Heard, wording: Wording) -> Reflex | None:
    """Answer that a tool asked for by its name needs a model; None if no tool was named."""
    if not heard.situation.outside or not _USE.search(heard.plain):
        return None
    said = {stem(word.lower()) for word in WORD.findall(heard.plain)}
    for title, whose in heard.situation.outside:
        for named in (title, whose.rpartition(" ")[2]):
            words = {stem(word.lower()) for word in WORD.findall(named)}
            if words and words <= said:
                return Reflex(wording.one(lines.REPLIES["not_without_a_model"], what=f"“{title}”", whose=whose))
    return None


def unsaid_answer(wording: Wording) -> str:
    """Say that an outside tool answered, but no model can report it."""
    return wording.one(lines.REPLIES["unsaid_answer"])


def first_note(wording: Wording) -> str | None:
    """Return the note the user should get once; None if it was given recently."""
    known = _FIRST[wording.situation.why]
    if get_language() == ENGLISH:
        return wording.one(known) if known and unsaid(wording) else None
    note = say(AWAY)
    given = any(note in reply for reply in wording.replies)
    return note if known and wording.away and not given else None


def unsaid(wording: Wording) -> bool:
    """Return whether the note is missing in the recent replies."""
    return not any(_SAID.search(reply) for reply in wording.replies)


def state(wording: Wording) -> str:
    """Describe how it works right now, in a sentence or two."""
    return wording.one(_STATE[wording.situation.why])


def remedy(wording: Wording) -> str:
    """Return what the user can do about it."""
    return HOW_TO if wording.situation.why == "no-model" else ""
