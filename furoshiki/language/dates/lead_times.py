"""Lead times before an event: "2 hours before my flight on 3 December at 14:20"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from furoshiki.language.dates.tokens import AHEAD

_N = r"(?:\d{1,3}|[^\W\d_]{1,12}(?: (?:an?|einhalb))?)"
_SAID = {
    "en": rf"(?P<span>{_N} (?:minutes?|mins?|hours?|hrs?|days?|weeks?)) (?:before|prior to|ahead of)",
    "de": rf"(?P<span>{_N} (?:minuten?|stunden?|tage?n?|wochen?)) vor(?= (?:d|mein|unser|sein|ihr)\w)",
    "es": rf"(?P<span>{_N} (?:minutos?|horas?|días?|dias?|semanas?)) antes del?",
    "fr": rf"(?P<span>{_N} (?:minutes?|heures?|jours?|semaines?)) avant(?= (?:l|m|n|s))",
    "it": rf"(?P<span>{_N} (?:minut[oi]|or[ae]|giorn[oi]|settiman[ae])) prima d(?:el|ella|i)",
    "pt": rf"(?P<span>{_N} (?:minutos?|horas?|dias?|semanas?)) antes d[oae]",
    "ru": r"за (?P<span>(?:[^\W_]{1,12} )?(?:минут\w?|час\w{0,2}|день|дня|дней|недел\w{1,2}|полчаса)) до",
    "tr": rf"(?P<span>{_N} (?:dakika|saat|gün|hafta)) önce",
}


@dataclass(frozen=True, slots=True)
class Before:
    """text[start:end] is the lead time; `ahead` phrases it as a time from now."""

    start: int
    end: int
    ahead: str


def find_before(text: str) -> Before | None:
    """Return the lead time that a text names, or None."""
    for tongue, pattern in _SAID.items():
        match = re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)
        if match is not None:
            return Before(match.start(), match.end(), AHEAD[tongue].format(match["span"]))
    return None
