"""The dashboard costs nothing where it is off: nothing of it is loaded by what listens, schedules or runs a job."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from furoshiki.app.jobs import JOBS
from tests.architecture.source import PACKAGE, ROOT, imported, modules, parsed

WEB = ("fastapi", "starlette", "uvicorn", "argon2", "multipart")
HOUSE = ("furoshiki/faces/dashboard/", "furoshiki/faces/host_dashboard/")


def test_only_the_command_line_knows_the_dashboard_and_only_once_it_is_asked_for() -> None:
    knows = {
        path
        for path, tree in modules("dashboard").items()
        for name, _ in imported(tree)
        if name.startswith(("furoshiki.faces.dashboard", "furoshiki.faces.host_dashboard"))
        and not path.startswith(HOUSE)
    }
    assert knows == {"furoshiki/faces/cli/services/dashboard.py", "furoshiki/faces/cli/services/processes.py"}
    for path in knows:
        heads = {name for node in parsed(path).body for name in _named(node)}
        assert not any(name.startswith("furoshiki.faces.dashboard") for name in heads), f"{path} loads it with its head"
    scripts = [
        path for path in (PACKAGE.parent / "scripts").rglob("*.py") if "furoshiki.faces.dashboard" in path.read_text()
    ]
    assert not scripts


def test_only_the_dashboard_and_its_passwords_use_what_serves_pages() -> None:
    uses = {
        path
        for word in WEB
        for path, tree in modules(word).items()
        for name, _ in imported(tree)
        if name.partition(".")[0] == word and not path.startswith(HOUSE)
    }
    assert uses == {"furoshiki/core/logins/passwords.py"}


LOAD = """
import importlib, sys
for name in sys.argv[1].split():
    importlib.import_module(name)
print(*(name for name in sys.modules if name.startswith(tuple(sys.argv[2].split()))))
"""
PROCESSES = (
    *("furoshiki.app.listener", "furoshiki.app.single", "furoshiki.app.brain", "furoshiki.app.supervisor"),
    *("furoshiki.faces.cli.services.processes", "furoshiki.conversation.commands.look.dashboard"),
)


@pytest.mark.slow
def test_none_of_it_is_loaded_by_the_listener_the_brain_and_the_jobs() -> None:
    steps = {named for job in JOBS.values() for one in job.steps for named in (one.due, one.use_case)}
    names = [*PROCESSES, *sorted({one.partition(":")[0] for one in steps})]
    command = [sys.executable, "-c", LOAD, " ".join(names), " ".join(("furoshiki.faces.dashboard", *WEB))]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == ""


FIRST_LOOK = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from starlette.testclient import TestClient
from furoshiki.core.paths import environ
from furoshiki.core.settings import load
from furoshiki.faces.dashboard import running
from furoshiki.core.logins.ledger import Ledger
settings = load({**environ(), "FUROSHIKI_DATA": sys.argv[1]})
running.prepare(settings.data)
app = running._app(settings, Ledger(settings.data))
client = TestClient(app, base_url="http://localhost")
assert client.get("/healthz").status_code in (200, 503) and client.get("/sign-in").status_code == 200
print(*(name for name in sys.modules if name.startswith("furoshiki.faces.dashboard.")))
assert client.get("/api/v1/status").status_code == 401 and client.get("/chat").status_code == 401
"""


@pytest.mark.slow
def test_a_page_and_the_api_are_loaded_when_somebody_asks_for_them(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FIRST_LOOK, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    below = ("furoshiki.faces.dashboard.api.", "furoshiki.faces.dashboard.pages.")
    assert {name for name in done.stdout.split() if name.startswith(below)} == {
        *(f"furoshiki.faces.dashboard.pages.{name}" for name in ("entering", "health", "now", "telegram", "theme")),
        "furoshiki.faces.dashboard.api.events",
    }


def _named(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Import):
        return [one.name for one in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []
