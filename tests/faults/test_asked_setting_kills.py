"""Killed between the owner's yes and its effect: the setting is changed once, and the answer says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from furoshiki.conversation import interactions
from furoshiki.core.setting_rows import SecretStr
from furoshiki.maintenance import setting_changes
from furoshiki.messages.events import Press
from furoshiki.messages.store import accounts, inbox
from furoshiki.messages.values import NewEnvelope
from furoshiki.world import World
from tests.support.deaths import Trial, Work, opened, rows_in
from tests.support.dying_night import NIGHT, awake_in

pytestmark = [pytest.mark.faults, pytest.mark.slow]

EVIL = "https://mine.example/v1"
NAME = "openai_base_url"


def world_of(home: Path) -> World:
    world = awake_in(home)
    held = world.settings.model_copy(update={"telegram_bot_token": SecretStr("123456:" + "A" * 35)})
    object.__setattr__(world, "settings", held)
    return world


def paired(home: Path) -> None:
    with opened(home) as database, database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", NIGHT)


def ask(home: Path) -> None:
    """A page asks; killed and asked again, it is one question."""
    setting_changes.ask(world_of(home), NAME, EVIL)


def asked(home: Path) -> None:
    """It was asked, and the yes has arrived."""
    paired(home)
    ask(home)
    with opened(home) as database, database.write() as db:
        row = db.execute("SELECT extra FROM outbox").fetchone()
        found = re.search(r"setting\.yes:\w+", row["extra"])
        assert found is not None
        press = Press(chat_id="7", data=found[0], private=True)
        inbox.store(db, [NewEnvelope("telegram", "p1", "7", press)], NIGHT)


async def answer(home: Path) -> None:
    """The mind takes the press up, as after a restart where it died over it."""
    world = world_of(home)
    with world.database.write() as db:
        inbox.release_all(db)
        envelope = inbox.claim(db, world.now)
    if envelope is not None:
        await interactions.handle_press(world, envelope)


def left(home: Path) -> dict[str, Any]:
    env = home / ".env"
    rows = rows_in(home, {"said": "SELECT text FROM outbox ORDER BY id", "inbox": "SELECT state FROM inbox"})
    masked = re.sub(r"[0-9a-f]{16}", "TOKEN", str(rows))
    return {"env": env.read_text() if env.is_file() else "", "rows": masked}


def test_it_is_asked_once(empty_database: Path, tmp_path: Path) -> None:
    Trial(Work(ask, paired, left), empty_database, tmp_path).survives_each()


def test_it_is_changed_once_and_told_once(empty_database: Path, tmp_path: Path) -> None:
    trial = Trial(Work(answer, asked, left), empty_database, tmp_path)
    assert trial.alive["env"] == f"OPENAI_BASE_URL={EVIL}\n" and "has been changed." in trial.alive["rows"]
    trial.survives_each()
