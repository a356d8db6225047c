"""Read from the user's own words when a fact began and ended, and whether it corrects another.

The newest turn that states the fact decides.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from furoshiki.language.dates import parsing
from furoshiki.language.dates.past import fact_times
from furoshiki.language.dates.past.fact_times import UNSAID, Times
from furoshiki.language.facts import conflicts
from furoshiki.language.facts.extraction import Fact, facts_in, past_facts_in, sentence_around
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.grounding.words import DENIED_NOW, stems_of
from furoshiki.language.testimony import Own
from furoshiki.language.words import count_words
from furoshiki.memory.values import Note
from furoshiki.messages.values import Turn

# what a mind writes of something that is over; "are used to" is something else
_ENDED = re.compile(
    r"(?<!\bam )(?<!\bis )(?<!\bare )(?<!\bgot )(?<!\bget )(?<!\bbe )\bused to\b|"
    rf"{DENIED_NOW.pattern}|\bformerly\b|\bpreviously\b|\bformer\b",
    re.IGNORECASE,
)

_TIMELESS = RELATIONS | {"birthday"}  # kinship has no date, and a birthday returns every year

_CLAUSE = re.compile(r"[,;:]|\b(?:and|but|since|because|so|instead)\b")

_AND = re.compile(r"[,;:，；、]|\s(?:and|und|y|e|et|и|ve)\s", re.IGNORECASE)
LONGEST_BREATH = 16  # words of a sentence whose times belong to all that is said in it


@dataclass(frozen=True)
class Told:
    """A note with the turns it cites and what their words say about it.

    `said_at` is the latest time it was said, `since` and `until` bound its validity, `event_time`
    is the time of the event. `past`: it is over; `corrects`: it was said as a correction; `instead`
    is the object that was never true. `confidence` is in [0, 1]. `unconfirmed` is the reason for
    doubt.
    """

    note: Note
    turn_ids: tuple[int, ...]
    said_at: datetime
    since: datetime
    until: datetime | None = None
    times: Times = UNSAID
    past: bool = False
    corrects: bool = False
    instead: str | None = None
    event_time: datetime | None = None
    source_tag: str = "external_user"
    confidence: float = 1.0
    unconfirmed: str | None = None


def read(note: Note, turn_ids: Sequence[int], turns: Sequence[Turn], now: datetime, zone: tzinfo) -> Told:
    """Read a note as stated in these turns. `zone` is the user's, for "last year"."""
    claim = _in_words(note, tuple(turn_ids), turns, now, zone)
    if note.instead is not None:
        claim = replace(claim, instead=note.instead, past=False)
    return replace(claim, event_time=_find_plan_time(note, claim.said_at.astimezone(zone)) or claim.event_time)


def _in_words(note: Note, turn_ids: tuple[int, ...], turns: Sequence[Turn], now: datetime, zone: tzinfo) -> Told:
    for turn in sorted(turns, key=lambda one: one.at, reverse=True):
        said_at = min(turn.at, now)
        fact = _find_fact(note, turn.own)
        if fact is not None:
            claim = _build_timed(note, turn_ids, turn.own, fact.span, said_at.astimezone(zone), fact.past)
            return replace(claim, corrects=fact.corrects, instead=fact.instead)
        where = turn.own.casefold().find((note.object or "").casefold()) if note.object else -1
        if where >= 0:
            span = (where, where + len(note.object or ""))
            past = _ENDED.search(_clause_about(note.object or "", note.text)) is not None
            return _build_timed(note, turn_ids, turn.own, span, said_at.astimezone(zone), past)
    latest = max((min(turn.at, now) for turn in turns), default=now)
    return Told(note, turn_ids, latest, latest)


def _words_around(text: str, start: int, end: int) -> str:
    """Return the sentence around text[start:end]; of a breathless one its part between two "and"s:
    who is 29 and has lived in Lisbon for four years has not been 29 for four."""
    sentence = sentence_around(text, start, end)
    return (
        sentence if count_words(sentence) <= LONGEST_BREATH else min(sentence, _part_around(text, start, end), key=len)
    )


def _part_around(text: str, start: int, end: int) -> str:
    begins = max((joint.end() for joint in _AND.finditer(text, 0, start)), default=0)
    ends = next((joint.start() for joint in _AND.finditer(text, end)), len(text))
    return sentence_around(text[begins:ends], start - begins, end - begins)


def _build_timed(
    note: Note, turn_ids: tuple[int, ...], text: Own, span: tuple[int, int], said_at: datetime, past: bool
) -> Told:
    """Apply the times said around a span to a note: plans are unbounded, past facts hold for the named
    period. Of "she's in Bristol, expecting in February" the month is none of Bristol."""
    times = UNSAID if note.category == "plan" else fact_times.read(_words_around(text, *span), said_at)
    about = (_part_around(text, *span), note.text)
    own = times.since is not None or any(fact_times.read(one, said_at).at is not None for one in about)
    happened = times.at if own and note.predicate not in _TIMELESS else None
    since, until = times.since, times.until
    if past:
        since, until = since or times.at, until or times.at_end
    if until is not None and until > said_at:
        until = said_at
    since = min((since or said_at).astimezone(UTC), said_at.astimezone(UTC))
    ended = None if until is None else until.astimezone(UTC)
    return Told(note, turn_ids, said_at.astimezone(UTC), since, ended, times, past, event_time=happened)


def _find_fact(note: Note, text: Own) -> Fact | None:
    """Return the fact of this note in a turn; in the present tense if stated in both."""
    for fact in (*facts_in(text), *past_facts_in(text)):
        if not conflicts.same(fact.object, note.object):
            continue
        same_subject = note.subject is not None and fact.subject.casefold() == note.subject.casefold()
        if same_subject and fact.predicate == note.predicate:
            return fact
    return None


def _clause_about(object_: str, text: str) -> str:
    """Return the first of the clauses with most words of an object: "it is moderate and no longer
    early" does not say that anything moderate is over."""
    words = stems_of(object_)
    return max(_CLAUSE.split(text), key=lambda clause: len(words & stems_of(clause)))


def _find_plan_time(note: Note, said_at: datetime) -> datetime | None:
    """Return the time of a plan, if its words name one."""
    if note.category != "plan" or note.object is None:
        return None
    when = parsing.read(note.object, said_at)
    return None if when is None or when.past or when.rule else when.at.astimezone(UTC)
