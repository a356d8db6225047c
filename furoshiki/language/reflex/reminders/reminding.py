"""Parse a request for one or more reminders: task and time, in all languages with time words."""

import re
from dataclasses import replace
from datetime import datetime
from operator import itemgetter

from furoshiki.core.catalogue import say, speaking
from furoshiki.language.dates import multiple_times as several_times
from furoshiki.language.dates import parsing
from furoshiki.language.dates.habits import ENGLISH, Habits
from furoshiki.language.dates.lead_times import list_before, split_event
from furoshiki.language.dates.parsing import Unclear, When
from furoshiki.language.dates.tokens import AHEAD, AT
from furoshiki.language.requests import reminder_words
from furoshiki.language.requests.impossible import PLEASE
from furoshiki.language.requests.values import Remind, Request, SeveralRequests
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.language.word_tables import by_language, pattern, patterns
from furoshiki.language.words import MOST_ANSWERED

_N = re.compile(r" n (?=(?:mon|tue|wed|thu|fri|sat|sun))", re.IGNORECASE)
_EVENINGS = re.compile(rf"\b(?:on )?({'|'.join(WEEKDAYS)}) (morning|afternoon|evening|night)s\b", re.IGNORECASE)
_FLAGS = {"remind": re.DOTALL | re.IGNORECASE, "time_first": re.DOTALL | re.IGNORECASE, "condition": re.NOFLAG}
_WAYS = {
    name: re.compile(pattern(way, {"please": PLEASE}), _FLAGS.get(name, re.IGNORECASE))
    for name, way in by_language("reminding")["en"].items()
}
# words between the time and the task that belong to neither
_BESIDE, _PLACE_VERBS = (frozenset(words.split()) for words in by_language("reminding_beside")["en"].values())
_BEHIND = _BESIDE | {"plz", "pls", "thanks", "thank", "you", "к"}

# words before the task: "me lembra do bolo", "我两小时后要挪车，提醒我"
_ABOUT = {"pt": "d[oa]s? ", "es": "del ", "fr": "d(?:u|es) ", "it": "del(?:l[oa])? ", "zh": "(?:我们?)? ?还?[得要]"}

# a lead time that only a reminder means so: "напомни за неделю"
_SOONER = patterns("bounds", "sooner")

_INSTEAD = re.compile(r" (?:instead|rather)\W{0,5}$", re.IGNORECASE)
LONGEST_MATTER = 300
_MARKS = " \t\n,;:–-.!?，、。"
_OF_ME = re.compile(r"(?:i|i'm|we|we're)\b", re.IGNORECASE)


def parse_reminder(plain: str, now: datetime, habits: Habits) -> Request | None:
    """Parse a reminder request. `plain` has single spaces; `now` is aware, in the user's zone."""
    found = _match_reminder(plain, now, habits)
    if isinstance(found, Remind) and found.when is None and _WAYS["recalled"].match(found.what):
        return None
    return found


def _match_reminder(plain: str, now: datetime, habits: Habits) -> Request | None:
    plain = _N.sub(" and ", _EVENINGS.sub(r"every \1 \2", plain))
    match = _WAYS["remind"].match(_WAYS["two"].sub(" to ", plain, count=1))  # "remind me tmrw 2 pay rent"
    if match is not None and _INSTEAD.search(match["rest"]) and not matter_of(match["rest"], now, habits):
        return None  # a new time for the last reminder
    if match is not None and not (match["rest"] and _WAYS["again_said"].match(match["rest"])):
        alarm = _WAYS["alarm"].match(plain)
        if alarm:
            return _alarm((alarm["kind"] or "wake").lower(), match["rest"], now, habits)
        return parse_rest(match["rest"], now, habits)
    if _WAYS["after"].match(plain) is not None:
        return parse_rest(plain, now, habits)
    each = _WAYS["each_time"].fullmatch(plain)
    if each is not None and not matter_of(each["time"], now, habits):
        return parse_rest(f"{each['rest']} {each['time']}", now, habits)
    first = _WAYS["time_first"].match(plain)
    if first is not None and isinstance(parsing.parse_when(first["time"], now, habits), When):
        time = first["time"]
        return parse_rest(f"{first['rest']} {time}", now, habits) if not matter_of(time, now, habits) else None
    other = reminder_words.parse_request(plain)
    if other is None or other.kind == "note":
        return _match_behind_time(plain, now, habits)
    theirs = Habits(tuple(dict.fromkeys((other.tongue, *habits.tongues))), habits.order or "DMY")
    if other.kind in ("remind", "timed"):
        wanted = _parse_asked(other.rest, now, theirs, other.tongue)
    else:
        wanted = _alarm(other.kind.removesuffix("s"), other.rest, now, theirs, other.tongue)
    told = other.kind in ("timed", "wakes") and isinstance(wanted, Remind) and not (wanted.when or wanted.asks)
    return None if told else wanted


def _parse_asked(rest: str, now: datetime, habits: Habits, tongue: str) -> Request:
    rest = re.sub(rf"^{_SOONER[tongue]}", r"\g<0> до", rest) if tongue in _SOONER else rest
    wanted = parse_rest(rest, now, habits, tongue)
    if not isinstance(wanted, Remind) or tongue not in _ABOUT:
        return wanted
    return replace(wanted, what=re.sub(rf"^{_ABOUT[tongue]}(?=\w)", "", wanted.what))


def _match_behind_time(plain: str, now: datetime, habits: Habits) -> Request | None:
    """Parse "amanhã às 8 me lembra de …": a bare time comes first. Daily times may be statements
    ("todo dia me lembra meu pai")."""
    for time, other in reminder_words.parse_inside(plain):
        theirs = Habits(tuple(dict.fromkeys((other.tongue, *habits.tongues))), habits.order or "DMY")
        found = parsing.parse_when(time, now, theirs)
        if (several := several_times.several(time, now, theirs)) and not any(map(itemgetter(1), several)):
            rest = re.sub(rf"^{_ABOUT.get(other.tongue, '(?!)')}(?=\w)", "", other.rest)
            return parse_rest(f"{rest} {time}", now, theirs, other.tongue)
        told = not isinstance(found, When) or (found.rule == "FREQ=DAILY" and not found.timed)
        if not told and not matter_of(time, now, theirs):
            return _parse_asked(f"{other.rest} {time}", now, theirs, other.tongue)
    return None


def reminder(text: str, now: datetime, habits: Habits = ENGLISH) -> Remind | None:
    """Parse a reminder without "remind me": "call mum on Sunday at six"."""
    text = text[:MOST_ANSWERED]
    return _one(text, now, habits, "en") if text.strip() else None


def parse_rest(rest: str, now: datetime, habits: Habits = ENGLISH, tongue: str = "en", deed: str = "") -> Request:
    """Parse the text after "remind me": one reminder, or one per time named. `deed` is the task,
    if it was named before."""
    several = several_times.several(rest, now, habits, deed)
    if len(several) < 2:
        return _one(rest, now, habits, tongue, deed)
    matters = [matter(words) for _, words in several]
    shared = next((one for one in matters if one), "")
    found = []
    for (when, _), own in zip(several, matters, strict=True):
        shared = own or shared
        found.append(Remind(shared, when, tongue=tongue))
    return SeveralRequests(tuple(found))


def matter(text: str, spans: parsing.Spans = ()) -> str:
    """Return the text without the time: "tomorrow at 9 to call Anika" is "call Anika"."""
    pieces, at = [], 0
    for start, end in (*sorted(spans), (len(text), len(text))):
        words = _WAYS["to"].sub("", " ".join(text[at:start].split()).strip(_MARKS)).split()
        while words and words[0].strip(_MARKS).lower() in _BESIDE:
            words.pop(0)
        while len(words) > 1 and words[-1].lower().strip(_MARKS) in _BEHIND and words[-2].lower() != "check":
            words.pop()
        pieces.append(" ".join(words).strip(_MARKS).removeprefix("的"))
        at = max(at, end)
    joined = " ".join(piece for piece in pieces if piece)
    return _WAYS["to"].sub("", joined).strip(_MARKS)[:LONGEST_MATTER]


def matter_of(words: str, now: datetime, habits: Habits) -> str:
    """Return the words without a time and "instead"."""
    bare = _INSTEAD.sub("", words)
    found = parsing.parse_when(bare, now, habits)
    return matter(bare, () if found is None else found.spans)


def _one(rest: str, now: datetime, habits: Habits, tongue: str, deed: str = "") -> Remind:
    if (beside := _beside_event(rest, now, habits, tongue)) is not None:
        return beside
    told = several_times.several(rest, now, habits, deed)
    if len(told) == 1:
        return Remind(matter(told[0][1]), told[0][0], tongue=tongue)
    found = parsing.parse_when(rest, now, habits, deed)
    clause, without = _split_condition(rest) if tongue == "en" else ("", rest)
    settled = isinstance(found, When) and (found.timed or (found.dated and any(list_before(rest))))
    if clause and not settled:
        return Remind(matter(without), None, f"I have no way of knowing {clause}", tongue)
    if clause and _WAYS["condition"].match(rest):
        rest, found = without, parsing.parse_when(without, now, habits, deed)
    if found is None:
        return Remind(matter(_WAYS["later"].sub("", rest.strip(_MARKS))), None, tongue=tongue)
    what = matter(rest, found.spans)
    if isinstance(found, Unclear):
        return Remind(what, None, found.asks, tongue, halves=found.halves)
    return Remind(what, found, tongue=tongue)


def _beside_event(rest: str, now: datetime, habits: Habits, tongue: str) -> Remind | None:
    """Return the reminder beside an event whose hour is unknown: "every day after school"."""
    event, without = split_event(rest, tongue)
    if not event:
        return None
    found = parsing.parse_when(without, now, habits)
    if isinstance(found, Unclear) or (found is not None and found.timed):
        return None
    what = matter(without, () if found is None else found.spans)
    return Remind(what, None, f"I don't know when “{event.lower()}” is", tongue, day=found)


def _split_condition(rest: str) -> tuple[str, str]:
    """Return a condition that cannot be observed ("when you get home") and the other words."""
    text = " ".join(rest.split())
    match = _WAYS["condition"].search(text)
    if match is None:
        return "", rest
    lead, after = match.group().strip(), text[match.end() :]
    if match.start() and not matter(text[: match.start()]):
        text = text[match.start() :]
        match = _WAYS["condition"].match(text)
        assert match is not None
    if match.start() == 0:
        cut = _end_of_clause(after)
        return _as_said(lead, after[:cut]), after[cut:]
    before = text[: match.start()]
    # "ask Tom when he is back" keeps its clause, "water the plants when I get home" does without
    return _as_said(lead, after), before if _OF_ME.match(after) else rest


def _as_said(lead: str, clause: str) -> str:
    from furoshiki.language.reflex.wording import flip_person

    return flip_person(f"{lead} {clause.strip(_MARKS)}".replace("whenever", "when"))


def _end_of_clause(text: str) -> int:
    """Return where "I get to work to call Tom" continues with the task."""
    for match in re.finditer(r",| to ", text):
        words = text[: match.start()].split()
        if match.group() == "," or (words and words[-1].lower() not in _PLACE_VERBS):
            return match.start()
    return len(text)


def _alarm(kind: str, rest: str, now: datetime, habits: Habits, tongue: str = "en") -> Request:
    """Parse an alarm (an ambiguous hour is in the morning) or a timer (counted from now)."""
    with speaking(tongue):
        title = say("your timer is up") if kind == "timer" else say("time to wake up")
    if kind == "timer":
        lead = "in" if tongue in ("tr", "zh") else AHEAD[tongue].partition(" ")[0]
        counted = re.sub(r"^(?:for|of|auf|für|de|por|pour|per|на) ", f"{lead} ", rest)
        wanted = _one(counted if counted != rest or not rest[:1].isdigit() else f"{lead} {rest}", now, habits, tongue)
        return Remind(wanted.what or title, wanted.when, wanted.asks, tongue)
    rest = _WAYS["half_written"].sub(r"\g<at>\g<hour>:\g<minutes>", rest)
    rest = re.sub(r"^(?:for|auf|für|pour|per|para|на) (?=\d)", "at " if tongue == "en" else "", rest)
    wanted = _one(rest, now, habits, tongue, kind)
    if tongue != "en" and wanted.when is None and re.match(r"\d", rest):
        wanted = _one(f"{AT[tongue]} {rest}", now, habits, tongue, kind)
    what = re.sub(r"^(?:for|at)\b\s*", "", wanted.what)
    return Remind(what or title, wanted.when, wanted.asks, tongue, halves=wanted.halves)
