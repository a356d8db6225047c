"""The English words for numbers, units, days and times of day, and what time a spoken one may mean."""

from __future__ import annotations

import re
from datetime import time
from typing import NamedTuple

MORNING, AFTERNOON, EVENING, NIGHT, NOON = time(9), time(15), time(19), time(21), time(12)
NO_TIME_SAID = time(9)

NUMBERS = {
    word: number
    for number, word in enumerate(
        (
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            + "seventeen eighteen nineteen twenty"
        ).split(" ")
    )
} | {"a": 1, "an": 1, "couple": 2, "few": 3, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)

NUMBER = rf"(?:\d+|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
WEEKDAY = r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
MONTH = rf"(?:{'|'.join(f'{month[:3]}(?:{month[3:]})?' if month != 'may' else 'may' for month in MONTHS)}|sept)\.?"
UNIT = r"(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|seconds?|secs?)"
PART = r"(?:morning|afternoon|evening|night)"
HOUR_WORD = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"


class Clock(NamedTuple):
    """A time of day as said, and where; `sure` when the half of the day is beyond doubt."""

    at: time
    sure: bool
    start: int
    end: int


_CLOCK = re.compile(
    rf"\b(?:(?:at|by|around|about|from|@)\s*)?(?P<h>\d{{1,2}})(?:[:.h](?P<m>\d\d))?\s*(?P<half>a\.?m\b\.?|p\.?m\b\.?)"
    rf"|\b(?:(?:at|by|around|about|from)\s+|@\s*)?(?P<h24>[01]?\d|2[0-3])[:h](?P<m24>[0-5]\d)\b"
    rf"|(?:\b(?:at|by|around|about)\s+|@\s*)(?:about\s+|around\s+)?(?P<bare>\d{{1,2}})(?:\s*o['\u2019]?clock)?"
    rf"(?![\d:%.,]\d|\s*{UNIT}|\s*(?:st|nd|rd|th)\b|\s+(?:percent|euros?|dollars?|pounds?|degrees)|\w)"
    rf"|\b(?P<oclock>\d{{1,2}}|{HOUR_WORD})\s*o['\u2019]?clock\b"
    rf"|\b(?:at|by|around|about)\s+(?P<word>{HOUR_WORD})(?:[\s-](?P<wm>thirty|fifteen|forty-five|forty\s+five|twenty|ten))?\b"
    rf"(?!\s*(?:{UNIT}|of|(?:past|to)\s+(?:\d|{HOUR_WORD}\b)|times|people|things)\b)"
    rf"|\b(?:(?:at|by|around)\s+)?(?P<rel>half\s+past|half|quarter\s+past|(?:a\s+)?quarter\s+to|\d+\s+past|\d+\s+to|ten\s+past|ten\s+to|"
    rf"five\s+past|five\s+to|twenty\s+past|twenty\s+to)\s+(?P<relh>\d{{1,2}}|{HOUR_WORD})\b(?!\s*{UNIT})"
    rf"|\b(?:at\s+|by\s+)?(?P<named>noon|midday|midnight|lunch\s?time|dinner\s?time|bed\s?time|breakfast\s?time)\b",
    re.IGNORECASE,
)
# "in the morning", "Sunday evening"; a bare "night" only as a whole answer, for a night shift is no time of day
_HALF_OF_DAY = re.compile(
    rf"\b(?:in\s+the|this|that|tomorrow|at|the|by|every|each|{WEEKDAY})\s+(?P<part>{PART})s?\b(?!\s+(?!at\b|on\b|to\b|and\b|please\b|of\b)\w)"
    rf"|^\W*(?P<only>{PART})\W*$|\b(?P<tonight>tonight)\b",
    re.IGNORECASE,
)
_NAMED = {
    "noon": time(12),
    "midday": time(12),
    "midnight": time(0),
    "lunchtime": time(12, 30),
    "dinnertime": time(19),
    "bedtime": time(22),
    "breakfasttime": time(8),
}
PARTS = {"morning": MORNING, "afternoon": AFTERNOON, "evening": EVENING, "night": NIGHT}


def clock_in(text: str, start: int = 0) -> Clock | None:
    """The first time of day said at or after `start`."""
    match = _CLOCK.search(text, start)
    said = _clock_of(match) if match is not None else None
    return None if match is None or said is None else Clock(*said, *match.span())


def _clock_of(match: re.Match[str]) -> tuple[time, bool] | None:
    if match["named"]:
        return _NAMED[re.sub(r"\s", "", match["named"].lower())], True
    if match["rel"]:
        return _relative(match["rel"].lower(), _hour(match["relh"]))
    if match["half"]:
        hour, minute = int(match["h"]), int(match["m"] or 0)
        late = match["half"].lower().startswith("p")
        return (time(hour % 12 + 12 * late, minute), True) if 1 <= hour <= 12 and minute < 60 else None
    if match["h24"]:
        hour = int(match["h24"])
        return time(hour, int(match["m24"])), hour == 0 or hour > 12 or match["h24"].startswith("0")
    hour = _hour(match["bare"] or match["oclock"] or match["word"])
    return (time(hour, _minutes(match["wm"])), hour == 0 or hour > 12) if hour < 24 else None


def _relative(words: str, hour: int) -> tuple[time, bool]:
    """ "half past six", "quarter to eight"."""
    amount = 30 if "half" in words else 15 if "quarter" in words else int(amount_of(words.split()[0]))
    minutes = (hour % 24) * 60 + (-amount if words.endswith("to") else amount)
    return time(minutes // 60 % 24, minutes % 60), hour > 12


def _hour(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word.lower()]


def _minutes(word: str | None) -> int:
    if word is None:
        return 0
    return sum(NUMBERS[part] for part in re.split(r"[\s-]", word.lower()))


def halves(clock: Clock, part: str | None) -> list[time]:
    """The times of day a spoken one may mean, the likelier first.

    "at six" is rather six in the evening, "at nine" rather the morning; a part of the day decides it.
    """
    at = clock.at
    if clock.sure or at.hour > 12 or at.hour == 0:
        return [at]
    early, late = time(at.hour % 12, at.minute), time(at.hour % 12 + 12, at.minute)
    if part == "morning":
        return [early]
    if part in ("afternoon", "evening"):
        return [late]
    if part == "night":
        return [late if 6 <= at.hour < 12 else early]
    return [early, late] if 7 <= at.hour < 12 else [late]


def part_in(text: str) -> tuple[str, int, int] | None:
    """The part of the day named in a text ("morning"), and where."""
    match = _HALF_OF_DAY.search(text)
    if match is None:
        return None
    return ("night" if match["tonight"] else (match["part"] or match["only"]).lower()), *match.span()


def weekday_number(word: str) -> int:
    """0 for Monday; three letters are enough."""
    return next(n for n, name in enumerate(WEEKDAYS) if name.startswith(word.lower()[:3]))


def month_number(word: str) -> int:
    """1 for January; three letters are enough."""
    return next(n for n, name in enumerate(MONTHS, start=1) if name.startswith(word.lower()[:3]))


def amount_of(word: str) -> float:
    """ "two", "2", "1,5" as a number."""
    word = word.lower().replace(",", ".")
    return float(NUMBERS[word]) if word in NUMBERS else float(word)


def unit_of(word: str) -> str:
    """ "hrs" is an hour; one word for each unit."""
    word = word.lower()
    return _SHORT_UNITS.get(word, word.rstrip("s"))


_SHORT_UNITS = {
    "m": "minute",
    "min": "minute",
    "mins": "minute",
    "h": "hour",
    "hr": "hour",
    "hrs": "hour",
    "d": "day",
    "sec": "second",
    "secs": "second",
}
