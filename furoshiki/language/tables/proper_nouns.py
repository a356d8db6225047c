"""Capitalized words that are no names of people: places, with their time zones, and holidays."""

import functools
from zoneinfo import available_timezones

from furoshiki.language.word_tables import texts
from furoshiki.language.words import bare

# further places, or other names of them, by the zone's place name
_OTHERS = texts("zones", "places")["en"]


@functools.cache
def zones() -> dict[str, str]:
    """Map each place in lower case to its zone; of equal names the alphabetically first counts."""
    every = sorted(
        one for one in available_timezones() if "/" in one and not one.startswith(("Etc/", "SystemV/", "posix"))
    )
    places: dict[str, str] = {}
    for one in every:
        places.setdefault(one.rsplit("/", 1)[1].replace("_", " ").casefold(), one)
    for place, names in _OTHERS.items():
        zone = places[place.replace("_", " ").casefold()]
        places |= dict.fromkeys(names.split("|"), zone)
    return places


@functools.cache
def holidays() -> frozenset[str]:
    """Return the holidays in every language, without diacritics."""
    found: set[str] = set()
    for table in texts("dates", "words").values():
        for line in table.splitlines():
            if line.startswith("Y "):
                found.update(bare(line.partition(" = ")[2].replace("_", "-")).split())
    return frozenset(found)
