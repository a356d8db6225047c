"""Store promises in answers as the companion's own: quiet until a time, or a question for later.
Outreach gates apply to both, and both are shown to the companion and on request."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, tzinfo

from furoshiki.conversation.promises.rules.own_words import OwnPromise, find_promises
from furoshiki.conversation.skills import registry
from furoshiki.core import refs
from furoshiki.core.catalogue import say
from furoshiki.language.humanize import clock
from furoshiki.mind.inner_life.store import commitments
from furoshiki.mind.outreach import being_quiet, laws
from furoshiki.owner.agenda.rules.quiet import said as quiet_said
from furoshiki.owner.agenda.store import mind_queue, quiet
from furoshiki.owner.user_model import user
from furoshiki.world import World

ASKS, QUIET = "follow_up", "quiet"
KEY = "promise:"
"""The key prefix of a promised question in the mind queue."""

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
        found.append(say("nothing unasked {period}", period=quiet_said.say_period(one, zone, now)))
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
