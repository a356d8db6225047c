"""The time zone a time is given in: "9am New York time", "18:00 UTC", "a las 9 hora de Madrid"."""

import re
from dataclasses import dataclass
from zoneinfo import ZoneInfo, available_timezones

from furoshiki.language.tables.proper_nouns import zones
from furoshiki.language.word_tables import by_language

_CLOCK = r"(?P<clock>\b\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b\.?| ?Uhr| ?o'clock)?|\b(?:noon|midnight))"
_NAME = r"(?P<place>(?:the )?[A-Z][\w.'-]{1,20}(?: [A-Z][\w.'-]{1,20}){0,2}"
_SAID = re.compile(
    rf"{_CLOCK} (?:in )?{_NAME}|(?i:my|our|local|their|his|her)) (?:[Ss]tandard |[Dd]aylight )?(?:[Tt]ime|Zeit)\b"
    rf"|{_CLOCK.replace('<clock>', '<hour>')} (?:hora|horas)(?: de| del)? {_NAME.replace('<place>', '<lugar>')})"
    rf"|{_CLOCK.replace('<clock>', '<at>')} ?\(?(?P<short>[A-Z]{{2,5}}|utc|gmt)\b\)?"
)
_MINE = frozenset({"my", "our", "local"})
_THEIRS = frozenset({"their", "his", "her"})

# zones of abbreviations in today's use: people who say EST in July mean New York's time
SHORT: dict[str, str] = by_language("zone_names")["en"]

# ambiguous abbreviations, which are asked about
SEVERAL: dict[str, str] = by_language("several_zones")["en"]


@dataclass(frozen=True, slots=True)
class Said:
    """text[start:end] names the zone, or an unknown one (`asks`). Both None: the user's own."""

    start: int
    end: int
    zone: ZoneInfo | None
    asks: str = ""


def find_clocks(text: str) -> Said | None:
    """Return the zone named with a time in the text, or None."""
    for match in _SAID.finditer(text):
        name, short = match["place"] or match["lugar"], match["short"]
        clock = match.end("at")
        if name:
            clock = match.end("clock" if match["place"] else "hour")
        zone = _short(short) if short else _place(name)
        if zone is not None:
            return Said(
                clock, match.end(), zone if isinstance(zone, ZoneInfo) else None, zone if isinstance(zone, str) else ""
            )
    return None


def _short(name: str) -> ZoneInfo | str | None:
    if name.upper() in SEVERAL:
        return f"{name.upper()} is the time of {SEVERAL[name.upper()]}"
    zone = SHORT.get(name.upper())
    return None if zone is None else ZoneInfo(zone)


def _place(name: str) -> ZoneInfo | str | None:
    plain = name.casefold().removeprefix("the ").replace(".", "")
    if plain in _MINE:
        return ""
    if plain in _THEIRS:
        return f"I do not know which zone “{name} time” is"
    if name.upper() in SHORT or name.upper() in SEVERAL:
        return _short(name)
    zone = zones().get(plain)
    return f"I know no time zone “{name}”" if zone is None else ZoneInfo(zone)


def of_place(name: str) -> ZoneInfo | None:
    """Return the zone of a place by its common name ("Porto", "München") or zone name."""
    zone = zones().get(name.casefold())
    if zone is None and name in available_timezones():
        zone = name
    return None if zone is None else ZoneInfo(zone)
