"""How somebody writes dates: in which languages, and whether the day or the month comes first. Light to import."""

from __future__ import annotations

import re
from dataclasses import dataclass

TONGUES = ("en", "de", "es", "tr", "ru")
"""The languages that have a table in `furoshiki.dates.vocabulary.tables`."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How somebody writes dates: the languages they may use, and "DMY" or "MDY" for 03/04 ("" when not known)."""

    tongues: tuple[str, ...] = ("en",)
    order: str = ""


ENGLISH = Habits()


def habits(language: str | None, zone: str) -> Habits:
    """What is known of how somebody writes dates, from their language ("de", "en-GB") and the name of their zone."""
    code, _, land = (language or "en").replace("_", "-").lower().partition("-")
    tongues = tuple(dict.fromkeys(one for one in (code, "en") if one in TONGUES))
    if code not in ("en", ""):
        return Habits(tongues, "DMY" if code in TONGUES else "")
    if land == "us" or (not land and _AMERICAN.match(zone)):
        return Habits(tongues, "MDY")
    return Habits(tongues, "DMY" if land or _DAY_FIRST.match(zone) else "")


_AMERICAN = re.compile(
    r"US/|Pacific/Honolulu|America/(?:New_York|Chicago|Denver|Los_Angeles|Phoenix|Anchorage|Detroit|Boise|Juneau|Nome|Adak|"
    r"Indiana/|Kentucky/|North_Dakota/|Menominee|Sitka|Metlakatla|Yakutat)"
)
_DAY_FIRST = re.compile(r"Europe/(?:London|Dublin|Belfast)|GB\b|Eire|Australia/|Pacific/Auckland|NZ\b|Asia/Kolkata")
