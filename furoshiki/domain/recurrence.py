"""When something that recurs is due again: RRULE texts (RFC 5545), in the user's own clock, across clock changes."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo


def following(rule: str, due: datetime, now: datetime, zone: tzinfo) -> datetime | None:
    """The first occurrence after `now` of something first due at `due` (both aware); None when the rule has ended.

    The hour on the user's wall stays the same when the clocks change. A rule that is none raises ValueError.
    """
    from dateutil.rrule import rrulestr

    local = due.astimezone(zone).replace(tzinfo=None)
    occurrences = rrulestr(rule.removeprefix("RRULE:"), dtstart=local)
    found = occurrences.after(max(now, due).astimezone(zone).replace(tzinfo=None))
    return None if found is None else found.replace(tzinfo=zone).astimezone(UTC)
