"""What it is asked most about itself is answered from its page, as it holds with the settings of the moment."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.core.setting_rows import SecretStr
from furoshiki.maintenance import backup, encryption
from furoshiki.messages.roles import Person
from furoshiki.mind.inner_life.knowledge_sources import REALITY
from furoshiki.mind.inner_life.self_model import own_models
from furoshiki.world import World
from tests.support.introspection import by_reflex
from tests.support.world import FrozenClock

SENDS = "do you send my data anywhere?"


def with_settings(world: World, **changed: Any) -> World:
    return dataclasses.replace(world, settings=world.settings.model_copy(update=changed))


@pytest.mark.parametrize(
    ("question", "must", "must_not"),
    [
        (SENDS, "read on this machine only", "Yes"),
        ("are you listening to my microphone?", "No. I have no access to a microphone", "sorry"),
        ("what do you back up?", "Once a day, while the brain runs", "haven't told me"),
        ("where are my words kept?", "In one folder on this machine", "haven't told me"),
        ("who can read this?", "they are not encrypted", "haven't told me"),
        ("are you a person?", "a program, and no person", "Yes"),
        ("what can you do?", "Without a language model I follow rules", "most things"),
        ("what can't you do?", "I cannot send emails", "Try me"),
        ("what does it cost?", "Nothing: I am free", "pay for"),
    ],
)
async def test_it_answers_before_any_page_was_written(world: World, question: str, must: str, must_not: str) -> None:
    [said] = await by_reflex(world).says(question)
    assert must in said and must_not not in said and "`" not in said
    assert len(said) < 800


async def test_with_a_key_it_says_to_whom_words_go(world: World) -> None:
    keyed = with_settings(world, anthropic_api_key=SecretStr("sk-ant-0123456789"))
    human = by_reflex(keyed)
    [said] = await human.says(SENDS)
    assert "Yes, to anthropic" in said and "this machine only" not in said
    [cost] = await human.says("what do you cost?")
    assert "is paid to anthropic" in cost
    assert "anthropic can read what is sent there" in (await human.says("who can read this?"))[0]


async def test_it_knows_where_the_newest_verified_backup_is_how_old_and_whether_it_is_encrypted(
    world: World, clock: FrozenClock
) -> None:
    assert "They are not encrypted" in own_models.plain(world)
    _secret, public = encryption.new_key()
    keyed = with_settings(world, furoshiki_backup_recipients=public)
    asked, human = "is my backup encrypted?", by_reflex(keyed)
    assert "There is none yet" in (await human.says(asked))[0]
    made = backup.daily(keyed)
    clock.pass_(hours=3)
    [said] = await human.says(asked)
    assert "nobody opens one without the secret key" in said and "(the backups are)" in own_models.plain(keyed)
    assert f"made 3 hours ago, and is encrypted: {made.data['file']}" in said
    (world.settings.data / "backups" / "furoshiki-20990101T000000Z.tar.gz").write_bytes(b"no backup")
    assert "a newer one was not verified" in (await human.says(asked))[0]


async def test_with_a_bot_it_says_that_telegram_carries_it(world: World) -> None:
    telling = with_settings(world, telegram_bot_token=SecretStr("123456:abc"))
    assert "goes through Telegram" in (await by_reflex(telling).says(SENDS))[0]
    assert "Telegram" not in own_models.plain(world)


async def test_a_guest_is_told_whose_machine_it_is(world: World) -> None:
    guest = dataclasses.replace(world, who=Person("member", "telegram", "8", "8"))
    assert "The person who runs me: the machine and its folders are theirs." in own_models.plain(guest)
    assert "as you or as its administrator" not in own_models.plain(guest)


async def test_the_page_is_there_on_the_first_evening(world: World) -> None:
    page = world.settings.data / REALITY
    stop = asyncio.Event()
    running = asyncio.create_task(Worker(world).run(stop))
    async with asyncio.timeout(30):
        while not page.is_file():
            await asyncio.sleep(0.01)
    stop.set()
    await running
    assert "### Do I send what you tell me anywhere?" in page.read_text(encoding="utf-8")
    assert own_models.plain(world).strip() in page.read_text(encoding="utf-8")
