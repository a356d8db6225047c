"""/voice: what is understood and answered with voice, for each chat."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from furoshiki.conversation.commands import registry
from furoshiki.messages.events import Message
from furoshiki.models.speech import downloads, store, voices
from furoshiki.models.speech.values import Mode
from tests.support.commands import Commander, envelope
from tests.support.world import START


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voices, "is_installed", lambda _data: True)


def mode(command: Commander, chat: str = "7") -> Mode | None:
    with command.world.database.read() as db:
        return store.mode(db, "telegram", chat)


async def test_it_is_off_until_somebody_wants_it(command: Commander, speaks: None) -> None:
    words = (await command("/voice")).text
    assert "I cannot hear voice notes yet" in words and "I answer in text. /voice on" in words
    assert mode(command) is None


@pytest.mark.parametrize("wanted", ["on", "auto"])
async def test_it_is_switched_and_remembered(command: Commander, speaks: None, wanted: Mode) -> None:
    assert "I answer your voice notes with voice" in (await command(f"/voice {wanted.upper()}")).text
    assert mode(command) == wanted
    assert "/voice off ends that" in (await command("/voice")).text
    assert (await command("/voice off")).text == "I answer in text."
    assert mode(command) is None


async def test_it_holds_for_one_chat(command: Commander, speaks: None) -> None:
    elsewhere = dataclasses.replace(envelope(), event=Message(chat_id="8"))
    await registry.run(command.world, "voice", "on", elsewhere)
    assert (mode(command), mode(command, "8")) == (None, "on")


async def test_nonsense_changes_nothing(command: Commander, speaks: None) -> None:
    await command("/voice on")
    assert "on, auto or off" in (await command("/voice loud")).text
    assert mode(command) == "on"


async def test_without_an_engine_it_offers_one(command: Commander, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "has_engine", lambda _data, _use: False)
    for line in ("/voice on", "/voice"):
        words = await command(line)
        assert "I cannot speak yet." in words.text
        assert [row[0]["data"] for row in words.extra["buttons"]] == ["voice.fetch:hearing", "voice.fetch:both"]
    assert mode(command) is None
    assert (await command("/voice off")).text == "I answer in text."


async def test_a_voice_that_cannot_speak_is_told_at_once(command: Commander, speaks: None, tmp_path: Path) -> None:
    settings = command.world.settings.model_copy(update={"furoshiki_speech_voice": tmp_path / "no.onnx"})
    broken = Commander(dataclasses.replace(command.world, settings=settings))
    assert "I cannot speak yet: FUROSHIKI_SPEECH_VOICE" in (await broken("/voice on")).text
    assert mode(command) is None


async def test_on_tries_a_chat_again_that_took_no_voice(command: Commander, speaks: None) -> None:
    await command("/voice on")
    with command.world.database.write() as db:
        store.refuse(db, "telegram", "7", START)
    assert "didn't let me send a voice message in this chat" in (await command("/voice")).text
    await command("/voice on")
    with command.world.database.read() as db:
        assert not store.is_refused(db, "telegram", "7", START)
