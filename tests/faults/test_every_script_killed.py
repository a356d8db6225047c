"""Every script, killed again and again at any point of its work: what it leaves is what it would have left alive."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.app.jobs import JOBS, due
from furoshiki.core.database.connection import connect
from tests.faults.scripts import NOW, Killing, furnish

pytestmark = [pytest.mark.faults, pytest.mark.slow]

KILLS = 20


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Path:
    data = tmp_path_factory.mktemp("lived-in") / "data"
    furnish(data, empty_database)
    return data


def test_there_is_work_for_every_script(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUROSHIKI_DATA", str(house))
    db = connect(house / "memory" / "longmemory.sqlite", "ro", busy_seconds=5.0)
    idle = [name for name, job in JOBS.items() if not due(job.steps, db, NOW)]
    db.close()
    assert idle == []


@pytest.mark.parametrize("name", JOBS)
def test_killed_at_any_point_it_neither_loses_nor_doubles_work(name: str, house: Path, tmp_path: Path) -> None:
    outcome = Killing(house, tmp_path, name).run(KILLS)
    print(f"{name}: {outcome.seconds:.1f} s, {dict(outcome.kills)}")
    assert not outcome.wrong, "\n".join(outcome.wrong)
    assert outcome.kills.total() >= KILLS
