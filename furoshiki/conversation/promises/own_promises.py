"""Read and store promises in answers as the companion's own: quiet until a time, or a later question.
Outreach gates apply to both, and both are shown to the companion and on request."""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta, tzinfo
from typing import Literal

from furoshiki.conversation.promises.rules import claims
from furoshiki.conversation.skills import registry
from furoshiki.core import refs
from furoshiki.core.catalogue import say
from furoshiki.language.dates import parsing
from furoshiki.language.dates.habits import TONGUES, Habits
from furoshiki.language.dates.parsing import When
from furoshiki.language.humanize import clock
from furoshiki.language.word_tables import pattern, texts
from furoshiki.mind.inner_life.store import commitments
from furoshiki.mind.outreach import being_quiet, laws
from furoshiki.owner.agenda.rules.quiet import asked, ends
from furoshiki.owner.agenda.rules.quiet.ends import Clock
from furoshiki.owner.agenda.store import mind_queue, quiet
from furoshiki.owner.user_model import user
from furoshiki.world import World

# -- reading: "I'll be quiet until Sunday", "ich frag dich am Freitag, wie es war" --
#
# Promises without a time, questions, hedged sentences and quotations do not count.


@dataclass(frozen=True)
class OwnPromise:
    """A promise: its sentence, and its end (`quiet`) or start (`ask`), aware."""

    kind: Literal["quiet", "ask"]
    words: str
    at: datetime


LONGEST = timedelta(days=30)  # maximum time ahead of a promise
ABROAD = ("fr", "it", "pt")  # languages whose times are read through English names

# a day is asked about in its evening, an appointment this long after its time
ASKS_AT, AFTER = time(18), timedelta(hours=2)

_QUIET: Mapping[str, re.Pattern[str]] = {
    tongue: re.compile(pattern(ways), re.IGNORECASE) for tongue, ways in texts("own_promises", "quiet").items()
}
_ASKS, _WENT, _HEDGED = (
    re.compile("|".join(map(pattern, texts("own_promises", key).values())), re.IGNORECASE)
    for key in ("asks", "went", "hedged")
)

_STOPS = re.compile(r"(?<![,.!;:…])[,.!;:…]+(?=\s|$)")


def find_promises(answer: str, now: datetime, wakes: time, habits: Habits | None = None) -> tuple[OwnPromise, ...]:
    """Return the promises of an answer in order, at most one per sentence. `now` is aware, in the
    user's zone; `wakes` is the start of the waking hours, where "until Sunday" ends."""
    found = (
        _quiet(sentence, Clock(now, wakes)) or _asks(sentence, now, habits or Habits(TONGUES))
        for sentence in claims.sentences(answer)
        if not sentence.rstrip().endswith(("?", "？"))
    )
    return tuple(one for one in found if one is not None and now < one.at <= now + LONGEST)


def _quiet(sentence: str, clock: Clock) -> OwnPromise | None:
    claimed = {one.tongue for one in claims.claims(sentence) if one.kind == "quiet"}
    said = [tongue for tongue, words in _QUIET.items() if tongue in claimed or words.search(sentence)]
    small = _STOPS.sub("", sentence.casefold()).strip()
    for tongue in dict.fromkeys([*said, *claimed]):
        end = ends.find_end(small, tongue, clock)
        if end is not None and not end.guessed and not _HEDGED.search(sentence):
            return OwnPromise("quiet", sentence.strip(), end.at)
    return None


def _asks(sentence: str, now: datetime, habits: Habits) -> OwnPromise | None:
    if _ASKS.search(sentence) is None or _HEDGED.search(sentence):
        return None
    read = (parsing.parse_when(sentence, now, one) for one in (habits, replace(habits, tongues=ABROAD)))
    when = next((found for found in read if isinstance(found, When)), None)
    if when is None or when.past or when.rule is not None:
        return None
    if when.timed:
        return OwnPromise("ask", sentence.strip(), when.at + (AFTER if _WENT.search(sentence) else timedelta(0)))
    return OwnPromise("ask", sentence.strip(), when.at.replace(hour=ASKS_AT.hour, minute=ASKS_AT.minute))


ASKS, QUIET = "follow_up", "quiet"
KEY = "promise:"  # the key prefix of a promised question in the mind queue

PRESSES = 2


def read(world: World, db: sqlite3.Connection, answer: str) -> tuple[OwnPromise, ...]:
    """Return the promises in an answer; only those to the owner count."""
    if world.who.place is not None or not registry.may_call(world, QUIET):
        return ()
    now = world.now.astimezone(user.zone(world, db))
    return find_promises(answer, now, laws.current(world).quiet.until, user.habits(world, db))


def keep(world: World, db: sqlite3.Connection, answer: str, turn_id: int | None) -> None:
    """Store an answer's promises in the caller's transaction; `turn_id` is the stored answer."""
    if turn_id is None:
        return
    for number, one in enumerate(read(world, db, answer)):
        at = one.at.astimezone(world.now.tzinfo)
        if one.kind == "quiet":
            being_quiet.keep(db, at, world.now, one.words, own=True)
            continue
        mind_queue.add(
            db,
            ASKS,
            f"As I said: “{one.words}”",
            f"{KEY}{turn_id}:{number}",
            world.now,
            priority=PRESSES,
            source=refs.name("turn", turn_id),
            not_before=at,
            by_key_alone=True,
        )


def list_open(db: sqlite3.Connection, zone: tzinfo, now: datetime) -> Sequence[str]:
    """Return the open promises, each with its time."""
    silent = quiet.current(db, now)
    found = []
    if silent is not None:
        until = say("nothing unasked until {when}", when=clock(silent.until, zone, now))
        found.append(f"{until}: “{silent.why}”" if silent.own and silent.why else until)
    for one in quiet.planned(db, now):
        found.append(say("nothing unasked {period}", period=asked.say_period(one, zone, now)))
    waits = [one for one in mind_queue.list_pending(db) if one.key.startswith(KEY) and one.not_before is not None]
    return [*found, *(f"{clock(one.not_before, zone, now)}: {one.summary}" for one in waits if one.not_before)]


def describe(world: World) -> str:
    """Describe the promises to the user and the companion's own commitments."""
    with world.database.read() as db:
        found = list_open(db, user.zone(world, db), world.now)
        own = [one.text for one in commitments.active(db)]
    lists = [(say("What I promised you:"), found), (say("What I promised myself:"), own)]
    said = ["\n".join([head, *(f"- {one}" for one in lines)]) for head, lines in lists if lines]
    return "\n\n".join(said) or say("There is nothing I have promised at the moment.")
