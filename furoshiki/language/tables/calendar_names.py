"""English names of months and weekdays, in their order and as a set.

Misspellings ("tommorow", "wendesday") and other languages: `config/words/`.
"""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
NAMES = frozenset((*WEEKDAYS, *MONTHS))  # capitalized words that are not names of people
