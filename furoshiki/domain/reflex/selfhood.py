"""What it says about itself: mood, nature, abilities, how it works, where the data is, the hour and the day."""

from __future__ import annotations

import re

from furoshiki.domain import dates
from furoshiki.domain.reflex import about_itself as about
from furoshiki.domain.reflex import frankness
from furoshiki.domain.reflex.hearing import Heard
from furoshiki.domain.reflex.situation import Reflex, SkillCall, ToolResult
from furoshiki.domain.reflex.wording import Wording, joined

# dates.read knows no feasts
_NAMED_DAYS = {"christmas": "25 December", "xmas": "25 December", "new year": "1 January"}


def speak(heard: Heard, wording: Wording) -> Reflex | None:
    """A question about the companion, or about the hour."""
    if heard.says(about.LOOK_INSIDE) and heard.asks:
        return Reflex(calls=(SkillCall("introspect", {}),))
    if heard.says(rf"\b(?:{about.HOW_ARE_YOU})$") or heard.says(rf"^(?:\w+,? ){{0,3}}(?:{about.HOW_ARE_YOU})\b"):
        return Reflex(mood(heard, wording))
    if heard.says(about.MODEL):
        return Reflex(joined(frankness.state(wording), frankness.remedy(wording)))
    hour = _hour(heard)
    if hour is not None:
        return Reflex(hour)
    for patterns, options in about.ASKED:
        if any(heard.says(pattern) for pattern in patterns):
            return Reflex(_told(options, heard, wording))
    return None


def mood(heard: Heard, wording: Wording) -> str:
    """How it is, in words that fit its mood, and the question back."""
    options = about.MOODS.get(heard.situation.mood, about.MOOD_UNKNOWN)
    return joined(wording.one(options), wording.one(about.AND_YOU))


def looked_inside(result: ToolResult, heard: Heard, wording: Wording) -> str:
    """What introspection brought up."""
    return result.text or mood(heard, wording)


def _told(options: tuple[str, ...], heard: Heard, wording: Wording) -> str:
    told = wording.one(options, me=heard.situation.companion)
    if options in about.WITH_STATE:
        return joined(told, frankness.state(wording) if frankness.unsaid(wording) else None)
    return told


def _hour(heard: Heard) -> str | None:
    now = heard.situation.now
    if heard.says(
        r"\bwhat time is it|\bwhat's the time|\bwhat is the time|\bdo you (?:know|have) the time|\bhow late is it"
    ):
        return f"It's {now.strftime('%H:%M')}."
    if heard.says(r"\bwhat (?:day|date) is (?:it|today)|\bwhat(?:'s| is) (?:the|today's) (?:date|day)|\bwhich day is"):
        return f"{now.strftime('%A')}, {now.day} {now.strftime('%B %Y')}."
    until = re.search(
        r"\bhow (?:many days|long) (?:is it |are there |left |more )*(?:until|till|to|before) (?P<what>.+)", heard.plain
    )
    if until is None:
        return None
    what = until["what"]
    when = dates.read(_NAMED_DAYS.get(what, what), now)
    if when is None or when.past:
        return None
    days = (when.at.date() - now.date()).days
    return f"{days} day{'' if days == 1 else 's'}: {when.at.strftime('%A')}, {when.at.day} {when.at.strftime('%B')}."
