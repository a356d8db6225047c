"""One brain for many homes: each gets its jobs done, at its own moment, and what breaks in one is that one's alone."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.scheduler.store import runs
from furoshiki.core.database import kv
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import FuroshikiError
from furoshiki.host import brain as brains
from furoshiki.host import home_logs, homes
from furoshiki.host.brain import HostBrain
from furoshiki.host.job_pool import DIED, Asked, Ended
from furoshiki.host.rules.job_turns import JobTurns
from furoshiki.models.limits import limit_file
from furoshiki.owner.user_model.user import ZONE_KEY
from tests.support.world import FrozenClock

pytestmark = pytest.mark.slow

NAMES = ("anna", "ben", "cleo")
NOW = datetime.now(UTC)


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOW - timedelta(hours=2))  # jobs have the clock of the machine: what they write is later


@pytest.fixture
def brain(root: Path, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[HostBrain]:
    monkeypatch.setattr(brains, "HOMES_SECONDS", 0.0)
    for name in NAMES:
        homes.add(root, name, NOW)
    made = HostBrain(root, clock.now)
    yield made
    made._pool.close()


def scheduled(root: Path, name: str, *jobs: dict[str, Any]) -> None:
    """Leave a home no jobs but these."""
    shipped = json.loads(brains.job_file.SHIPPED.read_text())["jobs"]
    off = [
        {"name": job["name"], "enabled": False} for job in shipped if job["name"] not in {one["name"] for one in jobs}
    ]
    (root / name / "memory" / "schedules.json").write_text(json.dumps({"jobs": [*off, *jobs]}))


def ran(root: Path, name: str, job: str) -> list[runs.Run]:
    database = Database(root / name / "memory" / "longmemory.sqlite")
    with database.read() as db:
        found = runs.latest(db, job)
    database.close()
    return found


def finished(root: Path, name: str, job: str) -> bool:
    found = ran(root, name, job)
    return bool(found) and found[0].finished_at is not None


def until(brain: HostBrain, met: Callable[[], Any], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < end, "it did not come"
        brain.step()
        time.sleep(0.02)


def test_every_home_gets_its_jobs_done_once_in_their_interval(brain: HostBrain, root: Path, clock: FrozenClock) -> None:
    for name in NAMES:
        scheduled(root, name, {"name": "soul_engine", "when": "every 15 minutes"})
    brain.step()
    clock.pass_(minutes=16)
    until(brain, lambda: all(finished(root, name, "soul_engine") for name in NAMES))
    for name in NAMES:
        [run] = ran(root, name, "soul_engine")
        assert run.exit_code == 0 and run.summary
    for _ in range(5):
        brain.step()
    assert all(len(ran(root, name, "soul_engine")) == 1 for name in NAMES)


def test_what_breaks_in_one_home_is_that_homes_alone(
    brain: HostBrain, root: Path, clock: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    for name in NAMES:
        scheduled(root, name, {"name": "soul_engine", "when": "every 15 minutes"})
    brain.step()
    (root / "anna" / "memory" / "longmemory.sqlite").write_bytes(b"damaged" * 4000)
    (root / "ben" / "memory" / "schedules.json").write_text("{")
    clock.pass_(minutes=16)
    until(brain, lambda: finished(root, "cleo", "soul_engine"))
    assert ran(root, "cleo", "soul_engine")[0].exit_code == 0


def test_a_job_whose_process_dies_stands_on_record_and_the_next_one_has_another(
    brain: HostBrain, root: Path, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMES:
        scheduled(root, name)
    scheduled(root, "anna", {"name": "soul_engine", "when": "every 15 minutes"})
    brain.step()
    clock.pass_(minutes=16)
    with monkeypatch.context() as dying:
        dying.setenv("FUROSHIKI_CRASH_AT", "run.begun")
        until(brain, lambda: finished(root, "anna", "soul_engine"))
    [run] = ran(root, "anna", "soul_engine")
    assert run.exit_code == DIED and "died" in (run.summary or "")
    clock.pass_(minutes=15)
    until(brain, lambda: len(ran(root, "anna", "soul_engine")) == 2 and finished(root, "anna", "soul_engine"))
    assert ran(root, "anna", "soul_engine")[0].exit_code == 0


def test_no_secret_of_a_home_is_written_down_when_one_of_its_jobs_fails(brain: HostBrain, root: Path) -> None:
    secret = "quite-plain-words-of-nobody"
    with (root / "anna" / ".env").open("a") as file:
        file.write(f"\nOPENAI_API_KEY={secret}\n")
    brain.step()
    home, now = brain.tables["anna"].home, NOW
    database = Database(home.data / "memory" / "longmemory.sqlite")
    with database.write() as db:
        runs.begin(db, "soul_engine", now)
    database.close()
    asked = Asked("anna", home.data, "soul_engine", (), 10.0)
    brain._note(Ended(asked, 1, f"ValueError: refused {secret}"))
    assert (ran(root, "anna", "soul_engine")[0].summary or "").startswith("ValueError: refused")
    handler = home_logs.HomeLogs("brain")
    logging.getLogger().addHandler(handler)
    brain._complain(home, f"the address {secret} does not answer")
    logging.getLogger().removeHandler(handler)
    handler.close()
    kept = [path for path in home.data.rglob("*") if path.is_file() and path.name != ".env"]
    assert "does not answer" in (home.data / "logs" / "brain.log").read_text()
    assert not [path for path in kept if secret.encode() in path.read_bytes()]


def test_a_job_that_takes_too_long_is_ended(brain: HostBrain, root: Path, clock: FrozenClock) -> None:
    for name in NAMES:
        scheduled(root, name)
    scheduled(root, "anna", {"name": "soul_engine", "when": "every 15 minutes", "timeout": "2 s"})
    brain.step()
    clock.pass_(minutes=16)
    database = Database(root / "anna" / "memory" / "longmemory.sqlite")
    with database.write():  # the job waits for this for half a minute
        until(brain, lambda: brain._pool.busy)
        until(brain, lambda: not brain._pool.busy)
    database.close()


def test_homes_take_turns_and_one_at_its_limit_of_cpu_waits_while_others_go_on(
    brain: HostBrain, root: Path, clock: FrozenClock
) -> None:
    for name in NAMES:
        scheduled(root, name, {"name": "soul_engine", "when": "every 15 minutes"})
    brain.step()
    limit_file.change(root / ".host", "anna", {"cpu": 60})
    burnt = Database(root / "anna" / "memory" / "longmemory.sqlite")
    with burnt.write() as db:
        runs.finish(db, runs.begin(db, "dream", clock.at), clock.at + timedelta(minutes=10), 0, cpu_s=61.0)
    clock.pass_(minutes=16)
    until(brain, lambda: all(finished(root, name, "soul_engine") for name in ("ben", "cleo")))
    assert not ran(root, "anna", "soul_engine") and ("anna", "soul_engine") in brain._waiting
    cpu_s = ran(root, "ben", "soul_engine")[0].cpu_s
    assert cpu_s is not None and 0 < cpu_s < 30  # what a process for many takes is known for each
    limit_file.change(root / ".host", "anna", {"cpu": None})
    brain._resting.clear()  # looked up again within seconds
    until(brain, lambda: finished(root, "anna", "soul_engine"))
    burnt.close()


def test_a_home_with_many_jobs_keeps_none_waiting() -> None:
    turns = JobTurns()
    for number in range(20):
        turns.add("anna", f"job {number}")
    turns.add("ben", "dream")
    turns.add("ben", "dream")
    at_work: list[str] = []
    for _ in range(2):
        home = next(iter(turns.order(at_work)))
        at_work.append(f"{home}")
        turns.take(home)
    assert at_work == ["anna", "ben"] and len(turns) == 19
    turns.add("cleo", "dream")
    assert list(turns.order(["anna"])) == ["cleo", "anna"]


def test_a_night_is_done_once_though_the_brain_begins_again(brain: HostBrain, root: Path, clock: FrozenClock) -> None:
    for name in NAMES:
        scheduled(root, name)
    scheduled(root, "anna", {"name": "backup", "when": "daily 01:00", "catch_up": "once"})
    brain.step()
    clock.at = (clock.at + timedelta(days=1)).replace(hour=1, minute=31)
    until(brain, lambda: list((root / "anna" / "backups").glob("*.tar.gz")))
    until(brain, lambda: finished(root, "anna", "backup"))
    again = HostBrain(root, clock.now)
    for _ in range(3):
        again.step()
    assert len(ran(root, "anna", "backup")) == 1 and not again._pool.busy
    again._pool.close()


def test_a_home_that_rests_is_left_alone(brain: HostBrain, root: Path, clock: FrozenClock) -> None:
    homes.pause(root, "anna", clock.now())
    brain.step()
    assert set(brain.tables) == {"ben", "cleo"}
    homes.resume(root, "anna")
    brain.step()
    assert set(brain.tables) == set(NAMES)


def test_a_home_that_was_taken_in_is_closed_again(brain: HostBrain, root: Path) -> None:
    brain.step()
    assert set(brain.tables) == set(NAMES)
    there = list(Path("/proc/self/fd").iterdir())
    assert not [path for path in there if path.is_symlink() and str(path.readlink()).startswith(f"{root}/anna")]


def test_a_home_that_goes_on_has_its_jobs_done_as_often_as_before(
    brain: HostBrain, root: Path, clock: FrozenClock
) -> None:
    for name in NAMES:
        scheduled(root, name)
    scheduled(root, "anna", {"name": "soul_engine", "when": "every 15 minutes"})
    for change in (lambda: None, lambda: homes.pause(root, "anna", clock.now()), lambda: homes.resume(root, "anna")):
        change()
        brain.step()
    for _ in range(2):
        clock.pass_(minutes=15)
        brain.step()
        until(brain, lambda: not brain._pool.busy)
    assert len([due for due in brain._heap if due[2:] == ("anna", "soul_engine")]) == 1


def test_the_hosts_log_has_no_word_of_a_homes(root: Path) -> None:
    homes.add(root, "dora", NOW)
    before = list(logging.getLogger().handlers)
    home_logs.keep(root / ".host", "brain", "info", ())
    log = logging.getLogger("furoshiki.test")
    log.warning("nobody in particular")
    with home_logs.about(root / "dora", ("hidden-secret",)):
        log.warning("Dora said Zephyrine, hidden-secret")
    for handler in list(logging.getLogger().handlers):
        logging.getLogger().removeHandler(handler)
        handler.close()
    for handler in before:
        logging.getLogger().addHandler(handler)
    own, hers = (root / where / "logs" / "brain.log" for where in (".host", "dora"))
    assert "nobody in particular" in own.read_text() and "Zephyrine" not in own.read_text()
    assert "Zephyrine" in hers.read_text() and "hidden-secret" not in hers.read_text()


def test_a_home_with_an_empty_database_or_a_zone_that_is_none_ends_nothing_of_the_others(
    brain: HostBrain, root: Path, clock: FrozenClock
) -> None:
    (root / "anna" / "memory" / "longmemory.sqlite").write_bytes(b"")
    database = Database(root / "ben" / "memory" / "longmemory.sqlite")
    with database.write() as db:
        kv.put(db, ZONE_KEY, "Nowhere/Land", NOW)
    database.close()
    brain.step()
    assert set(brain.tables) == {"cleo"}


@pytest.mark.parametrize("damage", ["{", "[]", '{"ben": 5}', '{"ben": {"paused_at": "soon"}}'])
def test_while_it_cannot_be_read_who_rests_the_homes_that_were_known_go_on(
    brain: HostBrain, root: Path, damage: str
) -> None:
    brain.step()
    (root / ".host" / "homes.json").write_text(damage)
    with pytest.raises(FuroshikiError, match="homes.json cannot be used"):
        homes.every(root)
    brain.step()
    assert set(brain.tables) == set(NAMES)
    (root / ".host" / "homes.json").unlink()
    homes.pause(root, "ben", NOW)
    brain.step()
    assert set(brain.tables) == {"anna", "cleo"}
