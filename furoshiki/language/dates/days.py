"""Rules for a day: "tomorrow", "24 December", "next Friday", "a week from Tuesday", "the 15th"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from furoshiki.language.dates import library
from furoshiki.language.dates.tokens import DAY, ROMANCE, Token, words_of
from furoshiki.language.dates.values import (
    MOST_COUNTED,
    Day,
    Doubt,
    Made,
    ParseContext,
    Rules,
    has,
    months_on,
    next_on,
    value_of,
    values_of,
)
from furoshiki.language.words import bare

rule = Rules()


@rule(r"@?rp?")
def _relative(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    return Day(
        scene.today + timedelta(days=value_of(tokens, "r")), part=value_of(tokens, "p") if "p" in kinds else None
    )


@rule(r"Tp")
def _this_part(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    return Day(scene.today, part=value_of(tokens, "p"))


@rule(r"(?:i|@|T|N)?(?:w,?)?(?:[no]M|M[nos]),?y?|@?(?:w,?)?d|@?Y")
def _calendar(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    month = next((token for token in tokens if token.kind == "M"), None)
    if month is not None and "nM" in kinds and month.lead == "on":
        return None  # "she turns 18 on April 3"
    if month is not None and re.search("M[nos]", kinds) and _is_name(scene, month):
        return None
    return calendar_day(scene, tokens, scene.today)


def _is_name(scene: ParseContext, month: Token) -> bool:
    """Return whether a month's word before a number is a name, in a language that writes months small:
    "Marco 11, Julio 8"."""
    word = scene.text[month.start : month.end]
    unmarked = (form for form in words_of(scene.tongue, "M") if form != word and bare(form) == word)
    return scene.tongue in ROMANCE and (word[:1].isupper() or any(unmarked))


def calendar_day(scene: ParseContext, tokens: Sequence[Token], since: date) -> Made:
    """Return the day of the calendar that is named, checked against the weekday."""
    name = [token for token in tokens if token.kind in "noMydYs"]
    day = month = year = None
    if name[0].kind == "Y":
        month, day = (int(part) for part in str(name[0].value).split("-"))
    elif name[0].kind == "d":
        order = _order(str(name[0].value), scene)
        if isinstance(order, Doubt):
            return order
        said = dict(zip(order, map(int, re.findall(r"\d+", str(name[0].value))), strict=False))
        day, month, year = said["D"], said["M"], said.get("Y")
        if year is not None and year < _CENTURY:
            year += 2000
    else:
        month, day = value_of(name, "M"), 2
        if has(name, "no"):
            day = int(value_of(name, "no"))
        year = next(iter(values_of(name, "y")), None)
    on = next_on(since, month, day, year)
    if on is None:
        words = scene.text[tokens[0].start : tokens[-1].end]
        return Doubt(f"I find no day “{words}” in the calendar")
    weekdays = values_of(tokens, "w")
    if weekdays and weekdays[0] != on.weekday():
        return Doubt(f"{on.day} {on.strftime('%B %Y')} is a {on.strftime('%A')}")
    return Day(on)


_CENTURY = 100  # below it, the years of this one are written


def _order(text: str, scene: ParseContext) -> str | Doubt:
    """Return the order of day and month in a numeric date, or a Doubt."""
    numbers = [int(part) for part in re.split(r"[./-]", text) if part]
    if "-" in text:
        return "YMD"
    if "." in text:
        return "DMY"
    first, second = numbers[0], numbers[1]
    if first > 12 or second > 12 or first == second:
        return "DMY" if first > 12 else "MDY"
    if scene.order:
        return scene.order
    if not (first >= 1 and second >= 1):
        raise ValueError("no such day")
    names = [date(2000, month, 1).strftime("%B") for month in (second, first)]
    return Doubt(f"is {text} the {first} {names[0]} or the {second} {names[1]}")


@rule(r"[iNT]M|@M(?![no])")
def _month_alone(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    return None if kinds[0] == "@" and scene.tongue == "en" else Doubt("which day of that month")


@rule(r"@?[NTL]?w(?:p|N(?![uw]))?|[NT]w?p?")
def _weekday(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    if "w" not in kinds:
        return None
    wanted, today = value_of(tokens, "w"), scene.today
    part = value_of(tokens, "p") if "p" in kinds else None
    ahead = (wanted - today.weekday()) % 7
    if "L" in kinds:
        return Day(today - timedelta(days=(today.weekday() - wanted) % 7 or 7), part=part)
    if "N" not in kinds:
        return Day(today + timedelta(days=ahead), fixed="T" in kinds, part=part)
    monday = today - timedelta(days=today.weekday())
    following = monday + timedelta(days=7 + wanted)
    if value_of(tokens, "N") == 2:
        return Day(following + timedelta(days=7), part=part)
    coming = today + timedelta(days=ahead or 7)
    if scene.tongue in ROMANCE:
        return Day(coming, part=part)
    if scene.tongue != "en" and following != coming:
        return Doubt(f"do you mean {_describe_date(coming)} or {_describe_date(following)}")
    # "next Friday", said on Monday, is the Friday of next week; said on Saturday it is the one to come
    return Day(following, part=part)


def _describe_date(on: date) -> str:
    return f"{on.strftime('%A')}, {on.day} {on.strftime('%B')}"


@rule(r"@?wp?@?Nu|@?Nu,?w|@?(?:uNw|uNuw)|@?Tu,?w|@?wTu|@?uN?u?w(?=$|x)")
def _weekday_of_week(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    if values_of(tokens, "u") != ["week"]:
        return None
    weeks = value_of(tokens, "N") if "N" in kinds else 0
    monday = scene.today - timedelta(days=scene.today.weekday())
    part = value_of(tokens, "p") if "p" in kinds else None
    return Day(monday + timedelta(days=7 * weeks + value_of(tokens, "w")), part=part)


_EIGHT_DAYS = (8, 15)


@rule(r"i?[Anq][uU]fw|[An][uU]X[wr]|[An]uXNw|[An]u@?[wr]|wi?Au|winu|wu(?!N)|[An]uX[no]M|[An]uX(?:Mo|Mn|d)")
def _weeks_from(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "a week from Tuesday", "two weeks from tomorrow", "Tuesday week"."""
    unit = value_of(tokens, "uU")
    if unit not in ("day", "week", "fortnight", "month", "year") or ("w" not in kinds and "X" not in kinds):
        return None
    count = value_of(tokens, "An") if re.match(r"i?[An]", kinds) or "A" in kinds or "i" in kinds else 1.0
    if unit == "day" and "w" in kinds and count in _EIGHT_DAYS:
        count -= 1  # "Mittwoch in acht Tagen" is a week later
    anchor = tokens[next(i for i, token in enumerate(tokens) if token.kind in "uU") + 1 :]
    if kinds.startswith("w"):
        anchor = tokens[:1]
    read_anchor = _calendar
    if has(anchor, "w"):
        read_anchor = _weekday
    elif has(anchor, "r"):
        read_anchor = _relative
    base = read_anchor(scene, "".join(token.kind for token in anchor), anchor)
    if not isinstance(base, Day) or count > MOST_COUNTED:
        return base if isinstance(base, Doubt) else Doubt("that is too far away")
    midnight = datetime.combine(base.on, time())
    return Day(library.add_units(midnight, count, unit).date(), part=base.part)


@rule(r"n(?=@)")
def _number_of_day(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "il 7 alle 9", "el 7 a las 9", "7 числа в 9"."""
    [number] = tokens
    of_month = scene.tongue == "ru" and scene.text[number.end :].lstrip().startswith("числа")
    if number.value != int(number.value) or not (of_month or number.lead in _BEFORE_DAY):
        return None
    return _day_of_month(scene, "o", [replace(number, kind="o", value=int(number.value), lead="on")])


_BEFORE_DAY = frozenset({"il", "el", "le", "am"})


@rule(r"(?:w,?)?o")
def _day_of_month(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "the 15th", only with a word that introduces a day ("on"): "the third time"."""
    day = [token for token in tokens if token.kind == "o"][0]
    if not (set(day.lead.split()) & {"on", "am", "el", "by", "zum", *DAY} or "w" in kinds or day.lead == "the"):
        return None
    if not 1 <= day.value <= 31:
        return None
    today = scene.today
    first = today.replace(day=1)
    for _ in range(12):
        last = months_on(first, 1) - timedelta(days=1)
        fits = day.value <= last.day and first.replace(day=day.value) >= today
        if fits and (not has(tokens, "w") or first.replace(day=day.value).weekday() == value_of(tokens, "w")):
            return Day(first.replace(day=day.value))
        if fits and has(tokens, "w"):
            return Doubt(f"{_describe_date(first.replace(day=day.value))} does not exist")
        first = months_on(first, 1)
    return None
