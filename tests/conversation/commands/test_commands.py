"""Every command answers, an unknown one is left to the companion, and none of them asks a model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from furoshiki.conversation.commands import registry
from furoshiki.conversation.commands.registry import Command, commands, in_menu, list_commands
from furoshiki.messages.events import Message
from furoshiki.world import World
from tests.support.commands import Commander, envelope
from tests.support.world import Human, Script


@pytest.mark.parametrize("name", [name for name, _what in list_commands()])
async def test_every_command_answers_a_newborn_without_a_model(name: str, command: Commander, model: Script) -> None:
    words = await command(f"/{name}")
    assert words.text.strip()
    assert model.questions == []


async def test_an_unknown_command_is_left_to_the_companion(world: World) -> None:
    assert await registry.run(world, "sing", "a song", envelope()) is None


@pytest.mark.parametrize("data", ["", "nobody.knows:1", "task.explode:1", "task.done:x", "zone.set:Mars/Base"])
async def test_a_button_nobody_knows_is_no_answer(data: str, command: Commander) -> None:
    assert await command.press(data) is None


async def test_in_a_group_nothing_private_is_told(world: World) -> None:
    among_others = replace(envelope(), event=Message(chat_id="-100", private=False))
    for name in ("export", "memory", "why", "status", "settings", "tasks", "cost", "undo", "quiet"):
        words = await registry.run(world, name, "", among_others)
        assert words is not None and words.text == registry.IN_PRIVATE
    words = await registry.run(world, "mood", "", among_others)
    assert words is not None and words.text != registry.IN_PRIVATE


def test_descriptions_fit_a_telegram_menu() -> None:
    for name, what in list_commands():
        assert 1 <= len(name) <= 32 and name.islower()
        assert 1 <= len(what) <= 256


async def test_help_names_every_command(command: Commander) -> None:
    short, rest = (await command("/help")).text, (await command("/more")).text
    assert all(f"/{name} " in f"{short}{rest}" for name, _what in list_commands())
    assert [name for name, _ in in_menu()] == ["memory", "why", "tasks", "quiet", "more"]
    assert all(f"/{name} " in short for name, _ in in_menu())


def test_a_command_that_does_not_say_that_it_only_shows_cannot_be_tapped_among_others_words() -> None:
    named = dict.fromkeys(one.name for one in commands().values() if not one.shows)
    assert named.keys() >= {"export", "forget", "quiet", "undo", "voice", "wish"}
    assert not Command("new").shows


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("/memry sister", "I don't know the command /memry. Did you mean /memory?"),
        ("/frobnicate", "I don't know the command /frobnicate. /help shows the ones I know."),
    ],
)
async def test_an_unknown_command_says_so_and_reaches_no_model(
    said: str, answer: str, human: Human, model: Script
) -> None:
    assert await human.says(said) == [answer]
    assert model.questions == []


@pytest.mark.parametrize("said", ["/home/noor is full", "/shrug I don't know", "/etc/hosts"])
async def test_a_slash_that_begins_no_command_is_talk(said: str, human: Human, model: Script) -> None:
    model.lines = ["I see."]
    assert await human.says(said) == ["I see."]
