"""Put the past times of a Chinese text into English: "上周三我去了" names "2026-03-18"."""

import functools
import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from furoshiki.language.dates import chinese
from furoshiki.language.dates.chinese import InEnglish
from furoshiki.language.tables.calendar_names import MONTHS
from furoshiki.language.tables.numbers import read_signs
from furoshiki.language.word_tables import texts

_DAYS: str = texts("asked_days", "days")["zh"]
_COUNT = r"\d{1,3}|[一二两三四五六七八九十]{1,3}"
_UNITS = {"天": "days", "周": "weeks", "星期": "weeks", "月": "months", "年": "years"}


def put_into_english(text: str, today: date) -> InEnglish | None:
    """Return the past times of a text in English, and their spans in it; None without any."""
    matches = list(_pattern().finditer(text))
    words = [word for match in matches for word in _translate(match, today)]
    if not words:
        return None
    return InEnglish(" ".join(words), tuple(match.span() for match in matches))


def _translate(match: re.Match[str], today: date) -> Iterator[str]:
    if match["day"]:
        yield _english_days()[match["day"]]
    elif match["weekday"]:
        monday = today - timedelta(days=today.weekday() + 7)
        yield (monday + timedelta(days=min(chinese.weekdays_in(match["weekday"])))).isoformat()
    elif match["count"]:
        count = match["count"]
        yield f"{count if count.isdigit() else read_signs(count)} {_UNITS[match['unit']]} ago"
    elif match["month"] is None:
        yield f"in {match['year']}"
    elif 1 <= int(match["month"]) <= len(MONTHS):
        day, year = match["of_month"] or "", match["in_year"] or ""
        yield f"in {day} {MONTHS[int(match['month']) - 1]} {year}"


@functools.cache
def _pattern() -> re.Pattern[str]:
    days = "|".join(sorted(_english_days(), key=len, reverse=True))
    return re.compile(
        rf"(?P<weekday>上个?(?:周|星期|礼拜)[一二三四五六日天])|(?P<day>{days})"
        rf"|(?P<count>{_COUNT})个?(?P<unit>{'|'.join(_UNITS)})(?:以前|之前|前)"
        r"|(?:(?P<in_year>(?:19|20)\d\d)年)?(?<!\d)(?P<month>\d{1,2})月(?:(?P<of_month>\d{1,2})[日号])?"
        r"|(?P<year>(?:19|20)\d\d)年"
    )


@functools.cache
def _english_days() -> Mapping[str, str]:
    """Return Chinese words for past days, and the same in English."""
    days_of = {}
    for group in _DAYS.split("; "):
        words, _, english = group.partition(": ")
        days_of.update(dict.fromkeys(words.split(", "), english))
    return days_of
