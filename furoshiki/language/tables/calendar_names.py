"""English names of months and weekdays: ordered, as patterns with short forms, and as a set.

Misspellings ("tommorow", "wendesday") and other languages: `config/words/`.
"""

from furoshiki.language.words import fold

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
NAMES = frozenset((*WEEKDAYS, *MONTHS))  # capitalized words that are not names of people

# pattern for a weekday, short or long
WEEKDAY = r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"

# pattern for a month, short or long, without the full stop after a short one
MONTH = rf"(?:{'|'.join(f'{month[:3]}(?:{month[3:]})?' if month[3:] else month for month in MONTHS)}|sept)"


def weekday_number(word: str) -> int:
    """Return the number of a weekday (0 is Monday); three letters are enough."""
    return next(n for n, name in enumerate(WEEKDAYS) if name.startswith(fold(word)[:3]))


def month_number(word: str) -> int:
    """Return the number of a month (1 is January); three letters are enough."""
    return next(n for n, name in enumerate(MONTHS, start=1) if name.startswith(fold(word)[:3]))
