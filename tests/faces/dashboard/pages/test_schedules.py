"""Schedules: the jobs as the files have them, and what ran."""

from __future__ import annotations

import json
from datetime import timedelta

from furoshiki.app.scheduler import job_overview, run_ledger
from furoshiki.app.scheduler.job_process import Finished
from furoshiki.app.scheduler.store import runs
from furoshiki.core.atomic_files import locked
from furoshiki.core.logs import Redacting
from furoshiki.faces.overview import jobs
from tests.support.dashboard import House, Signed

HOSTILE = "</pre><script>alert(1)</script>"


def ran(house: House, script: str, code: int = 0, **more: object) -> None:
    now = house.world.now
    with house.world.database.write() as db:
        number = runs.begin(db, script, now - timedelta(minutes=5))
        runs.finish(db, number, now, code, cpu_s=0.4, peak_mb=45.0, did_work=True, **more)  # type: ignore[arg-type]


def test_every_job_is_shown_with_its_last_run(house: House) -> None:
    ran(house, "soul_engine", summary="felt for 15 minutes")
    ran(house, "backup", 3, summary="no room", output=f"Traceback: {HOSTILE}")
    page = house.page("/schedules")
    assert "felt for 15 minutes" in page and "failed, exit 3" in page and "The brain isn&#39;t running" in page
    assert HOSTILE not in page and "&lt;script&gt;" in page
    assert page.count("Feelings</") == 3 and "soul engine" not in page and ">soul_engine" not in page
    assert "<h1>Feelings</h1>" in house.page("/schedules/soul_engine")


def test_secrets_in_what_a_job_printed_are_struck_out_wherever_it_is_shown(signed: Signed) -> None:
    house, key = signed("viewer"), f"sk-{'canary0' * 4}"
    ran(house, "soul_engine", 1, summary=f"401 for key {key}", output=f"https://api.telegram.org/bot1234567:{'A' * 35}")
    for path in ("/schedules", "/schedules/soul_engine", "/parts/schedules", "/parts/schedules/soul_engine"):
        shown = house.page(path)
        assert "401 for key [hidden]" in shown and key not in shown and "A" * 35 not in shown, path


def test_secrets_are_struck_out_of_what_a_job_printed_before_it_is_kept(house: House) -> None:
    secret, now = "a password of the owner", house.world.now
    printed = Finished(1, 0.1, 40.0, f"Traceback\nConnecting with {secret}", False)
    with house.world.database.write() as db:
        run_ledger.keep(db, "mine", now, now, printed, Redacting([secret]).clean)
        [kept] = runs.latest(db, "mine")
    assert kept.output == "Traceback\nConnecting with [hidden]" and kept.summary == "Connecting with [hidden]"


def test_a_job_is_switched_off_in_the_owners_file_and_the_rest_of_it_stays(house: House) -> None:
    own = job_overview.of_owner(house.world.settings.data)
    own.write_text(json.dumps({"jobs": [{"name": "backup", "when": "daily 02:30"}]}))
    page = house.post("/schedules/backup/switch", enabled="false", back="/schedules/backup")
    assert "switched off" in page and "memory/schedules.json overrides when, enabled" in page
    assert json.loads(own.read_text())["jobs"] == [{"name": "backup", "when": "daily 02:30", "enabled": False}]
    house.post("/schedules/wander/switch", enabled="false")
    assert json.loads(own.read_text())["jobs"][1] == {"name": "wander", "enabled": False}


def test_a_wrong_file_is_told_with_its_line_and_not_touched(house: House) -> None:
    own = job_overview.of_owner(house.world.settings.data)
    own.write_text('{"jobs": [\n{"name": "backup",, }]}')
    page = house.page("/schedules")
    assert "line 2: this is not valid JSON" in page and "Nightly care of memories" in page
    answer = house.client.post("/schedules/backup/switch", data={"csrf": house.csrf, "enabled": "false"})
    assert answer.status_code == 409 and "line 2" in answer.text


def test_what_runs_already_is_not_begun_twice(house: House) -> None:
    with locked(house.world.settings.data / "run" / "backup.lock"):
        assert "running" in house.page("/schedules/backup")
        assert "is already running" in house.post("/schedules/backup/run")
    fields = {"csrf": house.csrf}
    assert house.client.post("/schedules/nothing/run", data=fields).status_code == 404


def test_a_job_has_pages_of_runs(house: House) -> None:
    for number in range(30):
        ran(house, "backup", summary=f"copy {number}.")
    first = house.page("/schedules/backup")
    assert "copy 29." in first and "copy 4." not in first
    assert "copy 4." in house.page("/schedules/backup?before=6")


def test_a_viewer_begins_nothing(signed: Signed) -> None:
    viewer = signed("viewer")
    assert "Run now" not in viewer.page("/schedules")
    assert viewer.client.post("/schedules/backup/run", data={"csrf": viewer.csrf}).status_code == 403


def test_a_run_is_told_in_words(house: House) -> None:
    for code in (0, 3, runs.INTERRUPTED, -9):
        ran(house, "backup", code)
    with house.world.database.read() as db:
        assert [jobs.describe_end(run) for run in runs.latest(db)] == [
            "signal 9",
            "interrupted",
            "failed, exit 3",
            "well",
        ]
