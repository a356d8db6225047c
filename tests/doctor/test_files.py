"""Disk, logs, state files, settings, keys: what is mended, and what is left to a person."""

from __future__ import annotations

import errno
import fcntl
import gzip
import json
import os
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from doctor_checks import configuration, disk, logs, main, state_files
from doctor_checks.keys import secrets
from doctor_checks.look import Look
from doctor_checks.notebook import Notebook

from tests.doctor.conftest import NOON, MakeLook

GIB = 1024**3


def disk_with(total: float, *free: float) -> Callable[[Path], tuple[int, int]]:
    """A disk of so many GB, with so many free at each look."""
    left = list(free)
    return lambda _path: (int(total * GIB), int((left.pop(0) if len(left) > 1 else left[0]) * GIB))


@pytest.fixture
def small_ballast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "BALLAST", disk.MIB)


@pytest.mark.usefixtures("small_ballast")
def test_the_ballast_is_made_while_there_is_room_let_go_on_a_full_disk_and_made_again(look: Look, data: Path) -> None:
    ballast = data / "run" / "ballast"
    assert [one.state for one in disk.check(look, disk_with(64, 30))] == ["well"]
    assert ballast.stat().st_size == disk.BALLAST
    assert ballast.stat().st_mode & 0o777 == 0o600
    found = list(disk.check(look, disk_with(64, 0.001, 0.03)))
    assert [one.state for one in found] == ["mended", "wrong"]
    assert "let go of the ballast" in found[0].words
    assert not ballast.exists()
    assert [one.state for one in disk.check(look, disk_with(64, 30))] == ["well"]
    assert ballast.exists()


@pytest.mark.usefixtures("small_ballast")
def test_room_for_the_ballast_is_taken_without_writing_it(look: Look, data: Path) -> None:
    list(disk.check(look, disk_with(64, 30)))
    ballast = data / "run" / "ballast"
    assert ballast.stat().st_blocks * disk.BLOCK >= disk.BALLAST
    assert not any(ballast.read_bytes())


@pytest.mark.usefixtures("small_ballast")
@pytest.mark.parametrize("kept", ["none", "said to be"])
def test_where_no_room_is_kept_for_a_file_bytes_are_written(
    look: Look, data: Path, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    def reserve(file: int, _begin: int, length: int) -> None:
        if kept == "none":
            raise OSError(errno.EOPNOTSUPP, "not here")
        os.ftruncate(file, length)

    monkeypatch.setattr(os, "posix_fallocate", reserve)
    list(disk.check(look, disk_with(64, 30)))
    ballast = data / "run" / "ballast"
    assert ballast.stat().st_blocks * disk.BLOCK >= disk.BALLAST == ballast.stat().st_size
    assert len(set(ballast.read_bytes())) == 256


@pytest.mark.usefixtures("small_ballast")
@pytest.mark.parametrize(
    ("total", "free", "state"), [(8, 0.6, "well"), (8, 0.4, "wrong"), (64, 3, "wrong"), (64, 3.5, "well")]
)
def test_room_is_short_below_500_mb_or_5_per_cent(look: Look, total: float, free: float, state: str) -> None:
    assert [one.state for one in disk.check(look, disk_with(total, free))] == [state]


def test_where_room_is_short_old_backups_and_packed_logs_go_and_the_newest_stay(look: Look, data: Path) -> None:
    for day in range(1, 9):
        (data / "backups" / f"furoshiki-2026050{day}T010000Z.tar.gz").write_bytes(b"x" * 100)
    good = data / "backups" / "furoshiki-20260503T010000Z.tar.gz"
    about = good.stat()
    look.notebook.part("backups")[good.name] = {"bytes": about.st_size, "changed": about.st_mtime, "ok": True}
    for number in (1, 2, 5):
        (data / "logs" / f"brain.log.{number}.gz").write_bytes(b"x")
    mended, left = disk.check(look, disk_with(64, 1))
    assert "removed 2 packed logs" in mended.words
    assert "removed 4 old backups" in mended.words
    assert left.state == "wrong"
    assert {path.name[14:18] for path in (data / "backups").iterdir()} == {"0508", "0507", "0506", "0503"}
    assert [path.name for path in (data / "logs").iterdir()] == ["brain.log.1.gz"]


def test_a_dry_run_removes_nothing(make_look: MakeLook, data: Path) -> None:
    for day in range(1, 9):
        (data / "backups" / f"furoshiki-2026050{day}T010000Z.tar.gz").write_bytes(b"x")
    mended, _ = disk.check(make_look(dry=True), disk_with(64, 1))
    assert "would remove 5 old backups" in mended.words
    assert len(list((data / "backups").iterdir())) == 8


@pytest.fixture
def low_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MOST_BYTES", 1000)


@pytest.mark.usefixtures("low_limit")
def test_a_long_log_is_packed_in_place_and_its_writer_goes_on(look: Look, data: Path) -> None:
    path = data / "logs" / "memoryd.log"
    with path.open("ab", buffering=0) as writer:
        for round_ in range(7):
            writer.write(f"round {round_} ".encode() * 200)
            assert [one.state for one in logs.check(look)] == ["mended"]
        writer.write(b"and on")
    assert path.read_bytes() == b"and on"
    packed = sorted((data / "logs").glob("memoryd.log.*.gz"))
    assert [one.name[-4] for one in packed] == ["1", "2", "3", "4", "5"]
    assert [gzip.decompress(one.read_bytes())[:7] for one in packed] == [f"round {n}".encode() for n in (6, 5, 4, 3, 2)]
    assert all(one.stat().st_mode & 0o777 == 0o600 for one in packed)


@pytest.mark.usefixtures("low_limit")
def test_a_log_that_is_being_written_at_that_moment_is_left(look: Look, data: Path) -> None:
    path = data / "logs" / "brain.log"
    path.write_bytes(b"x" * 2000)
    with path.open("rb") as writer:
        fcntl.flock(writer, fcntl.LOCK_SH)
        assert [one.state for one in logs.check(look)] == ["well"]
    assert path.stat().st_size == 2000


@pytest.mark.parametrize("damage", [b"", b'{"mood": ', b"[1, 2]", b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_state_file_is_set_aside_and_when_that_recurs_somebody_is_told(
    make_look: MakeLook, data: Path, damage: bytes
) -> None:
    path = data / "memory" / "heartbeat-state.json"
    path.write_bytes(damage)
    checks = {"state": state_files.check}
    look = make_look()
    assert [one.state for one in main.looked(look, checks)] == ["mended"]
    assert not path.exists()
    assert (data / "memory" / "heartbeat-state.json.corrupt-20260513T120000000000").read_bytes() == damage
    path.write_text("{}")
    assert [one.state for one in main.looked(look, checks)] == ["well"]
    path.write_bytes(damage)
    look.now += timedelta(hours=3)
    [again] = main.looked(look, checks)
    assert (again.state, again.alert) == ("wrong", "while")
    look.now += timedelta(hours=30)
    path.write_bytes(damage)
    assert [one.state for one in main.looked(look, checks)] == ["mended"]


def test_a_state_file_that_somebody_changes_is_left_to_them(
    look: Look, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_files, "WAIT_SECONDS", 0.05)
    path = data / "memory" / "session-context.json"
    path.write_bytes(b"{")
    with (data / "memory" / ".context.lock").open("w") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        assert [one.state for one in state_files.check(look)] == ["wrong"]
    assert path.exists()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (".env", "TELEGRAM_BOT_TOKEN\n", "line 1: expected NAME=value"),
        ("memory/operator_settings.json", '{\n"a": 1,\n}', "line 3 is not valid JSON"),
        ("memory/operator_settings.json", "[]", "holds no JSON object"),
        ("memory/schedules.json", "jobs", "line 1 is not valid JSON"),
        ("config/outreach.toml", "[gates\n", "is not valid TOML"),
    ],
)
def test_settings_that_cannot_be_read_are_named_with_their_line(
    make_look: MakeLook, data: Path, name: str, text: str, words: str
) -> None:
    (data / name).write_text(text)
    [one] = configuration.check(make_look())
    assert one.state == "wrong"
    assert str(data / name) in one.words
    assert words in one.words


def test_good_settings_are_well(make_look: MakeLook, data: Path) -> None:
    (data / ".env").write_text("# mine\n\nexport A='x y'\nB=1 # one\n")
    (data / "memory" / "operator_settings.json").write_text("{}")
    look = make_look()
    assert [one.state for one in configuration.check(look)] == ["well"]
    assert (look.place.settings["A"], look.place.settings["B"]) == ("x y", "1")


def test_keys_that_others_could_read_are_closed_and_always_told(look: Look, data: Path) -> None:
    keys = data / ".env"
    keys.write_text("A=1\n")
    keys.chmod(0o644)
    data.chmod(0o755)
    found = list(secrets.check(look))
    assert [(one.state, one.alert) for one in found] == [("mended", "event"), ("mended", "never")]
    assert (keys.stat().st_mode & 0o777, data.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [one.state for one in secrets.check(look)] == ["well"]


def test_a_folder_that_is_no_data_directory_is_left_as_it_is(look: Look, data: Path) -> None:
    (data / "memory").rename(data.parent / "memory")
    data.chmod(0o755)
    assert [one.state for one in secrets.check(look)] == ["well"]
    assert data.stat().st_mode & 0o777 == 0o755


def test_a_token_that_is_none_is_noticed_and_never_shown(make_look: MakeLook) -> None:
    [one] = secrets.check(make_look(settings={"TELEGRAM_BOT_TOKEN": "my token 123"}))
    assert one.state == "wrong"
    assert "my token" not in one.words + one.fix


def test_a_check_that_breaks_does_not_stop_the_others(look: Look) -> None:
    def broken(_look: Look) -> list[object]:
        raise KeyError("oh")

    found = main.looked(look, {"one": broken, "state": state_files.check})  # type: ignore[dict-item]
    assert [(one.key, one.state) for one in found] == [("doctor.one", "wrong"), ("state", "well")]


def test_a_check_that_hangs_is_broken_off_and_what_no_time_is_left_for_is_said(
    look: Look, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    monkeypatch.setattr(main, "FOR_CHECKS", 0.05)
    os.mkfifo(data / "memory" / "schedules.json")  # opening it waits for ever
    found = main.looked(look, {"settings": configuration.check, "state": state_files.check})
    assert [(one.key, one.state) for one in found] == [("doctor.settings", "note"), ("state", "well")]
    late = main.looked(replace(look, begun=look.begun - 6), {"state": state_files.check})
    assert [(one.key, one.state) for one in late] == [("doctor.state", "note")]


def test_a_page_that_could_not_be_kept_is_kept_elsewhere_until_it_can(data: Path, tmp_path: Path) -> None:
    places = [tmp_path / "away" / "a.json", tmp_path / "b.json"]
    (data / "run").rename(data / "moved")
    first = Notebook(data, places)
    first.part("alerts")["disk"] = {"words": "full"}
    assert first.save(NOON)
    assert places[1].stat().st_mode & 0o777 == 0o600
    assert Notebook(data, places).part("alerts") == {"disk": {"words": "full"}}
    (data / "moved").rename(data / "run")
    again = Notebook(data, places)
    assert again.save(NOON + timedelta(minutes=10))
    assert not places[1].exists()
    assert Notebook(data, []).part("alerts") == {"disk": {"words": "full"}}
    (data / "run").rename(data / "moved")
    assert not Notebook(data, places[:1]).save(NOON)


def test_a_page_that_is_garbled_or_somebody_elses_is_begun_again(make_look: MakeLook, data: Path) -> None:
    page = data / "run" / "doctor.json"
    for text in ("", "[", "[]", '{"alerts": 3, "mends": {"x": 7}, "clock": []}'):
        page.write_text(text)
        look = make_look()
        assert look.notebook.part("alerts") == {}
        assert look.notebook.note_time("mends", "x", NOON, timedelta(hours=1)) == 1
        assert look.notebook.save(NOON)
    assert json.loads(page.read_text())["mends"]["x"] == ["2026-05-13T12:00:00.000000+00:00"]
