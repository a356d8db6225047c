"""Describe the cause of the companion's mood, for a prompt."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, tzinfo

from furoshiki.feelings.rules import emotions
from furoshiki.feelings.rules.laws import InnerLife
from furoshiki.language import testimony
from furoshiki.language.session_feeling import WORDS
from furoshiki.messages.values import USER, Turn

WITHIN = timedelta(minutes=1)
"""A mood that began this close to a message was caused by it."""


def describe(
    signals: Mapping[str, float], since: datetime, history: Sequence[Turn], zone: tzinfo, laws: InnerLife
) -> str:
    """Describe the feeling in the present message (`signals`), or the message at which the mood
    began (`since`); "" if neither is in view."""
    if (feeling := emotions.plainly_said(signals, laws.emotions)) is not None:
        return f"What moves you is what they have just written: they sound {WORDS[feeling]}."
    before = [turn for turn in history if turn.speaker == USER and abs(turn.at - since) < WITHIN and turn.text]
    if not before:
        return ""
    words = testimony.render_marked(before[-1].text, before[-1].foreign, 15, flat=True)
    return f"You have been so since {since.astimezone(zone):%H:%M}, when they wrote: {words}"
