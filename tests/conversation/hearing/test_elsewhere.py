"""Voice notes heard by a provider: offered, told where they then go and what it costs, and chosen by a second tap."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.core import settings as all_settings
from furoshiki.core.settings import Settings
from furoshiki.memory.perception import speech_to_text
from furoshiki.models.llm.store import costs
from furoshiki.world import World
from tests.models.llm.server import Server
from tests.support import painters
from tests.support.commands import Commander
from tests.support.painters import KEY, refused
from tests.support.world import FrozenClock, Human, Script

NOTE = {"attachment": {"file_id": "f", "media_type": "audio/ogg", "duration": 30}}


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with Server(painters.whisper) as opened:
        yield opened


@pytest.fixture
def listening(world: World, server: Server, clock: FrozenClock) -> Callable[..., World]:
    async def fetch(_envelope: object) -> bytes:
        return b"OggS a voice"

    def made(model: str | None) -> World:
        values: dict[str, Any] = {"openai_api_key": KEY, "openai_base_url": f"{server.url}/v1"}
        values["furoshiki_model_hearing"] = model
        settings = Settings(**{**world.settings.model_dump(), **values})

        def ledger(record: Any) -> None:
            with world.database.write() as db:
                costs.add(db, record, clock.now())

        def spent() -> float:
            with world.database.read() as db:
                return costs.spent_since(db, clock.now().replace(hour=0, minute=0))

        media = painters.media(settings.model_values(), ledger, settings.data, clock.now, spent_today=spent)
        return dataclasses.replace(world, settings=settings, media=media, fetch=fetch)

    return made


async def test_it_is_told_where_recordings_go_and_what_that_costs_before_it_is_chosen(
    listening: Callable[..., World],
) -> None:
    world = listening(None)
    command = Commander(world)
    said = await command("/voice")
    assert [row[0]["data"] for row in said.extra["buttons"] if "OpenAI" in row[0]["text"]] == ["voice.by:openai"]
    told = await command.press("voice.by:openai")
    assert told is not None and "goes to 127.0.0.1 (OpenAI)" in told.text and "$0.27 per hour" in told.text
    assert all_settings.effective(data=world.settings.data).get("furoshiki_model_hearing") is None
    yes, no = told.extra["buttons"][0]
    assert no["data"] == "voice.fetch:no"
    chosen = await command.press(yes["data"])
    assert chosen is not None and "From now on OpenAI hears" in chosen.text
    value, _ = all_settings.effective(data=world.settings.data)["furoshiki_model_hearing"]
    assert value == "openai:gpt-transcribe"
    hearing = Commander(listening("openai:gpt-transcribe"))
    assert "voice notes go to OpenAI (127.0.0.1)" in (await hearing("/voice")).text
    back = await hearing.press("voice.by:here")
    assert back is not None and "no longer go anywhere" in back.text
    assert all_settings.effective(data=world.settings.data).get("furoshiki_model_hearing") is None


async def test_a_voice_note_is_heard_there_once_and_its_cost_is_in_the_books(
    listening: Callable[..., World], model: Script, server: Server
) -> None:
    world = listening("openai:gpt-transcribe")
    human = Human(world, Worker(world))
    model.lines.append("I will.")
    assert await human.says("", "voice", **NOTE) == ["I will."]
    assert "the fern on my sill has a new leaf" in model.turn_words
    assert len(server.bodies) == 1
    with world.database.read() as db:
        [row] = db.execute("SELECT purpose, cost_usd FROM llm_calls").fetchall()
    assert row["purpose"] == "turn.hearing" and row["cost_usd"] == pytest.approx(0.00225)


async def test_where_the_provider_fails_the_reason_is_told_in_words(
    listening: Callable[..., World], model: Script, server: Server
) -> None:
    server.replies[:] = [refused("no", 401)]
    world = listening("openai:gpt-transcribe")
    human = Human(world, Worker(world))
    model.lines.append("I could not hear that.")
    await human.says("", "voice", **NOTE)
    assert "could not be understood: OpenAI does not accept its key" in model.turn_words
    assert KEY not in model.turn_words


async def test_where_the_provider_fails_this_machine_hears_if_it_can(
    listening: Callable[..., World], model: Script, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def transcribe(*_args: object) -> str:
        return "water the fern"

    server.replies[:] = [refused("later", 503)]
    world = listening("openai:gpt-transcribe")
    monkeypatch.setattr(speech_to_text, "model", lambda _world: world.home)
    monkeypatch.setattr(speech_to_text, "transcribe", transcribe)
    human = Human(world, Worker(world))
    model.lines.append("Yes.")
    await human.says("", "voice", **NOTE)
    assert "water the fern" in model.turn_words


async def test_unless_it_was_chosen_no_recording_leaves_the_machine(
    listening: Callable[..., World], model: Script, server: Server
) -> None:
    world = listening(None)
    human = Human(world, Worker(world))
    offered = await human.says("", "voice", **NOTE)
    assert "I can't hear voice notes yet" in offered[0] and not server.bodies
