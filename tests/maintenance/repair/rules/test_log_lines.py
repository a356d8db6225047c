"""Errors are found in logs of today's form and of earlier ones, and nothing else is taken for one."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from furoshiki.maintenance.repair.rules import log_lines

LISBON = ZoneInfo("Europe/Lisbon")
WAY = 'Traceback (most recent call last):\n  File "/x/a.py", line 3, in f\n    g()\nValueError: no row 3'


def line(level: str = "error", message: str = "it broke", **more: str) -> str:
    return json.dumps({"at": "2026-07-01T12:00:00+00:00", "level": level, "message": message, **more})


def kinds(*lines: str) -> list[str]:
    return [one.raised.kind for one in log_lines.errors(lines, LISBON)]


def test_an_object_with_a_traceback_is_an_error() -> None:
    (found,) = log_lines.errors([line(traceback=WAY)], LISBON)
    assert (found.at, found.raised.message) == (datetime(2026, 7, 1, 12, tzinfo=UTC), "no row 3")
    assert found.text == f"it broke\n{WAY}"


def test_the_traceback_may_stand_in_the_message() -> None:
    assert kinds(line(message=WAY)) == ["ValueError"]


def test_a_warning_or_an_error_without_a_traceback_is_none() -> None:
    assert kinds(line("warning", traceback=WAY), line(), line("critical", traceback=WAY)) == ["ValueError"]


def test_plain_lines_are_read_with_what_belongs_to_them_in_the_machines_zone() -> None:
    plain = f"2026-07-01 13:00:00,250 ERROR furoshiki.brain: it broke\n{WAY}\n2026-07-01 13:00:01,000 INFO x: well\n"
    (found,) = log_lines.errors(plain.split("\n"), LISBON)
    assert found.at == datetime(2026, 7, 1, 12, 0, 0, 250_000, tzinfo=UTC)
    assert found.text == f"it broke\n{WAY}"


def test_both_forms_may_follow_each_other() -> None:
    plain = f"2026-07-01 13:00:00,250 ERROR furoshiki.brain: it broke\n{WAY}"
    assert kinds(*plain.split("\n"), line(traceback=WAY.replace("Value", "Key"))) == ["ValueError", "KeyError"]


def test_what_was_cut_off_is_passed_over() -> None:
    whole = line(traceback=WAY)
    broken = ("{", "{]", "null", "[" * 100_000, '{"level": "error"}', whole[:40], "{" + '"a":[' * 50_000, "")
    dated = line(traceback=WAY).replace("2026-07-01T12", "soon")
    assert kinds(*broken, dated, whole, *WAY.split("\n")[:2]) == ["ValueError"]
    assert kinds("2026-13-41 13:00:00,250 ERROR x: it broke", *WAY.split("\n")) == []
