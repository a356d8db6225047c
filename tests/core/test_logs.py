"""Logs hold no secrets, whichever way they got in; a file is whole records, however many write it and however long."""

from __future__ import annotations

import gzip
import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from furoshiki.core import paths
from furoshiki.core.logs import HIDDEN, JsonLine, LogFile, Redacting

TOKEN = "987654321:AAE-fYq_dD3x9Zk7Lw2pQrStUvWxYz012345"


@pytest.mark.parametrize(
    ("message", "args"),
    [
        (f"GET https://api.telegram.org/bot{TOKEN}/getMe", ()),
        ("url %s", (f"https://api.telegram.org/file/bot{TOKEN}/x.jpg",)),
        ("key %s", ("sk-" + "abcdefghijklmnop" * 2,)),
        ("header Authorization: Bearer %s", ("abcdefghijklmnopqrstuvwxyz",)),
        ("the password is hunter2-hunter2", ()),
    ],
)
def test_a_secret_in_a_message_is_struck_out(message: str, args: tuple[object, ...]) -> None:
    record = logging.LogRecord("x", logging.INFO, "f", 1, message, args, None)
    text = Redacting(["hunter2-hunter2"]).format(record)
    assert HIDDEN in text
    for secret in (TOKEN, "abcdefghijklmnop", "hunter2"):
        assert secret not in text


def test_a_secret_in_a_traceback_is_struck_out() -> None:
    try:
        raise ValueError(f"cannot open https://x/bot{TOKEN}/")
    except ValueError as error:
        record = logging.LogRecord("x", logging.ERROR, "f", 1, "oh", (), (type(error), error, error.__traceback__))
    text = Redacting([]).format(record)
    assert "Traceback" in text
    assert TOKEN not in text
    found = json.loads(JsonLine([]).format(record))
    assert found["message"] == "oh" and "Traceback" in found["traceback"] and HIDDEN in found["traceback"]
    assert TOKEN not in str(found)


def test_ordinary_words_stay() -> None:
    record = logging.LogRecord("x", logging.INFO, "f", 1, "12:30 task 123456 sk-ip it", (), None)
    assert Redacting(["short"]).format(record).endswith("12:30 task 123456 sk-ip it")


def test_a_file_holds_one_object_a_line_and_nothing_that_steers() -> None:
    said = 'two\nlines "quoted" \x1b[2J of sécrét-"wörd and \ud83d'
    record = logging.LogRecord("furoshiki.x", logging.WARNING, "f", 1, "%s", (said,), None)
    record.created = 1_774_000_000.25
    line = JsonLine(['sécrét-"wörd']).format(record)
    assert "\n" not in line
    assert json.loads(line) == {
        "at": "2026-03-20T09:46:40.250000+00:00",
        "level": "warning",
        "logger": "furoshiki.x",
        "message": 'two\nlines "quoted" \\u001b[2J of [hidden] and \ud83d',
    }


def written(path: Path) -> list[str]:
    """The messages of a log, oldest first, packed ones too; a line that is no record fails."""
    packed = sorted(path.parent.glob(f"{path.name}.*.gz"), reverse=True)
    text = b"".join(gzip.decompress(one.read_bytes()) for one in packed) + path.read_bytes()
    return [json.loads(line)["message"] for line in text.splitlines()]


def handler(path: Path, most_bytes: int) -> LogFile:
    made = LogFile(path, most_bytes)
    made.setFormatter(JsonLine(()))
    return made


def say(to: LogFile, words: str) -> None:
    to.handle(logging.LogRecord("x", logging.INFO, "f", 1, words, (), None))


def test_a_full_log_is_packed_away_and_the_oldest_goes(tmp_path: Path) -> None:
    path = tmp_path / "listener.log"
    log = handler(path, 1000)
    for number in range(200):
        say(log, f"record {number}")
    log.close()
    assert {one.name for one in tmp_path.iterdir()} == {
        "listener.log", *(f"listener.log.{number}.gz" for number in range(1, paths.KEPT_LOGS + 1))
    }  # fmt: skip
    assert {one.stat().st_mode & 0o777 for one in tmp_path.iterdir()} == {0o600}
    assert path.stat().st_size <= 1000
    found = written(path)
    assert found == [f"record {number}" for number in range(200 - len(found), 200)] and len(found) > 30


def test_several_processes_write_one_log_and_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "furoshiki.log"
    code = (
        "import logging, pathlib, sys; from furoshiki.core.logs import JsonLine, LogFile\n"
        "log = LogFile(pathlib.Path(sys.argv[1]), 40_000); log.setFormatter(JsonLine(()))\n"
        "for number in range(400):\n"
        "    log.handle(logging.LogRecord('x', 20, 'f', 1, f'{sys.argv[2]} {number}', (), None))\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "abc"]
    assert [one.wait(60) for one in writers] == [0, 0, 0]
    assert sorted(written(path)) == sorted(f"{name} {number}" for name in "abc" for number in range(400))
    assert list(tmp_path.glob("*.gz")), "it was packed away meanwhile"


def test_a_log_that_was_removed_is_created_again(tmp_path: Path) -> None:
    path = tmp_path / "brain.log"
    log = handler(path, 1000)
    say(log, "before")
    path.unlink()
    say(log, "after")
    log.close()
    assert written(path) == ["after"]


def test_a_log_whose_folder_is_gone_closes_nobody_elses_file(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    log = handler(folder / "brain.log", 1000)
    say(log, "before")
    (folder / "brain.log").unlink()
    folder.rmdir()
    say(log, "lost")
    others = [os.open(tmp_path, os.O_RDONLY) for _ in range(8)]
    for _ in range(9):
        say(log, "lost as well")
    for other in others:
        os.close(other)  # each is still there: no EBADF
    folder.mkdir()
    say(log, "after")
    log.close()
    assert written(folder / "brain.log") == ["after"]


def test_what_cannot_be_written_or_packed_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, real = tmp_path / "brain.log", os.write
    log = handler(path, 500)

    def full(_fd: int, data: bytes) -> int:
        real(_fd, bytes(data[:10]))
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("furoshiki.core.logs.os.write", full)
        say(log, "lost")
    say(log, "kept")
    assert [json.loads(line)["message"] for line in path.read_text().splitlines()[1:]] == ["kept"]
    with monkeypatch.context() as patched:
        patched.setattr("gzip.open", lambda *_args, **_more: full(log._fd, b""))
        for number in range(20):
            say(log, f"record {number}")
    log.close()
    assert [one.name for one in tmp_path.iterdir()] == ["brain.log"]
    assert [json.loads(line)["message"] for line in path.read_text().splitlines()[2:]] == [
        f"record {number}" for number in range(20)
    ]
