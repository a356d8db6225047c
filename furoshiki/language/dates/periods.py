"""Rules for a day of a period: "the end of the month", "the first Monday of May", "the weekend"."""

from collections.abc import Sequence
from datetime import date, timedelta

from furoshiki.language.dates import library
from furoshiki.language.dates.days import calendar_day
from furoshiki.language.dates.tokens import Token
from furoshiki.language.dates.values import (
    Day,
    Doubt,
    Made,
    ParseContext,
    Rules,
    has,
    months_on,
    next_on,
    number_of,
    value_of,
    values_of,
)

rule = Rules()


def _period(scene: ParseContext, tokens: Sequence[Token]) -> tuple[str, date] | Doubt | None:
    """Return unit and first day of a period ("next month", "May", "the year")."""
    if has(tokens, "M"):
        year = next(iter(values_of(tokens, "y")), None)
        begin = next_on(scene.today.replace(day=1), value_of(tokens, "M"), 1, year)
        return None if begin is None else ("month", begin)
    unit, ahead = values_of(tokens, "u")[-1], value_of(tokens, "N") if has(tokens, "N") else 0
    if unit == "week":
        return unit, scene.today + timedelta(days=7 * ahead - scene.today.weekday())
    if unit == "month":
        return unit, months_on(scene.today.replace(day=1), ahead)
    return (unit, date(scene.today.year + ahead, 1, 1)) if unit == "year" else None


_PERIOD = r"(?:[NT]?u|uN|i?My?)"


@rule(rf"@?(?:E{_PERIOD}|[NT]?uE|My?E|EuN)|@?Lu{_PERIOD}|@?[NT]?uLu")
def _end(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "the end of the month", "the last day of March", "ayın sonu"; a week ends on Friday."""
    units = values_of(tokens, "u")
    if "L" in kinds:
        day = next(token for token in tokens if token.kind == "L")
        after = tokens.index(day) + 1
        if tokens[after].value != "day":
            return None
        rest = [token for number, token in enumerate(tokens) if number not in (after - 1, after)]
    else:
        rest = list(tokens)
    if not units and not has(rest, "M"):
        return None
    period = _period(scene, [token for token in rest if token.kind in "NTuMy"])
    if period is None:
        return Doubt("when is the end of that")
    if isinstance(period, Doubt):
        return period
    unit, first = period
    if unit == "week":
        on = first + timedelta(days=6 if "L" in kinds else 4)
        return Day(on) if on >= scene.today else Doubt("the working week is over")
    after_it = months_on(first, 1) if unit == "month" else date(first.year + 1, 1, 1)
    return Day(after_it - timedelta(days=1))


@rule(rf"@?(?:B{_PERIOD}|[NT]?uB)|@?ou{_PERIOD}")
def _parse_beginning(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "the beginning of next month", "the third day of next month"."""
    if "o" in kinds:
        if not has(tokens, "o") or tokens[1 + kinds.startswith("@")].value != "day":
            return None
        period = _period(scene, [token for token in tokens[2 + kinds.startswith("@") :] if token.kind in "NTuMy"])
        ahead = value_of(tokens, "o") - 1
    else:
        period, ahead = _period(scene, tokens), 0
    if period is None or isinstance(period, Doubt):
        return period
    on = period[1] + timedelta(days=ahead)
    return Day(on) if on >= scene.today else Doubt("that has begun")


@rule(rf"@?[oLs]w{_PERIOD}|@?[NT]u@?[oL]w|@?[NT]?u[oL]w")
def _nth_weekday(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "the first Monday of next month", "last Friday in May"."""
    period = _period(scene, [token for token in tokens if token.kind in "NTuMy"])
    if period is None or isinstance(period, Doubt) or period[0] != "month":
        return Doubt("of which month")
    which = next(token for token in tokens if token.kind in "oLs")
    nth = -1 if which.kind == "L" else number_of(which)
    if nth > 4:
        return Doubt("not every month has that")
    first = period[1]
    on = library.weekday_of_month(first, value_of(tokens, "w"), nth)
    if on < scene.today and not has(tokens, "NTy"):
        # an unnamed month is the current one; a named month comes again
        if not has(tokens, "M"):
            return Doubt("that day has gone by")
        on = library.weekday_of_month(date(first.year + 1, first.month, 1), value_of(tokens, "w"), nth)
    return Day(on)


@rule(r"@?[NT]u|@?uN(?!w)")
def _next_period(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    if "T" in kinds or value_of(tokens, "u") == "day" and "N" not in kinds:
        return Doubt("which day of it")
    if value_of(tokens, "u") == "day":
        return Day(scene.today + timedelta(days=1)) if value_of(tokens, "N") == 1 else None
    period = _period(scene, tokens)
    return None if period is None or isinstance(period, Doubt) else Day(period[1])


@rule(r"@?[NT]u,?@?(?:w,?)?(?:[no]M|M[no])y?|@?(?:[no]M|M[no]),?@?[NT]u|@?[NT]u@?o|@?o@?[NT]u|@?oTu|@?ou(?=$)")
def _day_in_period(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "next year on March 3", "on the 5th of next month"."""
    period = [token for token in tokens if token.kind in "NTu"]
    whole_period = _period(scene, period)
    if whole_period is None or isinstance(whole_period, Doubt):
        return whole_period
    unit, first = whole_period
    if "M" in kinds:
        if unit != "year":
            return None
        day_tokens = [token for token in tokens if token.kind in "wnoMys"]
        day = calendar_day(scene, day_tokens, first)
        return day if not isinstance(day, Day) or day.on.year == first.year else Doubt("in which year")
    return Day(first.replace(day=value_of(tokens, "o"))) if unit == "month" else None


@rule(r"@?[NT]?W")
def _weekend(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    weekend = [token for token in tokens if token.kind == "W"][0]
    if not (has(tokens, "NT@") or weekend.lead or scene.tongue != "en"):
        return None
    saturday = scene.today + timedelta(days=(5 - scene.today.weekday()) % 7)
    if scene.today.weekday() == 6 and "N" not in kinds:
        return Doubt("today, or next Saturday")
    later = "N" in kinds and saturday - scene.today < timedelta(days=5)
    return Day(saturday + timedelta(days=7) if later else saturday)
