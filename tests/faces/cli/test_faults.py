"""Settings and faults, each with the exact words that `config check`, `status` and the chat have for it (faults.json).

A case names its environment, files below the data directory, and commands with their exit status and lines they say.
Nothing a library says may be among them.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from furoshiki.channels.console import dialogue
from furoshiki.core.database import migrate
from furoshiki.models.llm import gateway
from tests.support.shell import Command

CASES = json.loads(Path(__file__).with_name("faults.json").read_text(encoding="utf-8"))

NEVER = (
    *("Traceback", "Input should be", "NotDelivered", "Uncertain(", "unexpected ", "Errno", "Error:", "canary"),
    *("sqlite3", "pydantic", "bug in the program", "malformed", "no such table"),
)
"""What no case may show: words of a library, and secrets."""

ANSWERS = {
    "refusing": (401, {"error": {"message": "Incorrect API key"}, "ok": False, "description": "Unauthorized"}),
    "empty": (404, {"error": {"message": "not here", "code": "model_not_found"}}),
    "getUpdates": (409, {"ok": False, "description": "Conflict: terminated by other getUpdates request"}),
    "getMe": (200, {"ok": True, "result": {"id": 123456, "username": "furo_bot"}}),
}
"""What the server says, by the last or first part of the path that is here."""


class Server(BaseHTTPRequestHandler):
    """Answers by the address that it is asked at."""

    def do_GET(self) -> None:
        parts = self.path.partition("?")[0].strip("/").split("/")
        if parts[0] == "unversioned":
            parts = ["refusing" if "v1" in parts else "empty"]
        status, said = ANSWERS.get(parts[0]) or ANSWERS[parts[-1]]
        body = json.dumps(said).encode()
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_args: Any) -> None:
        """Nothing to say."""


@pytest.fixture(scope="module")
def places() -> Iterator[dict[str, str]]:
    """Addresses the cases name: a server that says no, and one where nobody is."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with socket.socket() as taken:  # bound and not listening: connections are refused
        taken.bind(("127.0.0.1", 0))
        yield {
            "server": f"http://127.0.0.1:{server.server_address[1]}",
            "nobody": f"http://127.0.0.1:{taken.getsockname()[1]}",
            "head": migrate.HEAD,
        }
    server.shutdown()


def damaged(path: Path) -> None:
    path.write_bytes(b"this is no database at all, not even a header" * 100)


def newer(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE alembic_version SET version_num='9999'")
        db.commit()


def lost(path: Path) -> None:
    path.with_name(f"{path.name}.gate").touch()
    path.unlink()


PREPARED: dict[str, Callable[[Path], None]] = {
    "damaged": damaged,
    "newer": newer,
    "lost": lost,
}


def _case(case: dict[str, Any]) -> Any:
    """As a parameter; where somebody talks, it takes a second."""
    talks = any(run["args"][0] in ("chat", "migrate") for run in case["runs"])
    return pytest.param(case, id=case["name"], marks=[pytest.mark.slow] if talks else [])


@pytest.mark.parametrize("case", map(_case, CASES))
def test_what_is_wrong_is_said_in_so_many_words(
    case: dict[str, Any], command: Command, data: Path, places: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("furoshiki.app.wiring.spawner", lambda _data: None)
    monkeypatch.setattr(dialogue, "HINDERED_SECONDS", 0.1)
    monkeypatch.setattr(gateway, "FIRST_PAUSE_S", 0.0)

    def filled(text: str) -> str:
        for name, value in {**places, "data": str(data)}.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    for name, text in case.get("files", {}).items():
        (data / name).parent.mkdir(exist_ok=True)
        (data / name).write_text(text)
    for name, value in case.get("env", {}).items():
        monkeypatch.setenv(name, filled(value))
    if "data" in case:
        monkeypatch.setenv("FUROSHIKI_DATA", filled(case["data"]))
    if "prepared" in case:
        PREPARED[case["prepared"]](data / "memory" / "longmemory.sqlite")
    for run in case["runs"]:
        ended = command(*map(filled, run["args"]))
        shown = f"{ended.out}{ended.err}"
        assert ended.status == run["exit"], shown
        lines = shown.splitlines()
        for said in run["says"]:
            assert filled(said) in lines
        assert not [word for word in NEVER if word in shown], shown
        assert ended.status == 0 or "Everything works" not in shown


def test_there_are_forty_cases_and_each_is_another() -> None:
    assert len({case["name"] for case in CASES}) == len(CASES) >= 40
