"""The router's numbers: what moves one, what keeps it, what takes it back, and that the router reads it at once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable

import pytest

from furoshiki.app import run_job
from furoshiki.routing import due, regulator, weights
from furoshiki.routing.rules.changes import Change
from furoshiki.routing.store import changes
from furoshiki.world import World
from tests.support.routing import decided, healthy
from tests.support.world import FrozenClock

Fill = Callable[[sqlite3.Connection, World], None]


def held(world: World) -> list[Change]:
    with world.database.read() as db:
        return changes.every(db)


def fill(world: World, *parts: Fill) -> None:
    with world.database.write() as db:
        for part in parts:
            part(db, world)


def these(count: int, **what: object) -> Fill:
    return lambda db, world: decided(db, world.now, count, **what)


def well(times: int) -> Fill:
    return lambda db, world: healthy(db, world.now, times)


PRESSURES: list[tuple[str, str, float, tuple[Fill, ...]]] = [
    ("tie_break", "margin_base", 0.18, (well(1), these(4, mode="ACT", tie_break="score"))),
    ("respond_share", "respond_base", 0.48, (these(18), these(1, mode="ACT"))),
    ("act_share", "act_base", 0.22, (these(8), these(4, mode="CLARIFY"))),
    ("misroute.missed_clarify", "clarify_base", 0.32, (well(1), these(5, mode="CLARIFY", feedback="missed_clarify"))),
    ("misroute.missed_act", "act_reference", 0.17, (well(1), these(5, mode="CLARIFY", feedback="missed_act"))),
    (
        "misroute.under_engagement",
        "acknowledge_base",
        0.08,
        (well(1), these(5, mode="CLARIFY", feedback="under_engagement")),
    ),
    ("misroute.ACT", "act_base", 0.18, (well(1), these(5, mode="ACT", feedback="wrong_route"))),
    (
        "reflection.memory_availability",
        "act_few_facts",
        0.17,
        (
            these(7, mode="ACT", knowing=0.1, missing="memory_availability"),
            these(7, mode="CLARIFY", knowing=0.9, missing=""),
        ),
    ),
]


@pytest.mark.parametrize(("pressure", "parameter", "value", "parts"), PRESSURES)
def test_each_pressure_moves_one_number_a_little(
    world: World, pressure: str, parameter: str, value: float, parts: tuple[Fill, ...]
) -> None:
    fill(world, *parts)
    report = regulator.regulate(world)
    [one] = held(world)
    assert (one.pressure, one.parameter, one.value_after, one.state) == (pressure, parameter, value, "measuring")
    assert report.did
    written = json.loads((world.home / "memory" / "mode_router.json").read_text())
    assert written == {"version": 1, "weights": {parameter: value}}
    now = weights.current(world)
    assert (now.value(parameter), now.version) == (value, 1)


@pytest.mark.parametrize(
    "parts",
    [
        (well(2),),
        (these(9),),  # too few
        (well(2), these(4, mode="CLARIFY", feedback="missed_clarify")),  # too few that anything was said about
        (well(2), these(30, mode="CLARIFY", feedback="correct_route"), these(3, feedback="missed_act")),
    ],
)
def test_what_is_well_is_left_alone(world: World, parts: tuple[Fill, ...]) -> None:
    fill(world, *parts)
    assert not regulator.regulate(world).did
    assert held(world) == []
    assert not weights.generated_file(world).exists()


def test_a_consultant_who_believes_itself_moves_nothing(world: World, clock: FrozenClock) -> None:
    """It says of everything that something was missing, and the owner is content with all of it."""
    content: dict[str, object] = {"feedback": "correct_route", "feedback_from": "message"}
    fill(
        world,
        these(14, mode="CLARIFY", knowing=0.1, missing="memory_availability", **content),
        these(14, mode="ACT", knowing=0.9, missing="memory_availability", **content),
    )
    assert not regulator.regulate(world).did
    clock.pass_(days=1)
    fill(world, these(40, mode="ACT", knowing=0.1, missing="memory_availability"))  # and of others, always the same
    assert not regulator.regulate(world).did


def moved(world: World, clock: FrozenClock) -> None:
    """A number was moved because most was answered in words; two days have gone by."""
    fill(world, these(19), these(1, mode="ACT"))
    regulator.regulate(world)
    clock.pass_(hours=48)


def test_what_helped_is_kept(world: World, clock: FrozenClock) -> None:
    moved(world, clock)
    fill(world, well(2))
    assert regulator.regulate(world).data["kept"] == 1
    [one] = held(world)
    assert (one.state, one.pressure_after, one.version) == ("kept", 0.0, 1)
    assert weights.current(world).respond_base == 0.48


def test_what_did_not_help_is_taken_back_and_another_number_is_tried(world: World, clock: FrozenClock) -> None:
    moved(world, clock)
    fill(world, these(19), these(1, mode="ACT"))
    assert regulator.regulate(world).data["reverted"] == 1
    [one] = held(world)
    assert (one.state, round(one.pressure_after or 0, 2), one.version) == ("reverted", 0.2, 2)
    assert (weights.current(world).respond_base, weights.current(world).version) == (0.5, 2)
    clock.pass_(hours=24)
    fill(world, these(19), these(1, mode="ACT"))
    regulator.regulate(world)
    assert [one.parameter for one in held(world)] == ["respond_base", "respond_statement"]


def test_before_two_days_and_enough_decisions_nothing_is_judged(world: World, clock: FrozenClock) -> None:
    moved(world, clock)
    fill(world, these(9))
    regulator.regulate(world)
    assert [one.state for one in held(world)] == ["measuring"]


def test_a_number_stays_within_its_bounds(world: World, clock: FrozenClock) -> None:
    """Whatever is said, for months: nothing goes further than it was allowed to at the start."""
    bounds = weights.laws(world).bounds
    for _ in range(40):
        fill(world, these(20))
        regulator.regulate(world)
        clock.pass_(hours=24)
    now = weights.current(world)
    assert all(bounds[one.parameter][0] <= now.value(one.parameter) <= bounds[one.parameter][1] for one in held(world))
    last = {name: [one for one in held(world) if one.parameter == name] for name in {o.parameter for o in held(world)}}
    for made in last.values():
        gaps = [(after.at - before.at).total_seconds() for before, after in zip(made, made[1:], strict=False)]
        assert all(gap >= 48 * 3600 for gap in gaps)


def test_the_owner_takes_it_back_and_pins_it(world: World, clock: FrozenClock) -> None:
    moved(world, clock)
    assert regulator.take_back(world, [held(world)[0].id]) == 1
    assert (weights.current(world).respond_base, weights.current(world).version) == (0.5, 2)
    assert held(world)[0].taken_back_by_owner
    regulator.pin(world, True)
    clock.pass_(days=3)
    fill(world, these(20))
    assert not regulator.regulate(world).did
    regulator.pin(world, False)
    assert regulator.regulate(world).did


def test_a_file_that_is_gone_is_made_again_of_what_was_decided(world: World, clock: FrozenClock) -> None:
    moved(world, clock)
    weights.generated_file(world).unlink()
    assert weights.current(world).respond_base == 0.5
    clock.pass_(hours=1)
    fill(world, these(5))
    assert "written anew" in regulator.regulate(world).summary
    assert weights.current(world).respond_base == 0.48


def test_it_is_looked_at_once_a_day_and_only_when_something_was_said(world: World, clock: FrozenClock) -> None:
    def asked() -> str | None:
        with world.database.read() as db:
            return due.regulate(db, world.now)

    assert asked() is None
    fill(world, well(1))
    assert asked() is not None
    regulator.regulate(world)
    assert asked() is None
    clock.pass_(hours=21)
    assert asked() is None
    fill(world, these(1))
    assert asked() is not None


def test_as_a_job(world: World) -> None:
    fill(world, these(20))

    def wait(_work: object) -> object:
        raise AssertionError("nobody is asked")

    outcome = run_job.run_in(world, "routing_review", wait)  # type: ignore[arg-type]
    assert (outcome.exit_code, outcome.did) == (0, True)
    assert outcome.summary == "respond_base 0.5 → 0.48 against respond_share"
