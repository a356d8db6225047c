"""Every script, killed again and again at any point of its work: what it leaves is what it would have left alive."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from furoshiki.app.jobs import JOBS, due
from furoshiki.core.database.connection import connect
from tests.faults.scripts import NOW, ONCE_A_DAY, furnish, job, left, to_the_end
from tests.support import extent
from tests.support.deaths import Trial, Work

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.together]

TIMES = extent.times(3, 1)
"""A script dies at each point that it reaches, this often: the first time it comes there, the second, …"""

EVERY = 2
"""Each one of so many points is tried where it is not night: most are the same in several scripts."""

ON_ITS_OWN = {
    "consolidate_light", "consolidate_memory", "embed_design_docs", "refine_user_profile", "run_deep_reflection",
    "run_post_conversation", "run_question_processing",
}  # fmt: skip
"""Scripts whose use case dies at each point in a test of its own, where more is claimed. Here they die at moments and
at points that the dice choose."""

ELSEWHERE = {
    "plugin_author": "dies in tests/extensions/plugins/authoring/test_author_kills.py, beside a model that writes",
    "persistent_task_worker": "dies in tests/faults/test_long_task_kills.py, beside a mind that works on it",
    "run_plugin": "what it does another program does, which leaves a row at its end and nothing before",
}
"""Scripts for which there is no work in this house."""

HERE = sorted(JOBS.keys() - ELSEWHERE.keys())

MOMENTS = 4
"""How often, at night, it dies in each other manner: by SIGKILL at some moment, at two points one after the other, at
the same point again and again. Else in one of them, each script in another than the one before it."""

THRICE = 3
"""So often it dies at one and the same point."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Path:
    data = tmp_path_factory.mktemp("lived-in") / "data"
    furnish(data, empty_database)
    return data


def test_there_is_work_for_every_script(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUROSHIKI_DATA", str(house))
    db = connect(house / "memory" / "longmemory.sqlite", "ro", busy_seconds=5.0)
    idle = [name for name in HERE if not due(JOBS[name].steps, db, NOW)]
    db.close()
    assert idle == []


@pytest.mark.parametrize("name", HERE)
def test_killed_at_any_point_it_neither_loses_nor_doubles_work(
    name: str, house: Path, tmp_path: Path, empty_database: Path
) -> None:
    def fill(home: Path) -> None:
        shutil.copytree(house, home, dirs_exist_ok=True)

    trial = Trial(Work(job, fill, left, (name,), finish=to_the_end), empty_database, tmp_path)
    assert trial.alive != left(house), "it has something to do"
    if name not in ON_ITS_OWN:
        reached = [point for point in trial.points if int(point.partition(":")[2]) <= TIMES]
        first = HERE.index(name) % EVERY
        trial.survives_each(reached if extent.NIGHTLY else reached[first::EVERY])
    dice = random.Random(name)

    def at_a_moment() -> None:
        trial.survives(dice.uniform(0.0, trial.seconds))

    def at_two_points() -> None:
        trial.survives(dice.choice(trial.points), dice.choice(trial.points))

    def at_one_point_again() -> None:
        trial.survives(*[dice.choice(trial.points)] * THRICE)

    manners = [at_a_moment] if name in ONCE_A_DAY else [at_a_moment, at_two_points, at_one_point_again]
    for die in manners * MOMENTS if extent.NIGHTLY else [manners[HERE.index(name) % len(manners)]]:
        die()
