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

pytestmark = pytest.mark.slow


def lived(days: int = 4, name: str = "spammer", **more: object) -> Lived:
    return simulate(replace(Wanted(personas.read(name), days, seed=7), **more))


def test_the_same_seed_lives_the_same_life_and_another_one_another() -> None:
    one, same = lived(), lived()
    assert len(one.story.lines()) > 5
    assert one.story.lines() == same.story.lines()
    assert one.story.ran == same.story.ran
    assert figures(one)["usd"] > 0, "the budget is spent in a simulated life, too"
    assert lived(seed=8).story.lines() != one.story.lines()


def test_no_tick_and_no_pulse_is_left_out() -> None:
    asked = figures(lived(days=2))["asked"]
    assert asked["soul_engine"] == 2 * 96
    assert asked["outreach_pulse"] == asked["flush_scratch"] == 2 * 288
    assert asked["run_morning_reflection"] == 2


def test_the_built_in_mind_lives_alone_and_costs_nothing() -> None:
    found = lived(minds="none")
    assert figures(found)["usd"] == 0.0
    assert figures(found)["said"]["reply"] >= 5
    assert found.story.violations == []


def test_the_command_prints_figures_and_keeps_the_data_it_is_told_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "kept"
    heard = logging.getLogger("furoshiki").level
    status = main(["--days", "1", "--persona", "spammer", "--data", str(data), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (status, found["days"], found["violations"]) == (0, 1, [])
    assert (data / "memory" / "longmemory.sqlite").is_file()
    assert logging.getLogger("furoshiki").level == heard  # whoever goes on in this process hears as much as before


def test_a_setting_may_be_another_in_a_simulated_life(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "kept"
    asked = ["--days", "1", "--persona", "spammer", "--model", "none", "--json"]
    assert main([*asked, "--set", "FUROSHIKI_COMPANION_NAME=Ida", "--data", str(data)]) == 0
    with Database(data / "memory" / "longmemory.sqlite").read() as db:
        said = [row["text"] for row in db.execute("SELECT text FROM turns WHERE speaker='companion'")]
    assert any("I'm Ida" in text for text in said)
    assert main([*asked, "--set", "FUROSHIKI_COMPANION_NAM=Ida"]) != 0
    assert "did you mean FUROSHIKI_COMPANION_NAME?" in capsys.readouterr().err
