"""`furoshiki logs` shows records to people, and gives them to machines."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.core.timestamps import stamp
from tests.support.shell import Command

NOW = datetime.now(UTC)


@pytest.fixture
def logged(data: Path) -> Callable[..., None]:
    (data / "logs").mkdir()

    def write(process: str, minutes_ago: float, message: str, level: str = "info", traceback: str = "") -> None:
        at = stamp(NOW - timedelta(minutes=minutes_ago))
        record = {"at": at, "level": level, "logger": "furoshiki.x", "message": message}
        with (data / "logs" / f"{process}.log").open("a") as file:
            file.write(json.dumps({**record, "traceback": traceback} if traceback else record) + "\n")

    return write


def test_all_processes_are_shown_in_order_of_time(command: Command, logged: Callable[..., None]) -> None:
    logged("brain", 300, "long ago")
    logged("listener", 20, "it broke", "error", "Traceback (most recent call last):\n  ValueError: no")
    logged("brain", 10, "all is well")
    shown = command("logs").out.splitlines()
    assert [line.split(" ", 2)[2] for line in shown if line[0].isdigit()] == [
        "brain INFO furoshiki.x: long ago",
        "listener ERROR furoshiki.x: it broke",
        "brain INFO furoshiki.x: all is well",
    ]
    assert shown[2:4] == ["Traceback (most recent call last):", "  ValueError: no"]
    assert [line.split(" ", 2)[2] for line in command("logs", "brain", "-n", "1").out.splitlines()] == [
        "INFO furoshiki.x: all is well"
    ]


def test_machines_get_records_since_a_moment_of_a_level(command: Command, logged: Callable[..., None]) -> None:
    for minutes in (500, 90, 30):
        logged("brain", minutes, f"failed {minutes} minutes ago", "error")
        logged("brain", minutes - 1, "went well")
    found = [
        json.loads(line) for line in command("logs", "--since", "2h", "--level", "warning", "--json").out.splitlines()
    ]
    assert [record["message"] for record in found] == ["failed 90 minutes ago", "failed 30 minutes ago"]
    assert {record["process"] for record in found} == {"brain"}
    since = stamp(NOW - timedelta(minutes=60))
    assert command("logs", "--since", since, "--json").out.count("\n") == 2
    wrong = command("logs", "--since", "yesterday")
    assert wrong.status == 2 and "2h" in wrong.err


def test_the_logs_there_are_and_those_there_are_not(command: Command, logged: Callable[..., None]) -> None:
    assert command("logs").out.startswith("Nothing has been logged yet")
    assert command("logs", "--list").out.startswith("Nothing has been logged yet")
    logged("brain", 1, "hello")
    assert [one["name"] for one in command("logs", "--list", "--json").json] == ["brain"]
    assert command("logs", "brain.log", "--since", "1d").out.endswith("hello\n")
    missing = command("logs", "brian")
    assert missing.status == 2 and "there are: brain" in missing.err
