"""How channels are used: read again when the owner changes the file, and a slip of the pen costs no message."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from pathlib import Path

import pytest

from furoshiki.conversation import worker
from furoshiki.core.errors import BadSetting
from furoshiki.core.setting_rows import SecretStr
from furoshiki.owner.agenda import channel_modes
from furoshiki.world import World
from tests.support.world import Human


def owner_writes(world: World, text: str, age: int = 0) -> Path:
    path = world.settings.data / "config" / "furoshiki.toml"
    path.write_text(text)
    os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    return path


def test_every_channel_is_live_unless_the_owner_says_otherwise(world: World) -> None:
    assert [channel_modes.mode(world, name) for name in channel_modes.CHANNELS] == ["live"] * 3
    owner_writes(world, '[channels]\ntelegram = "shadow"\n')
    assert (channel_modes.mode(world, "telegram"), channel_modes.mode(world, "console")) == ("shadow", "live")
    owner_writes(world, '[channels]\ntelegram = "off"\n', age=5)
    assert channel_modes.mode(world, "telegram") == "off"


def test_words_can_be_sent_where_somebody_listens(world: World) -> None:
    assert channel_modes.live(world) == ("console",)
    settings = world.settings.model_copy(update={"telegram_bot_token": SecretStr("123:abc")})
    world = dataclasses.replace(world, settings=settings)
    assert channel_modes.live(world) == ("telegram", "console")
    owner_writes(world, '[channels]\nconsole = "shadow"\n')
    assert channel_modes.live(world) == ("telegram",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[channels]\ntelegram = "on"', 'telegram must be "off", "shadow" or "live", not \'on\''),
        ("channels = 3", "channels must be a table"),
        ("[channels", "furoshiki.toml"),
    ],
)
def test_a_slip_of_the_pen_is_named(world: World, text: str, words: str) -> None:
    owner_writes(world, text)
    with pytest.raises(BadSetting) as caught:
        channel_modes.mode(world, "telegram")
    assert words in str(caught.value)


def test_channels_of_another_release_are_passed_over_and_the_rest_holds(world: World) -> None:
    path = owner_writes(world, 'later = 1\n[channels]\nconsole = "off"\ntelegramm = "off"\n')
    assert (channel_modes.mode(world, "console"), channel_modes.mode(world, "telegram")) == ("off", "live")
    strange: list[str] = []
    channel_modes.read(path, strange)
    assert strange[0] == "later is not a setting here, and does nothing; known are channels"
    assert strange[1].endswith("channels.telegramm is not a setting here, and does nothing; did you mean 'telegram'?")


async def test_a_message_waits_until_the_owner_has_mended_the_file(
    world: World, human: Human, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "STORAGE_PAUSE_SECONDS", 0.0)
    path = owner_writes(world, "[channels")
    row = human.writes("hello?")
    for _ in range(5):
        assert await asyncio.wait_for(human.worker.step(), 20)
    found = human.envelope(row)
    assert (found["state"], found["attempts"]) == ("pending", 0)
    path.unlink()
    await human.waits()
    assert human.envelope(row)["state"] == "done"
    assert len(human.answers(row)) == 1
