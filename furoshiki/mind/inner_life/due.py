"""Check whether the inner life has work: feelings, questions, the journal, self-reflection.

Each function returns the reason to run, or None. Imports only the standard library and storage.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from furoshiki.core import paths
from furoshiki.core.database import kv
from furoshiki.feelings.store import history
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.store import explorations, monologue, wandered
from furoshiki.models.llm.store import waits
from furoshiki.owner.user_model.store import anticipations

if TYPE_CHECKING:
    from furoshiki.mind.inner_life.store.self_questions import SelfQuestion

A_DAY = timedelta(hours=24)


def soul_engine(_db: sqlite3.Connection, _now: datetime) -> str | None:
    """Always report a reason: feelings drift with time."""
    return "time has passed"


# how often the feelings of a silent guest are updated; their next message does it anyway
TICK_OF_OTHERS = timedelta(days=1)


def soul_of_others(db: sqlite3.Connection, now: datetime) -> str | None:
    """Say why a guest's place is due: they wrote since the last tick, or that was a day ago."""
    last = history.last(db)
    said = turns.last_session(db)
    if last is None:
        return "it has never ticked"
    if said is not None and said[1] > last[0]:
        return "something was said"
    return "a day has passed" if now - last[0] >= TICK_OF_OTHERS else None


MOST_A_NIGHT = 10  # questions looked into per night
MOST_IN_SILENCE = 1  # questions looked into per night after a day without a message

# minimum time before a question that memory could not answer is tried again
QUESTIONS_REST = timedelta(hours=20)


def run_question_processing(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report self-questions that are due, or whose answer is no longer valid."""
    from furoshiki.mind.inner_life.store import self_questions  # import here: no other function needs it (10 ms)

    if self_questions.stale(db):
        return "an answer holds no more"
    if questions_left(db, now) == 0:
        return None
    return "questions are open" if self_questions.to_answer(db, now - QUESTIONS_REST, 1) else None


def questions_left(db: sqlite3.Connection, now: datetime) -> int:
    """Return how many questions may be looked into now; one a night after a silent day."""
    from furoshiki.mind.inner_life.store import self_questions

    if not turns.silent(db, now):
        return MOST_A_NIGHT
    return max(0, MOST_IN_SILENCE - self_questions.count_lookups(db, now - QUESTIONS_REST))


# minimum time between two entries of one kind (night, morning, afternoon)
ENTRY_RESTS = timedelta(hours=12)

# how far back the first entry looks; later ones start where the last one ended
FIRST_LOOK = timedelta(hours=36)

AHEAD = timedelta(hours=24)  # how far ahead a morning entry looks

# thoughts per 24 hours, including explorations; with a night, a morning and an afternoon entry at
# most six model calls on a silent day
CONTEMPLATIONS = 4

EXPLORATIONS = 2  # how many of them may be explorations

# minimum time before a curiosity is explored again after a failure; longer without news
EXPLORED_AGAIN = timedelta(hours=20)

EXPLORED_AT_MOST = 3  # maximum number of attempts to explore a curiosity

# The limit of thoughts after a silent day. With one question and the three calls of consolidation
# about late judgements, it keeps a silent day to six calls.
SILENT_CONTEMPLATIONS = 2

CONTEMPLATION_RESTS = timedelta(hours=2)
FRESH = timedelta(hours=48)  # how long a memory counts as fresh
SEED_RESTS = timedelta(days=7)  # how long a subject is left alone after being contemplated

_UNFILED = "a page of the journal is not written yet"


def run_inner_monologue(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report a message since the last journal entry."""
    return _report_news(db, "journal", now, "something was said since the last entry")


def run_morning_reflection(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report a message or entry since the last morning, or something expected today."""
    news = _report_news(db, "morning", now, "something was said since the last morning")
    if news is not None:
        return news
    last = monologue.last(db, "morning")
    if last is None or now - last.at < ENTRY_RESTS:
        return None
    if monologue.since(db, ("journal",), last.at):
        return "the journal has a new entry"
    return "something is expected today" if anticipations.count_due(db, last.at + AHEAD, now + AHEAD) else None


def run_afternoon_reflection(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report a message since the last afternoon entry."""
    return _report_news(db, "afternoon", now, "something was said since the last afternoon")


def run_micro_contemplation(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report something fresh or open to think about, if the day's limit is not reached."""
    if monologue.list_unfiled(db):
        return _UNFILED
    last = monologue.last(db, "contemplation")
    if last is not None and now - last.at < CONTEMPLATION_RESTS:
        return None
    if thoughts_left(db, now) <= 0:
        return None
    found = len(monologue.seeds(db, now - FRESH, now - SEED_RESTS))
    return f"{found} things might be thought about" if found else None


def thoughts_left(db: sqlite3.Connection, now: datetime) -> int:
    """Return how many thoughts and explorations are left today (on silent days, wandering
    counts)."""
    had = monologue.count_since(db, "contemplation", now - A_DAY) + explorations.since(db, now - A_DAY)
    if turns.silent(db, now):
        return SILENT_CONTEMPLATIONS - had - wandered.count_since(db, now - A_DAY)
    return CONTEMPLATIONS - had


def next_curiosity(db: sqlite3.Connection, now: datetime) -> SelfQuestion | None:
    """Return the curiosity to explore now; None when there is none or a day's limit is reached."""
    from furoshiki.mind.inner_life.store import self_questions  # import here: no other function needs it (10 ms)

    if explorations.since(db, now - A_DAY) >= EXPLORATIONS or thoughts_left(db, now) <= 0:
        return None
    return self_questions.to_explore(db, now - EXPLORED_AGAIN, EXPLORED_AT_MOST)


def _report_news(db: sqlite3.Connection, kind: monologue.Kind, now: datetime, heard: str) -> str | None:
    if monologue.list_unfiled(db):
        return _UNFILED
    return heard if _has_heard_since(db, kind, now) else None


def _has_heard_since(db: sqlite3.Connection, kind: monologue.Kind, now: datetime) -> bool:
    last, newest = monologue.last(db, kind), turns.newest_heard(db)
    if last is None:
        return newest is not None and newest[1] > now - FIRST_LOOK
    return newest is not None and now - last.at >= ENTRY_RESTS and newest[0] > last.seen_turn


def embed_design_docs(db: sqlite3.Connection, _now: datetime) -> str | None:
    """Report that a source of the companion's self-knowledge changed, or that none is stored."""
    from furoshiki.mind.inner_life import knowledge_sources

    return "what it knows of itself may be out of date" if knowledge_sources.stale(db, paths.data_dir()) else None


# the `kv` key of the deep reflection after which the companion was last asked for a wish
WISHED_AFTER = "plugins.wished_after"


def plugin_wish(db: sqlite3.Connection, now: datetime) -> str | None:
    """Report a deep reflection since the companion was last asked for a wish."""
    from furoshiki.mind.inner_life.store import drift  # import here: no other function needs it

    newest = next(iter(drift.newest(db, 1)), None)
    if newest is None or newest.id <= int(kv.get(db, WISHED_AFTER, 0)) or waits.of(db, "plugin_wish", now) is not None:
        return None
    return "there was a long look at itself"


def run_deep_reflection(db: sqlite3.Connection, _now: datetime) -> str | None:
    """Report news since the last deep reflection, or an unwritten SELF.md."""
    from furoshiki.mind.inner_life.store import drift  # import here: no other function needs it

    return "SELF.md or a proposal is not written yet" if drift.unwritten(db) else drift.describe_news(db)
