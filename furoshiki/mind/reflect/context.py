"""session-context.json: what a conversation should begin with, prepared when nobody waits. No model is asked."""

from __future__ import annotations

from furoshiki.domain.when import stamp
from furoshiki.mind import user
from furoshiki.storage import memories, mindqueue, sessions, tasks
from furoshiki.world import World

SESSIONS = 4
TASKS = 10
FACTS = 50


def refresh(world: World) -> None:
    """Gather the last sessions, what is known, felt and open, and put it in place of the last context."""
    beat = world.state.heartbeat()
    with world.store.read() as db:
        zone = user.zone(world, db)
        latest = sessions.latest(db, SESSIONS)
        name = user.name(db)
        open_tasks = {
            list_id: [task.title for task in tasks.in_list(db, list_id)[:TASKS]] for list_id in tasks.lists(db)
        }
        facts = [f"[memory:{one.id}] {one.content}" for one in memories.known(db, FACTS)]
        thoughts = mindqueue.waiting(db, world.now)
    lines = [
        f"{one.started_at.astimezone(zone).strftime('%A, %-d %B')}: {', '.join(one.topics)}"
        for one in latest
        if one.topics
    ]
    world.state.write_context(
        {
            "refreshed_at": stamp(world.now),
            "name": name,
            "mood": beat.mood.word,
            "needs": {key: round(value, 3) for key, value in beat.needs.items()},
            "user_needs": {key: round(need.level, 3) for key, need in beat.user_needs.items()},
            "sessions": lines,
            "facts": facts,
            "tasks": open_tasks,
            "thoughts": thoughts,
        }
    )
