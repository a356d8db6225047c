"""Notes: where a thing is, a number, an appointment. Confirm that they are stored and how to
find them, without another question."""

import re

from furoshiki.language.facts.pattern_language import Saying
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.facts.words import OCCASION_WORD
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import Wording
from furoshiki.language.requests import asked
from furoshiki.language.words import asks

_LONGEST = 160
"""Most characters of a note; a longer message tells something."""

_THING = (
    r"(?:(?:ok|okay|so|and|oh|btw|by the way|fyi|note),? )?(?:the|my|our) "
    r"(?P<what>[\w'\u2019&-]{1,30}(?: [\w'\u2019&-]{1,30}){0,4})"
)
_PLACE = re.compile(
    rf"^{_THING} (?:is|are|lies|lie|hangs|hang) (?:now |always |still |kept |hidden )?"
    r"(?:under|in|inside|on|at|behind|beside|next to|above|below|between|near|by|with|left of|right of) "
    r"(?:the|my|our|a|an|his|her|their|top|front|back)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"^{_THING}(?: is | are | ?= ?| ?: ?)(?P<value>\S{{0,40}}\d\S{{0,40}})[.!]?$", re.IGNORECASE)
_OCCASION = Saying("OCCASION SOON")
_ITS_NAME = re.compile(rf"(?:{OCCASION_WORD})s?", re.IGNORECASE)
_LONGEST_OCCASION = 9
"""Most words of a bare appointment: "dentist tomorrow at 3pm"."""

_NEVER_SOUGHT = """
life lives heart head mind soul marriage relationship world job career future confidence body mood day days week weeks
weekend situation family families kid kids children team people everything feelings nerves health luck faith boss
colleague neighbour neighbor weight age problem trouble truth fact point question
"""
_NO_THINGS = RELATIONS | frozenset(_NEVER_SOUGHT.split())
"""Subjects whose place is not meant literally: "my life is in the bin"."""

_KEPT_PLACE = (
    "Kept, word for word. Ask me where it is, and I'll say.",
    "I've put that down. When you look for it, ask me.",
    "Got it. That's one thing you needn't remember yourself.",
)
_KEPT_NUMBER = (
    "Kept, word for word. Ask me when you need it; and “forget that”, should you rather not leave it with me.",
    "I've put that down exactly as you wrote it. Ask me for it any time.",
)
_KEPT_OCCASION = (
    "Kept, with its day. For a reminder, say “remind me of the {what}” and when.",
    "I've put that down with its day. Should I remind you, say “remind me of the {what}” and when.",
)


def note(heard: Heard, wording: Wording) -> Reflex | None:
    """Confirm that a note is stored; None otherwise, and while the user may be in danger."""
    weighs = heard.situation.weighs
    to_keep = not asks(heard.text) and heard.says(asked.TO_KEEP)
    if (heard.asks and not to_keep) or len(heard.text) > _LONGEST or (weighs is not None and weighs.notice.grave):
        return None
    for pattern, said in ((_PLACE, _KEPT_PLACE), (_NUMBER, _KEPT_NUMBER)):
        found = pattern.search(heard.plain)
        if found is not None and _NO_THINGS.isdisjoint(found["what"].lower().split()):
            return Reflex(wording.one(said))
    if to_keep:
        return Reflex(wording.one(_KEPT_NUMBER))
    occasion = next(_OCCASION.finditer(heard.plain, 0), None)
    if occasion is not None and occasion.start() == 0 and len(heard.plain.split()) <= _LONGEST_OCCASION:
        name = _ITS_NAME.match(heard.plain)
        return Reflex(wording.one(_KEPT_OCCASION, what=name[0] if name is not None else "it"))
    return None
