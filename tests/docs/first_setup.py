"""The set-up of docs/first-setup.md gone through with the real wizard: what stands on the page is what it shows.

Telegram and the model are emulators; systemd, the doctor and the person who opens the link are stand-ins. What is
different each time (the code, seconds) is written as it stands on the page.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest import mock

from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.core.settings import Settings
from furoshiki.faces.cli.main import main as furoshiki
from furoshiki.faces.setup import main, pairing
from furoshiki.faces.setup.session import Result
from furoshiki.maintenance.unit_files import BRAIN, LISTENER, TIMER
from furoshiki.messages.store import accounts, outbox
from furoshiki.models.choosing import model_servers
from tests.emulators.llm import LLMEmulator
from tests.emulators.telegram import TOKEN, TelegramEmulator

PAGE = ROOT / "docs" / "first-setup.md"
CODE = "482913"
BOT = "noors_furo_bot"
SECONDS = "1.4 s"
WIDTH = 96
SAYS = "Hello! I'm Furo, and I'm glad to meet you."

TYPED = (TOKEN, "anthropic", "sk-fictional-0123456789abcdef", "Furo", "en", "lisbon", "22:30-7:30", "", "y")
"""What somebody types, in order; an empty line takes what stands in brackets."""

OURS = ("FUROSHIKI_", "TELEGRAM_", "ANTHROPIC_", "OPENAI_")

_BLOCK = re.compile(r"(?<=<!-- played: setup -->\n```\n).*?(?=```\n)", re.DOTALL)


def page() -> str:
    """The page with the set-up as it runs today."""
    shown = played()
    return _BLOCK.sub(lambda _old: shown, PAGE.read_text(encoding="utf-8"), count=1)


def played() -> str:
    """What the wizard shows to somebody who sets everything up."""
    with tempfile.TemporaryDirectory(prefix="furoshiki-setup-") as folder, TelegramEmulator() as telegram:
        telegram.state.me["username"] = BOT
        with LLMEmulator(lambda _request: SAYS) as llm:
            shown = _shown(Path(folder) / "data", telegram, llm)
    shown = shown.replace(str(Path(folder) / "data"), "~/.furoshiki")
    shown = shown.replace(str(ROOT), "~/furoshiki")
    shown = re.sub(r"(?<=start=)\d{6}", CODE, shown)
    shown = re.sub(r"(?<=, )\d+\.\d s(?=,)", SECONDS, shown)
    return "".join(f"{_wrapped(line)}\n" for line in shown.splitlines())


def _wrapped(line: str) -> str:
    """A line as a terminal of `WIDTH` columns shows it."""
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False) if line else line


def _shown(data: Path, telegram: TelegramEmulator, llm: LLMEmulator) -> str:
    settings = {"FUROSHIKI_DATA": str(data), "TELEGRAM_API_URL": telegram.url, "ANTHROPIC_BASE_URL": llm.anthropic_url}
    environ = {name: value for name, value in os.environ.items() if not name.startswith(OURS)} | settings
    steps = {**main.STEPS, main.CHECK_UP: ("Checking everything", lambda _session: Result("done", main.ALL_WELL))}
    units = json.dumps({"started": [LISTENER, BRAIN, TIMER], "lingers": True, "notes": []})
    installed: subprocess.CompletedProcess[str] = subprocess.CompletedProcess((), 0, units, "")
    out = io.StringIO()
    with contextlib.ExitStack() as stack:
        for patch in (
            mock.patch.dict(os.environ, {**environ, "TZ": "UTC", "LC_ALL": "C.UTF-8"}, clear=True),
            mock.patch.object(main, "STEPS", steps),
            mock.patch.object(model_servers, "here", lambda _values: []),
            mock.patch.object(pairing, "listener", _opened_on_a_phone),
            mock.patch.object(main, "listener", _delivering),
            mock.patch.object(main, "listens", lambda _settings: True),
            mock.patch.object(main, "ServiceManager", lambda _environ: mock.Mock(version=lambda: 252)),
            mock.patch.object(main.subprocess, "run", lambda *_args, **_more: installed),
            mock.patch("sys.stdin", io.StringIO("".join(f"{line}\n" for line in TYPED))),
            contextlib.redirect_stdout(out),
        ):
            stack.enter_context(patch)  # type: ignore[arg-type]
        assert furoshiki(["setup"]) == 0, out.getvalue()
    return out.getvalue()


@contextlib.contextmanager
def _opened_on_a_phone(settings: Settings) -> Iterator[Callable[[], str | None]]:
    """A listener to which somebody comes with the code at once."""
    database = Database(settings.database)
    with database.write() as db:
        now = datetime.now(UTC)
        code = accounts.open_code(db, now)
        assert code is not None and accounts.redeem_code(db, code, "7", now) == "owner"
        accounts.pair(db, "telegram", "7", "7", "owner", now, "Noor", "en")
    database.close()
    yield lambda: None


@contextlib.contextmanager
def _delivering(settings: Settings) -> Iterator[Callable[[], str | None]]:
    """A listener that has delivered what waits."""
    database = Database(settings.database)
    with database.write() as db:
        rows: list[Any] = outbox.read_waiting(db, "telegram")
        for row in rows:
            outbox.mark_sent(db, row.id, "1", datetime.now(UTC))
    database.close()
    yield lambda: None


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
