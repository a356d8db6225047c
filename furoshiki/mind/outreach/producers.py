"""Put news and decisions for the owner into the mind queue, so that they are said like all else.

These are decisions only the owner can make, finished work they asked for, and unanswered questions
of the companion. Internal failures are shown in `/status`, the doctor and the pages instead.
Results of conversations and thinking are queued by `inner_life`, tasks without a time by
`owner/agenda/task_nudges.py`. Each pass is one transaction with one key per thought, so the next
pass completes an interrupted one.
"""

import sqlite3

from furoshiki.core import refs
from furoshiki.core.process.crash_points import point
from furoshiki.mind.outreach import due, matters, reply_queue
from furoshiki.mind.outreach import laws as all_laws
from furoshiki.mind.outreach.matters import Matter
from furoshiki.owner.agenda import skill_results
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.world import World


def gather(world: World) -> int:
    """Queue new thoughts and return their number. Only the owner's world has any."""
    now = world.now
    if world.who.place is not None:
        return 0
    with world.database.read() as db:
        if due.producers(db, now) is None:
            return 0
    laws = all_laws.current(world)
    with world.database.write() as db:
        made = sum(_put(world, db, matter) for matter in list(matters.new(db, now)))
        for operation in matters.results(db, now):
            if _room(world, db, skill_results.KIND):
                source = refs.Ref("operations", str(operation.id))
                made += (
                    skill_results.queue_result(
                        db, operation.title, operation.result or "", source, now, world.laws.queue
                    )
                    is not None
                )
        made += reply_queue.gather(db, now, laws, world.laws.queue.priority["reply_nudge"])
        point("producers.before_commit")
    return made


def _put(world: World, db: sqlite3.Connection, matter: Matter) -> bool:
    """Queue a thought if there is room for its kind; otherwise a later pass does."""
    thought = matter.thought
    if not _room(world, db, thought.kind):
        return False
    priority = world.laws.queue.priority[thought.kind]
    return mind_queue.add_thought(db, thought, priority, world.now, matter.exactly, matter.until)


def _room(world: World, db: sqlite3.Connection, kind: str) -> bool:
    return mind_queue.count_by_kind(db).get(kind, 0) < world.laws.queue.most[kind]
