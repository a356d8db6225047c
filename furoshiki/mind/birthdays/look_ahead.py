"""Queue near birthdays once each, and drop past ones."""

import sqlite3
from datetime import datetime

from furoshiki.mind.birthdays import known_birthdays, rules
from furoshiki.owner.agenda.rules.mind_queue import Thought
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model import user
from furoshiki.world import Report, World


def look_ahead(world: World) -> Report:
    """Queue a thought for each birthday near by the user's calendar, and drop past ones."""
    now, laws = world.now, world.laws.queue
    with world.database.read() as db:
        today = now.astimezone(user.zone(world, db)).date()
        thoughts = [rules.thought(one, on) for one, on in rules.near(known_birthdays.birthdays(db), today, today)]
        waiting = mind_queue.list_keys(db, rules.KEY)
    over = waiting.keys() - {one.key for one in thoughts}
    with world.database.write() as db:
        new = sum(_put(db, one, laws.priority[one.kind], now) for one in thoughts)
        dropped = sum(mind_queue.let_go(db, waiting[one], "dropped") for one in over)
    data = {"near": new, "over": dropped}
    return Report(bool(new or dropped), f"{new} birthdays come near, {dropped} are over", data)


def _put(db: sqlite3.Connection, one: Thought, priority: int, now: datetime) -> bool:
    """Queue a birthday unless known, by key: those of two people may have the same text."""
    added = mind_queue.add(
        db, one.kind, one.summary, one.key, now, priority=priority, source=one.source, by_key_alone=True
    )
    return added is not None
