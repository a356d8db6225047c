"""The vector index beside the database: as much in it as there should be, or somebody is asked."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from doctor_checks import index, main, processes
from doctor_checks.look import Look

from furoshiki.core.settings import Settings
from furoshiki.messages.store import turns
from tests.doctor.conftest import MakeLook
from tests.support.rows import user_said

CHROMA = {"FUROSHIKI_CHROMA_FROM": "0"}


@pytest.fixture
def look(make_look: MakeLook) -> Look:
    """At a home whose index is Chroma's from the first row on."""
    return make_look(settings=CHROMA)


@pytest.fixture
def wanted(data: Path) -> int:
    """So many turns that the database calls indexed."""
    with sqlite3.connect(data / "memory" / "longmemory.sqlite") as db:
        db.row_factory = sqlite3.Row
        for number in range(6):
            turns.add(db, user_said(f"words {number}"))
        db.execute("UPDATE turns SET index_state='indexed' WHERE id<6")
    return 5


def holding(data: Path, turns: int) -> Path:
    """What Chroma keeps of an index with so many turns: its tables, as far as they are looked at."""
    path = data / "memory" / "chroma" / "chroma.sqlite3"
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE collections (id TEXT, name TEXT)")
        db.execute("CREATE TABLE segments (id TEXT, collection TEXT, scope TEXT)")
        db.execute("CREATE TABLE embeddings (id INTEGER PRIMARY KEY, segment_id TEXT, embedding_id TEXT)")
        db.execute("INSERT INTO collections VALUES ('c', 'turns')")
        db.executemany("INSERT INTO segments VALUES (?, 'c', ?)", [("v", "VECTOR"), ("m", "METADATA")])
        db.executemany("INSERT INTO embeddings (segment_id) VALUES (?)", [("m",)] * turns)
    return path


@pytest.fixture
def memoryd(monkeypatch: pytest.MonkeyPatch) -> None:
    """memoryd holds its lock."""
    monkeypatch.setattr(processes, "holder", lambda path: 0 if path.name == "chroma.lock" else None)


def answering(state: str | None, asked: list[str]) -> index.Ask:
    """What memoryd would answer."""

    def ask(_look: Look, operation: str) -> dict[str, Any]:
        asked.append(operation)
        return {} if state is None else {"ok": True, "index": state}

    return ask


def states(look: Look, state: str | None = "ready") -> tuple[list[str], list[str]]:
    asked: list[str] = []
    return [one.state for one in index.check(look, answering(state, asked))], asked


@pytest.mark.usefixtures("memoryd")
@pytest.mark.parametrize("held", [5, 6])
def test_an_index_that_holds_all_is_well(look: Look, data: Path, wanted: int, held: int) -> None:
    holding(data, held)
    assert states(look) == (["well"], [])


@pytest.mark.usefixtures("memoryd", "wanted")
def test_one_that_lacks_some_is_built_again(look: Look, data: Path) -> None:
    holding(data, 3)
    [one] = index.check(look, answering("ready", []))
    assert one.words == "the index lacks 2 of 5 vectors: asked memoryd to rebuild it"
    assert states(look)[1] == ["status", "rebuild"]


@pytest.mark.usefixtures("memoryd", "wanted")
def test_one_that_is_gone_or_damaged_as_well(look: Look, data: Path) -> None:
    assert states(look) == (["mended"], ["status", "rebuild"])
    holding(data, 5).write_bytes(b"nothing" * 1000)
    assert states(look) == (["mended"], ["status", "rebuild"])


@pytest.mark.usefixtures("memoryd", "wanted")
def test_when_it_recurs_a_person_is_needed(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_ask", answering("ready", []))
    found = []
    for _ in range(2):
        found += [one.state for one in main.looked(look, {"index": index.check})]
        look.now += timedelta(hours=1)
    assert found == ["mended", "wrong"]


@pytest.mark.usefixtures("memoryd", "wanted")
@pytest.mark.parametrize("state", ["closed", "opening", "filling", None])
def test_memoryd_is_left_alone_while_it_is_at_it(look: Look, state: str | None) -> None:
    assert states(look, state) == (["note"], ["status"])


@pytest.mark.usefixtures("wanted")
def test_without_memoryd_nobody_is_asked_it_fills_it_when_it_opens_it(look: Look) -> None:
    assert states(look) == (["note"], [])


@pytest.mark.usefixtures("memoryd", "wanted")
def test_in_a_dry_run_nothing_is_asked_for(make_look: MakeLook) -> None:
    assert states(make_look(settings=CHROMA, dry=True)) == (["mended"], ["status"])


@pytest.mark.usefixtures("memoryd", "wanted")
def test_an_index_on_a_server_is_not_looked_for(make_look: MakeLook) -> None:
    assert states(make_look(settings={"FUROSHIKI_CHROMA_URL": "http://localhost:8000"})) == ([], [])


def test_it_is_asked_as_memoryd_is_asked(look: Look, data: Path) -> None:
    heard: list[dict[str, Any]] = []
    folder = os.open(data / "run", os.O_RDONLY)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(f"/proc/self/fd/{folder}/memoryd.sock")
        listener.listen()

        def serve() -> None:
            line, _ = listener.accept()
            with line:
                heard.append(json.loads(line.recv(1000)))
                line.sendall(b'{"ok": true, "index": "ready"}\n')

        thread = threading.Thread(target=serve)
        thread.start()
        assert index._ask(look, "status") == {"ok": True, "index": "ready"}
        thread.join()
    os.close(folder)
    assert heard == [{"op": "status"}]
    assert index._ask(look, "status") == {}


@pytest.mark.usefixtures("memoryd", "wanted")
def test_a_home_of_a_host_has_no_index_on_disk_that_could_be_gone(look: Look, data: Path) -> None:
    (data.parent / ".host").mkdir()
    assert states(look) == ([], [])


@pytest.mark.usefixtures("memoryd", "wanted")
def test_a_small_one_is_in_memory_and_has_no_files(make_look: MakeLook) -> None:
    assert states(make_look()) == (["well"], [])
    assert states(make_look(settings={"FUROSHIKI_CHROMA_FROM": "6"})) == (["well"], [])
    assert states(make_look(settings={"FUROSHIKI_CHROMA_FROM": "5"})) == (["mended"], ["status", "rebuild"])
    assert states(make_look(settings={"FUROSHIKI_CHROMA_FROM": "many"})) == (["well"], [])


def test_how_small_is_what_the_settings_say() -> None:
    assert int(index.DEFAULT_LIMIT) == Settings.model_fields["furoshiki_chroma_from"].default
