"""Questions what was said on a past day, the last time or just now: "what did we talk about yesterday?"

Every word must be one of such a question (`config/words`, "asked_days"), and the only ones left must
name past days. So a statement, and a question about somebody or something, is not taken for one.
"""

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from furoshiki.language.dates.past import exact_days
from furoshiki.language.dates.past.past_stretches import Stretch
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import bare

LONGEST = 120  # most characters of such a question
MOST_LED = 3  # most small words that may belong to the days after them: "on the third of march"

_UNIT = re.compile(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+")
_KINDS = {
    "what": "w", "first": "q", "subject": "s", "talk": "t", "said": "a",
    "small": "f", "open": "o", "last": "L", "just": "j", "just_i": "J", "last_talk": "K", "of": "x",
}  # fmt: skip
_WHOLE = re.compile(r"[of]*[^o]+[of]*")
_LED = re.compile(r"[^staK]*q")
_TIMES = re.compile(r"(?P<before>[^xLK.jJ]*)(?P<named>[LK.jJ](?:[fxLK.jJ]*[LK.jJ])?)[^xLK.jJ]*")


@dataclass(frozen=True, slots=True)
class DayAsked:
    """The days a question means, or the last conversation ("last") or message ("just")."""

    when: Literal["days", "last", "just"]
    days: Stretch | None = None


def read(text: str, today: date, companion: str = "") -> DayAsked | None:
    """Return what such a question asks for, in any of the nine languages; None for other texts. It
    may address the `companion` by name."""
    if len(text) > LONGEST:
        return None
    units = [unit for unit in _UNIT.finditer(text) if bare(unit.group()) != bare(companion)]
    words = tuple(bare(unit.group()) for unit in units)
    for tongue in _tables():
        kinds, places = _classify(words, tongue)
        if _asks(kinds) and (asked := _find_time(kinds, places, units, text, tongue, today)):
            return asked
    return None


def _classify(words: tuple[str, ...], tongue: str) -> tuple[str, list[int]]:
    """Return each phrase's kind ("." for a strange word) and its beginning; longest first."""
    table, longest = _tables()[tongue]
    kinds, places, at = "", [], 0
    while at < len(words):
        size = min(longest, len(words) - at)
        while size > 1 and words[at : at + size] not in table:
            size -= 1
        kinds += table.get(words[at : at + size], ".")
        places.append(at)
        at += size
    return kinds, places


def _asks(kinds: str) -> bool:
    """Return whether it asks what the user said: "was" must lead, for later it is "something"."""
    asks_what_was_said = "a" in kinds or (bool(set("tK") & set(kinds)) and bool(set("sJ") & set(kinds)))
    if not asks_what_was_said or _WHOLE.fullmatch(kinds) is None:
        return False
    return "w" in kinds or _LED.match(kinds) is not None


def _find_time(
    kinds: str, places: list[int], units: list[re.Match[str]], text: str, tongue: str, today: date
) -> DayAsked | None:
    times = _TIMES.fullmatch(kinds)
    if times is None:
        return None
    special = set(times["named"]) - set("fx")
    if special <= {"L", "K"}:
        return DayAsked("last")
    if special <= {"j", "J"}:
        return DayAsked("just")
    if special != {"."}:
        return None
    first, after = times.span("named")
    small = len(times["before"]) - len(times["before"].rstrip("f"))
    end = units[[*places, len(units)][after] - 1].end()
    for at in range(first - min(small, MOST_LED), first + 1):
        days = exact_days.read(text[units[places[at]].start() : end], tongue, today)
        if days is not None:
            return DayAsked("days", days)
    return None


@functools.cache
def _tables() -> Mapping[str, tuple[Mapping[tuple[str, ...], str], int]]:
    """Return for each language the kind of each phrase, and the most words of one."""
    table_of = {}
    for tongue, table in by_language("asked_days").items():
        phrases: dict[tuple[str, ...], str] = {}
        for name, kind in _KINDS.items():
            phrases.update(dict.fromkeys(_split(table.get(name, "")), kind))
        table_of[tongue] = phrases, max(map(len, phrases))
    return table_of


def _split(phrases: str) -> Iterable[tuple[str, ...]]:
    for phrase in phrases.split(","):
        if words := tuple(map(bare, _UNIT.findall(phrase))):
            yield words
