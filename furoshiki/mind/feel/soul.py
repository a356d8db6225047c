"""The soul engine's tick, every quarter of an hour: feelings drift, events move them, the day is written down.

Then curiosities are sorted. A mind is asked only about those that rules cannot sort; the tick itself asks nobody.
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from furoshiki.crash import point
from furoshiki.mind.feel import heartbeat
from furoshiki.mind.keep import retention
from furoshiki.mind.reflect import context, curiosity, patterns
from furoshiki.state import Heartbeat
from furoshiki.storage import feelings, inbox, journal, mindqueue, operations, selfquestions
from furoshiki.storage.feelings import Event
from furoshiki.storage.selfquestions import SelfQuestion
from furoshiki.world import Report, World

KEPT = timedelta(days=feelings.KEEP_DAYS)


def run(world: World) -> Report | Coroutine[Any, Any, Report]:
    """One tick, then curiosities. There is something to await only when a mind must be asked about one."""
    report = tick(world)
    counts, ambiguous = curiosity.by_rule(world)
    if ambiguous:
        return _asking(world, report, counts, ambiguous)
    return _with_curiosities(world, report, counts)


async def _asking(world: World, report: Report, counts: curiosity.Counts, ambiguous: Sequence[SelfQuestion]) -> Report:
    return _with_curiosities(world, report, await curiosity.by_mind(world, ambiguous, counts))


def _with_curiosities(world: World, report: Report, counts: curiosity.Counts) -> Report:
    """The report with what was sorted. What the user alone can answer shows in the context at once."""
    if not any(counts.values()):
        return report
    if counts["user"]:
        context.refresh(world)
    said = f"{sum(counts.values())} curiosities sorted"
    return replace(report, summary=f"{report.summary}; {said}", data={**report.data, "curiosities": counts})


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
        read = feelings.unmarked_events(db, beat.last_event_id, heartbeat.NEEDS_READ)
        feelings.record_user_needs(db, beat.user_needs, _cause(read), now)
        feelings.mark_applied(db, beat.last_event_id, now)
        feelings.prune(db, now - KEPT)
        mindqueue.expire(db, now)
        mindqueue.expire_closed(db)
        selfquestions.merge_duplicates(db)
        selfquestions.let_go(db, now)
        inbox.prune(db, now - KEPT)
        journal.prune(db, now - KEPT)
        operations.archive(db, now - timedelta(days=operations.ARCHIVE_AFTER_DAYS))
    patterns.watch(world)
    retention.prune(world)
    context.refresh(world)
    moved = {
        name: round(value - before.emotions.as_mapping()[name], 4)
        for name, value in beat.emotions.as_mapping().items()
        if abs(value - before.emotions.as_mapping()[name]) >= 0.0005
    }
    return Report(True, f"{beat.mood.word}; {len(events)} events", {"mood": beat.mood.word, "moved": moved})


def _cause(read: Sequence[Event]) -> str:
    """Where what the user seems to need has come from: the conversations read, or else a message just now."""
    sessions = ", ".join(str(event.payload["session"]) for event in read)
    return f"reading of session {sessions}" if sessions else "signals of a message"
