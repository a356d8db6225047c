"""Counts, moments and lists as one says them, and long lines made short."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from furoshiki.core import timestamps


def ago(at: datetime | str, now: datetime) -> str:
    """How long since a moment: "just now", "12 minutes ago", "3 hours ago", "5 days ago"."""
    moment = timestamps.parse(at) if isinstance(at, str) else at
    minutes = int((now - moment).total_seconds() // 60)
    if minutes < 2:
        return "just now"
    if minutes < 60:
        return f"{minutes} minutes ago"
    if minutes < 48 * 60:
        return f"{plural(minutes // 60, 'hour')} ago"
    return f"{minutes // (24 * 60)} days ago"


def last(at: datetime | str, now: datetime) -> str:
    """When something happened for the last time: "last 3 hours ago", or "just now"."""
    since = ago(at, now)
    return since if since == "just now" else f"last {since}"


def figure(value: float) -> str:
    """A number to one decimal, without a decimal that is nought: "1.5", "13"."""
    return f"{value:,.1f}".removesuffix(".0")


def day(at: datetime, zone: tzinfo) -> str:
    """A day in the user's zone: "21 November 2026"."""
    return timestamps.local(at, zone).strftime("%-d %B %Y")


def clock(at: datetime, zone: tzinfo, now: datetime) -> str:
    """A time as one says it: "today at 18:00", "Friday, 27 November at 09:00"; with the year when it is another."""
    local, today = timestamps.local(at, zone), timestamps.local(now, zone)
    days = (local.date() - today.date()).days
    near = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days)
    year = "" if local.year == today.year else f" {local.year}"
    return f"{near or local.strftime('%A, %-d %B') + year} at {local.strftime('%H:%M')}"


def dated(at: datetime, zone: tzinfo) -> str:
    """A moment in full, by the clock of a zone: "Saturday, 21 November 2026, 21:40"."""
    return timestamps.local(at, zone).strftime("%A, %-d %B %Y, %H:%M")


def plural(count: int, one: str, many: str | None = None) -> str:
    """A count with its noun: "1 message", "2 messages"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(items: Sequence[str]) -> str:
    """ "milk", "milk and eggs", "milk, eggs and bread"."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def shortened(text: str, most: int = 160) -> str:
    """One line of at most `most` characters, cut at a word."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rsplit(" ", 1)[0] + "…"
