"""Answers to a request for quiet, with its end in the user's time zone."""

from datetime import datetime, tzinfo

from furoshiki.core.catalogue import say
from furoshiki.language.humanize import clock, weekday
from furoshiki.owner.agenda.rules.quiet.asked import Planned


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
    """Return the ends of a quiet that begins later: "every week: Sunday, 00:00–12:00"."""
    begins, ends = period.begins.astimezone(zone), period.until.astimezone(zone)
    if not period.weekly:
        since, until = clock(begins, zone, now), clock(ends, zone, now)
        return say("from {since} until {until}", since=since, until=until)
    day, since, until = weekday(begins), f"{begins:%H:%M}", f"{ends:%H:%M}"
    if ends.date() != begins.date():
        until = f"{weekday(ends)}, {until}"
    return say("every week: {day}, {since} – {until}", day=day, since=since, until=until)


def describe_planned(period: str) -> str:
    """Return the confirmation of a quiet that begins later."""
    return say(
        "I won't write first {period}. I'll still answer you, and reminders still come. /quiet off ends it.",
        period=period,
    )


def over() -> str:
    """Return the confirmation that the quiet is over."""
    return say("I may write first again.")
