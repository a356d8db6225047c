"""English words for units of time, and the hours for parts of the day."""

from datetime import time

EARLY, MORNING, AFTERNOON, EVENING, NIGHT = time(5), time(9), time(15), time(19), time(21)
PARTS = {"morning": MORNING, "early": EARLY, "afternoon": AFTERNOON, "evening": EVENING, "night": NIGHT}
NO_TIME_SAID = time(9)


def unit_of(word: str) -> str:
    """Normalize a unit: "hrs" is "hour"."""
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
