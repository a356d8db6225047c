"""What is answered to a wish for quiet: until when it holds, by the user's own clock."""

from datetime import datetime, tzinfo

from furoshiki.core.catalogue import say
from furoshiki.language.humanize import clock


def describe_quiet(until: datetime, zone: tzinfo, now: datetime, guessed: bool = False) -> str:
    """Say that it stays quiet until then; `guessed` when nobody named that end."""
    words = say(
        "I will not write first until {when}. I still answer you, and reminders still come. /quiet off ends it.",
        when=clock(until, zone, now),
    )
    if not guessed:
        return words
    return f"{words} {say('You named no end, so I chose one; name another whenever you like.')}"


def over() -> str:
    """Say that the quiet is over."""
    return say("I may write first again.")
