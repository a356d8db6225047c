"""A time that is given by itself, to a command or a skill: an ISO time, or words."""

from __future__ import annotations

from datetime import UTC, datetime

from furoshiki.core.timestamps import parse
from furoshiki.language.dates import moving, parsing
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import Unclear, When


def parse_time(
    text: str, now: datetime, habits: Habits, since: datetime | None = None, deed: str = ""
) -> When | Unclear | None:
    """The moment (or repetition) that is meant, seen from `now` (aware, in the user's zone: an ISO time that names none
    is of that one). `since` is when it was due so far: "6pm" is that day's then; `deed` is
    what is to be done. None for what names no time."""
    try:
        at = parse(text, now.tzinfo or UTC).astimezone(now.tzinfo)
    except ValueError:
        return (
            parsing.parse_when(text, now, habits, deed) if since is None else moving.move_time(text, since, now, habits)
        )
    return When(at, 0, len(text), past=at <= now, spans=((0, len(text)),))
