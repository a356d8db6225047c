"""Detect in a user's own words a request for daily quiet hours: "not after ten please".

An hour next to "after", "before" or "between" ("vor", "以后") is an end of those hours, and the rest
of the clause must be an order not to write, as in `reading`. If the hour may be in either half of
the day, the one that makes sense at night is taken, else both are returned, so that the user can be
asked. The words are in `config/words`, "quiet.daily".
"""

import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import time
from operator import itemgetter

from furoshiki.language.chat_spelling import write_out
from furoshiki.language.dates import chinese
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.tokens import number_in, tokens
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import count_words
from furoshiki.owner.agenda.rules.quiet import reading
from furoshiki.owner.agenda.rules.quiet.asked import Hours
from furoshiki.owner.agenda.rules.quiet.words import SAYINGS, ZH_ORDER

# hours that are taken for the evening after "after", and for the morning after "before"
LATE, EARLY = range(8, 13), range(5, 12)

# the same for "only after ten": "only after six" may as well be the evening
SURELY_EARLY = range(9, 12)

# from this hour on, "between nine and seven" ends in the morning: "between nine and five" may be
# the night or work
WAKING = 7

# the most other words in the message: "good night!"; behind the request, where its reason stands; and
# beside a "please", which nobody tells of others
MOST_BESIDE, MOST_BEHIND, MOST_BESIDE_PLEASE = 3, 12, 30

# the quiet hours of a user who wants messages in that part of the day only
PARTS = {
    "morning": Hours(time(12), time(6)),
    "early": Hours(time(12), time(6)),
    "afternoon": Hours(time(18), time(12)),
    "evening": Hours(time(23), time(18)),
}

# a span that is shorter, of work or of a nap, is by day: "my nap, 2 till 4"
SHORT_MINUTES = 5 * 60
MORNING = 6

# when the parts of every day begin and end
SPANS = {
    "day": (time(8), time(18)),
    "night": (time(22), time(8)),
    "mornings": (time(6), time(12)),
    "afternoons": (time(12), time(18)),
    "evenings": (time(18), time(23)),
}

_TABLES = {code: table["daily"] for code, table in by_language("quiet").items()}
_TABLES["zh"] = by_language("quiet_hours")["zh"]
_ARTICLE = r"(?: (?:the|las?|les?|alle|delle|das?|de|di|às|as|à|um|der|dem|saat)(?!\w))*(?: (?:l|d|dell)')? ?"
_AHEAD = re.compile(
    r"(?: (?:to|bis|until|till|a|à|[àa]s|alle|fino alle|до|und|and|y|et|e|и|-)(?: (?:las?|les?|alle|às|as|um|le))?) "
)
_TURKISH_PARTS = {
    "sabah": "morning",
    "öğlen": "afternoon",
    "öğleden sonra": "afternoon",
    "akşam": "evening",
    "gece": "night",
}
_NAMED = "|".join(_TURKISH_PARTS)
_TURKISH = re.compile(
    rf"(?:(?P<part>{_NAMED}) )?(?:saat )?(?P<at>\d{{1,2}}(?:[:.]\d\d)?|\w{{2,8}}?)['\u2019 ]?[dt][ae]n "
    r"(?P<which>sonra|[öo]nce)"
)
_TURKISH_SPAN = re.compile(
    rf"(?:(?P<part>{_NAMED}) )?(?:saat )?(?P<at>\d{{1,2}}(?:[:.]\d\d)?)(?: (?:ile|ve) |[' ]?[dt][ae]n )"
    rf"(?:(?P<to_part>{_NAMED}) )?(?:saat )?(?P<to>\d{{1,2}}(?:[:.]\d\d)?)"
    r"(?: aras[ıi](?:nda)?|[' ]?[yn]?[ae] kadar)"
)
_HAN_TIME = r"(?:早上|上午|中午|下午|傍晚|晚上|夜里|凌晨)?(?:\d{1,2}|[一二两三四五六七八九十]{1,3})点(?:半|钟)?"
_CHINESE = re.compile(rf"(?P<at>{_HAN_TIME})(?:(?:到|至)(?P<to>{_HAN_TIME})(?:之间)?|(?P<which>(?:以|之)?[后前]))")
_BEHIND = {"zh": (_CHINESE,), "tr": (_TURKISH, _TURKISH_SPAN)}
# by the last letter of "sonra", "önce", "以后", "以前"
_WHICH = {"a": "after", "e": "before", "后": "after", "前": "before"}

_SPANS = {
    (code, span): re.compile(table[span] if code == "zh" else rf"(?<!\w)(?:{table[span]})(?!\w)")
    for code, table in _TABLES.items()
    for span in SPANS.keys() & table.keys()
}
_HAN_PART = re.compile("早上|上午|下午|晚上")
_WORK = "|".join(_TABLES[code]["work"] for code in _TABLES)
# words for being at work or asleep as a part of a sentence; in "I work from 9 to 5" they are all of
# it
_AT_WORK = re.compile(
    rf"(?=\W{{0,2}}\w)(?:[,，]\s?|(?<![,，])\s)?(?<![^\W\u4e00-\u9fff])(?:{_WORK})(?![^\W\u4e00-\u9fff])[,，]?",
    re.IGNORECASE,
)

# a polite question that orders
_ASKED = re.compile(
    r"^(?P<order>\W{0,3}(?:(?:can|could|will|would) you|kannst du|könntest du|puedes|podrías|tu peux"
    r"|peux-tu|puoi|potresti|(?:você )?pode|podes|(?:ты )?можешь|你?能|你?可以)\b.{1,120}?)"
    r"\s?[?？]{1,3}\s?$",
    re.IGNORECASE,
)

_SPAN_HOURS = {Hours(*ends) for ends in SPANS.values()}
_OF_DAYS, _CHINESE_WEEKEND = map(re.compile, itemgetter("of_days", "chinese_weekend")(by_language("quiet_ends")["en"]))
WEEKEND = (5, 6)
_DAYS = {"D": tuple(range(5)), "W": WEEKEND}  # by kind of token

_OTHER = {"before": "after", "after": "before"}
_ORDERS = ("write", "alone", "stop", "timed")


@dataclass(frozen=True)
class DailyWish:
    """The requested daily hours, in the language `tongue`: one, or several possible meanings; only
    on `days` (0 is Monday), if any are named."""

    ways: tuple[Hours, ...]
    tongue: str
    days: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Bound:
    """The hours in a clause ("after", "before", "between", "part"), the possible times of each end,
    and the rest of the clause."""

    which: str
    first: tuple[time, ...]
    last: tuple[time, ...]
    rest: str
    part: str = ""


def read_daily(text: str, habits: Habits) -> DailyWish | None:
    """Return the daily quiet hours that a user's own words request; None without one, or with more
    words."""
    if len(text) > reading.LONGEST_CLAUSE:
        return None
    text, times = _AT_WORK.subn(" ", _ASKED.sub(r"\g<order>", text))
    working = times > 0
    return _read(text, habits, working=working) or _read(re.sub("[,，]", "", text), habits, working=working)


def _read(text: str, habits: Habits, *, working: bool) -> DailyWish | None:
    clauses = [clause for clause in reading.find_clauses(text) if not reading.is_empty(clause.words)]
    if not clauses or any(clause.taken or clause.asks for clause in clauses):
        return None
    polite = reading.PLEASE.search(text) is not None
    found = [_wish(clause.words, habits, polite, working) for clause in clauses]
    wishes = [wish for wish in found if wish is not None]
    if len(wishes) == 2:  # "don't write at night, i sleep from 10 to 7"
        wishes = [wish for wish in wishes if wish.ways[0] not in _SPAN_HOURS]
    if len(wishes) != 1:
        return None
    others = [one.words for one, wish in zip(clauses, found, strict=True) if wish is None]
    beside = " ".join(itertools.filterfalse(functools.partial(_orders, tongue=wishes[0].tongue), others))
    told = any(saying.reported.search(beside) for saying in SAYINGS.values())
    most = MOST_BEHIND if found[0] is not None else MOST_BESIDE
    if polite:
        most = MOST_BESIDE_PLEASE
    return None if told or count_words(beside) > most else wishes[0]


def _orders(words: str, tongue: str) -> bool:
    """Return whether a clause forbids to write, as "leave me alone then" beside the hours of sleep does."""
    if tongue == "zh":
        return ZH_ORDER.fullmatch(words) is not None
    return reading.find_kind(reading.find_bare(words, tongue), tongue) in _ORDERS


def _wish(words: str, habits: Habits, polite: bool, working: bool) -> DailyWish | None:
    """Return the request of one clause. With `working` the hours are by day."""
    for tongue in dict.fromkeys((*habits.tongues, *_TABLES)):
        if tongue not in _TABLES:
            continue
        without, days = _split_days(words, tongue)
        spellings = dict.fromkeys((without, write_out(without, tongue)))
        for bound in itertools.chain.from_iterable(_bounds(spelling, tongue) for spelling in spellings):
            ways = _wished(bound, tongue, polite or working)
            if not ways and tongue != "zh":  # "abends nach 9 nicht mehr": the part of the day says it again
                for part, rest in _list_parts(bound.rest, tongue, noon=True):
                    inside = _wished(replace(bound, rest=rest), tongue, polite or working)
                    ways = ways or _within(inside, part)
            if ways:
                if working:
                    ways = (_at_work(ways),)
                return DailyWish(ways[:1] if days else ways, tongue, days)
    return None


def _within(ways: tuple[Hours, ...], part: str) -> tuple[Hours, ...]:
    """Return the hours that begin in the named part of the day, if any does, else all."""
    since, until = SPANS.get(f"{part}s", SPANS["day"])
    return tuple(hours for hours in ways if hours.since and since <= hours.since < until) or ways


def _at_work(ways: tuple[Hours, ...]) -> Hours:
    """Return the likelier hours of work, or of a short sleep, which is by day."""
    for one in ways:
        if one.since is None or one.until is None or one.since.hour < MORNING:
            continue
        if (_minutes(one.until) - _minutes(one.since)) % 1440 < SHORT_MINUTES:
            return one
    return ways[0]


def _split_days(words: str, tongue: str) -> tuple[str, tuple[int, ...]]:
    """Return a clause without the days of every week that it names, and these: "before 10 at weekends"."""
    if tongue == "zh":
        rest = _CHINESE_WEEKEND.sub("", words, count=1)
        return rest, WEEKEND if rest != words else ()
    kind = ""
    for token in tokens(words, tongue):
        days = _DAYS.get(token.kind, ())
        if token.kind == "P":
            days = (int(token.value),)
        if days and kind not in ("T", "N"):  # "this weekend" is one
            ahead = _OF_DAYS.sub("", words[: token.start])
            return " ".join(f"{ahead} {words[token.end :]}".split()), days
        kind = token.kind
    return words, ()


def _wished(bound: _Bound, tongue: str, polite: bool) -> tuple[Hours, ...]:
    """Return the quiet hours, if the rest of the clause is an order; else ()."""
    table, rest = _TABLES[tongue], bound.rest
    if re.fullmatch(table["only"], reading.PLEASE.sub("", rest).strip()):
        return _outside(bound)
    if tongue == "zh":
        ordered = ZH_ORDER.fullmatch(re.sub(f"{table['sleeps']}$", "", rest)) is not None
    else:
        rest = reading.find_bare(rest, tongue)
        ordered = reading.find_kind(re.sub(rf"(?<=\w) (?:{table['sleeps']})$", "", rest), tongue) in _ORDERS
    if re.fullmatch(table["only"], rest):
        return _outside(bound)
    sleeps = bound.which == "between" and re.fullmatch(table["sleeps"], rest)
    bare = polite and re.fullmatch(table["no"], rest)
    if bound.which == "part":
        return tuple(Hours(hours.until, hours.since) for hours in _outside(bound)) if ordered else ()
    if ordered or sleeps or bare or re.fullmatch(table["wake"], rest):
        return _hours(bound)
    return ()


def _outside(bound: _Bound) -> tuple[Hours, ...]:
    """Return the hours outside the stated ones: "only after six" means quiet before six."""
    if bound.which == "part":
        return tuple(hours for part, hours in PARTS.items() if part == bound.part)
    if bound.which == "between":
        return tuple(Hours(hours.until, hours.since) for hours in _hours(bound))
    return _hours(replace(bound, which=_OTHER[bound.which]), SURELY_EARLY)


def _hours(bound: _Bound, mornings: range = EARLY) -> tuple[Hours, ...]:
    """Return the possible hours, by what makes sense at night."""
    if bound.which == "after":
        return tuple(Hours(at, None) for at in _settle(bound.first, LATE, late=True))
    if bound.which == "before":
        return tuple(Hours(None, at) for at in _settle(bound.first, mornings, late=False))
    if len(bound.first) == 1 or len(bound.last) == 1:
        pairs = [(one, other) for one in bound.first for other in bound.last]
        shortest = min(pairs, key=lambda pair: (_minutes(pair[1]) - _minutes(pair[0])) % 1440)
        return (Hours(*shortest),)
    start, end = bound.first[0], min(bound.last)
    if start.hour in LATE and end <= start and (end.hour >= WAKING or (start.hour not in (8, 9) and end.hour in EARLY)):
        return (Hours(bound.first[1], min(bound.last)),)
    early, late = (Hours(*pair) for pair in zip(bound.first, bound.last, strict=True))
    return (early, late)


def _settle(times: tuple[time, ...], usual: range, *, late: bool) -> tuple[time, ...]:
    """Return the usual half of the day for an hour, or both."""
    if len(times) == 1 or times[0].hour not in usual:
        return times
    return (times[late],)


def _minutes(at: time) -> int:
    return at.hour * 60 + at.minute


def _bounds(words: str, tongue: str) -> Iterator[_Bound]:
    """Yield the hours in a clause, each with the rest; also a bare "9 to 5"."""
    for span, (begins, ends) in SPANS.items():
        for match in _SPANS[tongue, span].finditer(words) if (tongue, span) in _SPANS else ():
            yield _Bound("between", (begins,), (ends,), _without(words, match, tongue))
    if tongue in ("tr", "zh"):
        yield from _bounds_behind(words, tongue)
    else:
        for which in ("between", "after", "before"):
            for match in re.finditer(rf"(?<!\w)(?:{_TABLES[tongue][which]})(?!\w){_ARTICLE}", words):
                yield from _bound_ahead(words, match, which, tongue)
        for match in re.finditer(r"(?<![\w:.])(?=\d)", words):
            yield from _bound_ahead(words, match, "between", tongue)
    if tongue != "zh":
        for named, rest in _list_parts(words, tongue):
            yield _Bound("part", (), (), rest, named)
    elif (part := _HAN_PART.search(words)) is not None:
        value = {"下午": "afternoon", "晚上": "evening"}.get(part[0], "morning")
        yield _Bound("part", (), (), words[: part.start()] + words[part.end() :], value)


def _list_parts(words: str, tongue: str, *, noon: bool = False) -> Iterator[tuple[str, str]]:
    """Yield each part of the day that words name, with the rest of the words; "tonight" is no such part, `noon` only
    beside hours."""
    start = day = None
    for token in tokens(words, tongue):
        if token.kind == "r":
            day = token.start
        at_noon = noon and token.kind == "t" and str(token.value).startswith("12:")
        if at_noon or (token.kind == "p" and token.start != day):
            ahead = words[: token.start if start is None else start]
            yield "afternoon" if at_noon else str(token.value), " ".join(f"{ahead} {words[token.end :]}".split())
        start = token.start if token.kind in ("i", "@") else None  # "in the evenings"


def _bound_ahead(words: str, match: re.Match[str], which: str, tongue: str) -> Iterator[_Bound]:
    first = _hour(words, match.end(), tongue)
    if first is None:
        return
    times, end = first
    last: tuple[time, ...] = ()
    if which == "between":
        joined = _AHEAD.match(words, end)
        second = joined and _hour(words, joined.end(), tongue)
        if second is None:
            return
        last, end = second
        times, last = _alike(times, last)
    yield _Bound(which, times, last, " ".join(f"{words[: match.start()]} {words[end:]}".split()))


def _without(words: str, match: re.Match[str], tongue: str) -> str:
    """Return a clause without the matched words."""
    rest = f"{words[: match.start()]} {words[match.end() :]}".split()
    return ("" if tongue == "zh" else " ").join(rest)


def _alike(first: tuple[time, ...], last: tuple[time, ...]) -> tuple[tuple[time, ...], tuple[time, ...]]:
    """Pair both ends by half of the day: in "11 and 1" the second follows the first."""
    if len(first) == 2 and len(last) == 2 and last[0] < first[0]:
        return first, (last[1], last[0])
    return first, last


def _bounds_behind(words: str, tongue: str) -> Iterator[_Bound]:
    """Yield the same where the word follows the hour: "22'den sonra", "十点以后"."""
    for match in itertools.chain.from_iterable(one.finditer(words) for one in _BEHIND[tongue]):
        said = match.groupdict()
        named = (("at", "part"), ("to", "to_part"))
        first, last = (_time(said.get(name) or "", tongue, said.get(part) or "") for name, part in named)
        rest = _without(words, match, tongue)
        if first and last:
            yield _Bound("between", *_alike(first, last), rest)
        elif first and said.get("which"):
            yield _Bound(_WHICH[said["which"][-1]], first, (), rest)


def _time(said: str, tongue: str, part: str) -> tuple[time, ...]:
    """Return the one or two possible times of an hour written in Turkish or Chinese."""
    if tongue == "zh":
        english = chinese.put_into_english(said)
        named = english.words.replace("midnight", "00:00") if english else ""
        figures = re.match(r"at (\d{1,2})(?::(\d\d))?", named)
        if not figures:
            return ()
        return _halves(int(figures[1]), int(figures[2] or 0), "", figures[2] is not None)
    figures = re.fullmatch(r"(\d{1,2})(?:[:.](\d\d))?", said)
    number, minute = number_in(said, tongue), 0
    if figures:
        number, minute = float(figures[1]), int(figures[2] or 0)
    if not said or number is None or number > 24:
        return ()
    return _halves(int(number), minute, _TURKISH_PARTS.get(part, ""), False)


def _hour(words: str, start: int, tongue: str) -> tuple[tuple[time, ...], int] | None:
    """Return the one or two possible times at a position, and where their words end."""
    run = [token for token in tokens(words[start:], tongue) if token.kind not in "_~"][:3]
    if not run or run[0].start > 1 or run[0].kind not in "nt":
        return None
    taken, part = 1, ""
    if len(run) > taken and (run[taken].kind == "c" or (run[taken].kind == "U" and run[taken].value == "hour")):
        taken += 1
    if len(run) > taken and run[taken].kind in "pj":  # j: "дня"
        part, taken = str(run[taken].value) or "afternoon", taken + 1
    end = start + run[taken - 1].end
    if run[0].kind == "t":
        at = time.fromisoformat(str(run[0].value).removesuffix("?"))
        return _halves(at.hour, at.minute, part, not str(run[0].value).endswith("?")), end
    if not 0 <= float(run[0].value) <= 24:
        return None
    return _halves(int(run[0].value), 0, part, False), end


def _halves(hour: int, minute: int, part: str, exact: bool) -> tuple[time, ...]:
    """Return the possible times of an hour, the earlier first."""
    if exact or hour > 12 or hour == 0:
        return (time(hour % 24, minute),)
    early, late = time(hour % 12, minute), time(hour % 12 + 12, minute)
    if part in ("morning", "early"):
        return (early,)
    if part == "afternoon" or (part and 5 <= hour < 12):
        return (late,)
    if part:
        return (early,)
    if hour == 12:
        return (late, early)
    return (early, late)
