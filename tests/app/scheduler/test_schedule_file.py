"""schedules.json: what is read, what the owner may change, and how a mistake is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from furoshiki.app.jobs import JOBS
from furoshiki.app.scheduler import schedule_file
from furoshiki.app.scheduler.rules import DailyAt, Interval
from furoshiki.core.errors import BadSetting
from furoshiki.maintenance import job_file

SHIPPED = """{
  "jobs": [
    {
      "name": "soul_engine",
      "script": "soul_engine.py",
      "when": "every 15 minutes"
    },
    {
      "name": "backup",
      "script": "backup.py",
      "when": "daily 01:00",
      "jitter": "10 min",
      "timeout": "30 min",
      "catch_up": "once"
    }
  ]
}
"""


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    path = tmp_path / "shipped.json"
    path.write_text(SHIPPED)
    return path


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "schedules.json"


def test_the_shipped_file_names_every_job_there_is() -> None:
    there = {entry.script.stem for entry in schedule_file.read(Path("/nowhere")).values()}
    assert there == {name for name, job in JOBS.items() if not job.takes}  # the others are named where they are needed


def test_defaults_are_filled_in(shipped: Path, own: Path) -> None:
    found = schedule_file.read(own, shipped)
    soul, backup = found["soul_engine"], found["backup"]
    assert soul.timing.when == Interval(900)
    assert (soul.zone, soul.timeout_s, soul.enabled, soul.timing.catch_up) == ("UTC", 600, True, "none")
    assert isinstance(backup.timing.when, DailyAt)
    assert (backup.timing.jitter_s, backup.timeout_s, backup.timing.catch_up) == (600, 1800, "once")


def test_the_owner_changes_one_thing_and_the_rest_stays(shipped: Path, own: Path) -> None:
    own.write_text('{"jobs": [{"name": "backup", "when": "daily 03:00"}, {"name": "soul_engine", "enabled": false}]}')
    found = schedule_file.read(own, shipped)
    assert found["backup"].when == "daily 03:00"
    assert found["backup"].timeout_s == 1800
    assert not found["soul_engine"].enabled


def test_the_owner_adds_a_job(shipped: Path, own: Path) -> None:
    own.write_text(
        '{"jobs": [{"name": "again", "script": "backup.py", "when": "sunday 05:00", "zone": "user", "jitter": 60}]}'
    )
    assert schedule_file.read(own, shipped)["again"].zone == "user"


def test_jitter_of_an_interval_may_be_a_share_of_it(shipped: Path, own: Path) -> None:
    own.write_text('{"jobs": [{"name": "soul_engine", "jitter": "30 %"}]}')
    assert schedule_file.read(own, shipped)["soul_engine"].timing.jitter_s == 270


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"jobs": [\n  {"name": "backup",\n   "when": }\n]}', "line 3: this is not valid JSON"),
        ('{"jobs": [\n\n  {"name": "backup", "when": "dayly 01:00"}]}', "line 3 (job backup): 'dayly'"),
        ('{"jobs": [{"name": "backup"},\n {"name": "backup"}]}', "line 2: a second job called backup"),
        ('{"jobs": [{"name": "backup", "name": "x"}]}', "'name' is there twice"),
        ('{"jobs": [{"name": "Back up"}]}', "small letters"),
        ('{"jobs": [{"name": "backup", "zone": "Mars"}]}', 'zone is "UTC" or "user"'),
        ('{"jobs": [{"name": "backup", "timeout": "soon"}]}', "not a length of time"),
        ('{"jobs": [{"name": "backup", "timeout": "9 h"}]}', "timeout is between"),
        ('{"jobs": [{"name": "backup", "catch_up": "always"}]}', "catch_up is"),
        ('{"jobs": [{"name": "backup", "enabled": "yes"}]}', "enabled is true or false"),
        ('{"jobs": [{"name": "backup", "jitter": "30 %"}]}', "jitter in per cent is for intervals"),
        ('{"jobs": ["backup"]}', "a job is an object"),
        ("[]", 'expected {"jobs"'),
        ("", "line 1"),
        ("[" * 100_000, "line 1"),
    ],
)
def test_a_mistake_is_told_with_its_line(shipped: Path, own: Path, text: str, words: str) -> None:
    own.write_text(text)
    with pytest.raises(BadSetting) as caught:
        schedule_file.read(own, shipped)
    assert words in str(caught.value)
    assert str(own) in str(caught.value)


@pytest.mark.parametrize(
    ("job", "words"),
    [
        (
            '{"name": "backup",\n  "wen": "daily 01:00", "enabled": false}',
            "line 3: 'wen' is not a field of a job, and does nothing; did you mean 'when'?",
        ),
        ('{"name": "gone_job", "enabled": false}', "line 2 (job gone_job): this release has no job of that name"),
        ('{"name": "bakup", "enabled": false}', "so it is left out; did you mean 'backup'?"),
        ('{"name": "new", "when": "daily 01:00"}', "script is missing"),
        ('{"name": "new", "script": "gone.py", "when": "daily 01:00"}', "there is no script 'gone.py'"),
        ('{"name": "new", "script": "../run.sh", "when": "daily 01:00"}', "there is no script"),
        ('{"name": "backup", "größe": {"of_another": 1}}', "line 2: 'größe' is not a field of a job"),
    ],
)
def test_a_job_or_a_field_of_another_release_is_left_out_and_named(
    shipped: Path, own: Path, job: str, words: str
) -> None:
    own.write_text('{"jobs": [\n' + job + ', {"name": "soul_engine", "when": "every 20 minutes"}]}')
    found = schedule_file.read(own, shipped)
    assert found.keys() == {"soul_engine", "backup"}
    assert found["soul_engine"].when == "every 20 minutes"
    [said] = job_file.load_jobs(own, shipped).strange
    assert words in said and said.startswith(str(own))


def test_switching_a_job_keeps_what_another_release_wrote(own: Path) -> None:
    own.write_text('{"of_another": 1, "jobs": [{"name": "gone_job", "tone": "soft"}]}')
    schedule_file.switch(own, "backup", enabled=False)
    held = json.loads(own.read_text())
    assert held["of_another"] == 1 and held["jobs"][0] == {"name": "gone_job", "tone": "soft"}
    assert not schedule_file.read(own)["backup"].enabled


def test_what_is_written_by_a_program_is_read_too(shipped: Path, own: Path) -> None:
    own.write_text(json.dumps({"jobs": [{"name": "backup", "about": 'a "jobs": [ trap'}]}, indent=None))
    assert schedule_file.read(own, shipped)["backup"].about == 'a "jobs": [ trap'
