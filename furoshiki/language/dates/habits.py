"""A person's habits in writing dates: languages, order of day and month. Cheap to import."""

import re
from dataclasses import dataclass, replace

# the languages with time words in `config/words`
TONGUES = ("en", "de", "es", "fr", "it", "pt", "tr", "ru")


@dataclass(frozen=True, slots=True)
class Habits:
    """The languages a person may use, and "DMY" or "MDY" for 03/04 ("" if unknown).

    `clock24`: clocks have 24 hours where they live, whatever the language; `hours` counts how often
    they were active at each hour of the day (24 numbers, or none), from messages and reminders.
    """

    tongues: tuple[str, ...] = ("en",)
    order: str = ""
    clock24: bool = False
    hours: tuple[int, ...] = ()

    def writing(self, tongue: str) -> "Habits":
        """Return the habits with this language first."""
        is_known = tongue in self.tongues or tongue not in TONGUES
        return self if is_known else replace(self, tongues=(tongue, *self.tongues), order=self.order or "DMY")

    def clock_of(self, tongue: str) -> bool:
        """Return whether a numeric hour is on the 24-hour clock in a language: "um 6 Uhr" and "à
        6h" are, "a las 6" and "saat 6'da" are not; English depends on where they live."""
        return tongue in ("de", "fr", "ru") or (tongue == "en" and self.clock24)


ENGLISH = Habits()


def habits(language: str | None, zone: str) -> Habits:
    """Derive habits from a language ("de", "en-GB") and the name of a time zone."""
    code, _, land = (language or "en").replace("_", "-").lower().partition("-")
    tongues = tuple(dict.fromkeys(one for one in (code, "en") if one in TONGUES))
    clock24 = _CLOCK_24.match(zone) is not None
    if code not in ("en", ""):
        return Habits(tongues, "DMY" if code in TONGUES else "", clock24)
    if land == "us" or (not land and _AMERICAN.match(zone)):
        return Habits(tongues, "MDY", clock24)
    return Habits(tongues, "DMY" if land or _DAY_FIRST.match(zone) else "", clock24)


_AMERICAN = re.compile(
    r"US/|Pacific/Honolulu|America/(?:New_York|Chicago|Denver|Los_Angeles|Phoenix|Anchorage|Detroit|Boise|Juneau|Nome|Adak|"
    r"Indiana/|Kentucky/|North_Dakota/|Menominee|Sitka|Metlakatla|Yakutat)"
)
_DAY_FIRST = re.compile(r"Europe/(?:London|Dublin|Belfast)|GB\b|Eire|Australia/|Pacific/Auckland|NZ\b|Asia/Kolkata")
# zones where numeric hours are on the 24-hour clock in English, too
_CLOCK_24 = re.compile(
    r"Europe/(?!London|Dublin|Belfast|Isle_of_Man|Jersey|Guernsey|Gibraltar|Malta)"
    r"|Atlantic/(?:Reykjavik|Azores|Madeira|Canary|Faroe)|Asia/(?:Tokyo|Istanbul|Tbilisi|Yerevan|Baku|Almaty|Tashkent"
    r"|Yekaterinburg|Omsk|Novosibirsk|Krasnoyarsk|Irkutsk|Yakutsk|Vladivostok|Kamchatka)"
    r"|America/(?:Sao_Paulo|Bahia|Recife|Fortaleza|Manaus|Argentina/|Buenos_Aires|Montevideo|Santiago)"
    r"|Africa/(?:Algiers|Tunis|Casablanca|Dakar|Abidjan|Luanda|Maputo)"
)
