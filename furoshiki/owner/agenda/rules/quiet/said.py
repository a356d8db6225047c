"""Answers to a request for quiet, with its end in the user's time zone."""

from datetime import datetime, tzinfo

from furoshiki.core.catalogue import say
from furoshiki.language.humanize import clock


def describe_quiet(until: datetime, zone: tzinfo, now: datetime, guessed: bool = False) -> str:
    """Return the confirmation of a quiet; `guessed`: the user named no end."""
    words = say(
        "I won't write first until {when}. I'll still answer you, and reminders still come. /quiet off ends it.",
        when=clock(until, zone, now),
    )
    if not guessed:
        return words
    return f"{words} {say('You did not say until when, so I picked a time; change it whenever you like.')}"


def over() -> str:
    """Return the confirmation that the quiet is over."""
    return say("I may write first again.")
