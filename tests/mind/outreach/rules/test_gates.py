"""Each gate beside its limit: just before, at, and just after it, across midnight and the change of clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.mind.outreach.rules import gates
from furoshiki.mind.outreach.rules.gates import Candidate, Moment
from furoshiki.mind.outreach.rules.laws import OutreachLaws
from tests.support.zones import ZONES

LAWS = OutreachLaws.from_mapping(read_toml_file(ROOT / "config" / "outreach.toml"))
NOON = datetime(2026, 3, 24, 12, tzinfo=UTC)


def moment(at: datetime = NOON, zone: str = "UTC", **more: Any) -> Moment:
    return Moment(at, ZoneInfo(zone), **more)


def held(one: Candidate, at: Moment) -> list[str]:
    """The gates that do not let pass."""
    return [look.gate for look in gates.looks(one, at, LAWS) if not look.passed]


def item(priority: int = 3, kind: str = "follow_up", **more: Any) -> Candidate:
    return Candidate(1, kind, priority, **more)


def test_with_nothing_in_the_way_every_gate_lets_pass() -> None:
    assert held(item(), moment()) == []


@pytest.mark.parametrize(
    ("clock", "zone", "quiet"),
    [
        ("2026-03-24T22:59", "UTC", False),
        ("2026-03-24T23:00", "UTC", True),
        ("2026-03-25T07:59", "UTC", True),
        ("2026-03-25T08:00", "UTC", False),
        ("2026-03-29T06:00", "Europe/Lisbon", True),  # 07:00 there, an hour earlier than the day before
        ("2026-03-29T07:00", "Europe/Lisbon", False),
        ("2026-03-28T07:59", "Europe/Lisbon", True),
        ("2026-03-24T14:00", "Asia/Tokyo", True),
        ("2026-03-24T14:00", "America/New_York", False),
    ],
)
def test_quiet_hours_are_those_of_the_owners_clock(clock: str, zone: str, quiet: bool) -> None:
    at = moment(datetime.fromisoformat(clock).replace(tzinfo=UTC), zone)
    assert ("quiet" in held(item(), at)) is quiet
    assert "quiet" not in held(item(priority=1), at), "what is urgent passes"


@pytest.mark.slow
@pytest.mark.parametrize("name", ZONES)
def test_quiet_hours_are_right_on_every_day_of_ten_years(name: str) -> None:
    zone, second = ZoneInfo(name), timedelta(seconds=1)
    since, until = f"{LAWS.quiet.since:%H:%M:%S}", f"{LAWS.quiet.until:%H:%M:%S}"

    def asleep(at: datetime) -> bool:
        shown = f"{at.astimezone(zone):%H:%M:%S}"
        return shown >= since or shown < until

    noon = datetime(2020, 1, 1, 12, tzinfo=UTC)
    for day in range(3653):
        for hour in (day % 12, 12 + day * 7 % 12):
            at = noon + timedelta(days=day, hours=hour, minutes=day % 60)
            quiet = not gates.quiet_hours(item(), Moment(at, zone), LAWS).passed
            assert quiet == asleep(at), at
            if quiet:
                ends = gates.quiet_ends(at, zone, LAWS.quiet)
                assert at < ends and asleep(ends - second) and not asleep(ends), at
                assert asleep(at + (ends - at) / 2), at


def test_the_quiet_hours_end_when_the_owners_clock_says_so_also_in_the_night_the_clocks_change() -> None:
    lisbon = ZoneInfo("Europe/Lisbon")
    night = datetime(2026, 3, 28, 23, 30, tzinfo=UTC)
    assert gates.quiet_ends(night, lisbon, LAWS.quiet) == datetime(2026, 3, 29, 7, tzinfo=UTC)
    autumn = datetime(2026, 10, 24, 23, 30, tzinfo=UTC)
    assert gates.quiet_ends(autumn, lisbon, LAWS.quiet) == datetime(2026, 10, 25, 8, tzinfo=UTC)


def test_who_asked_for_quiet_has_it_from_everything() -> None:
    until = NOON + timedelta(hours=1)
    assert held(item(priority=1), moment(quiet_until=until)) == ["quiet"]
    assert held(item(), moment(quiet_until=NOON)) == []


def test_nobody_is_interrupted_who_has_just_written() -> None:
    assert held(item(kind="anticipation"), moment(heard_at=NOON - timedelta(minutes=19))) == ["recent"]
    assert held(item(kind="anticipation"), moment(heard_at=NOON - timedelta(minutes=20))) == []
    assert held(item(), moment(heard_at=NOON - timedelta(minutes=3), burst_left=2)) == []


@pytest.mark.parametrize("kind", ["need", "growth", "question", "curiosity", "follow_up", "thought"])
def test_wishes_and_notes_wait_until_the_talk_was_read_and_longer_beside_something_heavy(kind: str) -> None:
    before, after = (NOON - timedelta(hours=2, seconds=away) for away in (-1, 0))
    assert held(item(kind=kind), moment(heard_at=before)) == ["recent"]
    assert held(item(kind=kind), moment(heard_at=after)) == []
    assert held(item(kind=kind, wanted=True), moment(heard_at=before)) == [], "that was asked for"
    at = NOON - timedelta(hours=6, seconds=-1)
    assert held(item(kind=kind), moment(heard_at=after, weighed_at=at)) == ["recent"]
    assert held(item(kind=kind), moment(heard_at=before, weighed_at=at, burst_left=2)) == ["recent"]
    assert held(item(kind=kind), moment(heard_at=after, weighed_at=NOON - timedelta(hours=6))) == []
    assert held(item(2, kind="anticipation"), moment(heard_at=after, weighed_at=at)) == []


@pytest.mark.parametrize(("priority", "hours"), [(2, 2), (3, 4), (4, 8), (5, 24)])
def test_each_priority_has_its_cooldown(priority: int, hours: int) -> None:
    before = moment(last_sent=NOON - timedelta(hours=hours, seconds=-1))
    after = moment(last_sent=NOON - timedelta(hours=hours))
    assert (held(item(priority), before), held(item(priority), after)) == (["cooldown"], [])
    assert held(item(1), before) == []


@pytest.mark.parametrize("priority", [2, 3, 4, 5])
def test_a_reminder_is_followed_by_a_pause_and_a_daily_one_leaves_room(priority: int) -> None:
    before = moment(reminded_at=NOON - timedelta(hours=2, seconds=-1))
    after = moment(reminded_at=NOON - timedelta(hours=2))
    assert (held(item(priority), before), held(item(priority), after)) == (["cooldown"], [])
    assert held(item(1), before) == []
    assert held(item(priority, wanted=True), before) == []
    assert held(item(priority), moment(reminded_at=NOON - timedelta(hours=5), last_sent=NOON)) == ["cooldown"]


def test_a_nudge_and_what_was_asked_for_again_wait_for_no_cooldown() -> None:
    just_now = moment(last_sent=NOON - timedelta(minutes=1))
    assert held(item(kind="reply_nudge"), just_now) == []
    assert held(item(wanted=True), just_now) == []
    assert held(item(), just_now) == ["cooldown"]


def test_a_question_is_brought_up_twice_again_and_no_more() -> None:
    assert held(item(kind="reply_nudge", nudges=1), moment()) == []
    assert held(item(kind="reply_nudge", nudges=2), moment()) == ["nudges"]


@pytest.mark.parametrize(("unanswered", "hours"), [(1, 4), (2, 8), (3, 8), (4, 16), (40, 64)])
def test_messages_in_a_row_without_an_answer_make_every_cooldown_longer(unanswered: int, hours: int) -> None:
    at = moment(last_sent=NOON - timedelta(hours=hours), unanswered=unanswered)
    assert gates.waits(item(), at, LAWS) == timedelta(hours=hours)
    assert held(item(), at) == []


def test_a_kind_that_is_ignored_waits_longer_and_one_that_is_welcome_no_shorter() -> None:
    assert gates.waits(item(weight=0.5), moment(), LAWS) == timedelta(hours=8)
    assert gates.waits(item(weight=1.3), moment(), LAWS) == timedelta(hours=4)


def test_so_many_a_day_and_urgent_ones_beside_them() -> None:
    assert held(item(), moment(sent_today=3)) == []
    assert held(item(), moment(sent_today=4)) == ["cap"]
    assert held(item(1), moment(sent_today=4)) == []


def test_who_is_angry_keeps_to_themselves() -> None:
    assert held(item(2), moment(anger=0.86)) == ["mood"]
    assert held(item(2), moment(anger=0.85)) == []
    assert held(item(1), moment(anger=0.99)) == []


def test_the_lonely_press_one_more_but_never_the_most() -> None:
    assert gates.compute_priority(3, 0.81, LAWS) == 2
    assert gates.compute_priority(2, 0.95, LAWS) == 2
    assert gates.compute_priority(1, 0.95, LAWS) == 1
    assert gates.compute_priority(3, 0.8, LAWS) == 3


def test_who_needs_room_is_left_alone_and_who_is_deep_in_work_more_so() -> None:
    room, focus = moment(space=(0.7, 0.5)), moment(focus=(0.7, 0.5))
    assert [held(item(one), room) for one in (1, 2, 3, 5)] == [[], [], ["room"], ["room"]]
    assert [held(item(one), focus) for one in (1, 2, 3)] == [[], ["focus"], ["focus"]]
    assert held(item(), moment(space=(0.9, 0.49))) == []


def test_only_what_is_open_and_new_is_said() -> None:
    assert gates.still_true(closed=False, told_since=False).passed
    assert not gates.still_true(closed=True, told_since=False).passed
    assert not gates.still_true(closed=False, told_since=True).passed
    assert gates.novel(0.849, "thought", LAWS).passed
    assert not gates.novel(0.85, "thought", LAWS).passed
    assert gates.novel(0.969, "reply_nudge", LAWS).passed
    assert not gates.novel(0.97, "reply_nudge", LAWS).passed, "the same question, in other words"


def test_the_most_pressing_goes_first_then_the_most_welcome_then_the_oldest() -> None:
    waiting = [Candidate(1, "growth", 5), Candidate(2, "question", 3, 0.9), Candidate(3, "follow_up", 3, 1.1)]
    waiting += [Candidate(4, "follow_up", 3, 1.1), Candidate(5, "reply_nudge", 3, 0.5)]
    assert [one.id for one in gates.in_order(waiting, moment(), LAWS)] == [5, 3, 4, 2, 1]
