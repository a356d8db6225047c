"""Parses a moment in the past, as given to `--since`."""

import re
from datetime import datetime, timedelta

from furoshiki.core.timestamps import later, parse
from furoshiki.faces.cli import context

_AGO = re.compile(r"(\d{1,6})\s*(s|m|min|h|d|w)")
_SECONDS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


def moment(text: str, now: datetime) -> datetime:
    """Parse a moment in ISO-8601, or an age ("30m", "2h", "3d", "1w"). Raises Misused."""
    match = _AGO.fullmatch(text.strip().lower())
    if match is not None:
        return later(now, timedelta(seconds=-int(match[1]) * _SECONDS[match[2]]))
    try:
        return parse(text)
    except ValueError:
        raise context.Misused(f"{text!r} is no time: write 30m, 2h, 3d, or 2026-11-21T18:00 (UTC)") from None
