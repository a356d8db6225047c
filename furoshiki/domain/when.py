"""Times as the database keeps them: UTC, ISO-8601, microseconds, so that text order is time order."""

from __future__ import annotations

from datetime import UTC, datetime


def stamp(moment: datetime) -> str:
    """`2026-11-21T22:53:13.000000+00:00` for an aware moment. A naive one raises ValueError."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone cannot be stored: say which zone it is in")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def parse(text: str) -> datetime:
    """The aware UTC moment written by `stamp` (or any ISO-8601 text; naive text is taken as UTC)."""
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
