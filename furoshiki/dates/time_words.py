"""The English words for numbers, units, days and months, and the hours that parts of a day stand for."""

from __future__ import annotations

from datetime import time

EARLY, MORNING, AFTERNOON, EVENING, NIGHT = time(5), time(9), time(15), time(19), time(21)
PARTS = {"morning": MORNING, "early": EARLY, "afternoon": AFTERNOON, "evening": EVENING, "night": NIGHT}
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
