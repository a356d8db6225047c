"""`furoshiki repairs` and `furoshiki proposals`: read by people and by machines, and decided."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.repair import proposing, store
from furoshiki.extensions.repair.proposing import Proposal
from tests.extensions.repair.conftest import BROKEN, CAUSE, DIFF, FILE, MENDED, TEST, WORSE
from tests.support.shell import Command

NOW = datetime.now(UTC)


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


@pytest.fixture
def script(data: Path) -> Path:
    path = data / FILE
    path.parent.mkdir(parents=True)
    path.write_text(BROKEN)
    (path.parents[1] / "tests").mkdir()
    (path.parents[1] / "tests" / "test_forecast.py").write_text(TEST)
    return path


def proposed(database: Database, data: Path, diff: str | None, by_us: bool = True) -> int:
    """A job with a proposal that waits; returns its number."""
    with database.write() as db:
        done = db.execute(
            "INSERT INTO repair_jobs (signature, source, kind, message, evidence, times, first_at, last_at, "
            "created_at, changed_at) VALUES ('s', 'forecast', 'KeyError', '''rain''', 'the way to it', 3, "
            ":at, :at, :at, :at)",
            {"at": stamp(NOW)},
        )
        job = store.get(db, int(done.lastrowid or 0))
        assert job is not None
        file = proposing.write(data, job, job.evidence, Proposal("it is so", CAUSE, diff, by_us=by_us))
        store.decide(db, job, "proposed", NOW, verdict="it is so", file=file)
    return job.id


def test_before_the_first_error(command: Command, database: Database) -> None:
    assert command("repairs").out == "No error has come back.\n"
    assert command("proposals").out == "Nothing is proposed at the moment.\n"
    assert command("repairs", "--json").json == command("proposals", "--json").json == []


def test_what_waits_is_listed_and_shown(command: Command, database: Database, data: Path) -> None:
    number = proposed(database, data, DIFF)
    for name in ("repairs", "proposals"):
        (line,) = command(name).out.splitlines()
        assert line.split("\t")[:3] == [str(number), "forecast: KeyError: 'rain'", "3"]
        assert line.endswith("waiting for you")
        assert command(name, "--json").json[0]["state"] == "proposed"
    shown = command("repairs", "show", str(number)).out
    assert "forecast, KeyError (3 times" in shown and "why: it is so" in shown and "the way to it" in shown
    text = command("proposals", "show", str(number)).out
    assert "## Suggested change" in text and f"proposals accept {number}" in text and f"> {CAUSE}" in text
    assert command("proposals", "show", str(number), "--json").json["text"].strip() == text.strip()
    assert command("repairs", "show", str(number), "--json").json["evidence"] == "the way to it"


def test_a_proposal_that_is_accepted_is_made_and_proved(
    command: Command, database: Database, data: Path, script: Path
) -> None:
    number = proposed(database, data, DIFF)
    assert command("proposals", "accept", str(number)).out == f"{FILE} is changed; its tests ended well.\n"
    assert script.read_text() == MENDED
    assert command("repairs", "--json").json[0]["state"] == "accepted"
    assert "no proposal" in command("proposals", "decline", str(number)).err


def test_one_that_does_not_work_is_taken_back_and_waits_on(
    command: Command, database: Database, data: Path, script: Path
) -> None:
    number = proposed(database, data, WORSE)
    assert "is as it was" in command("proposals", "accept", str(number)).err
    assert script.read_text() == BROKEN
    script.write_text(BROKEN.replace("rain", "snow"))
    assert "does not fit" in command("proposals", "accept", str(number)).err
    assert command("repairs", "--json").json[0]["state"] == "proposed"


@pytest.mark.parametrize("diff", [None, DIFF.replace(FILE, "config/SOUL.md"), DIFF.replace("forecast.py", "x.md")])
def test_where_automation_may_not_write_accepting_is_a_note(
    command: Command, database: Database, data: Path, script: Path, diff: str | None
) -> None:
    (data / "config").mkdir(exist_ok=True)
    (data / "config" / "SOUL.md").write_text(BROKEN)
    number = proposed(database, data, diff, by_us=False)
    assert "by hand" in command("proposals", "accept", str(number)).out
    assert (data / "config" / "SOUL.md").read_text() == script.read_text() == BROKEN


def test_what_is_declined_says_so(command: Command, database: Database, data: Path) -> None:
    number = proposed(database, data, DIFF)
    assert command("proposals", "decline", str(number), "--json").json["state"] == "declined"


def test_a_proposal_whose_file_was_forgotten_says_where_the_rest_is(
    command: Command, database: Database, data: Path
) -> None:
    number = proposed(database, data, DIFF)
    for path in (data / "proposals").glob("*.md"):
        path.unlink()
    assert "repairs show" in command("proposals", "show", str(number)).out


@pytest.mark.parametrize("typed", [("repairs", "show"), ("repairs", "show", "9"), ("proposals", "accept", "9")])
def test_a_number_that_is_not_there_says_what_to_type(
    command: Command, database: Database, typed: tuple[str, ...]
) -> None:
    assert f"`furoshiki {typed[0]}`" in command(*typed).err
