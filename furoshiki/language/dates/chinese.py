"""Translate Chinese times into English: "每周五下午5点" is "every friday at 17:00".

Chinese has no spaces, so times are found by their characters, with the numbers next to them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from furoshiki.language.tables.calendar_names import MONTHS, WEEKDAYS
from furoshiki.language.tables.numbers import read_signs
from furoshiki.language.word_tables import by_language, pattern

_ENGLISH = by_language("in_english")["zh"]
_WORDS: dict[str, str] = _ENGLISH["words"]
_PART_WITHIN: dict[str, str] = _ENGLISH["part_within"]
_PARTS: dict[str, str] = _ENGLISH["parts"]
_LATE = frozenset({"下午", "午后", "傍晚", "晚上"})
_UNITS: dict[str, str] = _ENGLISH["units"]
_SOON: dict[str, str] = _ENGLISH["soon"]
_PERIODS: dict[str, str] = _ENGLISH["periods"]
_EDGES: dict[str, str] = _ENGLISH["edges"]
_ENDS: dict[str, str] = _ENGLISH["ends"]
_FILLED: dict[str, str] = {
    **_ENGLISH["signs"],
    "parts": "|".join(_PARTS),
    "soon": "|".join(_SOON),
    "words": "|".join(sorted(_WORDS, key=len, reverse=True)),
    "ends": "|".join(sorted(_ENDS, key=len, reverse=True)),
}
_MONTH_NAMES = dict(enumerate(MONTHS, 1))
_FOUND = re.compile(pattern(_ENGLISH["found"], _FILLED))
_END = re.compile(pattern(_ENGLISH["end"], _FILLED))
_DAY_OF_WEEK = re.compile(pattern("{week}([一二三四五六日天])", _FILLED))
_WEEKDAY = re.compile("[一二三四五六日天](?!期)")
_WHOLE_PERIODS = frozenset({"next week", "next month", "the month after next", "next year"})
_NUMBER = re.compile(pattern("{n}", _FILLED))
_HAN = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3041-\u30ff]")
# traditional signs of times in their simplified form, sign by sign: spans stay as they are
_SIMPLIFIED = str.maketrans("點時週後個鐘號兩禮過這內裡為從間開", "点时周后个钟号两礼过这内里为从间开")

_PAST = {"半": 30, "一刻": 15, "三刻": 45, None: 0}


@dataclass(frozen=True, slots=True)
class InEnglish:
    """The time expressions of a text in English, and their spans in it."""

    words: str
    spans: tuple[tuple[int, int], ...]


def put_into_english(text: str) -> InEnglish | None:
    """Translate the times of a Chinese text; None for other texts and those without times. Japanese
    shares words with it ("明日") and means other things by the rest: it is left unread."""
    if _HAN.search(text) is None or _KANA.search(text) is not None:
        return None
    matches = list(_FOUND.finditer(text.translate(_SIMPLIFIED)))
    if not matches:
        return None
    part = next(
        (match["part"] or _PART_WITHIN.get(match["word"] or "") for match in matches if _says_part(match)), None
    )
    clock = any(match["hour"] or match["clock"] for match in matches)
    words = [word for match in matches for word in _english(match, part) if not (clock and match["part"])]
    if part is not None and not clock and not any(match["part"] for match in matches):
        words.append(_PARTS[part])
    return InEnglish(" ".join(words), tuple(match.span() for match in matches))


def names_period(text: str) -> bool:
    """Return whether a text names a week, month or year without a day: "下个月"."""
    for match in _FOUND.finditer(text.translate(_SIMPLIFIED)):
        if _WORDS.get(match["word"] or "") in _WHOLE_PERIODS:
            return True
    return False


def weekdays_in(text: str) -> set[int]:
    """Return the weekdays that a text names, 0 for Monday."""
    return {_weekday_of(sign) for sign in _DAY_OF_WEEK.findall(text.translate(_SIMPLIFIED))}


def _says_part(match: re.Match[str]) -> bool:
    return bool(match["part"]) or (match["word"] or "") in _PART_WITHIN


def _english(match: re.Match[str], part: str | None) -> Iterator[str]:
    """Translate one match; `part` is the part of the day named with it."""
    if match["word"]:
        yield _WORDS[match["word"]]
    elif match["nthday"]:
        which = _ordinal(_number(match["nth"])) if match["nth"] else "last"
        yield f"on the {which} {_translate_weekday(match['nthday'])} of every month"
    elif match["edge"]:
        yield f"at the {_EDGES[match['edge']]} of {_month_or_year(match)}"
    elif match["whole"]:
        yield f"in {_MONTH_NAMES.get(_number(match['whole']), '')}"
    elif match["soon"]:
        yield f"in {_SOON[match['soon']]}"
    elif match["each"]:
        unit = {"周": "week", "星期": "week"}.get(match["each"]) or _UNITS[match["each"]].removesuffix("s")
        yield f"every {_number(match['every'])} {unit}s" if match["every"] else f"every {unit}"
    elif match["days"]:
        yield f"every {' and '.join(map(_translate_weekday, _WEEKDAY.findall(match['days'])))}"
    elif match["first"]:
        span = WEEKDAYS[_weekday_of(match["first"]) : _weekday_of(match["last"]) + 1]
        yield f"every {' and '.join(span)}"
    elif match["weekday"]:
        yield _weekday(match["lead"] or "", match["weekday"])
    elif match["day"]:
        yield _day(match)
    elif match["unit"]:
        unit = {"周": "weeks", "星期": "weeks"}.get(match["unit"]) or _UNITS[match["unit"]]
        yield f"in {_number(match['count'])}{'.5' if match['half'] else ''} {unit}"
    elif match["part"]:
        yield _PARTS[match["part"]]
    elif match["clock"]:
        yield _at(int(match["clock"]), int(match["minutes"]), part, figures=True)
    else:
        minute = _number(match["minute"]) if match["minute"] else _PAST[match["past"]]
        yield _at(_number(match["hour"]), minute, part, figures=False)


def _month_or_year(match: re.Match[str]) -> str:
    """Return the month or year whose beginning or end is meant."""
    span = match["span"] or ""
    if span[:1] in _PERIODS:
        return _PERIODS[span[:1]]
    if match["of"] == "年":
        return "the year"
    if _NUMBER.fullmatch(span):
        return _MONTH_NAMES.get(_number(span), "the month")
    return "the month"


def _weekday(lead: str, sign: str) -> str:
    name = _translate_weekday(sign)
    if lead.startswith("每"):
        return f"every {name}"
    if lead.startswith("下下"):
        return f"{name} after next"
    if lead.startswith("下"):
        return f"{name} next week"
    return f"this {name}" if lead else f"on {name}"


def _day(match: re.Match[str]) -> str:
    number = _number(match["day"])
    if match["month"] and (month := _MONTH_NAMES.get(_number(match["month"]))):
        return f"on {number} {month}"
    nth, lead = _ordinal(number), match["next"] or ""
    if lead.startswith("每"):
        return f"every month on the {nth}"
    return f"on the {nth}{' of next month' if lead else ''}"


def _ordinal(number: int) -> str:
    return f"{number}{'th' if number % 100 in (11, 12, 13) else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _at(hour: int, minute: int, part: str | None, figures: bool) -> str:
    """Format the hour, in 24-hour form if the part of the day decides the half."""
    if part is None:
        return f"at {hour}:{minute:02}" if figures or minute or hour > 12 else f"at {hour}"
    if part in ("半夜", "午夜", "凌晨", "晚上") and hour == 12:
        hour = 24 if part != "凌晨" else 0
    elif (part in _LATE and hour < 12) or (part == "中午" and hour < 4):
        hour += 12
    return "at midnight" if hour == 24 else f"at {hour:02}:{minute:02}"


def _number(signs: str) -> int:
    """Parse a number: "十二" is 12, "几" (a few) is 3."""
    if signs.isdigit():
        return int(signs)
    if signs == "几":
        return 3
    if signs == "半":
        return 1
    return read_signs(signs)


def _translate_weekday(sign: str) -> str:
    return WEEKDAYS[_weekday_of(sign)]


def _weekday_of(sign: str) -> int:
    return min("一二三四五六日天".index(sign), 6)


_LEADS = {True: "until", False: "on"}
_SPANS = {"小时": "hours", "天": "days", "星期": "weeks", "周": "weeks", "月": "months"}


def find_months(text: str) -> list[int]:
    """Return the numbers of the months that a Chinese text names."""
    return [_number(found) for found in re.findall(r"(\d{1,2}|[一二三四五六七八九]|十[一二]?)月", text)]


def until(clause: str) -> tuple[str, str] | None:
    """Return the end that a clause names, in English, and the rest of the clause; or None."""
    clause = clause.translate(_SIMPLIFIED)
    match = _END.search(clause)
    if match is None:
        return None
    rest = clause[: match.start()] + clause[match.end() :]
    till = any(match.group("to", "before", "to1", "till", "to2", "till2"))
    if match["hour"]:
        translated = till and put_into_english(match["hour"])
        return (f"until {translated.words}", rest) if translated else None
    if match["day"]:
        name = f"{_LEADS[till]} {'next ' if match['next'] else ''}{_translate_weekday(match['day'])}"
        return (f"{name} evening" if match["part"] == "晚上" else name), rest
    if match["word"]:
        name = _ENDS[match["word"]]
        if till and not name.startswith(("until", "for")):
            name = f"until {name}"
        return name, rest
    count = match["count"]
    return f"for {count if count.isdigit() else _number(count)} {_SPANS[match['unit']]}", rest
