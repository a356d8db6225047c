"""The dashboard, seen by the doctor: off, on and gone, on and answering, on and silent."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from doctor_checks import dashboard, processes, services
from doctor_checks.look import Look
from doctor_checks.processes import Process


@pytest.fixture
def brain(look: Look, monkeypatch: pytest.MonkeyPatch) -> None:
    """A brain that has run for two minutes."""
    process = Process(1, look.awake - 120, 0.0, 0, "furoshiki brain")
    monkeypatch.setattr(services, "running", lambda _look, _name: process)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some process serves it, as its lock says."""
    monkeypatch.setattr(processes, "holder", lambda _path: 7)


@pytest.fixture
def port() -> Iterator[int]:
    """Where something answers /healthz."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield server.server_port
        server.shutdown()


def switched_on(data: Path, port: int) -> None:
    (data / "memory" / "operator_settings.json").write_text(
        json.dumps({"FUROSHIKI_DASHBOARD": True, "furoshiki_dashboard_port": port})
    )


def found(look: Look) -> list[tuple[str, str]]:
    return [(one.state, one.words) for one in dashboard.check(look)]


@pytest.mark.usefixtures("brain")
def test_switched_off_there_is_nothing_to_say(look: Look) -> None:
    assert found(look) == []


@pytest.mark.usefixtures("brain")
def test_switched_on_and_gone_is_told(look: Look, data: Path) -> None:
    switched_on(data, 8330)
    assert found(look) == [("wrong", "the dashboard is switched on and does not run")]


def test_where_nothing_runs_it_is_not_missed(look: Look, data: Path) -> None:
    switched_on(data, 8330)
    assert found(look) == []


@pytest.mark.usefixtures("brain", "held")
def test_it_is_asked_whether_it_answers(look: Look, data: Path, port: int) -> None:
    switched_on(data, port)
    assert found(look) == [("well", "the dashboard answers")]
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        switched_on(data, silent.getsockname()[1])
        [(state, words)] = found(look)
        assert state == "wrong" and "does not answer" in words
