"""A few days of simulated life: the program's own turns, jobs and reminders, the same twice."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from bench.simulate import main
from bench.simulator import personas
from bench.simulator.simulate import Lived, Wanted, figures, simulate
from furoshiki.core.database.connection import Database
from tests.support.extent import times

pytestmark = [pytest.mark.slow, pytest.mark.together]


DAYS = times(2, 1)


def lived(days: int = DAYS, **more: object) -> Lived:
    return simulate(replace(Wanted(personas.read("spammer"), days, seed=7), **more))


@pytest.fixture(scope="module")
def one() -> Lived:
    """A life with the scripted model."""
    return lived()


def test_the_same_seed_lives_the_same_life_and_another_one_another(one: Lived) -> None:
    same = lived()
    assert len(one.story.lines()) > 5
    assert one.story.lines() == same.story.lines()
    assert one.story.ran == same.story.ran
    assert figures(one)["usd"] > 0, "the budget is spent in a simulated life, too"
    another = lived(days=1, seed=8).story.lines()
    assert another and one.story.lines()[: len(another)] != another


def test_no_tick_and_no_pulse_is_left_out(one: Lived) -> None:
    asked = figures(one)["asked"]
    assert asked["soul_engine"] == DAYS * 96
    assert asked["outreach_pulse"] == asked["flush_scratch"] == DAYS * 288
    assert asked["run_morning_reflection"] == DAYS


def test_the_built_in_mind_lives_alone_and_costs_nothing() -> None:
    found = lived(minds="none")
    assert figures(found)["usd"] == 0.0
    assert figures(found)["said"]["reply"] >= 5
    assert found.story.violations == []


@pytest.mark.nightly
def test_what_is_thought_over_may_come_out_otherwise(tmp_path: Path) -> None:
    sociable = personas.read("sociable")
    grave = [one for one in sociable.lines if one.mood == "decisions"]
    asking = replace(sociable, lines=tuple(grave), writes=replace(sociable.writes, conversations_a_day=3.0))
    life = simulate(Wanted(asking, 2, seed=7, data=tmp_path / "kept", keep_going=True))
    with Database(tmp_path / "kept" / "memory" / "longmemory.sqlite").read() as db:
        changed = [row[0] for row in db.execute("SELECT changed FROM second_thoughts")]
        learned = db.execute("SELECT count(*) FROM reflection_bank").fetchone()[0]
    assert 0 < sum(changed) < len(changed) and learned
    assert any("sleep on it for a night" in one.text for one in life.story.said)


def test_the_command_prints_figures_keeps_the_data_it_is_told_to_and_takes_a_setting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "kept"
    heard = logging.getLogger("furoshiki").level
    asked = ["--days", "1", "--persona", "spammer", "--model", "none", "--json"]
    status = main([*asked, "--set", "FUROSHIKI_COMPANION_NAME=Ida", "--data", str(data)])
    found = json.loads(capsys.readouterr().out)
    assert (status, found["days"], found["violations"]) == (0, 1, [])
    assert logging.getLogger("furoshiki").level == heard  # the rest of this process logs as much as before
    with Database(data / "memory" / "longmemory.sqlite").read() as db:
        said = [row["text"] for row in db.execute("SELECT text FROM turns WHERE speaker='companion'")]
    assert any("I'm Ida" in text for text in said)
    assert main([*asked, "--set", "FUROSHIKI_COMPANION_NAM=Ida"]) != 0
    assert "did you mean FUROSHIKI_COMPANION_NAME?" in capsys.readouterr().err
