"""Killed while it writes first or reminds: nothing is said twice, nothing is lost, and no second draft is paid for."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.core.database import events
from furoshiki.core.timestamps import stamp
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.mind.outreach import continuity, pulse, reminders, voice
from furoshiki.mind.outreach.forms import OneLineMore
from furoshiki.mind.outreach.store import continuity as timers
from furoshiki.mind.outreach.store.continuity import Timer
from furoshiki.mind.outreach.voice import Worded
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.world import World
from tests.support.deaths import Trial, Work, opened, rows_in
from tests.support.dying_night import awake_in
from tests.support.laws import NOON
from tests.support.world import FrozenClock

pytestmark = [pytest.mark.faults, pytest.mark.slow]

YESTERDAY = NOON - timedelta(days=1)


def at_noon(home: Path) -> World:
    return replace(awake_in(home), clock=FrozenClock(NOON))


async def write_first(home: Path) -> None:
    """One pass that remembers what was paid for."""

    async def draft(_world: World, item: Waiting) -> Worded:
        with (home / "paid").open("a") as paid:
            paid.write("a draft\n")
        return Worded(f"So, {item.summary}", "scripted", "deep")

    async def polish(_world: World, _item: Waiting, drafted: Worded) -> Worded:
        return drafted

    setattr(voice, "draft", draft)  # noqa: B010 - in this process alone
    setattr(voice, "polish", polish)  # noqa: B010
    await pulse.run(at_noon(home))


def remind(home: Path) -> None:
    reminders.speak_due(at_noon(home))


def fill(home: Path) -> None:
    with opened(home) as database, database.write() as db:
        turns.add(db, NewTurn("s", "console", "console", USER, "the interview is on Tuesday", YESTERDAY))
        mind_queue.add(db, "anticipation", "how was the interview?", "a", YESTERDAY, priority=2)
        mind_queue.add(db, "thought", "tides", "b", YESTERDAY, priority=4)
        events.announce(db, "reflection_failed", {"reason": "no JSON"}, YESTERDAY)
        tasks.add(db, tasks.REMINDERS, "water", YESTERDAY, due_at=NOON, due_zone="Europe/Lisbon")
        tasks.add(
            db,
            tasks.REMINDERS,
            "pills",
            YESTERDAY,
            due_at=NOON - timedelta(minutes=1),
            due_zone="Europe/Lisbon",
            recurrence="FREQ=DAILY",
        )
        # the last of three, one that says how late it is, and one that stays open until it is ticked off
        ended = NOON - timedelta(days=2)
        last = tasks.add(db, tasks.REMINDERS, "physio", ended, due_at=ended, recurrence="FREQ=DAILY;COUNT=3")
        db.execute("UPDATE tasks SET due_at=? WHERE id=?", (stamp(NOON), last))
        tasks.add(db, tasks.REMINDERS, "call", YESTERDAY, due_at=NOON - timedelta(hours=3))
        tasks.add(db, "user_work", "send the report", YESTERDAY, due_at=NOON)


def left(home: Path) -> dict[str, Any]:
    return rows_in(
        home,
        {
            "outbox": "SELECT text, policy, state FROM outbox ORDER BY text",
            "turns": "SELECT kind, text FROM turns ORDER BY text",
            "queue": "SELECT summary, state FROM mind_queue ORDER BY id",
            "tasks": "SELECT title, state, due_at FROM tasks ORDER BY id",
            "decisions": "SELECT kind, verdict, source, passes FROM outreach_decisions "
            "WHERE verdict='sent' ORDER BY kind, source",
        },
    )


@contextlib.contextmanager
def paid_only_for_what_was_lost(home: Path) -> Iterator[None]:
    """A draft that was kept, or sent, is not paid for again."""
    ((kept,),) = rows_in(home, {"kept": "SELECT count(*) FROM mind_queue WHERE state IN ('drafted', 'sent')"})["kept"]
    before = paid(home)
    yield
    assert paid(home) == before + (not kept)


def paid(home: Path) -> int:
    path = home / "paid"
    return path.read_text().count("a draft") if path.exists() else 0


def test_killed_at_each_point_it_writes_once(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(write_first, fill, left, again=paid_only_for_what_was_lost), empty_database, tmp_path)
    expected = {"outreach.drafted:1", "outreach.said:1", "outreach.sent:1"}
    assert expected <= set(trial.points)
    trial.survives_each()


def test_killed_at_each_point_it_reminds_once(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(remind, fill, left), empty_database, tmp_path)
    states = {title: state for title, state, _ in trial.alive["tasks"]}
    assert states == {
        "water": "done",
        "pills": "open",
        "physio": "done",
        "call": "done",
        "send the report": "open",
    }
    assert sum("3 hours ago" in text for text, *_ in trial.alive["outbox"]) == 1
    trial.survives_each()


async def go_on(home: Path) -> None:
    """One line more in a conversation that has gone quiet."""

    async def ask(question: Question, on_text: Any = None) -> Answer:
        return Answer("", "stop", "scripted", "micro", question.tier, parsed=OneLineMore(line="And its name?"))

    world = replace(at_noon(home), ask=ask)
    for _ in range(2):
        timer = continuity.is_due(world)
        if timer is not None:
            await continuity.follow(world, timer)


def fill_talk(home: Path) -> None:
    heard = NOON - timedelta(minutes=10)
    with opened(home) as database, database.write() as db:
        turns.add(db, NewTurn("s", "console", "console", USER, "the boat is sold", heard, turn_key="inbox:1"))
        answer = NewTurn("s", "console", "console", COMPANION, "After twelve summers.", heard, turn_key="inbox:1")
        made = turns.add(db, answer)
        timers.enable(db, True, heard)
        timers.set_(db, Timer(made, "inbox:1", "console", "console", heard, NOON - timedelta(minutes=1)), heard)


def left_of_talk(home: Path) -> dict[str, Any]:
    timer = {"timer": f"SELECT value FROM kv WHERE key='{timers.KEY}'"}
    return {**left(home), **rows_in(home, timer)}


def test_killed_at_each_point_it_adds_one_line_once(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(go_on, fill_talk, left_of_talk), empty_database, tmp_path)
    assert {"continuity.worded:1", "continuity.said:1", "continuity.sent:1"} <= set(trial.points)
    assert trial.alive["outbox"] == [("And its name?", "unprompted", "ready")] and trial.alive["timer"] == []
    trial.survives_each()
