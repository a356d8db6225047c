"""Logs: entries of all processes in time, filtered; hostile and huge ones too; what the doctor said last."""

from __future__ import annotations

import gzip
import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.core.atomic_files import hold
from furoshiki.core.paths import build_packed_path
from furoshiki.core.timestamps import stamp
from furoshiki.faces.overview import logs
from furoshiki.faces.overview.logs import Wanted
from tests.support.dashboard import House

HOSTILE = "<script>alert(1)</script>\x1b[31m"


def line(at: datetime, message: str, level: str = "info", **more: str) -> str:
    return json.dumps({"at": stamp(at), "level": level, "logger": "furoshiki.x", "message": message, **more}) + "\n"


@pytest.fixture
def folder(house: House) -> Path:
    made = house.world.settings.data / "logs"
    made.mkdir(exist_ok=True)
    return made


def test_entries_of_all_processes_stand_in_the_order_of_time(house: House, folder: Path) -> None:
    now = house.world.now
    (folder / "brain.log").write_text(
        line(now - timedelta(hours=2), "two hours") + line(now, "hm", "warning", traceback=f"Traceback {HOSTILE}")
    )
    (folder / "telegram.log").write_text(line(now - timedelta(hours=1), HOSTILE, "error"))
    with gzip.open(build_packed_path(folder / "brain.log", 1), "wt") as file:
        file.write(line(now - timedelta(days=3), "three days"))
    page = house.page("/logs")
    entries = page.partition('<ol class="log">')[2]
    at = [entries.index(words) for words in ("Where it happened", "alert(1)", "two hours", "three days")]
    assert at == sorted(at) and "<script>alert" not in page and "\x1b" not in page

    warned = house.page("/logs?level=warning&process=brain").partition('<ol class="log">')[2]
    assert "Where it happened" in warned and "two hours" not in warned
    assert "three days" not in house.page("/logs?since=day")


def test_pages_follow_each_other_through_entries_of_one_moment(house: House, folder: Path) -> None:
    now = house.world.now
    (folder / "brain.log").write_text("".join(line(now, f"entry {number}") for number in range(250)))
    seen: list[str] = []
    before: str | None = None
    while before is not None or not seen:
        page = logs.page(folder, Wanted("debug", None, None, "", before), ())
        seen += [one.message for one in page.entries]
        before = page.next
    assert seen == [f"entry {number}" for number in range(249, -1, -1)] and page.all_read


def test_a_huge_line_is_shown_by_its_beginning(house: House, folder: Path) -> None:
    (folder / "brain.log").write_text(line(house.world.now, "before") + "x" * 5_000_000 + "\n")
    page = house.page("/logs")
    assert len(page) < 60_000 and "characters)" in page and "before" in page


def test_no_secret_is_shown_in_any_log(house: House, folder: Path) -> None:
    (folder / "telegram.log").write_text(
        "GET https://api.telegram.org/bot123456789:AAF0secretsecretsecretsecretsecret12/me\n"
    )
    page = house.page("/logs")
    assert "api.telegram.org" in page and "secretsecret" not in page


def test_the_doctors_last_words_stand_above_them(house: House) -> None:
    assert "The doctor has not checked yet" in house.page("/logs")
    found = [
        {"check": "disk", "state": "wrong", "words": f"no room {HOSTILE}", "fix": "make room"},
        {"check": "clock", "state": "well", "words": "the clock goes evenly", "fix": ""},
    ]
    report = {"report": {"at": stamp(house.world.now), "found": found, "exit": 2}}
    run = house.world.settings.data / "run"
    run.mkdir(exist_ok=True)
    (run / "doctor.json").write_text(json.dumps(report))
    page = house.page("/logs")
    assert "1 thing to do for you" in page and "make room" in page and "<script>alert" not in page
    (run / "doctor.json").write_text('{"report": {"at": 3}}')
    assert "The doctor has not checked yet" in house.page("/logs")


def test_healthz_says_without_a_word_whether_the_brain_lives(house: House) -> None:
    house.client.cookies.clear()
    answer = house.client.get("/healthz")
    assert (answer.status_code, answer.content) == (503, b"")
    held = hold(house.world.settings.data / "run" / "brain.lock")
    assert held is not None
    answer = house.client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"")
