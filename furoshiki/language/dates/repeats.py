"""Rules for a duration from now ("in two and a half hours", "3 gün sonra") and for repetitions: "every
Monday", "the last day of each month", "fortnightly on Friday"."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from furoshiki.language.dates import library
from furoshiki.language.dates.days import calendar_day
from furoshiki.language.dates.tokens import Token
from furoshiki.language.dates.values import (
    BYDAY,
    MOST_COUNTED,
    Day,
    Doubt,
    Duration,
    Made,
    ParseContext,
    Rule,
    Rules,
    count_in,
    has,
    number_of,
    value_of,
    values_of,
)

rule = Rules()


@rule(
    r"i(?:A?[hqQ]A?[uUj]|A?q[uU]A?|[An]b?[uUj](?:&?A?[hb])?(?:&?n[uUj])?|n&A?h[uUj]|nhU?[uUj]?|[uUj](?:&?A?h)?)"
    r"|(?:[An]b?[uUj](?:&?n[uUj])?|[hqQ][uUj]|nb[uUj]|[An]?[uUj]&?A?h)f"
)
def _while(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read a duration; days and longer units are counted on the calendar."""
    units = ["day" if token.kind == "j" else str(token.value) for token in tokens if token.kind in "uUj"]
    first = next(number for number, token in enumerate(tokens) if token.kind in "uUj")
    before = tokens[:first]
    count = count_in(before)
    if has(before, "h"):
        count = count + 0.5 if has(before, "n") else 0.5
    elif has(before, "qQ"):
        count = 0.75 if has(before, "Q") else 0.25
    count += 0.5 * has(before, "b")
    rest = tokens[first + 1 :]
    count += 0.5 * has(rest, "hb")
    more = (float(value_of(rest, "n")), units[1]) if len(units) > 1 and has(rest, "n") else None
    if max(count, more[0] if more else 0) > MOST_COUNTED or count <= 0:
        return Doubt("that is too far away" if count > 0 else "that is now")
    seconds = {"second": 1, "minute": 60, "hour": 3600}
    if units[0] in seconds:
        span = timedelta(seconds=count * seconds[units[0]])
        if more:
            if more[1] not in seconds:
                return Doubt("how long is that")
            span += timedelta(seconds=more[0] * seconds[more[1]])
        return Duration(span)
    if more or (count != int(count) and units[0] in ("day", "month")):
        return Doubt("how long is that")
    wall = library.add_units(datetime.combine(scene.today, time()), count, units[0])
    return Day(wall.date(), part="now")


# the frequency of an RRULE for each unit
FREQUENCIES = {
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


_HOUR_FOLLOWS = re.compile(r"\s?(?:h|:|min|da\b|de (?:manh|tarde|noite)|e meia)")
_DAYS = r"w(?:(?:,|&|,&)w)*"


@rule(rf"@?e(?:O|s|o)?{_DAYS}p?|@?e[wP]P*p?|(?:w(?:,|&|,&))*P(?:(?:,|&|,&)[Pw])*p?|e?P(?:,P)*")
def _every_weekday(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    which = next((token for token in tokens if token.kind in "Oso"), None)
    if which is not None and which.kind == "o" and which.value == 1 and len(values_of(tokens, "wP")) == 1:
        return _nth_weekday_of_months(scene, kinds, tokens)
    if which is not None and which.kind == "o" and which.value != 2:
        return Doubt("of the month? Say “every first Monday of the month”")
    part = value_of(tokens, "p") if "p" in kinds else None
    return Rule(_by_day(values_of(tokens, "wP"), 2 if which is not None else 1), part)


@rule(r"@?e?[oLs][wP]@?[eT]?u|@?[oLs]w@?eu|@?euU?[oLs]w|@?e[oLs]w|euN?[oLs]w|e?FouL?w?|F@?[oL]w")
def _nth_weekday_of_months(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "the first Monday of each month", "every last Friday of the month"."""
    if not has(tokens, "eF") or not has(tokens, "wP"):
        return None
    units = values_of(tokens, "u")
    which = next(token for token in tokens if token.kind in "oLs")
    nth = -1 if which.kind == "L" else number_of(which)
    if has(tokens, "F") and value_of(tokens, "F") != "MONTHLY":
        return None
    if (not units and nth > 2 and not has(tokens, "F")) or (units and units[-1] != "month"):
        return Doubt("of which month")
    if not units and nth == 2 and not has(tokens, "F"):
        return None
    if nth <= 4:
        return Rule(f"FREQ=MONTHLY;BYDAY={nth}{BYDAY[value_of(tokens, 'wP')]}")
    return Doubt("not every month has that")


@rule(r"@?e?(?:Lu|E)@?[eT]?u|@?eu@?(?:Lu|E)|@?euE|@?F@?(?:Lu|E)|@?euLu")
def _last_day_of_months(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    units = values_of(tokens, "u")
    if (
        not has(tokens, "eF")
        or (not has(tokens, "F") and "month" not in units)
        or ("L" in kinds and "day" not in units)
    ):
        return None
    return Rule("FREQ=MONTHLY;BYMONTHDAY=-1")


@rule(r"@?e(?:O|s|o)?[uUj]|@?e[nA][uUj]|@?e[nA]b?[uUj]|[nA][uU]@?e")
def _every_unit(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    unit = "day" if "j" in kinds else str(value_of(tokens, "uU"))
    which = next((token for token in tokens if token.kind in "Osoan"), None)
    count = 1.0
    if which is not None and which.kind in "Os":
        count = 2.0
    elif which is not None and which.kind != "A":
        count = float(which.value)
    if has(tokens, "n") and "few" in scene.text[tokens[0].start : tokens[-1].end].lower():
        return Doubt("how many is a few")
    if unit == "month" and tokens[-1].lead and which is not None and which.kind in "on":
        return Rule(f"FREQ=MONTHLY;BYMONTHDAY={int(count)}")  # "ogni 5 del mese"
    if unit == "fortnight":
        unit, count = "week", count * 2
    if count < 1 or count != int(count) or unit not in FREQUENCIES or count > 1000:
        return Doubt("how often is that")
    rule = f"FREQ={FREQUENCIES[unit]}" + (f";INTERVAL={int(count)}" if count > 1 else "")
    spans = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
    return Rule(rule, after=spans[unit] * count if unit in spans else None)


@rule(r"nin[uU]")
def _so_and_so_many(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "de duas em duas horas"."""
    first, second = values_of(tokens, "n")
    return _every_unit(scene, "enu", tokens[2:]) if scene.tongue == "pt" and first == second else None


@rule(r"@?e?D|@?eW|e?p|@?eTp|eup")
def _every_group(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    if "D" in kinds:
        return Rule(_WORKDAYS) if "e" in kinds or scene.tongue != "en" or _plural(scene, tokens) else None
    if "W" in kinds:
        return Rule(_WEEKEND)
    return Rule("FREQ=DAILY", part=value_of(tokens, "p")) if "e" in kinds else None


def _plural(scene: ParseContext, tokens: Sequence[Token]) -> bool:
    return scene.text[tokens[0].start : tokens[-1].end].rstrip().lower().endswith(("days", "friday", "fri"))


@rule(r"@?e(?:[no]M|M[no]y?)|e?F@?(?:[no]M|M[no])|@?eu@?(?:w,?)?(?:[no]M|M[no])|@?(?:[no]M|M[no])@?eu")
def _every_date(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "every May 3rd", "every year on 3 May"."""
    if has(tokens, "F") and value_of(tokens, "F") != "YEARLY" or (has(tokens, "u") and value_of(tokens, "u") != "year"):
        return None
    day = calendar_day(scene, [token for token in tokens if token.kind in "noM"], date(2024, 1, 1))
    if not isinstance(day, Day):
        return day
    return Rule(f"FREQ=YEARLY;BYMONTH={day.on.month};BYMONTHDAY={day.on.day}")


@rule(r"@?eo(?:@?[eT]?u)?|@?eu@?o|@?F@?o|@?o@?eu|@?[no]@?eu|@?eu@?n|@?e[no]u|eu[no]")
def _every_day_of_month(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    units = values_of(tokens, "u")
    if kinds == "eun" and scene.tongue == "pt" and not _HOUR_FOLLOWS.match(scene.text, tokens[-1].end):
        units = []  # "todo dia 10"
    if (units and units != ["month"]) or (has(tokens, "F") and value_of(tokens, "F") != "MONTHLY"):
        return None
    day = int(value_of(tokens, "on"))
    if kinds in ("eo", "@eo") and day == 2:
        return Doubt("every second what")
    return Rule(f"FREQ=MONTHLY;BYMONTHDAY={day}") if 1 <= day <= 31 else None


@rule(r"@?F(?:@?w|@?P)?|e?[nA]?u@?w(?=$)|@?e[nA]?u@?[wP]|@?e(?:O|s)u@?[wP]")
def _often(scene: ParseContext, kinds: str, tokens: Sequence[Token]) -> Made:
    """Read "daily", "weekly on friday", "every two weeks on friday"."""
    days = values_of(tokens, "wP")
    if not has(tokens, "F"):
        every = _every_unit(scene, kinds[: kinds.index("u") + 1], tokens[: kinds.index("u") + 1])
        if not isinstance(every, Rule) or not every.rule.startswith("FREQ=WEEKLY") or "e" not in kinds:
            return every if isinstance(every, Doubt) else None
        return Rule(f"{every.rule};BYDAY={BYDAY[days[0]]}")
    name = value_of(tokens, "F")
    rule = _ADVERBS.get(name, f"FREQ={name}")
    if days:
        return Rule(f"{rule};BYDAY={BYDAY[days[0]]}") if "WEEKLY" in rule else None
    return Rule(rule, after=timedelta(hours=1) if name == "HOURLY" else None)
