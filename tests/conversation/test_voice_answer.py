"""A voice note is answered with voice where that is wanted, and the words are always beside it."""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from furoshiki.channels.telegram.formatting.entities import compose
from furoshiki.conversation.worker import Worker
from furoshiki.core.database import troubles
from furoshiki.messages.store import outbox
from furoshiki.messages.values import Outgoing, Shaped
from furoshiki.models.speech import store, voices
from furoshiki.models.speech.synthesis import CannotSpeak
from furoshiki.models.speech.values import Mode
from furoshiki.world import World
from tests.support.forgetting import forget
from tests.support.speakers import SOUND, Speaker, hears
from tests.support.world import START, FrozenClock, Human, Script

NOTE: Mapping[str, Any] = {"attachment": {"file_id": "f", "duration": 4}}
LONG = "The garden is quiet today. " * 60


def shape(_channel: str, text: str, links: frozenset[str]) -> Sequence[Shaped]:
    return [Shaped(part.text, part.entities, part.kind, part.extra) for part in compose(text, links)]


@pytest.fixture
def talking(world: World, speaker: Speaker, monkeypatch: pytest.MonkeyPatch) -> Human:
    """Somebody on a machine that hears "good morning" in every voice note, and can speak."""

    async def fetch(_envelope: object) -> bytes:
        return b"ogg"

    hears(monkeypatch, "good morning")
    there = dataclasses.replace(world, fetch=fetch, shape=shape)
    return Human(there, Worker(there))


def wanted(human: Human, mode: Mode | None) -> None:
    with human.world.database.write() as db:
        store.choose(db, human.channel, human.chat_id, mode, human.world.now)


async def answered(human: Human, kind: str = "voice", **payload: Any) -> list[Outgoing]:
    row = human.writes("" if kind != "text" else "good morning", kind, **({} if kind == "text" else NOTE), **payload)
    await human.waits()
    return human.answers(row)


async def test_the_words_go_with_the_voice(talking: Human, model: Script, speaker: Speaker) -> None:
    wanted(talking, "on")
    model.lines = ["Good morning, **Robin**! 🌞"]
    (sent,) = await answered(talking)
    assert (sent.kind, sent.text) == ("voice", "Good morning, Robin! 🌞")
    assert [one["type"] for one in sent.entities or ()] == ["bold"]
    assert base64.b64decode(sent.extra["data"]) == SOUND.data
    assert sent.extra["seconds"] == 3
    assert speaker.said == ["Good morning, Robin!"]


async def test_more_words_than_a_caption_holds_come_before_it(talking: Human, model: Script, speaker: Speaker) -> None:
    wanted(talking, "on")
    model.lines = [LONG]
    words, sound = await answered(talking)
    assert (words.kind, words.text) == ("text", LONG.strip())
    assert (sound.kind, sound.text) == ("voice", "")
    assert LONG.startswith(speaker.said[0]) and len(speaker.said[0]) < len(LONG)


@pytest.mark.parametrize(("count", "kinds"), [(1024, ["voice"]), (1025, ["text", "voice"])])
async def test_units_of_telegram_are_counted(talking: Human, model: Script, count: int, kinds: list[str]) -> None:
    wanted(talking, "on")
    model.lines = ["a" + " 😀" * 341 + "b" * (count - 1024)]
    assert [one.kind for one in await answered(talking)] == kinds


@pytest.mark.parametrize(
    ("mode", "kind", "payload"),
    [
        (None, "voice", {}),
        ("on", "text", {}),
        ("on", "audio", {}),
        ("on", "voice", {"forwarded": {"from": "Ana"}}),
    ],
)
async def test_nothing_else_is_answered_aloud(
    talking: Human, speaker: Speaker, mode: Mode | None, kind: str, payload: dict[str, Any]
) -> None:
    wanted(talking, mode)
    assert {one.kind for one in await answered(talking, kind, **payload)} == {"text"}
    assert speaker.said == []


async def test_auto_speaks_where_it_suits(talking: Human, model: Script) -> None:
    wanted(talking, "auto")
    model.lines = ["Good morning!", "Look:\n```\nx = 1\n```", LONG]
    kinds = [[one.kind for one in await answered(talking)] for _ in range(3)]
    assert kinds == [["voice"], ["text"], ["text"]]


async def test_silence_is_not_said(talking: Human, model: Script, speaker: Speaker) -> None:
    wanted(talking, "on")
    model.lines = ["NO_REPLY"]
    assert {one.kind for one in await answered(talking)} <= {"reaction"}
    assert speaker.said == []


async def test_it_speaks_the_language_of_the_answer(talking: Human, model: Script, speaker: Speaker) -> None:
    wanted(talking, "on")
    model.lines = [
        "Guten Morgen! Ich wünsche dir einen schönen Tag, und vergiss das Brot nicht.",
        "おはようございます。",
    ]
    assert [one.kind for one in await answered(talking)] == ["voice"]
    assert speaker.languages == ["de"]
    assert [one.kind for one in await answered(talking)] == ["text"]  # nobody here reads Japanese aloud


async def test_a_chat_that_takes_no_voice_is_left_alone(talking: Human, clock: FrozenClock) -> None:
    wanted(talking, "on")
    with talking.world.database.write() as db:
        store.refuse(db, "telegram", "7", START)
    assert [one.kind for one in await answered(talking)] == ["text"]
    clock.pass_(days=8)
    assert [one.kind for one in await answered(talking)] == ["voice"]


@pytest.mark.parametrize("fault", [CannotSpeak("speaking did not work: no sound card"), None])
async def test_a_failure_is_told_once_and_breaks_no_answer(
    talking: Human,
    model: Script,
    speaker: Speaker,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: Exception | None,
) -> None:
    wanted(talking, "on")
    model.lines = ["one", "two", "three"]
    speaker.fault = fault
    if fault is None:
        monkeypatch.setattr(voices, "is_installed", lambda _data: False)
    assert [one.text for one in await answered(talking)] == ["one"]
    assert [one.kind for one in await answered(talking)] == ["text"]
    with talking.world.database.read() as db:
        (met,) = troubles.read_all(db)
        told = db.execute("SELECT count(*) FROM system_events WHERE kind='alert'").fetchone()[0]
    assert (met.what, met.times, told) == ("speech", 2, 1)
    assert met.words.startswith("speaking")
    assert [one.message for one in caplog.records if one.name.endswith(".draft_directives")] == [met.words]
    speaker.fault = None
    monkeypatch.setattr(voices, "is_installed", lambda _data: True)
    assert [one.kind for one in await answered(talking)] == ["voice"]
    with talking.world.database.read() as db:
        assert troubles.read_all(db) == []


async def test_sound_that_arrived_or_is_forgotten_is_gone(talking: Human, model: Script) -> None:
    wanted(talking, "on")
    model.lines = ["Marzipan it is.", "Marzipan, then!", LONG]
    (arrived,), (waiting,) = await answered(talking), await answered(talking)
    words, sound = await answered(talking)
    with talking.world.database.write() as db:
        outbox.mark_sent(db, arrived.id, "900", START)
        assert "data" not in outbox.of_turn(db, arrived.turn_key or "")[0].extra
    forget(talking.world, "marzipan")
    with talking.world.database.read() as db:
        assert [one.id for one in outbox.in_state(db, "ready")] == [words.id]  # what it says is not looked into
    assert waiting.kind == sound.kind == "voice"
