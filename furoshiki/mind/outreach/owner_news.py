"""News and decisions for the owner that are not in the mind queue yet, read from their sources.

This module imports only the standard library, the storage and rules, because `due.py` uses it.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.core import refs
from furoshiki.core.timestamps import parse
from furoshiki.extensions.plugins.store import jobs as plugin_jobs
from furoshiki.messages.store import accounts, inbox, turns
from furoshiki.mind.inner_life.store import commitments, drift
from furoshiki.mind.outreach.rules import thoughts
from furoshiki.owner.agenda.rules import long_tasks
from furoshiki.owner.agenda.rules.mind_queue import Thought
from furoshiki.owner.agenda.store import mind_queue, operations, persistent_tasks, proposals, tasks
from furoshiki.owner.agenda.store.operations import Operation

LOOKED_BACK = timedelta(days=7)  # the outcome of an older wish is no longer news

# a result of a long operation is brought up after being unread for this long
UNREAD = timedelta(hours=1)

# a question under an answer is asked again after its chat was silent for this long
CHAT_QUIET = timedelta(hours=1)

# a finished list is news after the first span and until the second
LIST_DONE = (timedelta(minutes=20), timedelta(days=1))

LEAST_DONE = 3  # minimum number of tasks done within a day for a list to be mentioned


@dataclass(frozen=True)
class Matter:
    """A thought for the queue. `exactly`: what a button decides; useless after `until`."""

    thought: Thought
    exactly: str | None = None
    until: datetime | None = None


def new(db: sqlite3.Connection, now: datetime) -> Iterator[Matter]:
    """Yield decisions for the owner and finished work, except the results of operations."""
    matters = (
        *_description(db),
        *_promises(db),
        *_proposals(db, now),
        *_lists(db, now),
        *_list_failed_work(db, now),
        *_plugins(db, now),
        *_long_tasks(db),
    )
    return (matter for matter in matters if not mind_queue.is_known(db, matter.thought.key))


def results(db: sqlite3.Connection, now: datetime) -> list[Operation]:
    """Return completed operations whose result is unread."""
    found = operations.unread(db, now - UNREAD, "completed")
    prefix = mind_queue.SKILL_RESULT
    return [
        operation for operation in found if not mind_queue.is_known(db, prefix + refs.name("operations", operation.id))
    ]


def _description(db: sqlite3.Connection) -> Iterator[Matter]:
    found = drift.proposal(db)
    if found is not None:
        because = next((reason.text for reason in found.reasons if reason.kind == "shift"), "")
        yield Matter(thoughts.of_description(found.id, found.changed_share, because))


def _promises(db: sqlite3.Connection) -> Iterator[Matter]:
    for commitment in commitments.read_failing(db):
        yield Matter(thoughts.of_failing_promise(commitment.id, commitment.honoured), commitment.text)


def _proposals(db: sqlite3.Connection, now: datetime) -> Iterator[Matter]:
    """Yield questions asked in the owner's own chat: buttons only work there. An offer ("shall I remind you?") that
    nobody took is not made twice."""
    owner = accounts.owner(db, "telegram")
    here = ("console", "console") if owner is None else ("telegram", owner.chat_id)
    for proposal in proposals.every_open(db, now):
        last = turns.recent(db, *here, 1)
        begins = (
            proposal.skill == "persistent_task" and proposal.args.get("action") == "accept"
        )  # asked for with its plan
        if (
            not (begins or proposal.form or proposal.args.get("offered"))
            and (proposal.channel, proposal.chat_id) == here
            and last
            and now - last[-1].at >= CHAT_QUIET
        ):
            yield Matter(thoughts.of_proposal(proposal.token), proposal.shown, parse(proposal.at) + proposals.OPEN)


def _lists(db: sqlite3.Connection, now: datetime) -> Iterator[Matter]:
    """Yield lists finished outside a conversation: from the command line or by another person."""
    after, before = LIST_DONE
    for name, last in tasks.list_finished(db, now - before, now - after, LEAST_DONE):
        at = None if (task := tasks.get(db, last)) is None else task.changed_at
        if at is not None and not inbox.has_arrivals(db, at - after, at + after):
            yield Matter(thoughts.of_list(name, last))


def _list_failed_work(db: sqlite3.Connection, now: datetime) -> Iterator[Matter]:
    for operation in operations.unread(db, now - UNREAD, "failed"):
        yield Matter(thoughts.of_operation(operation.id, operation.title))


def _plugins(db: sqlite3.Connection, now: datetime) -> Iterator[Matter]:
    """Yield plugins the companion wrote, and failed plugins that the owner had asked for."""
    for job in plugin_jobs.of_states(db, tuple(thoughts.PLUGINS)):
        own = job.source == "reflection"
        if now - job.changed_at <= LOOKED_BACK and (job.state == "proposed" or not own):
            name = job.name or f"{job.id}"
            exactly = f"{job.reason}\n\nfuroshiki plugins apply {job.proposal}" if job.state == "proposed" else None
            yield Matter(thoughts.of_plugin(job.id, name, job.state, own), exactly)


def _long_tasks(db: sqlite3.Connection) -> Iterator[Matter]:
    """Yield long tasks awaiting consent: the companion's own at once, the owner's once planned."""
    for task in persistent_tasks.of_states(db, ("proposed",)):
        if task.source_tag != "user" or task.confidence is not None:
            steps = persistent_tasks.steps(db, task.id)
            exactly = long_tasks.laid_out(task, steps) if steps else long_tasks.offer(task)
            yield Matter(thoughts.of_long_task(task), exactly, task.expires_at)
