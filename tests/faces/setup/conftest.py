"""A wizard in this process: Telegram is the emulator, a person is a list of lines, and no server of
models runs on this machine."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.network.providers import PROVIDERS
from furoshiki.core.paths import read_env_file
from furoshiki.faces.setup import main
from furoshiki.messages.store import accounts, outbox
from tests.emulators.telegram import OWNER, TelegramEmulator
from tests.support.shell import Command, Ended, command, data
from tests.support.world import START

__all__ = ["command", "data"]

NOWHERE = "http://127.0.0.1:9"

Typing = Callable[..., Ended]


@pytest.fixture
def telegram() -> Iterator[TelegramEmulator]:
    with TelegramEmulator() as emulator:
        yield emulator


@pytest.fixture
def home(data: Path, telegram: TelegramEmulator, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory whose Telegram is the emulator, on a machine without a server of models, by the clocks of
    Lisbon. What is sent arrives without a listener, and the doctor stays away."""
    monkeypatch.setenv("TELEGRAM_API_URL", telegram.url)
    monkeypatch.setenv("TZ", "Europe/Lisbon")
    for spec in PROVIDERS:
        if spec.by_net and spec.here:
            monkeypatch.setenv(spec.address_setting, NOWHERE)
    monkeypatch.setattr(main, "listener", lambda settings: delivering(Database(settings.database)))
    monkeypatch.setattr(main, "STEPS", {name: step for name, step in main.STEPS.items() if name != main.CHECK_UP})
    return data


@contextlib.contextmanager
def delivering(database: Database) -> Iterator[Callable[[], str | None]]:
    """A stand-in for the listener: what waits has arrived."""
    with database.write() as db:
        for row in outbox.read_waiting(db, "telegram"):
            outbox.mark_sent(db, row.id, "1", START)
    yield lambda: None


@pytest.fixture
def typing(home: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> Typing:
    """Run `furoshiki setup`, and answer with these lines, as through a pipe; None is the end of them."""

    def run(*lines: str, flags: tuple[str, ...] = ()) -> Ended:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return command("setup", *flags)

    return run


@pytest.fixture
def paired(home: Path) -> Database:
    """Somebody is the owner already."""
    database = Database(home / "memory" / "longmemory.sqlite")
    with database.write() as db:
        accounts.pair(db, "telegram", str(OWNER["id"]), str(OWNER["id"]), "owner", START, "Robin", "de")
    return database


def env(home: Path) -> dict[str, str]:
    """What stands in `.env`."""
    return read_env_file(home / ".env")
