"""The checks themselves: each finds what it is there for, and lets pass what is allowed."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from bench.simulator.checks import basics, outreach, reminders, wandering
from bench.simulator.checks.values import Check, View
from bench.simulator.person import Promise
from bench.simulator.story import Heard, Ran, Said, Story, Whereabouts
from furoshiki.conversation.wandering.store import wanderings
from furoshiki.conversation.wandering.values import Wandering
from furoshiki.core.database.connection import Database
from furoshiki.core.database.rows import dump
from furoshiki.feelings.store import history
from furoshiki.messages.store import turns
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.decisions import NewDecision
from furoshiki.owner.agenda.store import tasks
from tests.support.rows import user_said

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
VECTORS = {"How are you?": [1.0, 0.0], "How are you today?": [0.9, 0.436], "And the cat?": [0.0, 1.0]}


class Told:
    """A story that is made up: what was said unasked, with its decisions, and what was heard."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.story = Story("me", "Europe/Lisbon", NOON - 30 * 24 * HOUR, 7)

    def says(
        self,
        at: datetime,
        text: str = "How are you?",
        *,
        priority: int = 3,
        kind: str = "need",
        source: str = "needs:x",
    ) -> None:
        row = len(self.story.said) + 1
        decision = NewDecision(kind, priority, "sent", "open", item_id=row, source=source, turn_id=row)
        with self.database.write() as db:
            decisions.record(db, decision, at)
        self.story.said.append(Said(at, row, row, f"outreach:{row}", "unprompted", "text", text))

    def hears(self, at: datetime, text: str = "Hello.", kind: str = "text") -> None:
        self.story.heard.append(Heard(at, len(self.story.heard) + 1, kind, text))

    def found(self, check: Check, now: datetime | None = None, what: str = "outreach_pulse") -> list[str]:
        """What a check says to the last thing that was said."""

        def embed(texts: Sequence[str]) -> list[list[float]]:
            return [VECTORS[text.removeprefix("companion: ")] for text in texts]

        with self.database.read() as db:
            new = self.story.said[-1:]
            view = View(db, now or new[-1].at, self.story, what, new, embed)
            return [words for _, words in check(view)]


@pytest.fixture
def told(database: Database) -> Told:
    return Told(database)


@pytest.mark.parametrize(
    ("at", "zone", "priority", "broken"),
    [
        (NOON, "Europe/Lisbon", 3, False),
        (NOON.replace(hour=23), "Europe/Lisbon", 3, True),
        (NOON.replace(hour=7, minute=59), "Europe/Lisbon", 3, True),
        (NOON.replace(hour=8), "Europe/Lisbon", 3, False),
        (NOON.replace(hour=23), "Europe/Lisbon", 1, False),
        (NOON.replace(hour=14), "Asia/Tokyo", 3, True),
        (datetime(2026, 3, 29, 7, 30, tzinfo=UTC), "Europe/Lisbon", 3, False),  # 8:30 since the clocks went forward
        (datetime(2026, 3, 28, 7, 30, tzinfo=UTC), "Europe/Lisbon", 3, True),
    ],
)
def test_quiet_hours_are_those_of_where_the_person_is(
    told: Told, at: datetime, zone: str, priority: int, broken: bool
) -> None:
    told.story.where.append(Whereabouts(at - HOUR, zone))
    told.says(at, priority=priority)
    assert bool(told.found(outreach.quiet_hours)) == broken


def test_quiet_that_was_asked_for_holds_until_its_end(told: Told) -> None:
    told.hears(NOON, "/quiet 2 days")
    told.says(NOON + 47 * HOUR)
    assert told.found(outreach.asked_quiet)
    told.says(NOON + 49 * HOUR)
    assert not told.found(outreach.asked_quiet)


def test_quiet_in_their_own_words_holds_until_the_day_they_named(told: Told) -> None:
    told.hears(NOON, "i need to be alone now. please don't message me until thursday, ok?")  # it is Tuesday
    told.says(NOON + 35 * HOUR)
    assert told.found(outreach.asked_quiet)
    told.says(NOON + 37 * HOUR)
    assert not told.found(outreach.asked_quiet)
    told.hears(NOON + 38 * HOUR, "/quiet off")
    told.says(NOON + 39 * HOUR)
    assert not told.found(outreach.asked_quiet)


@pytest.mark.parametrize(("minutes", "broken"), [(19, True), (21, False)])
def test_nobody_is_interrupted(told: Told, minutes: int, broken: bool) -> None:
    told.hears(NOON)
    told.says(NOON + timedelta(minutes=minutes))
    assert bool(told.found(outreach.recent_conversation)) == broken


def test_who_takes_a_message_up_at_once_may_hear_three_more(told: Told) -> None:
    told.says(NOON - HOUR)
    told.hears(NOON - HOUR + timedelta(minutes=9))
    for minutes in (12, 20, 30):
        told.says(NOON - HOUR + timedelta(minutes=minutes))
        assert not told.found(outreach.recent_conversation)
        assert not told.found(outreach.cooldown)
    told.says(NOON - HOUR + timedelta(minutes=35))
    assert told.found(outreach.cooldown)


@pytest.mark.parametrize(
    ("priority", "hours", "broken"),
    [(1, 0.1, False), (2, 1.9, True), (2, 2.1, False), (3, 3, True), (4, 7, True), (5, 25, False)],
)
def test_a_cooldown_is_as_long_as_its_priority_says(told: Told, priority: int, hours: float, broken: bool) -> None:
    told.says(NOON)
    told.says(NOON + hours * HOUR, priority=priority)
    assert bool(told.found(outreach.cooldown)) == broken


def test_it_is_twice_as_long_while_nobody_answers(told: Told) -> None:
    told.says(NOON - 10 * HOUR)
    told.says(NOON - 5 * HOUR)
    told.says(NOON)
    assert told.found(outreach.cooldown) == [
        "“How are you?” (priority 3) came 5.0 h after the one before, and 8 h were needed (2 unanswered)"
    ]
    told.hears(NOON - HOUR)
    assert not told.found(outreach.cooldown)


def test_four_in_a_day_and_no_more_but_what_is_urgent(told: Told) -> None:
    for hour in range(9, 13):
        told.says(NOON.replace(hour=hour))
        assert not told.found(outreach.daily_cap)
    told.says(NOON.replace(hour=14), priority=1)
    assert not told.found(outreach.daily_cap)
    told.says(NOON.replace(hour=15))
    assert told.found(outreach.daily_cap)
    told.says(NOON.replace(hour=9) + 24 * HOUR)
    assert not told.found(outreach.daily_cap)


@pytest.mark.parametrize(("anger", "priority", "broken"), [(0.95, 3, True), (0.8, 3, False), (0.95, 1, False)])
def test_anger_keeps_to_itself(told: Told, database: Database, anger: float, priority: int, broken: bool) -> None:
    with database.write() as db:
        history.record(db, NOON - HOUR, {"anger": anger}, {}, "irritated", "tick")
    told.says(NOON, priority=priority)
    assert bool(told.found(outreach.mood)) == broken


@pytest.mark.parametrize(
    ("need", "level", "hours", "priority", "broken"),
    [
        ("space", 0.8, 1, 3, True),
        ("space", 0.8, 1, 2, False),
        ("space", 0.6, 1, 3, False),
        ("space", 0.8, 40, 3, False),
        ("focus", 0.8, 1, 2, True),
        ("focus", 0.8, 1, 1, False),
    ],
)
def test_room_is_left_to_those_who_need_it(
    told: Told, database: Database, need: str, level: float, hours: float, priority: int, broken: bool
) -> None:
    with database.write() as db:
        history.record_user_need(db, NOON - hours * HOUR, need, level, 0.9, (1,), "reading")
    told.says(NOON, priority=priority)
    assert bool(told.found(outreach.room)) == broken


@pytest.mark.parametrize(
    ("before", "days", "broken"),
    [("How are you today?", 13, True), ("How are you today?", 15, False), ("And the cat?", 1, False)],
)
def test_nothing_is_said_again_in_nearly_these_words(told: Told, before: str, days: int, broken: bool) -> None:
    told.says(NOON - timedelta(days=days), before)
    told.says(NOON)
    assert bool(told.found(outreach.repetition)) == broken


def test_a_question_is_brought_up_again_twice(told: Told) -> None:
    for number in range(3):
        told.says(NOON + number * 24 * HOUR, kind=outreach.NUDGE, source="self_questions:4")
        assert bool(told.found(outreach.nudges)) == (number == 2)


def test_what_is_closed_is_not_brought_up(told: Told, database: Database) -> None:
    with database.write() as db:
        number = tasks.add(db, "home", "paint", NOON - HOUR)
    told.says(NOON, source=f"tasks:{number}")
    assert not told.found(outreach.still_open)
    with database.write() as db:
        tasks.set_state(db, number, "done", NOON + HOUR)
    told.says(NOON + 2 * HOUR, source=f"tasks:{number}")
    assert told.found(outreach.still_open) == [f"“How are you?” is about tasks:{number}, which is done"]


def test_each_message_is_explained(told: Told) -> None:
    told.says(NOON)
    assert not told.found(outreach.explained)
    told.story.said.append(dataclasses.replace(told.story.said[-1], row=99, turn_id=99))
    assert told.found(outreach.explained)


# -- reminders --


def reminded(at: datetime, text: str = "⏰ call mum") -> Said:
    return Said(at, 1, 1, "task:1", "reminder", "text", text)


def test_a_reminder_comes_once_in_time(told: Told) -> None:
    told.story.promises.append(Promise("mum", NOON))
    told.story.said.append(reminded(NOON + timedelta(seconds=29)))
    assert not told.found(reminders.in_time)
    assert told.found(reminders.in_time) == ["“⏰ call mum” came, and nobody had asked for it at this time"]


def test_one_that_is_late_is_missed_and_unasked(told: Told) -> None:
    told.story.promises.append(Promise("mum", NOON))
    told.story.said.append(reminded(NOON + timedelta(seconds=31)))
    assert told.found(reminders.in_time) == [
        "“⏰ call mum” came, and nobody had asked for it at this time",
        "the reminder about “mum” did not come",
    ]


def test_one_of_every_day_is_promised_again(told: Told) -> None:
    told.story.promises.append(Promise("mum", NOON, daily=True, zone="Europe/Lisbon"))
    told.story.said.append(reminded(NOON))
    assert not told.found(reminders.in_time)
    assert [one.at for one in told.story.promises] == [NOON + 24 * HOUR]


# -- the rest --


def test_a_message_without_an_answer_and_one_that_broke_are_told(told: Told, database: Database) -> None:
    told.hears(NOON, "Hello.")
    told.story.said.append(Said(NOON, 1, 1, "inbox:9", "reply", "text", "Hi."))
    assert told.found(basics.answered_once, what="answer") == ["“Hello.” is gone"]
    with database.write() as db:
        db.execute(
            "INSERT INTO inbox (id, channel, external_id, kind, sender, payload, state, enqueued_at) "
            "VALUES (1, 'telegram', 'x', 'text', '7', '{}', 'done', ?)",
            (NOON.isoformat(),),
        )
    assert told.found(basics.answered_once, what="answer") == ["“Hello.” was not answered"]
    told.story.said.append(Said(NOON, 2, 2, "inbox:1", "reply", "text", "Hi."))
    assert not told.found(basics.answered_once, what="answer")


def test_what_is_said_twice_is_told(told: Told) -> None:
    told.story.said += [Said(NOON, row, row, "inbox:1", "reply", "text", "Hi.") for row in (1, 2)]
    assert told.found(basics.said_once) == ["“Hi.” was said twice"]


def test_a_feeling_out_of_its_range_and_a_job_that_failed_are_told(told: Told, database: Database) -> None:
    told.says(NOON)
    assert told.found(basics.feelings_in_range, what="soul_engine")
    with database.write() as db:
        db.execute(
            "INSERT INTO emotion_history (at, emotions, needs, mood, cause) VALUES (?, ?, ?, 'content', 'tick')",
            (NOON.isoformat(timespec="microseconds"), dump({"joy": 1.2}), dump({"growth": 0.5})),
        )
    assert told.found(basics.feelings_in_range, what="soul_engine") == ["joy is 1.2"]
    told.story.ran.append(Ran(NOON, "backup", 1, "the disk is full"))
    assert told.found(basics.jobs_end_well, what="backup") == ["backup ended with 1: the disk is full"]


@pytest.mark.parametrize(
    ("hours_ago", "heard_ago", "broken"),
    [
        ((0, 1, 2), 3.0, ()),
        ((0, 1, 2, 3, 4, 5, 6), 7.0, ("7 thoughts came within a day", "7 times within a day")),
        ((0, 5), 30.0, ("2 thoughts came within a day of silence",)),
        ((0,), 0.05, ("after a message",)),
    ],
)
def test_a_mind_that_wanders_too_much_is_noticed(
    told: Told, hours_ago: Sequence[float], heard_ago: float, broken: Sequence[str]
) -> None:
    with told.database.write() as db:
        db.execute("INSERT INTO concepts (name, created_at) VALUES ('sea', ?)", (NOON.isoformat(),))
        turns.add(db, user_said("good evening", NOON - heard_ago * HOUR))
        for gone in sorted(hours_ago, reverse=True):
            wanderings.add(db, Wandering("random", 1, (), 0.5, "NOTHING", {}, "it passed", "sea", NOON - gone * HOUR))
    found = told.found(wandering.seldom, NOON, "wander")
    assert len(found) == len(broken) and all(words in one for words, one in zip(broken, found, strict=True)), found
