"""The soul engine's tick, every quarter of an hour: feelings drift, events move them, the day is written down.

Then curiosities are sorted. A mind is asked only about those that rules cannot sort; the tick itself asks nobody.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from furoshiki.crash import point
from furoshiki.mind.feel import heartbeat
from furoshiki.mind.keep import retention
from furoshiki.mind.reflect import context, curiosity
from furoshiki.state import Heartbeat
from furoshiki.storage import feelings, inbox, journal, mindqueue, operations, selfquestions
from furoshiki.world import Report, World

KEPT = timedelta(days=feelings.KEEP_DAYS)


async def run(world: World) -> Report:
    """One tick, then curiosities. What the user alone can answer shows in the context at once."""
    report = tick(world)
    found = await curiosity.triage(world)
    if not any(found.values()):
        return report
    if found["user"]:
        context.refresh(world)
    said = f"{sum(found.values())} curiosities sorted"
    return replace(report, summary=f"{report.summary}; {said}", data={**report.data, "curiosities": found})


def tick(world: World) -> Report:
    """Drift to now, apply unread events once, write history, refresh the context. No model is asked."""
    now = world.now
    before = world.state.heartbeat()
    with world.store.read() as db:
        events = feelings.unread_events(db, before.last_event_id)

    def step(beat: Heartbeat) -> Heartbeat:
        return heartbeat.ticked(heartbeat.happened(world.laws, events, now)(beat), now)

    beat = world.state.change(step)
    point("soul.state_written")
    with world.store.write() as db:
        feelings.record(db, now, beat.emotions.as_mapping(), beat.needs, beat.mood.word, "tick")
        feelings.mark_applied(db, beat.last_event_id, now)
        feelings.prune(db, now - KEPT)
        mindqueue.expire(db, now)
        mindqueue.expire_closed(db)
        selfquestions.merge_duplicates(db)
        selfquestions.let_go(db, now)
        inbox.prune(db, now - KEPT)
        journal.prune(db, now - KEPT)
        operations.archive(db, now - timedelta(days=operations.ARCHIVE_AFTER_DAYS))
    retention.prune(world)
    context.refresh(world)
    moved = {
        name: round(value - before.emotions.as_mapping()[name], 4)
        for name, value in beat.emotions.as_mapping().items()
        if abs(value - before.emotions.as_mapping()[name]) >= 0.0005
    }
    return Report(True, f"{beat.mood.word}; {len(events)} events", {"mood": beat.mood.word, "moved": moved})
