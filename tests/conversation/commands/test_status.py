"""Status has the names that others build on, and says what is wrong."""

from __future__ import annotations

import fcntl
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from furoshiki.conversation.commands import health as health_command
from furoshiki.conversation.commands import status
from furoshiki.core.catalogue import speaking
from furoshiki.core.errors import StorageUnavailable
from furoshiki.core.settings import Settings
from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.feelings.rules.needs import NEEDS
from furoshiki.feelings.rules.user_needs import DIMENSIONS
from furoshiki.messages.events import Message
from furoshiki.messages.store import accounts, inbox
from furoshiki.messages.values import NewEnvelope
from furoshiki.recall.embeddings import models
from furoshiki.world import World
from tests.support.commands import Commander, said
from tests.support.unasked import in_telegram, thinks, writes_first
from tests.support.world import FrozenClock


def test_it_has_every_key_of_the_contract(world: World) -> None:
    found = status.gather(world)
    assert set(found["emotions"]) == set(NAMES)
    assert set(found["needs"]) == set(NEEDS)
    assert set(found["user_needs"]) == set(DIMENSIONS)
    assert set(found["pending"]) == {"inbox", "outbox", "mind_queue", "index"}
    assert found["last_conversation_at"] is None and found["last_tick_at"] is None
    assert found["cost_today_usd"] == 0.0
    assert set(found["models"]) == {"chat", "deep", "reflect", "fast", "micro"}
    assert found["health"]["ok"] is True


def test_an_unusable_database_has_the_same_keys(world: World) -> None:
    broken = status.unreadable(StorageUnavailable("damaged"))
    assert set(broken) <= set(status.gather(world))
    assert broken["health"] == {"ok": False, "problems": ["damaged"], "notes": []}


def test_it_counts_what_waits_and_when_we_last_spoke(world: World, clock: FrozenClock) -> None:
    said(world, "hello there")
    with world.database.write() as db:
        inbox.store(db, [NewEnvelope("telegram", "1", "7", Message(chat_id="7"))], world.now)
    clock.pass_(hours=3)
    found = status.gather(world)
    assert found["pending"]["inbox"] == 1 and found["pending"]["index"] == 1
    assert "Waiting: 1 to answer, 1 to read through" in status.in_words(found, world.now)
    assert found["last_conversation_at"] == "2026-03-24T15:00:00.000000+00:00"


def test_feelings_are_those_of_now_and_looking_changes_nothing(world: World, clock: FrozenClock) -> None:
    kept = world.state.change(lambda beat: replace(beat, emotions=beat.emotions.moved({"joy": 0.5}))).emotions
    clock.pass_(hours=10)
    assert status.gather(world)["emotions"]["joy"] < kept.joy
    assert world.state.heartbeat().emotions == kept


def test_a_silent_soul_engine_is_a_fault_while_the_brain_runs(world: World, clock: FrozenClock, tmp_path: Path) -> None:
    world.state.change(lambda beat: replace(beat, last_tick_at=clock.now()))
    clock.pass_(hours=2)
    assert status.gather(world)["health"]["ok"] is True, "nobody ticks while the brain rests"
    with (tmp_path / "run" / "brain.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        health = status.gather(world)["health"]
    assert health["ok"] is False and "my feelings were last updated" in health["problems"][0]


def test_a_listener_that_should_run_and_does_not_is_mentioned(world: World, tmp_path: Path) -> None:
    token = {**world.settings.model_dump(), "telegram_bot_token": "123456:abc"}
    with_bot = replace(world, settings=Settings(**token))
    assert "the listener is not running" in status.gather(with_bot)["health"]["notes"][0]
    with (tmp_path / "run" / "telegram-123456.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = status.gather(with_bot)
    assert found["running"]["listener"] is True
    assert "the brain is not running" in found["health"]["notes"][0] and found["health"]["ok"] is True


def test_a_full_disk_is_a_fault(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health_command, "LEAST_FREE_BYTES", 1 << 62)
    assert "disk" in status.gather(world)["health"]["problems"][0]


def test_what_was_given_up_is_mentioned(world: World) -> None:
    with world.database.write() as db:
        [row] = inbox.store(db, [NewEnvelope("telegram", "1", "7", Message(chat_id="7"))], world.now)
        db.execute("UPDATE inbox SET attempts=? WHERE id=?", (inbox.MAX_ATTEMPTS, row))
        inbox.record_failure(db, [row], "boom", world.now)
    assert status.gather(world)["health"]["notes"] == ["1 message could not be answered in the last day"]


async def test_in_words_it_says_who_speaks_and_when_we_talked(command: Commander, clock: FrozenClock) -> None:
    said(command.world, "hello there")
    clock.pass_(seconds=timedelta(minutes=12).seconds)
    text = (await command("/status")).text
    assert "12 minutes ago" in text
    assert "built-in mind" in text
    assert "Everything works." in text


async def test_it_says_when_it_last_wrote_first_and_why_and_what_waits(world: World, clock: FrozenClock) -> None:
    owned = in_telegram(world)
    fresh = status.gather(owned)["outreach"]
    assert fresh == {
        "last_at": None,
        "because": None,
        "kind": None,
        "waiting": 0,
        "unanswered": 0,
        "held_by": None,
        "quiet": "Never between 23:00 and 08:00.",
    }
    said(owned, "I have an interview")
    clock.pass_(hours=1)
    writes_first(owned, "How was the interview?", "So?")
    clock.pass_(hours=1)
    thinks(owned, "I have been reading about tides", "thought", 4)
    found = status.gather(owned)
    assert found["outreach"]["last_at"] == "2026-03-24T16:00:00.000000+00:00"
    assert [found["outreach"][name] for name in ("waiting", "unanswered", "held_by")] == [1, 1, "cooldown"]
    assert (
        "I last wrote first 1 hour ago, because of a question (“How was the interview?”). "
        "1 thing waits to be said (/why not). Never between 23:00 and 08:00."
    ) in status.in_words(found, clock.now())
    with speaking("pt"):
        assert "How was" not in status.in_words(status.gather(owned), clock.now())


def test_a_missing_encoder_for_the_owners_language_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "has_multilingual", lambda: False)
    with world.database.write() as db:
        accounts.pair(db, "telegram", "1", "1", "owner", world.now, "Ayla", "tr")
    assert models.NO_MULTILINGUAL in status.gather(world)["health"]["notes"]
