"""The socket: one line in, one line out, whatever the other side does."""

from __future__ import annotations

import json
import os
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from furoshiki.recall.retrieval.client import SOCKET, Vectors, VectorsAway, decode, encode, reachable
from furoshiki.recall.retrieval.memoryd.server import Server
from furoshiki.recall.retrieval.values import Scope


def echo(request: object) -> dict[str, Any]:
    return {"ok": True, "asked": request, "pid": os.getpid()}


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Start a server in a thread; returns its data directory."""
    running: list[tuple[Server, threading.Thread]] = []

    def start(answer: Callable[[object], dict[str, Any]] = echo, idle: float = 60.0, data: Path = tmp_path) -> Path:
        (data / "run").mkdir(parents=True, exist_ok=True)
        server = Server(data / "run" / SOCKET, answer, idle)
        thread = threading.Thread(target=server.serve, args=(lambda: False,))
        thread.start()
        running.append((server, thread))
        return data

    yield start
    for server, thread in running:
        server.stop()
        thread.join(5)
        assert not thread.is_alive()


def raw(data: Path, request: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(2)
        line.connect(str(data / "run" / SOCKET))
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        return line.makefile("rb").read()


def test_only_the_owner_may_ask(serve: Callable[..., Path]) -> None:
    data = serve()
    assert stat.S_IMODE((data / "run" / SOCKET).stat().st_mode) == 0o600


def test_a_request_comes_back_with_its_answer(serve: Callable[..., Path]) -> None:
    assert Vectors(serve()).status()["asked"] == {"op": "status"}


def test_what_is_begun_is_answered_once(serve: Callable[..., Path]) -> None:
    asked: list[Any] = []

    def answer(request: Any) -> dict[str, Any]:
        asked.append(request.get("text") or request["texts"])
        return {"ok": True, "model": "m", "vectors": [encode([0.5])], "found": [[f"turn:{len(asked)}", 0.9]]}

    vectors, now = Vectors(serve(answer)), datetime(2026, 11, 29, tzinfo=UTC)
    about: dict[str, Any] = {"k": 3, "now": now, "scope": Scope(("turn",))}
    vectors.expect("the ferry")
    vectors.expect_recall("the ferry", **about)
    assert vectors.said(["the ferry"]) == ("m", [[0.5]])
    assert vectors.recall("the ferry", **about)
    assert sorted(map(str, asked)) == ["['the ferry']", "the ferry"], "what was asked ahead is not asked again"
    vectors.expect_recall("the ferry", **about)
    assert vectors.recall("another boat", **about) and vectors.recall("the ferry", **about)
    assert asked[2:].count("the ferry") == 1 and len(asked) == 4


def test_what_a_memoryd_began_that_is_gone_is_asked_of_the_next(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    path, vectors = tmp_path / "run" / SOCKET, Vectors(tmp_path)
    with socket.socket(socket.AF_UNIX) as dying:
        dying.bind(str(path))
        dying.listen()
        vectors.expect("the ferry")
    path.unlink()
    answer = {"ok": True, "model": "m", "vectors": [encode([0.5])]}
    server = Server(path, lambda _request: answer, 60.0)
    thread = threading.Thread(target=server.serve, args=(lambda: False,))
    thread.start()
    assert vectors.said(["the ferry"]) == ("m", [[0.5]])
    server.stop()
    thread.join(5)


@pytest.mark.parametrize("line", [b"nonsense\n", b"[" * 200_000 + b"\n", b"\xff\xfe\n"])
def test_nonsense_is_answered_as_a_request_for_nothing(serve: Callable[..., Path], line: bytes) -> None:
    assert json.loads(raw(serve(), line))["asked"] == {}


def test_a_client_that_leaves_midway_does_no_harm(serve: Callable[..., Path]) -> None:
    data = serve()
    assert raw(data, b'{"op": "no end of line"') == b""
    assert raw(data, b"") == b""
    assert Vectors(data).status()["ok"]


def test_silent_clients_do_not_block_the_others(serve: Callable[..., Path]) -> None:
    data = serve()
    with socket.socket(socket.AF_UNIX) as first, socket.socket(socket.AF_UNIX) as second:
        first.connect(str(data / "run" / SOCKET))
        second.connect(str(data / "run" / SOCKET))
        assert Vectors(data).status()["ok"]


def test_a_long_path_is_no_obstacle(serve: Callable[..., Path], tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 90) / ("e" * 90)
    data = serve(data=deep)
    assert len(str(data / "run" / SOCKET)) > 108
    assert Vectors(data).status()["ok"]


def test_nobody_asking_ends_it(tmp_path: Path) -> None:
    server = Server(tmp_path / SOCKET, echo, idle_seconds=0.05)
    assert "nobody asked" in server.serve(lambda: False)
    assert not (tmp_path / SOCKET).exists()


def test_an_unreachable_server_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("furoshiki.recall.retrieval.memoryd.server.LOOK_EVERY_SECONDS", 0.01)
    server = Server(tmp_path / SOCKET, echo, idle_seconds=60)
    (tmp_path / SOCKET).unlink()
    assert server.serve(lambda: False) == "the socket was removed"


def test_work_in_hand_keeps_it_alive(tmp_path: Path) -> None:
    server = Server(tmp_path / SOCKET, echo, idle_seconds=0.05)
    rounds = iter([True, True, False])
    began = time.monotonic()
    server.serve(lambda: next(rounds, False))
    assert time.monotonic() - began > 0.1


def test_a_dead_process_leaves_no_obstacle(tmp_path: Path, serve: Callable[..., Path]) -> None:
    (tmp_path / "run").mkdir()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "run" / SOCKET))
    assert Vectors(serve()).status()["ok"]


class Spawned:
    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


def test_away_means_away_at_once_and_started_once(tmp_path: Path) -> None:
    spawned, patience = Spawned(), 30.0
    vectors = Vectors(tmp_path, spawned, ask_seconds=patience)
    began = time.monotonic()
    for _ in range(20):
        with pytest.raises(VectorsAway):
            vectors.query("anything")
    assert time.monotonic() - began < patience, "nobody is waited for who is not there"
    assert spawned.times == 1


def test_a_dead_socket_counts_as_away(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "run" / SOCKET))
    spawned = Spawned()
    with pytest.raises(VectorsAway):
        Vectors(tmp_path, spawned).status()
    assert spawned.times == 1


def test_telling_somebody_who_is_away_is_no_error(tmp_path: Path) -> None:
    Vectors(tmp_path).nudge()


def test_one_slow_answer_is_not_waited_for_again(serve: Callable[..., Path]) -> None:
    release = threading.Event()
    heard: list[object] = []

    def slow(request: object) -> dict[str, Any]:
        heard.append(request)
        release.wait(5)
        return {"ok": True, "found": []}

    vectors = Vectors(serve(slow), ask_seconds=0.05)
    with pytest.raises(VectorsAway, match="did not answer"):
        vectors.query("first")
    with pytest.raises(VectorsAway, match="a moment ago"):
        vectors.query("second")
    release.set()
    assert vectors.query("third, by somebody patient", seconds=2.0) == []
    assert ["second" in str(request) for request in heard] == [False, False]


def test_a_refusal_says_why(serve: Callable[..., Path]) -> None:
    with pytest.raises(VectorsAway, match="the model is not installed"):
        Vectors(serve(lambda _request: {"ok": False, "error": "the model is not installed"})).status()


def test_an_answer_that_is_none_is_away(serve: Callable[..., Path]) -> None:
    data = serve(lambda _request: [])  # type: ignore[arg-type, return-value]
    with pytest.raises(VectorsAway):
        Vectors(data).status()


def test_starting_what_is_there_starts_nothing(serve: Callable[..., Path]) -> None:
    spawned = Spawned()
    Vectors(serve(), spawned).start()
    assert spawned.times == 0


def test_starting_what_is_away(tmp_path: Path) -> None:
    spawned = Spawned()
    Vectors(tmp_path, spawned).start()
    assert spawned.times == 1


def test_vectors_travel_unchanged() -> None:
    assert decode(encode([0.5, -0.25, 1.0])) == [0.5, -0.25, 1.0]


def test_without_the_folder_there_is_no_address(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), reachable(tmp_path / ("x" * 120) / SOCKET):
        pass
