"""Builds CalDAV queries (RFC 4791, calendar-query), and reads the calendars in the answer."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree

_CALENDAR_DATA = "{urn:ietf:params:xml:ns:caldav}calendar-data"


def query(begin: datetime, end: datetime) -> str:
    """Return the body of a REPORT for every event that overlaps the time between two moments."""
    first, last = (one.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ") for one in (begin, end))
    return (
        '<?xml version="1.0" encoding="utf-8"?>'
        '<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">'
        "<D:prop><C:calendar-data/></D:prop>"
        '<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">'
        f'<C:time-range start="{first}" end="{last}"/>'
        "</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"
    )


def calendars(body: bytes) -> list[str]:
    """Return the calendars (iCalendar text) in a multistatus. Raises ValueError."""
    try:
        root = ElementTree.fromstring(body)
    except ElementTree.ParseError as error:
        raise ValueError(
            f"this is no answer of a CalDAV server ({error}): is URL the address of one calendar?"
        ) from None
    if root.tag != "{DAV:}multistatus":
        raise ValueError("this is no answer of a CalDAV server: is URL the address of one calendar?")
    return [one.text for one in root.iter(_CALENDAR_DATA) if one.text and one.text.strip()]
