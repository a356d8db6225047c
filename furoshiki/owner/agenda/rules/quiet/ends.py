"""Find the end of a quiet in a clause: "until sunday" ends with Sunday's waking hours, "this
weekend" after Sunday.

"Until" names the time of the end; a period without it ("tonight", "for three days") ends after it.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from furoshiki.core.timestamps import later
from furoshiki.language import word_tables
from furoshiki.language.dates import parsing
from furoshiki.language.dates.booked import moment
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import When
from furoshiki.language.dates.tokens import Token, tokens
from furoshiki.language.dates.values import count_in, has, months_on
from furoshiki.language.word_tables import texts

MOST_WORDS = 6  # the most words of an end
MOST_CLAUSE_WORDS = 18  # a clause with more words is no request

# the least duration of a quiet without an end; it then lasts until the waking hours begin …
LEAST = timedelta(hours=8)

# a quiet that begins within this time begins now: who wants none tomorrow wants none tonight
SOON = timedelta(days=1)

OPEN_DAYS = 7  # … or this many days, if no messages at all were wanted


@dataclass(frozen=True)
class Clock:
    """The time of the message (aware, in the user's zone), and the start of the waking hours."""

    now: datetime
    wakes: time

    def morning(self, day: date) -> datetime:
        """Return the start of a day's waking hours."""
        return moment(day, self.wakes, self.now)

    def later(self, span: timedelta) -> datetime:
        """Return the time after a span, in the user's zone."""
        return later(self.now, span).astimezone(self.now.tzinfo)

    def next_morning(self, least: timedelta = timedelta(0)) -> datetime:
        """Return the next start of the waking hours, after at least `least`."""
        after = self.later(least)
        at = self.morning(after.date())
        return at if at > after else self.morning(after.date() + timedelta(days=1))

    def open_end(self) -> datetime:
        """Return the end of a quiet that names none."""
        return self.morning(self.now.date() + timedelta(days=OPEN_DAYS))


@dataclass(frozen=True)
class End:
    """The end, and the clause without its words; `guessed` if only "for a while" was said, `open`
    if it lasts until the user writes again; `name` is the end's words. It `begins` now, or at a
    later time, every week if `weekly`."""

    at: datetime
    rest: str
    guessed: bool = False
    open: bool = False
    name: str = ""
    begins: datetime | None = None
    weekly: bool = False


_UNTIL = texts("quiet", "until")
_KADAR = re.compile(r"^(?P<x>.+?)(?:'?[dt][ae]n)? (?:kadar|dek|değin|önce)$")

_WAYS = word_tables.by_language("quiet_ends")["en"]
_WRITES = re.compile(_WAYS["writes"])  # ends when the user writes or is ready, at an unknown time

_FOR = texts("quiet", "during")

_WHILE = re.compile(_WAYS["while"])

_FEW = re.compile(_WAYS["few"])  # counts as three before days or hours

_ALL_DAY = re.compile(_WAYS["all_day"])
_NIGHT = re.compile(_WAYS["night"])
# when a part of a day begins and ends; None is the next morning
_PARTS: Mapping[str, tuple[time, time | None]] = {
    "morning": (time(0), time(12)),
    "early": (time(0), time(12)),
    "afternoon": (time(12), time(18)),
    "evening": (time(18), None),
    "night": (time(20), None),
}

_NEVER = re.compile(r"(?!)")
# signs of a habit: "sunday mornings", "le dimanche matin", "pazar sabahları"
_EVERY_WEEK = {
    "en": re.compile(r"(?:morning|afternoon|evening|night|week-?end)s$"),
    "de": re.compile(r"(?:morgen|mittag|abend|nacht)s$|wochenenden$"),
    "es": re.compile(r"fines de semana$"),
    "fr": re.compile(r"^les? "),
    "it": re.compile(r"^(?:la|il|nei) "),
    "pt": re.compile(r"fins de semana$"),
    "ru": re.compile(r"^по "),
    "tr": re.compile(r"ları$|leri$"),
}

# the first weekday of "on weekdays" and "at weekends", and the one after the last
_DAYS_OF_WEEK = {"D": (0, 5), "W": (5, 7)}

_TURKISH_TO = re.compile(r"(?:y[ae]|[ae])$")


def find_end(clause: str, tongue: str, clock: Clock) -> End | None:
    """Return the end that a clause in lower case names, or None."""
    if (written := _WRITES.search(clause)) is not None:
        return End(clock.open_end(), _without(clause, *written.span()), guessed=True, open=True)
    words = list(re.finditer(r"\S+", clause))
    if len(words) > MOST_CLAUSE_WORDS:
        return None
    until = re.compile(_UNTIL.get(tongue, r".+ (?:kadar|dek|değin|önce)(?!\w)"))
    for parse, may_begin in ((_until, until.match), (_stretch, _names_time(clause, tongue))):
        for first in range(len(words)):
            if not may_begin(clause[words[first].start() :]):
                continue
            for last in range(min(len(words), first + MOST_WORDS + 2), first, -1):
                start, end = words[first].start(), words[last - 1].end()
                if words[last - 1][0].isdigit() and _counts(clause[end:], tongue):
                    continue  # "until 3 days" is not "until 3"
                named_end = parse(clause[start:end], tongue, clock)
                if named_end is not None and named_end.at > clock.now:
                    return replace(named_end, rest=_without(clause, start, end), name=clause[start:end])
    return None


def _counts(rest: str, tongue: str) -> bool:
    """Whether the text after a number is its unit."""
    after = tokens(rest, tongue)
    return bool(after) and after[0].kind in "uUj"


def _names_time(clause: str, tongue: str) -> Callable[[str], bool]:
    """Return a test for whether a clause may name a period; most name none and are skipped."""
    strong = any(token.kind in "rwuUjWpPD" for token in tokens(clause, tongue))
    may_name = strong or _WHILE.search(clause) is not None or _NIGHT.search(clause) is not None
    return lambda _rest: may_name


def says_until(name: str, tongue: str) -> bool:
    """Whether these words are an end ("until sunday") rather than a period ("tonight")."""
    return (_KADAR.match(name) if tongue == "tr" else re.match(_UNTIL[tongue], name)) is not None


def begins(name: str, tongue: str, clock: Clock) -> datetime | None:
    """Return the time that "on monday" and the like begin."""
    return _moment(re.sub(_ON, "", name), tongue, clock)


def _without(clause: str, start: int, end: int) -> str:
    return " ".join(f"{clause[:start]} {clause[end:]}".split())


def _until(phrase: str, tongue: str, clock: Clock) -> End | None:
    """Parse "until sunday", "bis morgen früh", "pazara kadar", "before monday". "Before 8" means
    every day and is not an end."""
    if tongue == "tr":
        match = _KADAR.match(phrase)
        names = () if match is None else _without_case(match["x"])
    else:
        match = re.match(rf"{_UNTIL[tongue]} (?P<x>\S.*)$|{_UNTIL[tongue]}(?<=')(?P<y>\S.*)$", phrase)
        names = () if match is None else (match["x"] or match["y"],)
    if _DAILY.search(phrase):
        return None
    return next((End(at, "") for name in names if (at := _moment(name, tongue, clock)) is not None), None)


_DAILY = re.compile(_WAYS["daily"])
_ON = (
    r"^(?:on|at|an|am"
    r"|an dem|los|en los|aos|nos|nas|nei|les|по|el|a partir del?|desde el?|from|after|ab|ab dem|с|в|во|le|na|no|il|al) "
)


def _without_case(name: str) -> tuple[str, ...]:
    """Return variants of a Turkish time without the case ending of "until": "pazara" is "pazar"."""
    name = re.sub(r" gün[üu](?:ne)?$", "", name)
    shorter = _TURKISH_TO.sub("", name.replace("'", ""))
    return (name, shorter, f"{shorter.removesuffix(name[-1:])}")


def _moment(name: str, tongue: str, clock: Clock) -> datetime | None:
    after = re.fullmatch(r"(?:after|nach|después de|después del|после) (?:the |dem |der |el |la )?(?P<x>.+)", name)
    if after is not None:
        end = _stretch(after["x"], tongue, clock)
        return None if end is None else end.at
    if re.fullmatch(r"(?:las? )?\d{1,2}", name):
        name = f"at {name.split()[-1]}"
        tongue = "en"
    run = [token for token in tokens(name, tongue) if token.kind != "_"]
    kinds = "".join(token.kind for token in run)
    if not run or any(token.kind in ".?" for token in run) or run[-1].kind in "i~&@,X" or run[-1].end != len(name):
        return None
    if "E" in kinds:
        return _after(str(run[-1].value) if "u" in kinds else "", clock)
    if kinds == "p":
        return _part(str(run[0].value), clock)
    when = parsing.parse_when(name, clock.now, Habits(tuple(dict.fromkeys((tongue, "en")))))
    if not isinstance(when, When) or when.rule is not None:
        return None
    if when.past or when.at <= clock.now:
        return clock.next_morning() if kinds.startswith("rp") else None
    wakes = not when.timed or ("p" in kinds and "t" not in kinds and "n" not in kinds and when.at.hour <= 9)
    at = clock.morning(when.at.date()) if wakes else when.at
    if kinds == "w" and at <= clock.now:  # "until Sunday", said on a Sunday
        return clock.morning(at.date() + timedelta(days=7))
    return at


def _part(part: str, clock: Clock) -> datetime:
    """Return the next "evening" or "утра" in "until the evening", "до утра"."""
    if part in ("morning", "early"):
        return clock.next_morning()
    at = moment(clock.now.date(), {"afternoon": time(14), "evening": time(18)}.get(part, time(21)), clock.now)
    return at if at > clock.now else moment(at.date() + timedelta(days=1), at.time(), clock.now)


def _stretch(phrase: str, tongue: str, clock: Clock) -> End | None:
    """Parse a period: "tonight", "for three days", "ein paar tage", "this weekend"."""
    if _WHILE.fullmatch(phrase):
        return End(clock.next_morning(LEAST), "", guessed=True)
    if _ALL_DAY.fullmatch(phrase) or _NIGHT.fullmatch(phrase):
        return End(clock.next_morning(), "")
    whole = re.search(r"(?<!\w)(?:whole|entire|all|ganze|ganzen|toda|весь|всю|bütün)(?!\w)", phrase) is not None
    bare = _FEW.sub("3", re.sub(r" (?:lang|long|boyunca)$", "", phrase))
    lead = re.match(rf"{_FOR[tongue]}(?<![^ ])", bare)
    inside = re.sub(_ON, "", bare[lead.end() :].strip() if lead is not None else bare)
    run = [token for token in tokens(inside, tongue) if token.kind not in "_i"]
    kinds = "".join(token.kind for token in run)
    covered = " ".join(inside[start:end] for start, end in dict.fromkeys((token.start, token.end) for token in run))
    if not kinds or len(inside.split()) != len(covered.split()):
        return None
    if (ahead := _ahead(run, kinds, phrase, tongue, clock)) is not None:
        return ahead
    rest = bool(re.search(r"\b(?:rest|resto|остаток)\b", phrase))
    for pattern, ends in _STRETCHES:
        if re.fullmatch(pattern, kinds):
            at = ends(run, clock) if not (rest or whole) or kinds != "u" else _of_unit(run, clock, rest)
            return None if at is None else End(at, "")
    return None


def _ahead(run: list[Token], kinds: str, phrase: str, tongue: str, clock: Clock) -> End | None:
    """Return a period of a weekday that begins in some days, or every week: "thursday evening",
    "sundays", "sonntag vormittags". None for any other, which begins now."""
    if (several := re.fullmatch(r"@?(e?)([DW])", kinds)) is not None:
        weekly = several[1] or several[2] == "D" or _EVERY_WEEK.get(tongue, _NEVER).search(phrase)
        return _of_days(*_DAYS_OF_WEEK[several[2]], clock) if weekly else None
    if not re.fullmatch(r"[eT]?[wP]p?", kinds):
        return None
    day = next(token for token in run if token.kind in "wP")
    habit = _EVERY_WEEK.get(tongue, _NEVER).search(phrase)
    weekly = "e" in kinds or "P" in kinds or habit is not None
    part = next((str(token.value) for token in run if token.kind == "p"), "")
    since, until = _PARTS.get(part, (time(0), None))
    on = clock.now.date() + timedelta(days=(int(day.value) - clock.now.weekday()) % 7)
    end = clock.morning(on + timedelta(days=1)) if until is None else moment(on, until, clock.now)
    if weekly and end <= clock.now:
        on, end = on + timedelta(days=7), end + timedelta(days=7)
    begins = moment(on, since, clock.now)
    if not weekly and begins < clock.later(SOON):
        return None
    return End(end, "", begins=begins, weekly=weekly)


def _of_days(first: int, last: int, clock: Clock) -> End:
    """Return the quiet of several days of every week, until the morning of the weekday `last`."""
    monday = clock.now.date() - timedelta(days=clock.now.weekday())
    end = clock.morning(monday + timedelta(days=last))
    if end <= clock.now:
        monday, end = monday + timedelta(days=7), clock.morning(monday + timedelta(days=last + 7))
    return End(end, "", begins=moment(monday + timedelta(days=first), time(0), clock.now), weekly=True)


def _of_unit(run: list[Token], clock: Clock, rest: bool) -> datetime | None:
    """Return the end of "the whole week" (one from now on) or "the rest of the week"."""
    unit = str(run[-1].value)
    return _after(unit, clock) if rest else _add_units(1, unit, clock)


def _of_count(run: list[Token], clock: Clock) -> datetime | None:
    count = count_in(run)
    if has(run, "b"):
        count += 0.5
    elif has(run, "h"):
        count = 0.5
    unit = next(str(token.value) if token.kind != "j" else "day" for token in run if token.kind in "uUj")
    return _add_units(count, unit, clock)


def _add_units(count: float, unit: str, clock: Clock) -> datetime | None:
    if unit in ("second", "minute", "hour"):
        return clock.later(timedelta(seconds=count * {"second": 1, "minute": 60, "hour": 3600}[unit]))
    days = {"day": 1, "week": 7, "fortnight": 14, "month": 30}.get(unit)
    if days is None:
        return None
    return moment(clock.now.date() + timedelta(days=count * days), clock.now.time(), clock.now)


def _of_day(run: list[Token], clock: Clock) -> datetime | None:
    """Return the morning after a day, or the end of a part of it."""
    day, part = (
        next(token for token in run if token.kind in "rwP"),
        next((token.value for token in run if token.kind == "p"), ""),
    )
    today = clock.now.date()
    ahead = int(day.value) if day.kind == "r" else (int(day.value) - today.weekday()) % 7
    on = today + timedelta(days=ahead)
    at = {"morning": time(12), "early": time(12), "afternoon": time(18)}.get(part)
    if ahead < 0:
        return None
    return clock.morning(on + timedelta(days=1)) if at is None else moment(on, at, clock.now)


def _after(unit: str, clock: Clock, ahead: int = 0) -> datetime | None:
    today = clock.now.date()
    match unit:
        case "day" | "":
            return clock.next_morning()
        case "week":
            return clock.morning(today + timedelta(days=7 * (1 + ahead) - today.weekday()))
        case "month":
            return clock.morning(months_on(today, 1 + ahead))
        case "year":
            return clock.morning(date(today.year + 1 + ahead, 1, 1))
    return None


def _of_weekend(run: list[Token], clock: Clock) -> datetime:
    today = clock.now.date()
    ahead = 7 if any(token.kind == "N" for token in run) and today.weekday() >= 5 else 0
    return clock.morning(today + timedelta(days=7 - today.weekday() + ahead))


def _this(run: list[Token], clock: Clock) -> datetime | None:
    return _after(str(run[-1].value if run[-1].kind == "u" else run[0].value), clock)


def _of_part(run: list[Token], clock: Clock) -> datetime | None:
    """Return the end of "this evening"; a morning alone has none."""
    if run[-1].value in ("evening", "night"):
        return clock.next_morning()
    return _part("evening", clock) if len(run) > 1 else None


def _next(run: list[Token], clock: Clock) -> datetime | None:
    unit = next(str(token.value) for token in run if token.kind == "u")
    return _after(unit, clock, 1) if unit != "day" else clock.morning(clock.now.date() + timedelta(days=2))


# patterns of token kinds that name a period, and the function for its end
_STRETCHES: tuple[tuple[str, Callable[[list[Token], Clock], datetime | None]], ...] = (
    (r"[nA]?h?[uUj]b?|[nA]b[uUj]|hA?[uU]", _of_count),
    (r"T?[rw]p*|wp*", _of_day),
    (r"T?p", _of_part),
    (r"T?W|NW", _of_weekend),
    (r"Tu|uT", _this),
    (r"Nu|uN", _next),
)
