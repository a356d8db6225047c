"""Since or until when a stated fact holds: "since 2023", "until May", "three years ago".
Computed on the user's calendar. A month or day without a year is the last one that has begun;
future times are not times of stated facts."""

from dataclasses import dataclass
from datetime import datetime, time

from furoshiki.language.dates.parsing import moment
from furoshiki.language.dates.past import past_stretches


@dataclass(frozen=True)
class Times:
    """When a stated fact holds. `since` and `until` bound it (None: not stated); `at` is when it
    happened or, with `at_end`, the named stretch of time."""

    since: datetime | None = None
    until: datetime | None = None
    at: datetime | None = None
    at_end: datetime | None = None


UNSAID = Times()


def read(sentence: str, now: datetime) -> Times:
    """Return the times in a sentence, seen from `now` (aware, in the user's zone); never future."""
    if now.tzinfo is None:
        raise ValueError("`now` must be aware, in the user's zone")
    past = past_stretches.read(sentence, now.date())
    first = {stretch.lead: stretch for stretch in reversed(past.stretches)}

    def begin(lead: past_stretches.Lead) -> datetime | None:
        return moment(first[lead].start, time(0), now) if lead in first else None

    since, until, at = begin("since"), begin("until"), begin("in")
    if since is not None or until is not None:
        return Times(since, until)
    at_end = moment(first["in"].end, time(0), now) if "in" in first else None
    return Times(at if past.became else None, None, at, at_end)
