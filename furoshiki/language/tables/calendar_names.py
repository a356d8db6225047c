"""The English names of months and weekdays: in order, as patterns with their short forms, and as words to set apart.

What people type instead ("tommorow", "wendesday"), and other languages: `config/words/`.
"""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
NAMES = frozenset((*WEEKDAYS, *MONTHS))
"""Written with a capital, and nobody's name."""

WEEKDAY = r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)"
"""A pattern for a weekday, short or long."""

MONTH = rf"(?:{'|'.join(f'{month[:3]}(?:{month[3:]})?' if month[3:] else month for month in MONTHS)}|sept)"
"""A pattern for a month, short or long, without the full stop behind a short one."""


def weekday_number(word: str) -> int:
    """0 for Monday; three letters are enough."""
    return next(n for n, name in enumerate(WEEKDAYS) if name.startswith(word.lower()[:3]))


def month_number(word: str) -> int:
    """1 for January; three letters are enough."""
    return next(n for n, name in enumerate(MONTHS, start=1) if name.startswith(word.lower()[:3]))
