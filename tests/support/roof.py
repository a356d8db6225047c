"""The dashboard of a host over two homes, asked in this process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from furoshiki.app.wiring import SystemClock
from furoshiki.core import settings
from furoshiki.core.database.connection import Database
from furoshiki.core.logins import sessions
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.paths import HOST
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard.access import cookies
from furoshiki.faces.dashboard.access.guard import csrf_of
from furoshiki.faces.dashboard.values import Role
from furoshiki.faces.host_dashboard.entrance import Entrance
from furoshiki.faces.host_dashboard.serving import entrance
from furoshiki.host import homes
from furoshiki.host.members import MemberFile
from furoshiki.messages.store import turns
from tests.support.rows import user_said

WORDS = {"anna": "I am afraid of the dentist.", "ben": "I have fallen in love with Clara."}
"""What was said in each home."""

TOKEN = "123456:" + "A" * 35
PEOPLE = {"anna": 7, "ben": 8}


@dataclass
class Roof:
    """The application, who may come in where, and what a browser keeps of each."""

    root: Path
    app: Entrance
    settings: Settings
    secrets: dict[str, str] = field(default_factory=dict)

    def now(self) -> datetime:
        """The time, read when it is asked for: links end ten minutes after they are made."""
        return SystemClock().now()

    def ledger(self, home: str) -> Ledger:
        """Who may come into a home; "" is the host's."""
        return Ledger(self.root / (home or HOST))

    def sign_in(self, home: str, role: Role = "admin") -> str:
        """Begin a session; what its browser is to keep."""
        return sessions.begin(self.ledger(home), role, "link", "Firefox on Linux", SystemClock().now()).secret

    def browser(self, secret: str | None) -> TestClient:
        """One that keeps this secret of a session."""
        client = TestClient(self.app, base_url="http://localhost", follow_redirects=False)
        if secret is not None:
            client.cookies.set(cookies.plain(self.settings), secret)
        return client

    def of(self, home: str) -> TestClient:
        """The browser of a home's owner; "" is the keeper's."""
        return self.browser(self.secrets[home])

    def csrf(self, home: str) -> str:
        """What that browser's forms bring back."""
        return csrf_of(self.secrets[home])


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of homes that is not there yet."""
    monkeypatch.setenv("FUROSHIKI_DATA", str(tmp_path / "homes" / HOST))
    monkeypatch.setenv("FUROSHIKI_HOMES", str(tmp_path / "homes"))
    return tmp_path / "homes"


@pytest.fixture
def roof(root: Path) -> Iterator[Roof]:
    """Anna's and Ben's homes on one bot."""
    clock = SystemClock()
    for name, said in WORDS.items():
        home = homes.add(root, name, clock.now())
        database = Database(home.data / "memory" / "longmemory.sqlite")
        with database.write() as db:
            turns.add(db, user_said(said))
        database.close()
        MemberFile(root).settle(PEOPLE[name], name)
    (root / HOST / "run").mkdir()
    (root / HOST / ".env").write_text(f"TELEGRAM_BOT_TOKEN={TOKEN}\n")
    held = settings.load()
    made = Roof(root, entrance(root, held, Ledger(root / HOST), clock), held)
    made.secrets = {name: made.sign_in(name) for name in ("", *WORDS)}
    yield made
    made.app.homes.close()
