"""The soul engine's tick, every 15 minutes: feelings drift, events change them, the state is saved.

It then sorts curiosities and queues thoughts. A model is asked only about curiosities that rules
cannot sort, and to explore one; the tick itself needs none.
"""

from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from furoshiki.core.database import events
from furoshiki.core.database.events import Event
from furoshiki.core.process.crash_points import point
from furoshiki.feelings import heartbeat
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.feelings.store import history
from furoshiki.messages.store import inbox, sessions, turn_journal
from furoshiki.mind.consolidation import log_retention
from furoshiki.mind.inner_life import queue_thoughts, session_context
from furoshiki.mind.inner_life.questions import triage
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.mind.inner_life.store.self_questions import SelfQuestion
from furoshiki.owner.agenda import harvesting
from furoshiki.owner.agenda.store import mind_queue, operations
from furoshiki.owner.user_model import user
from furoshiki.world import Report, World


def run(world: World) -> Report | Coroutine[Any, Any, Report]:
    """Run one tick with curiosities. Returns a coroutine only when a model must be asked."""
    felt = _feel(world)
    counts, ambiguous = triage.by_rule(world)
    if world.settings.furoshiki_soul_engine == "rules":
        return _finish(world, felt, counts)
    if ambiguous or triage.explorable(world):
        return _ask_mind(world, felt, counts, ambiguous)
    return _finish(world, felt, counts)


async def _ask_mind(world: World, felt: "Felt", counts: triage.Counts, ambiguous: Sequence[SelfQuestion]) -> Report:
    from furoshiki.mind.inner_life.questions import exploration

    report = _finish(world, felt, await triage.by_mind(world, ambiguous, counts))
    explored = await exploration.explore(world)  # last, so that a slow model delays nothing
    if explored is None:
        return report
    data = {**report.data, "explored": explored}
    return replace(report, summary=f"{report.summary}; explored one curiosity: {explored}", data=data)


def tick(world: World) -> Report:
    """Run one tick without curiosities. No model is asked."""
    return _finish(world, _feel(world), {"self": 0, "user": 0, "unsure": 0})


@dataclass(frozen=True)
class Felt:
    """The result of a tick's first half: the old and new state, and the number of events."""

    before: Heartbeat
    now: Heartbeat
    events: int


def _feel(world: World) -> Felt:
    """Drift to now, apply unread events once, write history, delete expired rows (steps 1 to 3)."""
    now = world.now
    before = world.state.heartbeat()
    with world.database.read() as db:
        unread = events.unread(db, before.last_event_id)

    def step(beat: Heartbeat) -> Heartbeat:
        return heartbeat.tick(heartbeat.apply_events(world.laws, unread, now)(beat), now)

    beat = world.state.change(step)
    point("soul.state_written")
    kept = now - world.laws.history
    with world.database.write() as db:
        cause = ", ".join(["tick", *dict.fromkeys(event.kind for event in unread if heartbeat.moves(event))])
        history.record(db, now, beat.emotions.as_mapping(), beat.needs, beat.mood.word, cause)
        read = events.read_unmarked(db, beat.last_event_id, heartbeat.NEEDS_READ)
        history.record_user_needs(db, beat.user_needs, _cause(read), now)
        events.mark_applied(db, beat.last_event_id, now)
        history.prune(db, kept, now - world.laws.hourly)
        mind_queue.expire(db, now)
        mind_queue.expire_closed(db)
        sessions.advance_mark(db, now)
        self_questions.merge_duplicates(db)
        self_questions.let_go(db, now)
        inbox.prune(db, kept)
        turn_journal.prune(db, kept)
        harvesting.harvest(db, now, user.zone(world, db))
        operations.archive(db, now - timedelta(days=operations.ARCHIVE_AFTER_DAYS))
    log_retention.prune(world)
    return Felt(before, beat, len(unread))


def _finish(world: World, felt: Felt, sorted_: triage.Counts) -> Report:
    """Queue thoughts and refresh the context (steps 5 and 6). Returns the tick's report."""
    queued = {kind: count for kind, count in queue_thoughts.fill(world, felt.now).items() if count}
    session_context.refresh(world)
    old, new = felt.before.emotions.as_mapping(), felt.now.emotions.as_mapping()
    moved = {name: round(new[name] - old[name], 4) for name in new if abs(new[name] - old[name]) >= 0.0005}
    report = Report(
        True,
        f"{felt.now.mood.word}; {felt.events} events",
        {"mood": felt.now.mood.word, "moved": moved, "queued": queued},
    )
    if not any(sorted_.values()):
        return report
    said = f"{sum(sorted_.values())} curiosities sorted"
    return replace(report, summary=f"{report.summary}; {said}", data={**report.data, "curiosities": sorted_})


def _cause(read: Sequence[Event]) -> str:
    """Return the source of the user's estimated needs: sessions that were read, else a message."""
    sessions = ", ".join(str(event.payload["session"]) for event in read)
    return f"reading of session {sessions}" if sessions else "signals of a message"
