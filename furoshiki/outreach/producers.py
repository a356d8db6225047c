"""What the owner should know or decide comes to mind here, so that it reaches them as everything else said unasked.

What failed in the background, what only they can decide, what is finished, and questions of the companion's own that
are unanswered. What comes of conversations and of thinking is queued where it arises (`inner_life`); tasks without a
time by `agenda/task_nudges.py`. Killed anywhere, the next pass does what is missing: it is one transaction, and each
thought is known by its key.
"""

from __future__ import annotations

import sqlite3
from datetime import timedelta

from furoshiki.agenda import skill_results
from furoshiki.agenda.store import failures, mind_queue
from furoshiki.core import refs
from furoshiki.core.process.crash_points import point
from furoshiki.outreach import due, matters, reply_queue
from furoshiki.outreach import laws as all_laws
from furoshiki.outreach.matters import Matter
from furoshiki.world import World

TOLD_APART = timedelta(days=1)
"""So long after a message about what failed the next one may be said."""


def gather(world: World) -> int:
    """Put what has arisen into the mind queue; returns how many thoughts are new. Only the owner's world has any."""
    now = world.now
    if world.who.place is not None:
        return 0
    with world.database.read() as db:
        if due.producers(db, now) is None:
            return 0
    laws = all_laws.current(world)
    with world.database.write() as db:
        made = int(_failures(world, db))
        made += sum(_put(world, db, one) for one in list(matters.new(db, now)))
        for one in matters.results(db, now):
            if _room(world, db, skill_results.KIND):
                source = refs.Ref("operations", str(one.id))
                made += skill_results.found(db, one.title, one.result or "", source, now, world.laws.queue) is not None
        made += reply_queue.gather(db, now, laws, world.laws.queue.priority["reply_nudge"])
        point("producers.before_commit")
    return made


def _failures(world: World, db: sqlite3.Connection) -> bool:
    """At most one thought about what failed waits: what fails meanwhile is added to it."""
    thought = matters.failed(db, world.now)
    if thought is None:
        return False
    waits = mind_queue.on_its_way(db, thought.kind)
    if waits is not None:
        mind_queue.reword(db, waits.id, thought.summary, thought.key, thought.source)
        return False
    last = failures.told(db).at
    put = mind_queue.add(
        db,
        thought.kind,
        thought.summary,
        thought.key,
        world.now,
        priority=world.laws.queue.priority[thought.kind],
        source=thought.source,
        not_before=None if last is None else last + TOLD_APART,
        by_key_alone=True,
    )
    return put is not None


def _put(world: World, db: sqlite3.Connection, matter: Matter) -> bool:
    """Put one there while there is room for its kind; else a later pass does."""
    one = matter.thought
    if not _room(world, db, one.kind):
        return False
    put = mind_queue.add(
        db,
        one.kind,
        one.summary,
        one.key,
        world.now,
        priority=world.laws.queue.priority[one.kind],
        detail=matter.exactly,
        source=one.source,
        until=matter.until,
        by_key_alone=True,
    )
    return put is not None


def _room(world: World, db: sqlite3.Connection, kind: str) -> bool:
    return mind_queue.pending_by_kind(db).get(kind, 0) < world.laws.queue.most[kind]
