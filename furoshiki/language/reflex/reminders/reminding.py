"""Parse a request for one or more reminders: task and time, in all languages with time words."""

import re
from dataclasses import replace
from datetime import datetime

from furoshiki.core.catalogue import say, speaking
from furoshiki.language.dates import multiple_times as several_times
from furoshiki.language.dates import parsing
from furoshiki.language.dates.habits import ENGLISH, Habits
from furoshiki.language.dates.parsing import Unclear, When
from furoshiki.language.dates.tokens import AHEAD, AT
from furoshiki.language.reflex.reminders.values import Remind, Request, SeveralRequests
from furoshiki.language.requests import reminder_words
from furoshiki.language.requests.impossible import PLEASE
from furoshiki.language.tables.calendar_names import WEEKDAYS
from furoshiki.language.words import MOST_ANSWERED

_REMIND = re.compile(
    PLEASE + r"(?:remind (?:[\w'-]{2,20} and )?(?:me|us)|reminder for me"
    r"|set (?:me )?(?:up )?(?:a |an |another )?(?:reminder|alarm)"
    r"|(?:can|could|may) i (?:get|have) a reminder|i have to be reminded|give me a(?:nother)? (?:nudge|shout|heads-up)"
    r"|tell me (?=(?:at|in|on|tomorrow|tonight|this|next)\b[\w :.'-]{1,50} to \w)"
    r"|(?:give|make|create|add|leave|put) (?:me )?a(?:nother)? reminder|(?:don't|do not) let me forget|ping me"
    r"|(?:write|text|message) (?:to )?me(?= (?:at \d|tomorrow|tonight|this (?:evening|afternoon)))"
    r"|nudge me|wake me(?: up)?|notify me|alert me|make sure (?:that )?i (?:don't forget|remember)"
    r"|set (?:a )?timer|start a timer|i need a reminder|i want a reminder|i need to be reminded|reminder(?=:))"
    r"\b[\s,:]{0,9}(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_TIME_FIRST = re.compile(
    PLEASE + r"(?P<time>[\w :.'-]{2,60}?),? (?:please |can you |could you |then )?remind me "
    r"(?P<rest>(?:to|of|about|that) .+)$",
    re.IGNORECASE | re.DOTALL,
)
_AFTER = re.compile(  # "in 20 minutes check the oven"
    r"^\W{0,3}in (?:an?|half an?|\d{1,3}|\w{3,9}) (?:minute|min|hour|hr)s?[,:]? (?:please )?"
    r"(?!(?:i|i'm|we|he|she|they|it|it's|you|my|the|there|our|and|or|is|for)\b)[a-z][^?]{2,60}$",
    re.IGNORECASE,
)
_EACH_TIME = re.compile(  # "every last Friday of the month: pay the cleaner"
    r"(?P<time>every [\w ,'-]{3,50}(?:\d:\d\d)?)(?<!\d): (?P<rest>\w[^?]{1,120})", re.IGNORECASE
)
_N = re.compile(r" n (?=(?:mon|tue|wed|thu|fri|sat|sun))", re.IGNORECASE)
_EVENINGS = re.compile(rf"\b(?:on )?({'|'.join(WEEKDAYS)}) (morning|afternoon|evening|night)s\b", re.IGNORECASE)
_HALF_WRITTEN = re.compile(
    r"\b(?P<at>at )(?P<hour>1?\d)(?P<minutes>[0-5]\d)(?= ?[ap]m\b|\W*$| (?:tomorrow|tmrw|tmr)\b)", re.I
)
"""An hour and its minutes written as one: "wake me at 630"."""

_ALARM = re.compile(
    PLEASE + r"(?:(?:set|start) (?:me )?(?:an? )?(?P<kind>alarm|timer)|(?P<wake>wake) me)", re.IGNORECASE
)
_TO = re.compile(
    r"^(?:(?:just )?to|abt|called|named|saying|that i (?:have|need|should|must)(?: to)?|that|about|of|for"
    r"|(?:i|we) (?:have|need) to|i should|:)\s+|^d['’]",
    re.IGNORECASE,
)
_AGAIN_SAID = re.compile(
    r"^(?:again|later|too|as well)?\W{0,3}$|^(?:again|later) (?=in|at|on|tomorrow|tonight|next)", re.I
)
_BESIDE = frozenset(
    (
        "please me to about that of at on in by for around mich daran an ans dass zu bitte que de para por favor bana "
        + "di da pour per che pra "
        + "için что о об про чтобы saat"
    ).split()
)
"""Words between the time and the task that belong to neither."""
_BEHIND = _BESIDE | {"please", "thanks", "thank", "you"}

_RECALLED = re.compile(
    r"\W*(?:(?:again|nochmal|noch mal|noch einmal|bitte|please|otra vez|ещё раз|еще раз|bakalım)\W+){0,2}(?:why"
    r"|whose|who"
    r"|what|which|how|where|when (?=(?:did|was|is|do|does|are|were)\b)|warum|wieso|weshalb|wer|wie|was|wo"
    r"|welche\w?|cómo|o que|quem|onde|quais|quanto|como|por ?qu[eê]"
    r"|qué|quién|por qué|dónde|cuál|cuándo|как|кто|почему|где|когда|какой|какая|зачем)\b(?!-)"
    r"|\W*(?:bloß |ja |bitte |lieber )?nicht\b",
    re.IGNORECASE,
)
"""After "remind me": a question to memory ("why I came here"), or the opposite of a request."""

_ABOUT = {"pt": "d[oa]s?", "es": "del", "fr": "d(?:u|es)", "it": "del(?:l[oa])?"}
"""Prepositions before the task: "me lembra do bolo"."""

_INSTEAD = re.compile(r" (?:instead|rather)\W{0,5}$", re.IGNORECASE)
LONGEST_MATTER = 300
_MARKS = " \t\n,;:–-.!?"
_CONDITION = re.compile(
    r"\b(?:(?:[Ww]hen|[Oo]nce|[Ww]henever|[Ii]f|[Aa]fter|[Bb]efore|[Ww]hile|[Uu]ntil)"
    r" (?=(?:i|i'm|we|we're|he|she|it|they|you|my|the|[A-Z]\w{0,20}(?:'m)?) )|[Aa]s soon as "
    r"|(?:the )?[Nn]ext time (?=(?:[iI]|we|I'm) ))"
)
_TWO = re.compile(
    r"(?<=\bme) 2 (?!\w*s\b|(?:hour|hr|min|day|week|month|year|h|p\.?m|a\.?m)\b)(?=[a-z]{2})"
    r"|(?<=\w) (?<!\bat )(?<!\bin )(?<!\bby )2 "
    r"(?=(?:pay|call|buy|get|do|take|go|ring|check|write|ask|feed|clean|water|pick)\b)",
    re.IGNORECASE,
)
_OF_ME = re.compile(r"(?:i|i'm|we|we're)\b", re.IGNORECASE)
_PLACE_VERBS = frozenset(
    (
        "get gets got go goes come comes back drive return returns travel walk down up over close next out " + "arrive"
    ).split()
)


def parse_reminder(plain: str, now: datetime, habits: Habits) -> Request | None:
    """Parse a reminder request. `plain` has single spaces; `now` is aware, in the user's zone."""
    found = _match_reminder(plain, now, habits)
    if isinstance(found, Remind) and found.when is None and _RECALLED.match(found.what):
        return None
    return found


def _match_reminder(plain: str, now: datetime, habits: Habits) -> Request | None:
    plain = _N.sub(" and ", _EVENINGS.sub(r"every \1 \2", plain))
    match = _REMIND.match(_TWO.sub(" to ", plain, count=1))  # "remind me tmrw 2 pay rent"
    if match is not None and _INSTEAD.search(match["rest"]) and not matter_of(match["rest"], now, habits):
        return None  # a new time for the last reminder
    if match is not None and not (match["rest"] and _AGAIN_SAID.match(match["rest"])):
        alarm = _ALARM.match(plain)
        if alarm:
            return _alarm((alarm["kind"] or "wake").lower(), match["rest"], now, habits)
        return parse_rest(match["rest"], now, habits)
    if _AFTER.match(plain) is not None:
        return parse_rest(plain, now, habits)
    each = _EACH_TIME.fullmatch(plain)
    if each is not None and not matter_of(each["time"], now, habits):
        return parse_rest(f"{each['rest']} {each['time']}", now, habits)
    first = _TIME_FIRST.match(plain)
    if first is not None and isinstance(parsing.parse_when(first["time"], now, habits), When):
        time = first["time"]
        return parse_rest(f"{first['rest']} {time}", now, habits) if not matter_of(time, now, habits) else None
    other = reminder_words.parse_request(plain)
    if other is None or other.kind == "note":
        return _match_behind_time(plain, now, habits)
    theirs = Habits(tuple(dict.fromkeys((other.tongue, *habits.tongues))), habits.order or "DMY")
    if other.kind in ("remind", "timed"):
        wanted = _parse_asked(other.rest, now, theirs, other.tongue)
        told = other.kind == "timed" and isinstance(wanted, Remind) and not (wanted.when or wanted.asks)
        return None if told else wanted
    return _alarm(other.kind, other.rest, now, theirs, other.tongue)


def _parse_asked(rest: str, now: datetime, habits: Habits, tongue: str) -> Request:
    wanted = parse_rest(rest, now, habits, tongue)
    if not isinstance(wanted, Remind) or tongue not in _ABOUT:
        return wanted
    return replace(wanted, what=re.sub(rf"^{_ABOUT[tongue]} (?=\w)", "", wanted.what))


def _match_behind_time(plain: str, now: datetime, habits: Habits) -> Request | None:
    """Parse "amanhã às 8 me lembra de …": a bare time comes first. Daily times may be statements
    ("todo dia me lembra meu pai")."""
    for time, other in reminder_words.parse_inside(plain):
        theirs = Habits(tuple(dict.fromkeys((other.tongue, *habits.tongues))), habits.order or "DMY")
        found = parsing.parse_when(time, now, theirs)
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
        words = _TO.sub("", " ".join(text[at:start].split()).strip(_MARKS)).split()
        while words and words[0].strip(_MARKS).lower() in _BESIDE:
            words.pop(0)
        while len(words) > 1 and words[-1].lower().strip(_MARKS) in _BEHIND and words[-2].lower() != "check":
            words.pop()
        pieces.append(" ".join(words).strip(_MARKS))
        at = max(at, end)
    joined = " ".join(piece for piece in pieces if piece)
    return _TO.sub("", joined).strip(_MARKS)[:LONGEST_MATTER]


def matter_of(words: str, now: datetime, habits: Habits) -> str:
    """Return the words without a time and "instead"."""
    bare = _INSTEAD.sub("", words)
    found = parsing.parse_when(bare, now, habits)
    return matter(bare, () if found is None else found.spans)


def _one(rest: str, now: datetime, habits: Habits, tongue: str, deed: str = "") -> Remind:
    told = several_times.several(rest, now, habits, deed)
    if len(told) == 1:
        return Remind(matter(told[0][1]), told[0][0], tongue=tongue)
    found = parsing.parse_when(rest, now, habits, deed)
    clause, without = _split_condition(rest) if tongue == "en" else ("", rest)
    if clause and not (isinstance(found, When) and found.timed):
        return Remind(matter(without), None, f"I have no way of knowing {clause}", tongue)
    if clause and _CONDITION.match(rest):
        rest, found = without, parsing.parse_when(without, now, habits, deed)
    if found is None:
        return Remind(matter(rest), None, tongue=tongue)
    what = matter(rest, found.spans)
    if isinstance(found, Unclear):
        return Remind(what, None, found.asks, tongue, halves=found.halves)
    return Remind(what, found, tongue=tongue)


def _split_condition(rest: str) -> tuple[str, str]:
    """Return a condition that cannot be observed ("when you get home") and the other words."""
    text = " ".join(rest.split())
    match = _CONDITION.search(text)
    if match is None:
        return "", rest
    lead, after = match.group().strip(), text[match.end() :]
    if match.start() and not matter(text[: match.start()]):
        text = text[match.start() :]
        match = _CONDITION.match(text)
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
    rest = _HALF_WRITTEN.sub(r"\g<at>\g<hour>:\g<minutes>", rest)
    rest = re.sub(r"^(?:for|auf|für|pour|per|para|на) (?=\d)", "at " if tongue == "en" else "", rest)
    wanted = _one(rest, now, habits, tongue, kind)
    if tongue != "en" and wanted.when is None and re.match(r"\d", rest):
        wanted = _one(f"{AT[tongue]} {rest}", now, habits, tongue, kind)
    what = re.sub(r"^(?:for|at)\b\s*", "", wanted.what)
    return Remind(what or title, wanted.when, wanted.asks, tongue, halves=wanted.halves)
