"""What runs of words of time say: a day, a time of day, a while from now, or a repetition.

The kinds of the tokens are written as one string ("Nw@n" for "next friday at 9"), and each rule is a pattern over
kinds with the function that makes sense of them. The longest rule that fits at a place is taken; what fits no rule
stays unread.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from furoshiki.domain import time_library as library
from furoshiki.domain.time_tokens import Token

BYDAY = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MOST_COMPONENTS = 8
"""Nobody says more of one time; who names more times is asked which is meant."""

MOST_COUNTED = 100_000
"""Units: nobody means a reminder that many minutes, or more, from now."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day as said; `fixed` when moving it (to next week) would not be what they meant."""

    on: date
    fixed: bool = True
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Hour:
    """A time of day as said; `sure` when the half of the day is beyond doubt."""

    at: time
    sure: bool = True
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day: "morning"."""

    name: str


@dataclass(frozen=True, slots=True)
class While:
    """Real time from now."""

    span: timedelta


@dataclass(frozen=True, slots=True)
class Rule:
    """A repetition; `after` how long until the first time of one that counts from now."""

    rule: str
    part: str | None = None
    after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """Words of time with more than one meaning, or with none; `asks` is the question."""

    asks: str


Said = Day | Hour | Part | While | Rule | Doubt


@dataclass(frozen=True, slots=True)
class Component:
    """Something said of time by the tokens [first, end)."""

    said: Said
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Scene:
    """What a reading depends on besides the words: the text, now (aware), its language, "DMY", "MDY" or ""."""

    text: str
    now: datetime
    tongue: str
    order: str

    @property
    def today(self) -> date:
        return self.now.date()


Made = Said | None
Maker = Callable[[Scene, str, Sequence[Token]], Made]
_RULES: list[tuple[str, Maker]] = []


@functools.cache
def _rules(kind: str) -> list[tuple[re.Pattern[str], Maker]]:
    """The rules that may begin with a kind of token, made when one is read: most messages name no time."""
    return [(re.compile(pattern), maker) for pattern, maker in _RULES if _may_begin(pattern, kind)]


def _may_begin(pattern: str, kind: str) -> bool:
    """Whether a pattern can begin with this kind, as far as its first letters tell."""
    fixed = _FIXED.match(pattern)
    return fixed is None or re.match(fixed[0], kind) is not None


_FIXED = re.compile(r"(?:[\w@>~]|\[[^\]]+\])(?![?*\w]*[?*])")


def components(tokens: Sequence[Token], scene: Scene) -> list[Component]:
    """What the tokens say, from left to right, each token in at most one component."""
    kinds = "".join(token.kind for token in tokens)
    found: list[Component] = []
    at = 0
    while at < len(kinds) and len(found) < MOST_COMPONENTS:
        best = _longest(kinds, at, tokens, scene)
        if best is not None:
            found.append(best)
        at = best.end if best is not None else at + 1
    return found


def _longest(kinds: str, at: int, tokens: Sequence[Token], scene: Scene) -> Component | None:
    if kinds[at] == ".":
        return None
    rules = _rules(kinds[at])
    matches = [(match.end(), order, match) for order, (rule, _) in enumerate(rules) if (match := rule.match(kinds, at))]
    for end, order, match in sorted(matches, key=lambda one: (-one[0], one[1])):
        try:
            said = rules[order][1](scene, match.group(), tokens[at:end])
        except (ValueError, OverflowError):
            said = Doubt("there is no such time")
        if said is not None:
            return Component(said, at, end)
    return None


def _rule(pattern: str) -> Callable[[Maker], Maker]:
    """Keep a function for the kinds a pattern fits; each of its alternatives is tried, the longest counts."""

    def kept(maker: Maker) -> Maker:
        _RULES.extend((one, maker) for one in _alternatives(pattern))
        return maker

    return kept


def _alternatives(pattern: str) -> list[str]:
    found, depth = [""], 0
    for letter in pattern:
        depth += (letter in "([") - (letter in ")]")
        if letter == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return found


def _of(tokens: Sequence[Token], kinds: str) -> Any:
    """The value of the first token of these kinds."""
    return next(token.value for token in tokens if token.kind in kinds)


def _all(tokens: Sequence[Token], kinds: str) -> list[Any]:
    return [token.value for token in tokens if token.kind in kinds]


def _has(tokens: Sequence[Token], kinds: str) -> bool:
    return any(token.kind in kinds for token in tokens)


def _number(token: Token) -> int:
    return 2 if token.kind == "s" else int(token.value)


# ---------------------------------------------------------------- days


@_rule(r"@?rp?")
def _relative(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    return Day(scene.today + timedelta(days=_of(tokens, "r")), part=_of(tokens, "p") if "p" in kinds else None)


@_rule(r"Tp")
def _this_part(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    return Day(scene.today, part=_of(tokens, "p"))


@_rule(r"(?:i|@|T|N)?(?:w,?)?(?:[no]M|M[nos]),?y?|@?(?:w,?)?d|@?Y")
def _calendar(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    return _calendar_day(scene, tokens, scene.today)


def _calendar_day(scene: Scene, tokens: Sequence[Token], since: date) -> Made:
    """A day of the calendar, as the library reads it and the words confirm it."""
    name = [token for token in tokens if token.kind in "noMydYs"]
    if name[0].kind == "Y":
        month, day = (int(part) for part in str(name[0].value).split("-"))
        on: date | None = _next_on(since, month, day)
    else:
        order = scene.order or "DMY"
        if name[0].kind == "d":
            ordered = _order(str(name[0].value), scene)
            if isinstance(ordered, Doubt):
                return ordered
            order = ordered
        text = " ".join(_plain(scene, token) for token in name)
        on = library.day_named(text, scene.tongue if name[0].kind != "d" else "en", order, since)
        if on is not None and any(_number(token) != on.day for token in name if token.kind in "nos"):
            on = None
    if on is None:
        said = scene.text[tokens[0].start : tokens[-1].end]
        return Doubt(f"I find no day “{said}” in the calendar")
    weekdays = _all(tokens, "w")
    if weekdays and weekdays[0] != on.weekday():
        return Doubt(f"{on.day} {on.strftime('%B %Y')} is a {on.strftime('%A')}")
    return Day(on)


def _plain(scene: Scene, token: Token) -> str:
    if token.kind in "nos":
        return str(_number(token))
    return scene.text[token.start : token.end].split("'")[0].split("\u2019")[0].strip(" ")


def _next_on(since: date, month: int, day: int) -> date:
    on = date(since.year, month, day)
    return on if on >= since else date(since.year + 1, month, day)


def _order(text: str, scene: Scene) -> str | Doubt:
    """Whether the day or the month comes first in a date in figures."""
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


@_rule(r"[iNT]M|@M(?![no])")
def _month_alone(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    return None if kinds[0] == "@" and scene.tongue == "en" else Doubt("which day of that month")


@_rule(r"@?[NTL]?w(?:p|N(?![uw]))?|[NT]w?p?")
def _weekday(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    if "w" not in kinds:
        return None
    wanted, today = _of(tokens, "w"), scene.today
    part = _of(tokens, "p") if "p" in kinds else None
    ahead = (wanted - today.weekday()) % 7
    if "L" in kinds:
        return Day(today - timedelta(days=(today.weekday() - wanted) % 7 or 7), part=part)
    if "N" not in kinds:
        return Day(today + timedelta(days=ahead), fixed="T" in kinds, part=part)
    monday = today - timedelta(days=today.weekday())
    following = monday + timedelta(days=7 + wanted)
    if _of(tokens, "N") == 2:
        return Day(following + timedelta(days=7), part=part)
    coming = today + timedelta(days=ahead or 7)
    if scene.tongue == "es":
        return Day(coming, part=part)
    if scene.tongue != "en" and following != coming:
        return Doubt(f"do you mean {_shown(coming)} or {_shown(following)}")
    # "next Friday", said on Monday, is the Friday of next week; said on Saturday it is the one to come
    return Day(following, part=part)


def _shown(on: date) -> str:
    return f"{on.strftime('%A')}, {on.day} {on.strftime('%B')}"


@_rule(r"@?wp?@?Nu|@?Nu,?w|@?(?:uNw|uNuw)|@?Tu,?w|@?wTu|@?uN?u?w(?=$|x)")
def _weekday_of_week(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    if _all(tokens, "u") != ["week"]:
        return None
    weeks = _of(tokens, "N") if "N" in kinds else 0
    monday = scene.today - timedelta(days=scene.today.weekday())
    part = _of(tokens, "p") if "p" in kinds else None
    return Day(monday + timedelta(days=7 * weeks + _of(tokens, "w")), part=part)


@_rule(r"i?[Anq][uU]fw|[An][uU]X[wr]|[An]uXNw|[An]u@?[wr]|wAu|wu(?!N)|[An]uX[no]M|[An]uX(?:Mo|Mn|d)")
def _weeks_from(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "a week from Tuesday", "two weeks from tomorrow", "Tuesday week"."""
    unit = _of(tokens, "uU")
    if unit not in ("day", "week", "fortnight", "month", "year") or ("w" not in kinds and "X" not in kinds):
        return None
    count = _of(tokens, "An") if re.match(r"i?[An]", kinds) or "A" in kinds else 1.0
    anchor = tokens[next(i for i, token in enumerate(tokens) if token.kind in "uU") + 1 :]
    if kinds.startswith("w"):
        anchor = tokens[:1]
    base = (_weekday if _has(anchor, "w") else _relative if _has(anchor, "r") else _calendar)(
        scene, "".join(token.kind for token in anchor), anchor
    )
    if not isinstance(base, Day) or count > MOST_COUNTED:
        return base if isinstance(base, Doubt) else Doubt("that is too far away")
    midnight = datetime.combine(base.on, time())
    return Day(library.counted(midnight, count, unit).date(), part=base.part)


@_rule(r"(?:w,?)?o")
def _day_of_month(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "the 15th": only where it is led up to as a day is, for there is a third time, too."""
    said = [token for token in tokens if token.kind == "o"][0]
    if not (set(said.lead.split()) & {"on", "am", "el", "by", "zum"} or "w" in kinds or said.lead == "the"):
        return None
    if not 1 <= said.value <= 31:
        return None
    today = scene.today
    first = today.replace(day=1)
    for _ in range(12):
        last = _months_on(first, 1) - timedelta(days=1)
        fits = said.value <= last.day and first.replace(day=said.value) >= today
        if fits and (not _has(tokens, "w") or first.replace(day=said.value).weekday() == _of(tokens, "w")):
            return Day(first.replace(day=said.value))
        if fits and _has(tokens, "w"):
            return Doubt(f"{_shown(first.replace(day=said.value))} is no such day")
        first = _months_on(first, 1)
    return None


def _months_on(day: date, months: int) -> date:
    number = day.year * 12 + day.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def _period(scene: Scene, tokens: Sequence[Token]) -> tuple[str, date] | Doubt | None:
    """The stretch that is meant ("next month", "May", "the year"): its unit and its first day."""
    if _has(tokens, "M"):
        month = [token for token in tokens if token.kind in "My"]
        years = _all(tokens, "y")
        name = f"1 {_plain(scene, month[0])}" + (f" {years[0]}" if years else "")
        begin = library.day_named(name, scene.tongue, "DMY", _months_on(scene.today.replace(day=1), -0))
        return None if begin is None else ("month", begin)
    unit, ahead = _all(tokens, "u")[-1], _of(tokens, "N") if _has(tokens, "N") else 0
    if unit == "week":
        return unit, scene.today + timedelta(days=7 * ahead - scene.today.weekday())
    if unit == "month":
        return unit, _months_on(scene.today.replace(day=1), ahead)
    return (unit, date(scene.today.year + ahead, 1, 1)) if unit == "year" else None


_PERIOD = r"(?:[NT]?u|uN|i?My?)"


@_rule(rf"@?(?:E{_PERIOD}|[NT]?uE|EuN)|@?Lu{_PERIOD}|@?[NT]?uLu")
def _end(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "the end of the month", "the last day of March", "ayın sonu"; of a week it is Friday."""
    units = _all(tokens, "u")
    if "L" in kinds:
        day = next(token for token in tokens if token.kind == "L")
        after = tokens.index(day) + 1
        if tokens[after].value != "day":
            return None
        rest = [token for number, token in enumerate(tokens) if number not in (after - 1, after)]
    else:
        rest = list(tokens)
    if not units and not _has(rest, "M"):
        return None
    found = _period(scene, [token for token in rest if token.kind in "NTuMy"])
    if found is None:
        return Doubt("when is the end of that")
    if isinstance(found, Doubt):
        return found
    unit, first = found
    if unit == "week":
        on = first + timedelta(days=6 if "L" in kinds else 4)
        return Day(on) if on >= scene.today else Doubt("the working week is over")
    after_it = _months_on(first, 1) if unit == "month" else date(first.year + 1, 1, 1)
    return Day(after_it - timedelta(days=1))


@_rule(rf"@?(?:B{_PERIOD}|[NT]?uB)|@?ou{_PERIOD}")
def _beginning(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "the beginning of next month", "the third day of next month"."""
    if "o" in kinds:
        if not _has(tokens, "o") or tokens[1 + kinds.startswith("@")].value != "day":
            return None
        found = _period(scene, [token for token in tokens[2 + kinds.startswith("@") :] if token.kind in "NTuMy"])
        ahead = _of(tokens, "o") - 1
    else:
        found, ahead = _period(scene, tokens), 0
    if found is None or isinstance(found, Doubt):
        return found
    on = found[1] + timedelta(days=ahead)
    return Day(on) if on >= scene.today else Doubt("that has begun")


@_rule(rf"@?[oLs]w{_PERIOD}|@?[NT]u@?[oL]w|@?[NT]?u[oL]w")
def _nth_weekday(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "the first Monday of next month", "last Friday in May"."""
    found = _period(scene, [token for token in tokens if token.kind in "NTuMy"])
    if found is None or isinstance(found, Doubt) or found[0] != "month":
        return Doubt("of which month")
    which = next(token for token in tokens if token.kind in "oLs")
    nth = -1 if which.kind == "L" else _number(which)
    if nth > 4:
        return Doubt("not every month has that")
    first = found[1]
    on = library.weekday_of_month(first, _of(tokens, "w"), nth)
    if on < scene.today and not _has(tokens, "NTy"):
        # of a month without a name this one is meant; a month by its name comes again
        if not _has(tokens, "M"):
            return Doubt("that day has gone by")
        on = library.weekday_of_month(date(first.year + 1, first.month, 1), _of(tokens, "w"), nth)
    return Day(on)


@_rule(r"@?[NT]u|@?uN(?!w)")
def _next_period(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    if "T" in kinds or _of(tokens, "u") == "day" and "N" not in kinds:
        return Doubt("which day of it")
    if _of(tokens, "u") == "day":
        return Day(scene.today + timedelta(days=1)) if _of(tokens, "N") == 1 else None
    found = _period(scene, tokens)
    return None if found is None or isinstance(found, Doubt) else Day(found[1])


@_rule(r"@?[NT]u,?@?(?:w,?)?(?:[no]M|M[no])y?|@?(?:[no]M|M[no]),?@?[NT]u|@?[NT]u@?o|@?o@?[NT]u|@?oTu|@?ou(?=$)")
def _day_in_period(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "next year on March 3", "on the 5th of next month"."""
    period = [token for token in tokens if token.kind in "NTu"]
    found = _period(scene, period)
    if found is None or isinstance(found, Doubt):
        return found
    unit, first = found
    if "M" in kinds:
        if unit != "year":
            return None
        named = [token for token in tokens if token.kind in "wnoMys"]
        day = _calendar_day(scene, named, first)
        return day if not isinstance(day, Day) or day.on.year == first.year else Doubt("in which year")
    return Day(first.replace(day=_of(tokens, "o"))) if unit == "month" else None


@_rule(r"@?[NT]?W")
def _weekend(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    said = [token for token in tokens if token.kind == "W"][0]
    if not (_has(tokens, "NT@") or said.lead or scene.tongue != "en"):
        return None
    saturday = scene.today + timedelta(days=(5 - scene.today.weekday()) % 7)
    if scene.today.weekday() == 6 and "N" not in kinds:
        return Doubt("today, or next Saturday")
    later = "N" in kinds and saturday - scene.today < timedelta(days=5)
    return Day(saturday + timedelta(days=7) if later else saturday)


# ---------------------------------------------------------------- times of day


@_rule(r"@?U?@?tp?c?|@?t@p")
def _clock(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    said = str(_of(tokens, "t"))
    at = time.fromisoformat(said.removesuffix("?"))
    return Hour(at, not said.endswith("?"), _of(tokens, "p") if "p" in kinds else None)


@_rule(
    r"(?:@|U@?)[nAo][cU]?(?:n(?![uUM]))?[pj]?|@?nc[n]?[pj]?|@[nA]U?&?(?:[hqb]|n(?![uUM]))[pj]?|U?@?n[hb][pj]?|@np|@nj"
)
def _bare(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "at 9", "um 9 Uhr 30", "в 9 часов утра", "a las siete y media"."""
    numbers = _all(tokens, "nAo")
    if kinds[0] == "U" and scene.tongue != "tr" or ("o" in kinds and scene.tongue not in ("de", "tr", "en")):
        return None
    if "o" in kinds and (scene.tongue == "en" or tokens[-1].lead):
        return None
    if ("h" in kinds or "q" in kinds) and scene.tongue in ("en", "de", "ru"):
        return None
    if kinds.endswith("n") and len(numbers) == 1 and kinds not in ("@n",) and not kinds.startswith(("@", "U")):
        return None
    if len(numbers) > 1 and [token for token in tokens if token.kind in "nAo"][1].lead:
        return None  # "at 9 on 24 December"
    minute = 30 if re.search("[hb]", kinds) else 15 if "q" in kinds else int(numbers[1]) if len(numbers) > 1 else 0
    hour = int(numbers[0])
    if hour != numbers[0] or not 0 <= hour <= 24 or not 0 <= minute < 60:
        return Doubt("what time is that")
    part = "afternoon" if "j" in kinds else _of(tokens, "p") if "p" in kinds else None
    return Hour(time(hour % 24, minute), hour in (0, 24) or hour > 12, part)


@_rule(r"@?[hH][no]p?|@?(?:[hq]|n)[><][nA]c?p?|@?A?q[><][nA]p?|@?[nA]<(?:q|n)p?")
def _told(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "half past six", "quarter to eight", "halb acht", "las ocho menos cuarto"."""
    numbers = [int(value) for value in _all(tokens, "nAo")]
    if scene.tongue == "es":
        minutes, hour = -(numbers[1] if len(numbers) > 1 else 15), numbers[0]
    elif re.match(r"@?H|@?h[no]", kinds):
        # English "half six" is half past; a German or Russian half is on its way to the hour
        minutes, hour = (30 if scene.tongue == "en" else -30), numbers[-1]
    else:
        amount = 30 if "h" in kinds else 15 if "q" in kinds else numbers[0]
        minutes, hour = (-amount if "<" in kinds else amount), numbers[-1]
        if "q" not in kinds and "h" not in kinds and amount not in (5, 10, 20, 25):
            return None
    if not 1 <= hour <= 12:
        return None if hour > 24 else Doubt("what time is that")
    total = (hour * 60 + minutes) % (12 * 60)
    at = time((total // 60) or 12, total % 60)
    return Hour(at, False, _of(tokens, "p") if "p" in kinds else None)


@_rule(r"@?p")
def _part(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    said = next(token for token in tokens if token.kind == "p")
    alone = len(scene.text[: said.start].strip(" \t,.!?") + scene.text[said.end :].strip(" \t,.!?")) == 0
    by_itself = " " in scene.text[said.start : said.end].strip() or scene.tongue != "en"
    return Part(said.value) if "@" in kinds or by_itself or alone or said.lead else None


@_rule(r"[~X]@?n[&<]@?[nt]")
def _range(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    return Doubt("at which time of these")


# ---------------------------------------------------------------- a while from now


@_rule(
    r"i(?:A?[hq]A?[uUj]|A?q[uU]A?|[An]b?[uUj](?:&?A?[hb])?(?:&?n[uUj])?|n&A?h[uUj]|nhU?[uUj]?|[uUj](?:&?A?h)?)"
    r"|(?:[An]b?[uUj](?:&?n[uUj])?|h[uUj]|nb[uUj]|[An]?[uUj]&?A?h)f"
)
def _while(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "in two and a half hours", "через неделю", "3 gün sonra"; days and longer are counted on the calendar."""
    units = ["day" if token.kind == "j" else str(token.value) for token in tokens if token.kind in "uUj"]
    first = next(number for number, token in enumerate(tokens) if token.kind in "uUj")
    before = tokens[:first]
    count = next((float(token.value) for token in before if token.kind in "nA"), 1.0)
    if _has(before, "h"):
        count = count + 0.5 if _has(before, "n") else 0.5
    elif _has(before, "q"):
        count = 0.25
    count += 0.5 * _has(before, "b")
    rest = tokens[first + 1 :]
    count += 0.5 * _has(rest, "hb")
    more = (float(_of(rest, "n")), units[1]) if len(units) > 1 and _has(rest, "n") else None
    if max(count, more[0] if more else 0) > MOST_COUNTED or count <= 0:
        return Doubt("that is too far away" if count > 0 else "that is now")
    seconds = {"second": 1, "minute": 60, "hour": 3600}
    if units[0] in seconds:
        span = timedelta(seconds=count * seconds[units[0]])
        if more:
            if more[1] not in seconds:
                return Doubt("how long is that")
            span += timedelta(seconds=more[0] * seconds[more[1]])
        return While(span)
    if more or (count != int(count) and units[0] in ("day", "month")):
        return Doubt("how long is that")
    wall = library.counted(datetime.combine(scene.today, time()), count, units[0])
    return Day(wall.date(), part="now")


# ---------------------------------------------------------------- what repeats

_EVERY = {
    "minute": "MINUTELY",
    "hour": "HOURLY",
    "day": "DAILY",
    "week": "WEEKLY",
    "month": "MONTHLY",
    "year": "YEARLY",
}
_ADVERBS = {"FORTNIGHTLY": "FREQ=WEEKLY;INTERVAL=2", "QUARTERLY": "FREQ=MONTHLY;INTERVAL=3"}
_WORKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
_WEEKEND = "FREQ=WEEKLY;BYDAY=SA,SU"


def _by_day(days: Sequence[int], interval: int = 1) -> str:
    every = f";INTERVAL={interval}" if interval > 1 else ""
    return f"FREQ=WEEKLY{every};BYDAY={','.join(BYDAY[day] for day in sorted(set(days)))}"


_DAYS = r"w(?:(?:,|&|,&)w)*"


@_rule(rf"@?e(?:O|s|o)?{_DAYS}p?|@?e[wP]P*p?|P(?:(?:,|&|,&)[Pw])*p?|e?P(?:,P)*")
def _every_weekday(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    which = next((token for token in tokens if token.kind in "Oso"), None)
    if which is not None and which.kind == "o" and which.value != 2:
        return Doubt("of the month? Say “every first Monday of the month”")
    part = _of(tokens, "p") if "p" in kinds else None
    return Rule(_by_day(_all(tokens, "wP"), 2 if which is not None else 1), part)


@_rule(r"@?e?[oLs]w@?[eT]?u|@?[oLs]w@?eu|@?euU?[oLs]w|@?e[oLs]w|euN?[oLs]w|e?FouL?w?|F@?[oL]w")
def _nth_weekday_of_months(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "the first Monday of each month", "every last Friday of the month"."""
    if not _has(tokens, "eF") or not _has(tokens, "w"):
        return None
    units = _all(tokens, "u")
    which = next(token for token in tokens if token.kind in "oLs")
    nth = -1 if which.kind == "L" else _number(which)
    if _has(tokens, "F") and _of(tokens, "F") != "MONTHLY":
        return None
    if (not units and not _has(tokens, "F") and nth != 2) or (units and units[-1] != "month"):
        return Doubt("of which month")
    if not units and not _has(tokens, "F"):
        return None
    return Rule(f"FREQ=MONTHLY;BYDAY={nth}{BYDAY[_of(tokens, 'w')]}") if nth <= 4 else Doubt("not every month has that")


@_rule(r"@?e?(?:Lu|E)@?[eT]?u|@?eu@?(?:Lu|E)|@?euE|@?F@?(?:Lu|E)|@?euLu")
def _last_day_of_months(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    units = _all(tokens, "u")
    if (
        not _has(tokens, "eF")
        or (not _has(tokens, "F") and "month" not in units)
        or ("L" in kinds and "day" not in units)
    ):
        return None
    return Rule("FREQ=MONTHLY;BYMONTHDAY=-1")


@_rule(r"@?e(?:O|s|o)?[uUj]|@?e[nA][uUj]|@?e[nA]b?[uUj]|[nA][uU]@?e")
def _every_unit(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    unit = "day" if "j" in kinds else str(_of(tokens, "uU"))
    which = next((token for token in tokens if token.kind in "Osoan"), None)
    count = 1.0 if which is None or which.kind == "A" else 2.0 if which.kind in "Os" else float(which.value)
    if _has(tokens, "n") and "few" in scene.text[tokens[0].start : tokens[-1].end].lower():
        return Doubt("how many is a few")
    if unit == "fortnight":
        unit, count = "week", count * 2
    if count < 1 or count != int(count) or unit not in _EVERY or count > 1000:
        return Doubt("how often is that")
    rule = f"FREQ={_EVERY[unit]}" + (f";INTERVAL={int(count)}" if count > 1 else "")
    spans = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
    return Rule(rule, after=spans[unit] * count if unit in spans else None)


@_rule(r"@?e?D|@?eW|e?p|@?eTp|eup")
def _every_group(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    if "D" in kinds:
        return Rule(_WORKDAYS) if "e" in kinds or scene.tongue != "en" or _plural(scene, tokens) else None
    if "W" in kinds:
        return Rule(_WEEKEND)
    return Rule("FREQ=DAILY", part=_of(tokens, "p")) if "e" in kinds else None


def _plural(scene: Scene, tokens: Sequence[Token]) -> bool:
    return scene.text[tokens[0].start : tokens[-1].end].rstrip().lower().endswith("days")


@_rule(r"@?e(?:[no]M|M[no]y?)|e?F@?(?:[no]M|M[no])|@?eu@?(?:w,?)?(?:[no]M|M[no])|@?(?:[no]M|M[no])@?eu")
def _every_date(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "every May 3rd", "every year on 3 May"."""
    if _has(tokens, "F") and _of(tokens, "F") != "YEARLY" or (_has(tokens, "u") and _of(tokens, "u") != "year"):
        return None
    day = _calendar_day(scene, [token for token in tokens if token.kind in "noM"], date(2024, 1, 1))
    if not isinstance(day, Day):
        return day
    return Rule(f"FREQ=YEARLY;BYMONTH={day.on.month};BYMONTHDAY={day.on.day}")


@_rule(r"@?eo(?:@?[eT]?u)?|@?eu@?o|@?F@?o|@?o@?eu|@?[no]@?eu|@?eu@?n|@?e[no]u")
def _every_day_of_month(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    units = _all(tokens, "u")
    if (units and units != ["month"]) or (_has(tokens, "F") and _of(tokens, "F") != "MONTHLY"):
        return None
    day = int(_of(tokens, "on"))
    if kinds in ("eo", "@eo") and day == 2:
        return Doubt("every second what")
    return Rule(f"FREQ=MONTHLY;BYMONTHDAY={day}") if 1 <= day <= 31 else None


@_rule(r"@?F(?:@?w|@?P)?|e?[nA]?u@?w(?=$)|@?e[nA]?u@?[wP]|@?e(?:O|s)u@?[wP]")
def _often(scene: Scene, kinds: str, tokens: Sequence[Token]) -> Made:
    """ "daily", "weekly on friday", "every two weeks on friday"."""
    days = _all(tokens, "wP")
    if not _has(tokens, "F"):
        every = _every_unit(scene, kinds[: kinds.index("u") + 1], tokens[: kinds.index("u") + 1])
        if not isinstance(every, Rule) or not every.rule.startswith("FREQ=WEEKLY") or "e" not in kinds:
            return every if isinstance(every, Doubt) else None
        return Rule(f"{every.rule};BYDAY={BYDAY[days[0]]}")
    name = _of(tokens, "F")
    rule = _ADVERBS.get(name, f"FREQ={name}")
    if days:
        return Rule(f"{rule};BYDAY={BYDAY[days[0]]}") if "WEEKLY" in rule else None
    return Rule(rule, after=timedelta(hours=1) if name == "HOURLY" else None)
