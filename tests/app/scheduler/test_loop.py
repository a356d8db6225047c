"""The brain at work: due jobs start once, their ends are written down, mistakes change nothing that works."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.app import brain as scheduler
from furoshiki.app.scheduler import loop
from furoshiki.app.scheduler.run_ledger import ERROR_KEY
from furoshiki.app.scheduler.store import runs
from furoshiki.core.database import kv
from furoshiki.core.errors import AlreadyRunning
from furoshiki.core.settings import Settings
from furoshiki.owner.user_model.user import ZONE_KEY
from tests.app.scheduler.conftest import House, wait_for

pytestmark = pytest.mark.slow

WORK = {"name": "work", "script": "work.py", "when": "every 5 minutes"}
DAILY = {"name": "work", "script": "work.py", "when": "daily 13:00", "catch_up": "once"}


def test_a_due_job_runs_once_and_leaves_a_record(house: House) -> None:
    house.schedule(DAILY)
    brain = house.brain()
    brain.step()
    assert house.ran() == 0
    house.pass_(hours=1, seconds=1)
    brain.step()
    house.settle(brain)
    brain.step()
    house.settle(brain)
    assert house.ran() == 1
    run = house.log("work")[0]
    assert (run.exit_code, run.did_work, run.summary) == (0, True, "worked")
    assert run.cpu_s is not None
    assert 0 < run.cpu_s < 5
    assert run.peak_mb is not None
    assert run.peak_mb > 1
    state = house.job("work")
    assert state is not None
    assert state.last_exit == 0
    assert state.due_at == datetime(2026, 3, 25, 13, 0, tzinfo=UTC)


def test_an_interval_job_runs_each_time(house: House) -> None:
    house.schedule(WORK)
    brain = house.brain()
    for _ in range(4):
        brain.step()
        house.settle(brain)
        house.pass_(minutes=5)
    assert house.ran() == 3


def test_what_was_missed_while_down_is_made_good_once(house: House) -> None:
    house.schedule(DAILY)
    first = house.brain()
    first.step()
    house.pass_(days=3)
    second = house.brain()
    for _ in range(3):
        second.step()
        house.settle(second)
        house.pass_(minutes=1)
    assert house.ran() == 1


def test_what_must_not_be_made_good_waits_for_its_next_time(house: House) -> None:
    house.schedule({**DAILY, "catch_up": "none"})
    house.brain().step()
    house.pass_(days=3, hours=3)
    brain = house.brain()
    brain.step()
    assert house.ran() == 0
    assert brain.due["work"] == datetime(2026, 3, 28, 13, 0, tzinfo=UTC)


def test_a_restart_does_not_run_a_job_again(house: House) -> None:
    house.schedule(DAILY)
    brain = house.brain()
    brain.step()
    house.pass_(hours=2)
    brain.step()
    house.settle(brain)
    again = house.brain()
    again.step()
    house.settle(again)
    assert house.ran() == 1


@pytest.mark.parametrize(("catch_up", "again"), [("once", 1), ("none", 0)])
def test_a_run_that_was_cut_off_is_made_good_if_its_job_asks_for_that(house: House, catch_up: str, again: int) -> None:
    house.schedule({**DAILY, "catch_up": catch_up})
    house.pass_(hours=1, seconds=1)
    with house.database.write() as db:
        runs.note_run(db, "work", house.now)
        runs.begin(db, "work", house.now)
    house.pass_(hours=1)
    brain = house.brain()
    brain._ledger.opened(house.now)
    for _ in range(2):
        brain.step()
        house.settle(brain)
    assert house.ran() == again
    assert house.log("work")[-1].exit_code == runs.INTERRUPTED


def test_a_run_that_brings_the_machine_down_is_not_tried_for_ever(house: House) -> None:
    house.schedule({**DAILY, "script": "hang.py"})
    house.brain().step()
    house.pass_(hours=1)
    started = 0
    for _ in range(6):
        house.pass_(minutes=10)
        brain = house.brain()
        brain._ledger.opened(house.now)
        brain.step()
        started += len(brain._running)
        for running in brain._running.values():
            running.child.process.kill()
            running.child.process.wait()
        brain._running.clear()
    assert started == 1 + loop.MOST_RETRIES


@pytest.mark.parametrize("days", [1, -1])
def test_a_clock_that_jumps_makes_no_burst(house: House, days: int) -> None:
    house.schedule(DAILY, {**WORK, "name": "pulse"})
    brain = house.brain()
    brain.step()
    house.pass_(days=days)
    for _ in range(3):
        brain.step()
        house.settle(brain)
        house.pass_(seconds=5)
    assert house.ran() <= 2
    house.pass_(minutes=5)
    brain.step()
    house.settle(brain)
    assert house.ran() >= 1


def test_nothing_runs_while_the_clock_is_not_set(house: House) -> None:
    house.schedule(DAILY, {**WORK, "name": "pulse"})
    house.now = datetime(1970, 1, 1, 0, 3, tzinfo=UTC)
    brain = house.brain()
    brain.step()
    house.pass_(hours=20)
    brain.step()
    assert brain.due == {}
    house.now = datetime(2026, 3, 24, 12, tzinfo=UTC)
    brain.step()
    house.settle(brain)
    assert house.ran() == 0
    assert brain.due["work"] is not None


def test_the_users_zone_counts_where_a_job_says_so_and_may_change(house: House) -> None:
    house.schedule({**DAILY, "zone": "user"})
    brain = house.brain()
    house.zone = "Asia/Kathmandu"
    brain.step()
    assert brain.due["work"] == datetime(2026, 3, 25, 7, 15, tzinfo=UTC)
    house.zone = "America/New_York"
    (house.data / ".env").write_text("FUROSHIKI_TIMEZONE=America/New_York\n")
    brain.step()
    assert brain.due["work"] == datetime(2026, 3, 24, 17, 0, tzinfo=UTC)
    with house.database.write() as db:
        kv.put(db, ZONE_KEY, "Europe/Lisbon", house.now)
    brain.step()
    assert brain.due["work"] == datetime(2026, 3, 24, 13, 0, tzinfo=UTC)


def test_a_job_that_still_runs_is_not_started_beside_itself(house: House) -> None:
    house.schedule({**WORK, "name": "slow", "script": "hang.py", "when": "every 1 minutes"})
    brain = house.brain()
    for _ in range(4):
        house.pass_(minutes=1)
        brain.step()
    assert len(brain._running) == 1
    first = brain._running["slow"].child.pid
    house.pass_(minutes=1)
    brain.step()
    assert brain._running["slow"].child.pid == first


def test_no_more_than_two_run_at_once_and_the_third_comes_after(house: House) -> None:
    house.schedule(*({**WORK, "name": f"job{number}", "when": "every 1 minutes"} for number in range(4)))
    brain = house.brain()
    brain.step()
    house.pass_(minutes=1)
    brain.step()
    assert len(brain._running) == loop.MOST_AT_ONCE
    for _ in range(3):
        house.settle(brain)
        brain.step()
    house.settle(brain)
    assert house.ran() >= 4


def test_a_job_over_its_time_is_ended(house: House) -> None:
    house.schedule({**WORK, "name": "slow", "script": "hang.py", "timeout": 1})
    brain = house.brain()
    brain.step()
    house.pass_(minutes=5)
    brain.step()
    house.settle(brain)
    run = house.log("slow")[0]
    assert run.exit_code == -15
    assert run.summary is not None
    assert "time limit" in run.summary
    assert run.output == "begun\n"


def test_a_failing_job_is_told_and_counted_and_comes_again(house: House) -> None:
    house.schedule({**WORK, "name": "bad", "script": "fail.py"})
    brain = house.brain()
    brain.step()
    for _ in range(2):
        house.pass_(minutes=5)
        brain.step()
        house.settle(brain)
    state, run = house.job("bad"), house.log("bad")[0]
    assert state is not None
    assert (state.last_exit, state.failures) == (3, 2)
    assert (run.exit_code, run.summary) == (3, "went wrong")


def test_a_flood_of_output_is_kept_short_and_its_end_is_read(house: House) -> None:
    house.schedule({**WORK, "name": "flood", "script": "flood.py"})
    brain = house.brain()
    brain.step()
    house.pass_(minutes=5)
    brain.step()
    house.settle(brain)
    assert house.log("flood")[0].summary == "flooded"


def test_what_a_script_leaves_running_is_ended_with_it(house: House) -> None:
    house.schedule({**WORK, "name": "fork", "script": "fork.py"})
    brain = house.brain()
    brain.step()
    house.pass_(minutes=5)
    brain.step()
    house.settle(brain)
    left = int((house.data / "left").read_text())
    wait_for(lambda: not _lives(left))


def test_frequent_runs_that_go_well_are_written_down_once_an_hour_and_together(house: House) -> None:
    house.schedule(
        {**WORK, "name": "idle", "script": "idle.py"},
        {**WORK, "name": "tells", "script": "tells.py"},  # what it did it has written down itself
    )
    brain = house.brain()
    brain.step()
    before = house.database.version()
    for _ in range(12):
        house.pass_(minutes=5)
        brain.step()
        house.settle(brain)
    assert house.ran() == 24
    assert house.database.version() == before
    house.pass_(minutes=5)
    brain.step()
    house.settle(brain)
    idle, tells = house.job("idle"), house.job("tells")
    assert idle is not None and tells is not None
    assert {idle.last_exit, tells.last_exit} == {0}
    assert house.log("idle") == []


def test_what_is_not_written_down_yet_is_when_the_brain_ends(house: House) -> None:
    house.schedule({**WORK, "name": "idle", "script": "idle.py"})
    brain = house.brain()
    brain.step()
    house.pass_(minutes=5)
    brain.step()
    house.settle(brain)
    assert house.job("idle") is None
    brain.stop()
    brain.run()
    state = house.job("idle")
    assert state is not None and state.last_exit == 0


def test_a_frequent_job_that_failed_and_goes_well_again_is_written_down_at_once(house: House) -> None:
    house.schedule({**WORK, "name": "idle", "script": "idle.py"})
    with house.database.write() as db:
        runs.note_run(db, "idle", house.now, house.now, 3)
    brain = house.brain()
    brain._ledger.opened(house.now)
    brain.step()
    house.pass_(minutes=5)
    brain.step()
    house.settle(brain)
    state = house.job("idle")
    assert state is not None and (state.last_exit, state.failures) == (0, 0)


def test_an_edit_is_picked_up_without_a_restart(house: House) -> None:
    house.schedule(DAILY)
    brain = house.brain()
    brain.step()
    house.schedule({**DAILY, "when": "daily 12:01"})
    brain.step()
    house.pass_(minutes=2)
    brain.step()
    house.settle(brain)
    assert house.ran() == 1


def test_a_job_that_is_switched_off_does_not_run(house: House) -> None:
    house.schedule({**DAILY, "enabled": False})
    brain = house.brain()
    brain.step()
    house.pass_(hours=2)
    brain.step()
    assert brain.due == {}


def test_a_wrong_file_leaves_the_last_good_one_in_force_and_is_told(house: House) -> None:
    house.schedule(DAILY)
    brain = house.brain()
    brain.step()
    own = house.data / "memory" / "schedules.json"
    good = own.read_text()
    own.write_text('{"jobs": [\n  {"name": "work", "script": "work.py", "when": "never"}]}')
    brain.step()
    with house.database.read() as db:
        assert "line 2 (job work)" in kv.get(db, ERROR_KEY)
    house.pass_(hours=1)
    brain.step()
    house.settle(brain)
    assert house.ran() == 1
    own.write_text(good)
    brain.step()
    with house.database.read() as db:
        assert kv.get(db, ERROR_KEY) is None


def test_silence_starts_an_idle_job_once(house: House) -> None:
    house.schedule({**WORK, "name": "quiet", "when": "idle 600 s"})
    with house.database.write() as db:
        db.execute(
            "INSERT INTO inbox (channel, external_id, kind, sender, payload, enqueued_at) VALUES "
            "('console', '1', 'text', 'me', '{}', '2026-03-24T11:55:00.000000+00:00')"
        )
    brain = house.brain()
    brain.step()
    assert house.ran() == 0
    for _ in range(3):
        house.pass_(minutes=5, seconds=1)
        brain.step()
        house.settle(brain)
    assert house.ran() == 1


def test_a_database_that_cannot_be_written_does_not_stop_the_brain(house: House) -> None:
    house.schedule(WORK)
    brain = house.brain()
    brain.step()
    house.database.path.rename(house.database.path.with_suffix(".away"))
    brain._database.close()
    house.pass_(minutes=5)
    brain.step()
    house.settle(brain)
    assert house.ran() == 1


def test_scripts_do_not_get_the_watchdog_of_the_brain(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", "/run/nowhere")
    (house.scripts / "env.py").write_text("import json, os; open('env', 'w').write(json.dumps(dict(os.environ)))")
    house.schedule({**WORK, "name": "env", "script": "env.py"})
    brain = house.brain()
    brain.step()
    house.pass_(minutes=5)
    brain.step()
    house.settle(brain)
    found = json.loads((house.data / "env").read_text())
    assert "NOTIFY_SOCKET" not in found
    assert found["FUROSHIKI_DATA"] == str(house.data)


def test_a_second_brain_refuses_and_the_first_stops_when_told(house: House) -> None:
    house.schedule({**WORK, "name": "deaf", "script": "deaf.py", "when": "every 1 seconds"})
    first, second = house.brain(), house.brain()
    thread = threading.Thread(target=first.run)
    thread.start()
    wait_for(lambda: bool(first.due))
    sign = house.data / "run" / "brain.alive"
    with pytest.raises(AlreadyRunning):
        second.run()
    assert int(sign.read_text()) == os.getpid()
    house.pass_(seconds=10)
    wait_for(lambda: bool(first._running))
    wait_for(lambda: first._running["deaf"].child._tail == b"deaf\n" or first._running["deaf"].child.look() is not None)
    first.stop()
    thread.join(30.0)
    assert not thread.is_alive()
    assert not sign.exists()


def _lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_brain_runs_nice(house: House) -> None:
    wanted = min(19, os.nice(0) + 10)
    wait = (
        f"while os.nice(0) < {wanted} and time.monotonic() < until: time.sleep(0.01)"  # it is there before it is nice
    )
    told = "open('nice', 'w').write(str(os.nice(0)))"
    script = f"import os, time\nuntil = time.monotonic() + 5\n{wait}\n{told}\n"
    (house.scripts / "nice.py").write_text(script)
    house.schedule({**WORK, "name": "nice", "script": "nice.py"})
    brain = house.brain()
    brain.step()
    house.pass_(minutes=5)
    brain.step()
    house.settle(brain)
    assert int((house.data / "nice").read_text()) >= wanted


def test_it_looks_around_as_often_as_its_settings_say(tmp_path: Path, migrated: Callable[[Path], Path]) -> None:
    migrated(tmp_path / "memory" / "longmemory.sqlite")
    settings = Settings(furoshiki_data=tmp_path, furoshiki_brain_tick_seconds=0.5)
    brain = scheduler.build_brain(settings, 1)
    waits: list[float] = []
    brain._sleep = waits.append  # type: ignore[method-assign]
    brain._wait()
    assert waits == [0.5]
