"""Answers to a request for quiet, with its end in the user's time zone."""

from datetime import datetime, time, tzinfo

from furoshiki.core.catalogue import later, say
from furoshiki.language.humanize import clock
from furoshiki.owner.agenda.rules.quiet.asked import Planned

_ON_DAYS = tuple(
    map(
        later,
        ("on Mondays", "on Tuesdays", "on Wednesdays", "on Thursdays", "on Fridays", "on Saturdays", "on Sundays"),
    )
)


def describe_quiet(until: datetime, zone: tzinfo, now: datetime, guessed: bool = False) -> str:
    """Return the confirmation of a quiet; `guessed`: the user named no end."""
    words = say(
        "I won't write first until {when}. I'll still answer you, and reminders still come. /quiet off ends it.",
        when=clock(until, zone, now),
    )
    if not guessed:
        return words
    return f"{words} {say('You did not say until when, so I picked a time; change it whenever you like.')}"


def say_period(period: Planned, zone: tzinfo, now: datetime) -> str:
    """Return the ends of a quiet that begins later: "on Sundays until 12:00"."""
    begins, ends = period.begins.astimezone(zone), period.until.astimezone(zone)
    if not period.weekly:
        since, until = clock(begins, zone, now), clock(ends, zone, now)
        return say("from {since} until {until}", since=since, until=until)
    days, since, until = say(_ON_DAYS[begins.weekday()]), f"{begins:%H:%M}", f"{ends:%H:%M}"
    overnight, all_night = ends.date() != begins.date(), begins.time() == time()
    if overnight and all_night:
        return days
    if overnight:
        return say("{days} from {since}", days=days, since=since)
    if all_night:
        return say("{days} until {until}", days=days, until=until)
    return say("{days} from {since} until {until}", days=days, since=since, until=until)


def describe_planned(period: str) -> str:
    """Return the confirmation of a quiet that begins later."""
    return say(
        "I won't write first {period}. I'll still answer you, and reminders still come. /quiet off ends it.",
        period=period,
    )


def over() -> str:
    """Return the confirmation that the quiet is over."""
    return say("I may write first again.")
