"""Is there anything to do for its inner life: feelings, questions, the journal, itself?

Each question returns the reason to run, or None. Only the standard library and the storage are imported here.
"""

import sqlite3
from datetime import datetime, timedelta

from furoshiki.core.database import kv
from furoshiki.feelings.store import history
from furoshiki.messages.store import turns
from furoshiki.mind.inner_life.store import explorations, monologue, wandered
from furoshiki.models.llm.store import waits
from furoshiki.owner.user_model.store import anticipations

A_DAY = timedelta(hours=24)


def soul_engine(_db: sqlite3.Connection, _now: datetime) -> str | None:
    """Feelings drift whatever happens."""
    return "time has passed"


TICK_OF_OTHERS = timedelta(days=1)
"""How often time passes for somebody beside the owner who says nothing; feelings drift with the next word anyway."""


def soul_of_others(db: sqlite3.Connection, now: datetime) -> str | None:
    """Say why a guest's place is due: they wrote since the last tick, or that was a day ago."""
    last = history.last(db)
    said = turns.last_session(db)
    if last is None:
        return "it has never ticked"
    if said is not None and said[1] > last[0]:
        return "something was said"
    return "a day has passed" if now - last[0] >= TICK_OF_OTHERS else None


MOST_A_NIGHT = 10
"""Questions that are looked into in a night …"""

MOST_IN_SILENCE = 1
"""… and in one after a day without a word."""

QUESTIONS_REST = timedelta(hours=20)
"""A question that memory could not answer is not looked into again before the next night."""


def run_question_processing(db: sqlite3.Connection, now: datetime) -> str | None:
    """Self-questions that were not looked into since yesterday, or whose answer holds no more."""
    from furoshiki.mind.inner_life.store import self_questions  # by nobody else: 10 ms

    if self_questions.stale(db):
        return "an answer holds no more"
    if questions_left(db, now) == 0:
        return None
    return "questions are open" if self_questions.to_answer(db, now - QUESTIONS_REST, 1) else None


def questions_left(db: sqlite3.Connection, now: datetime) -> int:
    """How many questions may be looked into now: in silence one a night, however often it is begun."""
    from furoshiki.mind.inner_life.store import self_questions

    if not turns.silent(db, now):
        return MOST_A_NIGHT
    return max(0, MOST_IN_SILENCE - self_questions.count_lookups(db, now - QUESTIONS_REST))


ENTRY_RESTS = timedelta(hours=12)
"""Between two entries of one kind (night, morning, afternoon) lies at least so long."""

FIRST_LOOK = timedelta(hours=36)
"""How far back the first entry looks; later ones begin where the last one ended."""

AHEAD = timedelta(hours=24)
"""How far a morning looks ahead."""

CONTEMPLATIONS = 4
"""Thoughts in 24 hours, explorations of what it is curious about among them: with a night, a morning and an afternoon
no more than six questions on a day without a word."""

EXPLORATIONS = 2
"""How many of them may be explorations."""

EXPLORED_AGAIN = timedelta(hours=20)
"""A curiosity that was explored in vain is left alone for so long, and longer while nothing is new …"""

EXPLORED_AT_MOST = 3
"""… and explored so often at most."""

SILENT_CONTEMPLATIONS = 2
"""The same when nothing was said for a day: with one question looked into, and what consolidation asks of memories that
were judged late (three), no more than six in all."""

CONTEMPLATION_RESTS = timedelta(hours=2)
FRESH = timedelta(hours=48)
"""How long a memory is fresh …"""

SEED_RESTS = timedelta(days=7)
"""… and how long a thing is left alone that was contemplated."""

_UNFILED = "a page of the journal is not written yet"


def run_inner_monologue(db: sqlite3.Connection, now: datetime) -> str | None:
    """Something was said since the last entry."""
    if monologue.list_unfiled(db):
        return _UNFILED
    return "something was said since the last entry" if _has_heard_since(db, "journal", now) else None


def run_morning_reflection(db: sqlite3.Connection, now: datetime) -> str | None:
    """Something was said or written since the last morning, or is expected of this day."""
    if monologue.list_unfiled(db):
        return _UNFILED
    if _has_heard_since(db, "morning", now):
        return "something was said since the last morning"
    last = monologue.last(db, "morning")
    if last is None or now - last.at < ENTRY_RESTS:
        return None
    if monologue.since(db, ("journal",), last.at):
        return "the journal has a new entry"
    return "something is expected today" if anticipations.count_due(db, last.at + AHEAD, now + AHEAD) else None


def run_afternoon_reflection(db: sqlite3.Connection, now: datetime) -> str | None:
    """Something was said since the last afternoon."""
    if monologue.list_unfiled(db):
        return _UNFILED
    return "something was said since the last afternoon" if _has_heard_since(db, "afternoon", now) else None


def run_micro_contemplation(db: sqlite3.Connection, now: datetime) -> str | None:
    """There is something fresh or open, and there were not many thoughts today."""
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
    """How many more thoughts and explorations the day may have; in silence what a mind wandered to is one of them."""
    had = monologue.count_since(db, "contemplation", now - A_DAY) + explorations.since(db, now - A_DAY)
    if turns.silent(db, now):
        return SILENT_CONTEMPLATIONS - had - wandered.count_since(db, now - A_DAY)
    return CONTEMPLATIONS - had


def may_explore(db: sqlite3.Connection, now: datetime) -> bool:
    """Whether one more thing may be explored today: few in all, and with the thoughts of the day no more than these."""
    return explorations.since(db, now - A_DAY) < EXPLORATIONS and thoughts_left(db, now) > 0


def _has_heard_since(db: sqlite3.Connection, kind: monologue.Kind, now: datetime) -> bool:
    last, newest = monologue.last(db, kind), turns.newest_heard(db)
    if last is None:
        return newest is not None and newest[1] > now - FIRST_LOOK
    return newest is not None and now - last.at >= ENTRY_RESTS and newest[0] > last.seen_turn


def embed_design_docs(db: sqlite3.Connection, _now: datetime) -> str | None:
    """Something has changed that the companion's knowledge of itself is made of, or it was never written."""
    from furoshiki.core import paths  # by nobody else, as the next line
    from furoshiki.mind.inner_life import knowledge_sources

    return "what it knows of itself may be out of date" if knowledge_sources.stale(db, paths.data_dir()) else None


WISHED_AFTER = "plugins.wished_after"
"""In `kv`: the long look at itself after which it was last asked what it wishes for."""


def plugin_wish(db: sqlite3.Connection, now: datetime) -> str | None:
    """There was a long look at itself since it was last asked what it wishes for."""
    from furoshiki.mind.inner_life.store import drift  # by nobody else

    newest = next(iter(drift.newest(db, 1)), None)
    if newest is None or newest.id <= int(kv.get(db, WISHED_AFTER, 0)) or waits.of(db, "plugin_wish", now) is not None:
        return None
    return "there was a long look at itself"


def run_deep_reflection(db: sqlite3.Connection, _now: datetime) -> str | None:
    """Something was written, noticed or learned for good since the last look; or SELF.md is not written yet."""
    from furoshiki.mind.inner_life.store import drift  # by nobody else

    return "SELF.md or a proposal is not written yet" if drift.unwritten(db) else drift.describe_news(db)
