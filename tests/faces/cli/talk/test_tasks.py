"""`furoshiki tasks`: the rows of the chat and the dashboard, listed, added, ticked off and taken away."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.timestamps import parse
from furoshiki.owner.agenda.store import persistent_tasks, tasks
from tests.support.shell import Command

LISBON = ZoneInfo("Europe/Lisbon")


@pytest.fixture(autouse=True)
def lisbon(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUROSHIKI_TIMEZONE", "Europe/Lisbon")


@pytest.fixture
def database(data: Path) -> Database:
    return Database(data / "memory" / "longmemory.sqlite")


def tomorrow(hour: int) -> datetime:
    day = datetime.now(LISBON).date() + timedelta(days=1)
    return datetime(day.year, day.month, day.day, hour, tzinfo=LISBON).astimezone(UTC)


def test_nothing_is_open_at_first(command: Command) -> None:
    assert command("tasks", "list").out.startswith("Nothing is open.")
    assert command("tasks", "list", "--json").json == []


def test_a_shell_is_answered_in_the_language_that_is_set_else_of_its_locale(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "de_AT.UTF-8")
    assert command("tasks", "add", "Milch", "--list", "shopping").out == "Auf der Liste Einkauf: Milch (1).\n"
    refused = command("tasks", "done", "Brot")
    assert refused.status == 1 and refused.err.startswith("furoshiki: nichts Offenes heißt „Brot“")
    assert "no open task is called" in command("tasks", "done", "Brot", "--json").err, "a program asks"
    monkeypatch.setenv("FUROSHIKI_LANGUAGE", "zh")
    assert command("tasks", "done", "Milch").out == "完成：Milch。\n"


def test_what_is_added_is_on_the_rows_of_the_chat(command: Command, database: Database) -> None:
    assert command("tasks", "add", "milk", "--list", "my Shopping list").out == "On the shopping list: milk (1).\n"
    made = command("tasks", "add", "call", "Anika", "--due", "tomorrow at 9", "--priority", "1", "--json").json
    assert (made["list"], made["title"], made["priority"]) == ("user_reminders", "call Anika", 1)
    assert parse(made["due_at"]) == tomorrow(9)
    command("tasks", "add", "file the taxes", "--list", "work")
    with database.read() as db:
        assert tasks.lists(db) == {"shopping": 1, "user_reminders": 1, "user_work": 1}
    listed = command("tasks", "list", "--list", "work", "--json").json
    assert [(one["list"], one["title"], one["due_at"]) for one in listed] == [("user_work", "file the taxes", None)]


def test_without_a_time_or_a_list_it_is_a_to_do(command: Command) -> None:
    assert command("tasks", "add", "file the taxes").out == "On the to-do list: file the taxes (1).\n"


@pytest.mark.parametrize(
    ("options", "rule", "zone"),
    [
        (("--repeat", "every day at 9"), "FREQ=DAILY", "Europe/Lisbon"),
        (("--due", "tomorrow at 9", "--repeat", "daily"), "FREQ=DAILY", "Europe/Lisbon"),
        (("--due", "tomorrow at 9", "--repeat", "FREQ=DAILY;COUNT=3"), "FREQ=DAILY;COUNT=3", "Europe/Lisbon"),
        (("--due", "every day at 9am New York time"), "FREQ=DAILY", "America/New_York"),
    ],
)
def test_it_comes_again_as_was_said(command: Command, options: tuple[str, ...], rule: str, zone: str) -> None:
    made = command("tasks", "add", "pills", *options, "--json").json
    assert (made["recurrence"], made["zone"]) == (rule, zone)
    assert parse(made["due_at"]).astimezone(ZoneInfo(zone)).hour == 9


def test_an_iso_time_without_a_zone_is_the_owners(command: Command) -> None:
    made = command(
        "tasks", "add", "pills", "--due", tomorrow(8).astimezone(LISBON).strftime("%Y-%m-%dT%H:%M"), "--json"
    )
    assert parse(made.json["due_at"]) == tomorrow(8)


def test_done_and_rm_take_a_number_or_words(command: Command, database: Database) -> None:
    for title in ("call the bank", "call Anika", "milk"):
        command("tasks", "add", title)
    assert command("tasks", "done", "bank").out == "Done: call the bank.\n"
    assert command("tasks", "rm", "3").out == "Taken off the to-do list: milk.\n"
    with database.read() as db:
        states = [task.state for number in (1, 2, 3) if (task := tasks.get(db, number)) is not None]
    assert states == ["done", "open", "cancelled"]


def test_of_what_comes_again_only_this_time_is_done(command: Command) -> None:
    command("tasks", "add", "pills", "--repeat", "every day at 9")
    before = command("tasks", "list", "--json").json[0]
    after = command("tasks", "done", "pills", "--json").json
    assert after["state"] == "open"
    gone = parse(after["due_at"]).astimezone(LISBON).date() - parse(before["due_at"]).astimezone(LISBON).date()
    assert gone == timedelta(days=1)


@pytest.mark.parametrize(
    ("args", "status", "says"),
    [
        (("add", "x", "--due", "yesterday at 9"), 2, "has gone by; use an ISO time"),
        (("add", "x", "--due", "at 9 or 10"), 2, "but not “or”"),
        (("add", "x", "--due", "blue"), 2, "isn't a time I understand; use an ISO time"),
        (("add", "x", "--due", "2126-01-01T10:00"), 2, "more than ten years away"),
        (("add", "x", "--repeat", "tomorrow"), 2, "doesn't say how often; use words like"),
        (("add", "x", "--repeat", "FREQ=DAILY"), 2, "doesn't say when it starts; add --due as well"),
        (("add", "x", "--due", "tomorrow", "--repeat", "FREQ=OFTEN"), 2, "isn't a rule that works; use words"),
        (("add", " "), 2, "needs a title: furoshiki tasks add call the bank"),
        (("done", "99"), 1, "there is no task 99; `furoshiki tasks list` shows what is open"),
        (("rm", "blue"), 1, "no open task is called “blue”; `furoshiki tasks list`"),
        (("done", "call"), 1, "matches more than one (1: call the bank; 2: call Anika): give its number"),
    ],
)
def test_a_mistake_says_what_to_give_instead(command: Command, args: tuple[str, ...], status: int, says: str) -> None:
    command("tasks", "add", "call the bank")
    command("tasks", "add", "call Anika")
    ended = command("tasks", *args)
    assert ended.status == status
    assert says in ended.err and "\n" not in ended.err.strip()


def test_what_is_done_cannot_be_done_again(command: Command) -> None:
    command("tasks", "add", "milk")
    command("tasks", "done", "1")
    assert "task 1 is done already" in command("tasks", "done", "1").err


def test_a_list_that_is_not_there_is_told_with_those_that_are(command: Command) -> None:
    command("tasks", "add", "milk", "--list", "shopping")
    assert command("tasks", "list", "--list", "work").out == "Nothing is open on a list “work”. Your lists: shopping.\n"


def test_a_long_task_is_shown_begun_paused_and_shown_whole(command: Command, database: Database) -> None:
    assert command("tasks", "long").out.startswith("There are no long tasks.")
    with database.write() as db:
        for title in ("Compare light tents", "Read about sea knots"):
            persistent_tasks.propose(db, title, f"What matters about it: {title}.", "user", datetime.now(UTC))
    assert [one["state"] for one in command("tasks", "long", "--json").json] == ["proposed", "proposed"]
    assert "is no long task" in command("tasks", "long", "boats", "--accept").err
    assert "cannot be done as it stands: waiting for your yes" in command("tasks", "long", "1", "--pause").err
    assert command("tasks", "long", "light tents", "--accept").out == "“Compare light tents”: not started yet.\n"
    assert command("tasks", "long", "1", "--pause").out == "“Compare light tents”: paused.\n"
    assert "What matters about it: Compare light tents." in command("tasks", "long", "1").out
    assert "needs a task" in command("tasks", "long", "--cancel").err
