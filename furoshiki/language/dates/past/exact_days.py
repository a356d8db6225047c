"""The past days that a phrase of nothing else names: "last week", "am Montag", "上周三"." """

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from operator import attrgetter
from typing import Any

from furoshiki.core.timestamps import FIRST
from furoshiki.language.dates import chinese, parsing
from furoshiki.language.dates.past import past_stretches
from furoshiki.language.dates.past.past_stretches import Stretch
from furoshiki.language.dates.tokens import Token, tokens
from furoshiki.language.dates.values import value_of
from furoshiki.language.tables.numbers import read_signs
from furoshiki.language.word_tables import texts

ENGLISH, CHINESE = "en", "zh"
_WORDS = texts("asked_days", "past")
_CHINESE_DAYS: str = texts("asked_days", "days")[CHINESE]

_WEEK = r"(?:周|星期|礼拜)"
_OF_LAST_WEEK = re.compile(rf"上个?{_WEEK}[一二三四五六日天]")
_AGO = re.compile(r"(\d{1,3}|[一二两三四五六七八九十]{1,3})个?(天|周|星期|月|年)(?:以前|之前|前)")
_UNITS = {"天": "days", "周": "weeks", "星期": "weeks", "月": "months", "年": "years"}

_WEEK_DAYS = timedelta(days=7)


def read(words: str, tongue: str, today: date) -> Stretch | None:
    """Return the stretch, at most until today; None if a word is left or it lies ahead. A bare
    weekday is the last one; in English it needs "on" or "last", else it may be a subject."""
    if tongue == CHINESE:
        return _read_chinese("".join(words.split()), today)
    table = _table(tongue)
    run = [_reread(token, words, table) for token in tokens(words, tongue)]
    while run and run[0].kind in "@i":
        run = run[1:]
    bare_weekday = len(run) == 1 and run[0].kind == "w" and not run[0].lead
    if not run or (tongue == ENGLISH and bare_weekday):
        return None
    kinds = "".join(map(attrgetter("kind"), run))
    for rule, make in (*_RULES, *past_stretches.RULES):
        if re.fullmatch(rule, kinds) is None:
            continue
        try:
            stretch = make(run, words, tongue, today)
        except (ValueError, OverflowError):  # not in the calendar
            continue
        if stretch is not None and FIRST.date() <= stretch.start <= today:
            return stretch
    return None


def _read_chinese(words: str, today: date) -> Stretch | None:
    if _OF_LAST_WEEK.fullmatch(words):
        monday = today - timedelta(days=today.weekday()) - _WEEK_DAYS
        return _one_day(monday + timedelta(days=min(chinese.weekdays_in(words))))
    ago = _AGO.fullmatch(words)
    if ago is not None:
        return read(f"{read_signs(ago[1])} {_UNITS[ago[2]]} ago", ENGLISH, today)
    days = list_chinese_days().get(words)
    if days is not None:
        return read(days, ENGLISH, today)
    english = chinese.put_into_english(words)
    if english is None or parsing.without(words, english.spans).strip():
        return None
    return read(english.words, ENGLISH, today)


@functools.cache
def list_chinese_days() -> Mapping[str, str]:
    """Return Chinese words for past days, and the same in English."""
    days_of = {}
    for group in _CHINESE_DAYS.split("; "):
        words, _, english = group.partition(": ")
        days_of.update(dict.fromkeys(words.split(", "), english))
    return days_of


@functools.cache
def _table(tongue: str) -> Mapping[str, tuple[str, Any]]:
    return {**past_stretches.read_table(_WORDS.get(tongue, "")), **past_stretches.words_of_past(tongue)}


def _reread(token: Token, words: str, table: Mapping[str, tuple[str, Any]]) -> Token:
    kind, value = table.get(words[token.start : token.end].casefold(), (token.kind, token.value))
    return replace(token, kind=kind, value=value)


def _one_day(day: date) -> Stretch:
    return Stretch(day, day + timedelta(days=1), "day")


def _before_yesterday(_run: Sequence[Token], _text: str, _tongue: str, today: date) -> Stretch:
    return _one_day(today - timedelta(days=2))


def _this_part(_run: Sequence[Token], _text: str, _tongue: str, today: date) -> Stretch:
    return _one_day(today)


def _last_part(_run: Sequence[Token], _text: str, _tongue: str, today: date) -> Stretch:
    return _one_day(today - timedelta(days=1))


def _this_unit(run: Sequence[Token], _text: str, _tongue: str, today: date) -> Stretch | None:
    starts = {
        "week": today - timedelta(days=today.weekday()),
        "month": today.replace(day=1),
        "year": today.replace(month=1, day=1),
    }
    unit = value_of(run, "u")
    if unit not in starts:
        return None
    return Stretch(starts[unit], today + timedelta(days=1), unit)


def _last_weekend(_run: Sequence[Token], _text: str, _tongue: str, today: date) -> Stretch:
    saturday = today - timedelta(days=(today.weekday() - 5) % 7 or 7)
    return Stretch(saturday, saturday + timedelta(days=2), "day")


_RULES: Sequence[tuple[str | re.Pattern[str], Callable[[Sequence[Token], str, str, date], Stretch | None]]] = (
    (r"rp?", past_stretches.near_day),
    (r"u?~r", _before_yesterday),
    (r"[lL]?w[lL]?p?", past_stretches.last_weekday),
    (r"Tp", _this_part),
    (r"[lL]p|pl", _last_part),
    (r"Tu", _this_unit),
    (r"[lLT]?W[lL]?", _last_weekend),
)
