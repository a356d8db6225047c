"""Detect in a user's own words a request not to be written to, or its end.

A clause is a request only if nothing else is left without its time and its "please": more words
("with your jokes", "about work") change its meaning. Quotations, reports, conditions and questions
do not count.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, time

from furoshiki.language import word_tables
from furoshiki.language.chat_spelling import write_out
from furoshiki.language.dates import chinese, parsing
from furoshiki.language.dates.habits import TONGUES, Habits
from furoshiki.language.humanize import shorten
from furoshiki.language.words import plain_marks
from furoshiki.owner.agenda.rules.quiet import ends
from furoshiki.owner.agenda.rules.quiet.ends import Clock, End
from furoshiki.owner.agenda.rules.quiet.words import (
    HINT,
    HINTS,
    ONLY,
    SAYINGS,
    ZH_ALSO,
    ZH_END,
    ZH_NEED,
    ZH_ORDER,
    ZH_TIMED,
    Kind,
)

LONGEST = 2_000  # characters of a message that are read

LONGEST_CLAUSE = 120
MOST_CLAUSES = 40
MOST_LOOSE = 6  # words of a clause that is only an end: "until Sunday"

LONGEST_WHY = 200
WAKES = time(8)


@dataclass(frozen=True)
class QuietWish:
    """A request: quiet from now `until` a time (aware), or the end of quiet (None). `why` are the
    user's words in the language `tongue`; `guessed`: no end was named, so it is chosen here;
    `whole`: the message says nothing else. It `begins` now, or at a later time, every week if
    `weekly`."""

    until: datetime | None
    why: str
    guessed: bool = False
    whole: bool = False
    tongue: str = "en"
    begins: datetime | None = None
    weekly: bool = False


def may_wish(text: str) -> bool:
    """Whether a message has a word of a request; most have none."""
    return HINT.search(text[:LONGEST]) is not None


def read_quiet(text: str, now: datetime, habits: Habits, wakes: time = WAKES) -> QuietWish | None:
    """Return the quiet that a user's own words request, or None.

    `now` is aware, in the user's zone; `habits` are the languages they may write; `wakes` is the
    start of their waking hours, when "until sunday" ends.
    """
    text = text[:LONGEST]
    if not may_wish(text):
        return None
    clock = Clock(now, wakes)
    clauses = _read_clauses(text, clock, habits)
    orders = [
        clause for clause in clauses if clause.kind in ("write", "alone", "stop", "timed", "need") or clause.returns
    ]
    wish = _decide(clauses, orders, clock)
    if wish is None and not orders and any(clause.kind == "end" for clause in clauses):
        wish = QuietWish(None, "")
    if wish is None or (wish.guessed and lacks_hours(text)):
        return None
    whole = all(clause.kind not in (None, "need") or clause.empty for clause in clauses)
    tongue = next(clause.tongue for clause in clauses if clause.kind is not None)
    return replace(wish, why=shorten(" ".join(text.split()), LONGEST_WHY), whole=whole, tongue=tongue)


def needs_quiet(text: str, now: datetime, habits: Habits) -> bool:
    """Whether a message only says, without an end, that its writer needs quiet."""
    if len(text) > LONGEST_CLAUSE or not may_wish(text):
        return False
    clauses = [clause for clause in _read_clauses(text, Clock(now, WAKES), habits) if not clause.empty]
    return bool(clauses) and all(clause.kind == "need" and clause.end is None and not clause.asks for clause in clauses)


def lacks_hours(text: str) -> bool:
    """Whether a message only forbids to write at times that no clock tells: "don't text me when I'm driving"."""
    if len(text) > LONGEST_CLAUSE or not may_wish(text):
        return False
    words = " ".join(re.sub("[,.!\uff0c\u3002\uff01]", " ", _fold(plain_marks(text)).replace("\u2019", "'")).split())
    for tongue, condition in _CONDITIONS.items():
        for match in condition.finditer(words):
            ahead = words[: match.start()].strip()
            parts = [ahead, f"{ahead}{words[match.end() :]}".strip()]
            if match.start() == 0:  # "when I'm in class, don't text me"
                parts = [words[at:] for at in range(match.end(), len(words))]
            if any(_forbids(part, tongue) for part in parts):
                return True
    return False


def _forbids(words: str, tongue: str) -> bool:
    if tongue == "zh":
        return ZH_ORDER.fullmatch(words) is not None
    return words == words.strip() and find_kind(find_bare(words, tongue), tongue) in ("write", "stop")


def _read_clauses(text: str, clock: Clock, habits: Habits) -> "list[_Clause]":
    clauses = list(itertools.islice(find_clauses(text), MOST_CLAUSES))
    tongues = tuple(
        one for one in dict.fromkeys((*habits.tongues, *SAYINGS)) if one in SAYINGS and HINTS[one].search(text)
    )
    return [clause if clause.taken else _read(clause, tongues, clock) for clause in clauses]


def read_only_end(text: str, now: datetime, habits: Habits, wakes: time = WAKES) -> QuietWish | None:
    """Return the quiet of a message that is only an end ("only tonight"), after a request."""
    clauses = [clause for clause in find_clauses(text[:LONGEST]) if not is_empty(clause.words)]
    if len(clauses) != 1 or clauses[0].taken or clauses[0].asks or len(clauses[0].words) > LONGEST_CLAUSE:
        return None
    clock, words = Clock(now, wakes), ONLY.sub("", clauses[0].words).strip()
    only = words != clauses[0].words
    chinese_end = chinese.until(words.replace(" ", ""))
    if chinese_end is not None and not chinese_end[1].strip("的吧了，。"):
        end = ends.find_end(chinese_end[0], "en", clock)
        return QuietWish(end.at, text, tongue="zh") if end is not None and (only or "until" in end.name) else None
    for tongue in dict.fromkeys((*habits.tongues, *SAYINGS)):
        bare = find_bare(words, tongue)
        end = ends.find_end(bare, tongue, clock)
        if end is not None and not find_bare(end.rest, tongue) and (only or ends.says_until(end.name, tongue)):
            return QuietWish(end.at, text, end.guessed, tongue=tongue)
    return None


@dataclass(frozen=True)
class _Clause:
    """A piece of a message in lower case, and its interpretation. `taken`: another person says it,
    or it is hypothetical; `asks`: it ends with a question mark; `returns`: it says from when
    messages are welcome again; `empty`: it has no content."""

    words: str
    before: str = ""
    taken: bool = False
    asks: bool = False
    joined: bool = False
    kind: Kind | None = None
    end: End | None = None
    returns: bool = False
    empty: bool = False
    tongue: str = "en"


def _decide(clauses: list[_Clause], orders: list[_Clause], clock: Clock) -> QuietWish | None:
    asks = any(clause.asks and clause.kind is None and not clause.empty for clause in clauses)
    loose = next(
        (clause.end for clause in clauses if clause.kind is None and clause.end is not None and not clause.end.rest),
        None,
    )
    tells = any(
        clause.kind is None and not clause.empty and (clause.end is None or clause.end.rest) for clause in clauses
    )
    polite = any(PLEASE.search(clause.words) for clause in clauses)
    named_ends: list[End] = []
    kinds: set[Kind] = set()
    for clause in orders:
        end = clause.end or loose
        if clause.kind == "need" and (end is None or asks):
            continue
        if clause.kind == "timed" and tells and not polite:
            continue
        if end is not None:
            named_ends.append(end)
        elif clause.kind in ("write", "alone"):
            kinds.add(clause.kind)
    if named_ends:
        last = max(named_ends, key=lambda end: (not end.guessed, end.at))
        return QuietWish(last.at, "", last.guessed, begins=last.begins, weekly=last.weekly)
    if not kinds:
        return None
    return QuietWish(clock.open_end() if "write" in kinds else clock.next_morning(ends.LEAST), "", guessed=True)


def _read(clause: _Clause, tongues: tuple[str, ...], clock: Clock) -> _Clause:
    """Interpret one clause, in the first language that fits."""
    if is_empty(clause.words):
        return replace(clause, empty=True)
    if len(clause.words) > LONGEST_CLAUSE:
        return clause
    chinese = _in_chinese(clause, clock)
    if chinese is not None:
        return chinese
    clause, loose = _with_its_day(replace(clause, words=_ONLY_THEN.sub("", clause.words)), clock), None
    for tongue in tongues:
        bare = find_bare(clause.words, tongue)
        kind = find_kind(bare, tongue)
        if kind is not None:
            return _judge(replace(clause, kind=kind, tongue=tongue))
        end = (
            ends.find_end(bare, tongue, clock) if HINTS[tongue].search(bare) or len(bare.split()) < MOST_LOOSE else None
        )
        if end is None:
            continue
        rest = find_bare(end.rest, tongue)
        loose = loose or replace(end, rest=rest)
        kind = find_kind(rest, tongue)
        if kind is not None:
            returns = kind == "end" and not end.open
            begins = ends.begins(end.name, tongue, clock) if returns else None
            end = end if begins is None else replace(end, at=begins)
            return _judge(replace(clause, kind=kind, end=end, returns=returns, tongue=tongue))
    return replace(clause, end=loose)


# behind an order: "quiet on mondays only"
_ONLY_THEN = re.compile(rf"[,\s]{{0,3}}(?:{ONLY.pattern})$")

_THEN = re.compile(r"(?<!\w)(?:until|till|bis|hasta|до) (?:then|dahin|entonces|ese día|того)(?!\w)")


def _with_its_day(clause: _Clause, clock: Clock) -> _Clause:
    """Replace "then" by the day named before: "My exam is on friday, so don't write until then"."""
    then = _THEN.search(clause.words)
    named_day = None if then is None else parsing.read(clause.before, clock.now, Habits(TONGUES))
    if then is None or named_day is None or named_day.rule is not None:
        return clause
    day = f"until {named_day.at:%Y-%m-%d}" if not named_day.timed else f"until {named_day.at:%Y-%m-%d %H:%M}"
    return replace(clause, words=f"{clause.words[: then.start()]}{day}{clause.words[then.end() :]}")


def _judge(clause: _Clause) -> _Clause:
    """Drop requests that are only reported, and echoes with a question mark."""
    is_reported = SAYINGS[clause.tongue].reported.search(_POLITE.sub("", clause.before)) is not None
    unsaid = clause.joined and clause.kind == "timed" and not _OWN_ORDER.match(clause.words)
    echo = clause.asks and clause.words.startswith(_NEGATED)
    return replace(clause, kind=None, end=None, returns=False) if is_reported or unsaid or echo else clause


def _in_chinese(clause: _Clause, clock: Clock) -> _Clause | None:
    if not re.search(r"[\u4e00-\u9fff]", clause.words):
        return None
    words = clause.words.replace(" ", "")
    end_and_rest = chinese.until(words)
    rest = words if end_and_rest is None else end_and_rest[1]
    bare = rest.strip("的，。！ ")
    if ZH_END.fullmatch(bare) and end_and_rest is None:
        return replace(clause, kind="end", tongue="zh")
    if ZH_NEED.fullmatch(bare):
        needed = None if end_and_rest is None else ends.find_end(end_and_rest[0], "en", clock)
        return replace(clause, kind="need", end=needed, tongue="zh")
    timed = ZH_TIMED.fullmatch(bare) is not None
    end = None if end_and_rest is None else ends.find_end(end_and_rest[0], "en", clock)
    if not bare and end is not None:
        return replace(clause, end=replace(end, rest=""), tongue="zh")
    if not timed and not ZH_ORDER.fullmatch(bare) and not (end_and_rest and ZH_ALSO.fullmatch(bare)):
        return None
    kind: Kind = "timed" if timed else "write"
    if not timed and (re.search("让我|[理烦吵]我", rest) or bare.startswith("先")):
        kind = "alone"
    return replace(clause, kind=kind, end=end, tongue="zh")


def find_kind(bare: str, tongue: str) -> Kind | None:
    orders = SAYINGS[tongue].orders
    return next((kind for kind, pattern in orders.items() if pattern.fullmatch(bare)), None)


def find_bare(words: str, tongue: str) -> str:
    """Return a clause without its opening and filler words."""
    saying = SAYINGS[tongue]
    text = " ".join(saying.soft.sub(" ", write_out(words, tongue)).split())
    for _ in range(6):
        opening = saying.lead.match(text)
        if opening is None or opening.end() == len(text):
            break
        text = text[opening.end() :].strip()
    return text


def is_empty(words: str) -> bool:
    """Whether a clause is only thanks, a greeting or a please, in any language."""
    return not words or _YES_OR_NO.fullmatch(words) is not None or any(_only_lead(words, tongue) for tongue in SAYINGS)


def _only_lead(words: str, tongue: str) -> bool:
    saying = SAYINGS[tongue]
    text = " ".join(saying.soft.sub(" ", words).split())
    for _ in range(6):
        opening = saying.lead.match(text)
        if opening is None:
            break
        text = text[opening.end() :].strip()
    return not text


# -- pieces of a message --

# what begins a clause about what the user does meanwhile, by language
_CONDITIONS: dict[str, re.Pattern[str]] = {}
for _code, _table in word_tables.by_language("quiet").items():
    _daily = _table["daily"]
    _CONDITIONS[_code] = re.compile(rf"(?<!\w)(?:{_daily['while']}|{_daily['work']})")
_HOURS = word_tables.by_language("quiet_hours")["zh"]
_CONDITIONS["zh"] = re.compile(f"{_HOURS['while']}|{_HOURS['work']}")
_WAYS = word_tables.by_language("quiet_pieces")["en"]
_QUOTED = re.compile(_WAYS["quoted"])
_SENTENCE = re.compile(_WAYS["sentence"])
_PIECE = re.compile(_WAYS["piece"])
# keeps "between one and three" in one piece
_BETWEEN = re.compile(
    r"(?<!\w)((?:between|zwischen|entre|tra|fra|между) (?:\S{1,12} ){0,3}?\S{1,12}) (?:and|und|y|et|e|и) (?=\S)"
)

_YES_OR_NO = re.compile(
    r"(?:no|nope|yes|yeah|nein|ja|nicht|si|sí|hayır|evet|нет|да|non|oui|não|sim|sì|alright|all right|right)"
)
_COLON = re.compile(r":(?!\d)")
_INTRO = re.compile(_WAYS["intro"])
_POLITE = re.compile(_WAYS["polite"])
# makes a request of an ambiguous statement: "no messages until Monday"
PLEASE = re.compile(r"please|pls|plz|thank|bitte|danke|por favor|gracias|lütfen|пожалуйста|спасибо|s'il|stp|per favore")

_NEGATED = ("don't ", "dont ", "do not ", "never ", "stop ", "leave me ", "no me ", "lass mich", "schreib mir")
_OWN_ORDER = re.compile(r"(?:please|don't|do not|dont|never|stop|i |no more|bitte|por favor|lütfen|пожалуйста)")


def find_clauses(text: str) -> Iterator[_Clause]:
    """Yield the clauses of a message in lower case, each with the text before it."""
    plain = _QUOTED.sub(" \u00a4 ", plain_marks(text)).replace("\u2019", "'")
    taken = False
    position = 0
    while position < len(plain):
        stop = _SENTENCE.search(plain, position)
        end = len(plain) if stop is None else stop.start()
        sentence = plain[position:end]
        asks = stop is not None and stop[0][0] in "?\uff1f"
        position = len(plain) if stop is None else stop.end()
        colon = _COLON.search(sentence)
        if colon is not None and _INTRO.fullmatch(sentence[: colon.start()].strip().casefold()):
            sentence = sentence[colon.end() :]
        elif colon is not None:
            taken = True
        yield from _pieces(sentence, asks, taken)


def _pieces(sentence: str, asks: bool, taken: bool) -> Iterator[_Clause]:
    small = _BETWEEN.sub(r"\1 to ", _fold(sentence.strip()))
    cuts = [(0, 0, False), *((m.start(), m.end(), m["and"] is not None) for m in _PIECE.finditer(small))]
    if any(joined for _, _, joined in cuts):
        small = small.replace("peace and quiet", "peace quiet")
        cuts = [(0, 0, False), *((m.start(), m.end(), m["and"] is not None) for m in _PIECE.finditer(small))]
    for number, (start, begin, joined) in enumerate(cuts):
        end = cuts[number + 1][0] if number + 1 < len(cuts) else len(small)
        words = " ".join(small[begin:end].split()).strip(" \"'*_~\u00bf\u00a1\U0001f64f")
        if words or not number:
            yield _Clause(words, small[:start], taken, asks and number == len(cuts) - 1, joined)


def _fold(text: str) -> str:
    """Return the text in lower case, with a plain i for a Turkish capital İ."""
    return " ".join(text.replace("\u0130", "i").lower().split()).replace("hör auf, ", "hör auf ")
