"""Quiet that was asked for: nothing unasked within it, what matters afterwards, and nothing that has gone stale."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.core import failure_words
from furoshiki.core.database import events
from furoshiki.core.timestamps import parse
from furoshiki.messages.store import outbox
from furoshiki.mind.outreach import being_quiet, pulse, reminders, voice
from furoshiki.mind.outreach.store import decisions
from furoshiki.models.llm.values import ToolCall
from furoshiki.owner.agenda.store import mind_queue, operations, quiet, tasks
from tests.support.reaching_out import owned, pass_, rows, told
from tests.support.world import FrozenClock, Human, Script

__all__ = ["owned"]


def thinks(human: Human, kind: str, summary: str, priority: int = 2) -> int:
    with human.world.database.write() as db:
        item = mind_queue.add(db, kind, summary, f"{kind}:{summary}", human.world.now, priority=priority)
    assert item is not None
    return item


@pytest.mark.parametrize("kind", ["question", "task_update", "delegation", "growth", "plugin", "thought"])
async def test_nothing_goes_out_within_it_however_urgent(owned: Human, clock: FrozenClock, kind: str) -> None:
    being_quiet.keep_quiet(owned.world, owned.world.now + timedelta(days=9), "leave me alone")
    thinks(owned, kind, "The letter to the bank is ready.", priority=1)
    await pass_(owned.world, clock, days=8.9)
    assert told(owned.world) == []
    await pass_(owned.world, clock, days=1)
    assert [one.text for one in told(owned.world)] == ["The letter to the bank is ready."]


async def test_a_check_in_that_it_makes_stale_is_let_go(owned: Human, clock: FrozenClock) -> None:
    thinks(owned, "follow_up", "Ask how the evening was", priority=2)
    being_quiet.keep_quiet(owned.world, owned.world.now + timedelta(days=3))
    await pulse.run(owned.world)
    assert rows(owned.world, "SELECT state FROM mind_queue") == [("dropped",)]
    with owned.world.database.read() as db:
        [decision] = decisions.newest(db, 5)
    assert decision.verdict == "dropped" and decision.reason == pulse.STALE


async def test_reminders_of_theirs_ring_all_the_same(owned: Human, clock: FrozenClock) -> None:
    with owned.world.database.write() as db:
        tasks.add(db, tasks.REMINDERS, "take the pill", clock.now(), due_at=clock.now() + timedelta(hours=1))
    being_quiet.keep_quiet(owned.world, owned.world.now + timedelta(days=3))
    clock.pass_(hours=2)
    assert reminders.speak_due(owned.world).data["said"] == ["take the pill"]


async def test_what_was_on_its_way_is_taken_back_and_waits_with_its_words(owned: Human, clock: FrozenClock) -> None:
    item = thinks(owned, "task_update", "The letter to the bank is ready.")
    await pulse.run(owned.world)
    assert len(told(owned.world)) == 1
    ends = owned.world.now + timedelta(days=2)
    being_quiet.keep_quiet(owned.world, ends)
    assert told(owned.world) == []
    with owned.world.database.read() as db:
        waiting = mind_queue.get(db, item)
        assert waiting is not None and waiting.not_before == ends
        assert outbox.read_unprompted(db) == []


async def test_its_words_leave_a_day_after_it(owned: Human, clock: FrozenClock) -> None:
    being_quiet.keep_quiet(owned.world, owned.world.now + timedelta(hours=2), "i am so tired of people")
    await pass_(owned.world, clock, hours=3)
    with owned.world.database.read() as db:
        assert quiet.current(db, clock.now()) is None and quiet.just_over(db, clock.now()) is not None
    await pass_(owned.world, clock, days=1.5)
    assert rows(owned.world, "SELECT key FROM kv WHERE key IN ('quiet.until', 'asked_quiet')") == []


async def test_an_end_of_an_older_release_is_read(owned: Human) -> None:
    with owned.world.database.write() as db:
        db.execute(
            "INSERT INTO kv (key, value, changed_at) VALUES ('quiet.until', '\"2026-04-01T08:00:00+00:00\"', '')"
        )
        asked = quiet.current(db, owned.world.now)
    assert asked is not None and asked.until == parse("2026-04-01T08:00:00+00:00") and asked.why == ""


async def test_a_restart_within_it_tells_afterwards_what_was_not_done(owned: Human, clock: FrozenClock) -> None:
    being_quiet.keep_quiet(owned.world, owned.world.now + timedelta(hours=5))
    with owned.world.database.write() as db:
        operations.begin(db, "export", "the export", "telegram", "7", clock.at)
    owned.worker.recover()
    assert rows(owned.world, "SELECT text FROM outbox") == []
    await pass_(owned.world, clock, hours=4.5)
    assert told(owned.world) == []
    await pass_(owned.world, clock, hours=12)
    assert [one.text for one in told(owned.world)] == ["the export: failed"]


async def test_a_job_that_fails_beside_somebody_who_wants_quiet_says_nothing_for_a_week(
    owned: Human, clock: FrozenClock
) -> None:
    await owned.says("thanks. i need to be alone now. please don't message me until sunday, ok? no check-ins")
    before = len(rows(owned.world, "SELECT id FROM outbox"))
    for day in range(7):
        with owned.world.database.write() as db:
            for kind in failure_words.KINDS:
                events.announce(db, kind, {"reason": "it empties the text", "words": "a backup failed"}, clock.at)
            mind_queue.add(db, "need", f"I would like to hear how they are {day}", f"need:x:{day}", clock.at)
        await pass_(owned.world, clock, days=1)
    assert [one for one in rows(owned.world, "SELECT text FROM outbox")[before:] if "reflection" in one[0]] == []
    first = rows(owned.world, "SELECT created_at, text FROM outbox WHERE policy='unprompted'")
    assert all(parse(at) >= parse("2026-03-29T07:00:00+00:00") for at, _ in first), first
    assert "a reflection did not work (3 times): it empties the text" in (await owned.says("/status"))[0]


async def test_sunday_mornings_are_quiet_every_week_and_the_days_before_are_not(
    owned: Human, model: Script, clock: FrozenClock
) -> None:
    model.lines = ["Sunday mornings are yours."]
    [answer] = await owned.says("gotta go, she's looking for her shoes. please don't write me sunday mornings, ok?")
    assert "on Sundays until 12:00" in answer
    monday = parse("2026-03-30T12:00:00+00:00")
    for week in range(2):
        at = monday + timedelta(weeks=week)
        with owned.world.database.read() as db:
            assert quiet.current(db, at) is None
            assert quiet.current(db, at + timedelta(days=5, hours=20)) is not None, "08:00 on a Sunday"
            assert quiet.current(db, at + timedelta(days=6, hours=1)) is None
    assert "on Sundays until 12:00" in (await owned.says("/quiet status"))[0]
    model.lines = ["Of course."]
    await owned.says("and what do you hold on to?")
    assert "nothing unasked on Sundays until 12:00" in model.turn_words
    assert "may write first" in (await owned.says("/quiet off"))[0]
    with owned.world.database.read() as db:
        assert quiet.planned(db, clock.now()) == []


async def test_a_quiet_has_just_ended_only_until_somebody_speaks(
    owned: Human, model: Script, clock: FrozenClock
) -> None:
    being_quiet.keep_quiet(owned.world, owned.world.now + timedelta(hours=2))
    clock.pass_(hours=3)
    item = thinks(owned, "task_update", "The letter to the bank is ready.")
    with owned.world.database.read() as db:
        waiting = mind_queue.get(db, item)
    assert waiting is not None and voice._scene(owned.world, waiting).quiet_over
    await owned.says("good evening, i put the kettle on")
    assert not voice._scene(owned.world, waiting).quiet_over


async def test_the_skill_takes_a_time_of_each_week_as_such(owned: Human, model: Script, clock: FrozenClock) -> None:
    model.lines = [ToolCall("1", "quiet", {"until": "sunday mornings"}), "Those are yours."]
    await owned.says("i want my sundays to start slowly")
    with owned.world.database.read() as db:
        assert quiet.current(db, clock.now()) is None
        assert quiet.current(db, parse("2026-04-05T08:00:00+00:00")) is not None
    assert "on Sundays until 12:00" in (await owned.says("/quiet status"))[0]


@pytest.mark.parametrize(
    ("hours", "kept"),
    [("after 21:00", "between 21:00 and 08:00"), ("between 22:30 and 09:00", "between 22:30 and 09:00")],
)
async def test_the_skill_takes_the_hours_of_each_day_as_such(
    owned: Human, model: Script, clock: FrozenClock, hours: str, kept: str
) -> None:
    """It made “until 21:00 today” of it: the opposite."""
    model.lines = [ToolCall("1", "quiet", {"until": hours}), "The evenings are yours."]
    await owned.says("leave my evenings to me from now on, will you")
    assert kept in model.questions[-1].messages[-1].text
    with owned.world.database.read() as db:
        assert quiet.current(db, clock.now()) is None
    assert kept in (await owned.says("/quiet status"))[0]


@pytest.mark.parametrize(("until", "ends"), [("sunday", "29 March at 08:00"), ("3 days", "27 March"), ("", "31 March")])
async def test_a_model_may_keep_it_by_its_skill(owned: Human, model: Script, until: str, ends: str) -> None:
    model.lines = [ToolCall("1", "quiet", {"until": until}), "I leave you in peace."]
    await owned.says("people are too much for me just now")
    assert ends in (await owned.says("/quiet"))[0]
    assert "people are too much for me just now" in (await owned.says("/why not"))[0]
