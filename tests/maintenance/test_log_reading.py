"""The logs read again: records of several processes in order of time, packed and plain ones too."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from furoshiki.core.logs import pack
from furoshiki.core.timestamps import stamp
from furoshiki.maintenance.log_reading import Follower, Record, names, newest_first

NOW = datetime(2026, 3, 24, 12, 0, tzinfo=UTC)


def line(minute: int, message: str, level: str = "info", **more: str) -> str:
    at = stamp(NOW + timedelta(minutes=minute))
    return json.dumps({"at": at, "level": level, "logger": "furoshiki.x", "message": message, **more}) + "\n"


def found(folder: Path, since: datetime | None = None, level: str = "debug") -> list[Record]:
    """Everything, oldest first."""
    followers = [Follower(folder / f"{name}.log") for name in names(folder)]
    return list(newest_first(followers, since, level))[::-1]


def messages(folder: Path, since: datetime | None = None, level: str = "debug") -> list[str]:
    return [record.message for record in found(folder, since, level)]


def test_records_of_all_processes_come_in_order_of_time_and_as_far_as_asked(tmp_path: Path) -> None:
    (tmp_path / "brain.log").write_text(line(1, "b1") + line(3, "b3", "error", traceback="Traceback …"))
    (tmp_path / "listener.log.1.gz").write_bytes(gzip.compress((line(0, "l0") + line(2, "l2", "warning")).encode()))
    (tmp_path / "listener.log").write_text(line(4, "l4"))
    assert messages(tmp_path) == ["l0", "b1", "l2", "b3", "l4"]
    assert messages(tmp_path, since=NOW + timedelta(minutes=2)) == ["l2", "b3", "l4"]
    assert messages(tmp_path, level="warning") == ["l2", "b3"]
    assert [record.process for record in found(tmp_path)] == ["listener", "brain", "listener", "brain", "listener"]
    assert found(tmp_path)[3].traceback == "Traceback …"


@pytest.mark.parametrize(
    "odd",
    ["a line", "{", '{"at": 3}', '{"at": "2026-13-01", "level": "info", "message": ""}', "[" * 200_000, "\x00\xff"],
    ids=["words", "torn", "wrong", "no date", "deep", "bytes"],
)
def test_a_line_that_is_no_record_is_shown_as_it_is_and_hides_nothing(tmp_path: Path, odd: str) -> None:
    (tmp_path / "stalled.log").write_text(f"{odd}\n\n   \n{line(0, 'after')}", encoding="utf-8")
    before, after = found(tmp_path, level="error")[:1], found(tmp_path)[-1]
    assert before[0].plain and before[0].message == odd and before[0].at == after.at
    assert after.message == "after"


def test_a_long_log_is_read_from_its_end_and_whole(tmp_path: Path) -> None:
    (tmp_path / "listener.log").write_text("".join(line(number, f"é{number}" * 30) for number in range(2000)))
    assert messages(tmp_path) == [f"é{number}" * 30 for number in range(2000)]


def test_what_is_added_is_followed_through_a_packing_and_only_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "brain.log"
    path.write_text(line(0, "old"))
    follower = Follower(path)
    with path.open("a") as log:
        log.write(line(1, "one") + line(2, "torn")[:9])
    assert [record.message for record in follower.added()] == ["one"]
    with path.open("a") as log:
        log.write(line(2, "torn")[9:])
    pack(path, 10)
    path.write_text(line(3, "two"))
    assert [record.message for record in follower.added()] == ["torn", "two"]
    assert follower.added() == []
    path.unlink()
    assert follower.added() == []
