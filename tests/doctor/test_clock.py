"""The clock: jumps, sleep, a new start, nobody who keeps it true."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from doctor_checks import clock

from tests.doctor.conftest import NOON, MakeLook


@pytest.fixture(autouse=True)
def synchronised(monkeypatch: pytest.MonkeyPatch) -> list[bool | None]:
    """What the machine says of its time server: the last of these."""
    said: list[bool | None] = [True]
    monkeypatch.setattr(clock, "_synchronised", lambda _seconds: said[-1])
    return said


def keys(make_look: MakeLook, now: datetime, **changed: object) -> tuple[list[str], bool]:
    """What a look finds, and whether ages can be believed."""
    look = make_look(now)
    for name, value in changed.items():
        setattr(look, name, value)
    found = [one.key for one in clock.check(look)]
    look.notebook.save(now)
    return found, look.steady


def test_a_clock_that_goes_evenly_is_well(make_look: MakeLook) -> None:
    assert keys(make_look, NOON) == (["clock"], True)
    assert keys(make_look, NOON + timedelta(minutes=10)) == (["clock"], True)


@pytest.mark.parametrize(("jump", "where"), [(3600, "forward by 60 minutes"), (-7200, "back by 2.0 hours")])
def test_a_jump_is_told_and_ages_are_not_believed(make_look: MakeLook, jump: float, where: str) -> None:
    keys(make_look, NOON)
    look = make_look(NOON + timedelta(minutes=10, seconds=jump))
    look.awake = look.running = look.awake - jump
    [one] = clock.check(look)
    assert (one.key, one.alert, look.steady) == ("clock.jump", "event", False)
    assert where in one.words


def test_after_a_long_sleep_ages_are_not_believed(make_look: MakeLook) -> None:
    keys(make_look, NOON)
    look = make_look(NOON + timedelta(minutes=25))
    look.running -= 20 * 60
    assert [one.key for one in clock.check(look)] == ["clock"]
    assert not look.steady


def test_a_new_start_with_an_older_time_is_told(make_look: MakeLook) -> None:
    keys(make_look, NOON)
    assert keys(make_look, NOON - timedelta(days=2), boot="another", awake=30.0) == (["clock.jump"], False)
    assert keys(make_look, NOON, boot="a third", awake=30.0) == (["clock"], False)


def test_a_clock_that_was_never_set_needs_a_person(make_look: MakeLook) -> None:
    look = make_look(datetime(1970, 1, 1, tzinfo=UTC))
    assert [(one.key, one.state) for one in clock.check(look)] == [("clock.unset", "wrong")]


def test_nobody_keeping_it_true_counts_after_three_looks_and_is_told_once(
    make_look: MakeLook, synchronised: list[bool | None]
) -> None:
    synchronised.append(False)
    looks = [keys(make_look, NOON + timedelta(minutes=10 * number))[0] for number in range(4)]
    assert looks == [["clock"], ["clock"], ["clock.sync"], ["clock.sync"]]
    synchronised.append(None)
    assert keys(make_look, NOON + timedelta(minutes=50))[0] == ["clock"]
