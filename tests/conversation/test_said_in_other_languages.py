"""Commands, buttons and what a press answers, in the language that somebody usually writes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from furoshiki.conversation.commands import registry, remind
from furoshiki.conversation.worker import Worker
from furoshiki.core.catalogue import say, speaking
from furoshiki.messages.store import outbox
from furoshiki.messages.values import Outgoing
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.commands import Commander
from tests.support.said_texts import OTHERS
from tests.support.world import Human, Script


def writing(world: World, language: str) -> Human:
    """Somebody who is spoken to in this language."""
    theirs = replace(world, settings=world.settings.model_copy(update={"furoshiki_language": language}))
    return Human(theirs, Worker(theirs))


def buttons(human: Human, text: str) -> list[tuple[str, str]]:
    """What stands on the buttons beneath a message that was sent, and what each sends."""
    with human.world.database.read() as db:
        sent: list[Outgoing] = outbox.with_buttons(db, human.channel, human.chat_id)
    message = next(one for one in sent if one.text == text)
    return [(one["text"], one["data"]) for row in message.extra["buttons"] for one in row]


async def test_help_greets_and_names_the_commands_in_the_language_of_the_person(world: World) -> None:
    [text] = await writing(world, "es").says("/help")
    assert text.startswith("¡Hola! ") and "/quiet — escribir solo si me escribes" in text
    assert "remind you" not in text and "Just write" not in text


async def test_a_reminder_and_its_buttons_are_in_the_language_of_the_person(world: World) -> None:
    human = writing(world, "de")
    [made] = await human.says("/remind morgen um 9 Uhr Anika anrufen")
    assert made == "Ich erinnere dich morgen um 09:00 Uhr: Anika anrufen."
    [(text, data)] = buttons(human, made)
    assert text == "Zurücknehmen"
    assert await human.says("", "callback", data=data) == ["Zurückgenommen: Anika anrufen."]
    assert (await human.says("/remind"))[0].startswith("Es stehen keine Erinnerungen an.")


async def test_a_list_is_shown_ticked_off_and_opened_again(world: World) -> None:
    human = writing(world, "zh")
    with world.database.write() as db:
        milk = tasks.add(db, "shopping", "牛奶", world.now)
    [shown] = await human.says("/tasks")
    [(text, data)] = buttons(human, shown)
    assert "购物" in shown and (text, data) == ("完成了：牛奶", f"task.done:{milk}")
    [done] = await human.says("", "callback", data=data)
    [(undo, back)] = buttons(human, done)
    assert (done, undo) == ("完成了：牛奶。", "撤销")
    assert await human.says("", "callback", data=back) == ["“牛奶”重新变为未完成。"]


async def test_forgetting_is_shown_asked_and_done(world: World) -> None:
    human = writing(world, "fr")
    await human.says("mon ancienne adresse est rue des Lilas")
    [asked] = await human.says("/forget Lilas")
    assert asked.startswith("Voici ce qui disparaîtrait pour de bon :") and "C’est irréversible" in asked
    assert [text for text, _ in buttons(human, asked)] == ["Oublier", "Garder"]
    [gone] = await human.says("oui")
    assert gone.startswith("Oublié : ")


async def test_quiet_is_asked_for_and_kept(world: World) -> None:
    human = writing(world, "tr")
    [asked] = await human.says("/quiet")
    assert asked.startswith("Ne kadar süreyle?")
    assert [text for text, _ in buttons(human, asked)] == ["3 saat", "Yarına kadar", "3 gün", "Bir hafta"]
    assert "bunu bitirir" in (await human.says("/quiet 22:00-07:30"))[0]


@pytest.mark.parametrize("language", OTHERS)
async def test_the_examples_that_are_given_work(language: str, command: Commander) -> None:
    with speaking(language):
        example = say(remind._EXAMPLE)
        for args in example.split("/remind ")[1:]:
            made = await command(f"/remind {re.split('，或者|, ', args)[0]}")
            assert "buttons" in made.extra, made.text
        for hours in re.findall(r"/quiet \S+\d[hd]?", (await command("/quiet")).text):
            assert (await command(hours)).text.count("/quiet off") + (await command(hours)).text.count("/quiet hours")


@pytest.mark.parametrize("language", OTHERS)
def test_the_menu_is_there_in_each_language_and_fits_in_telegram(language: str) -> None:
    menus = registry.menus()
    assert [name for name, _ in menus[language]] == [name for name, _ in registry.in_menu()]
    assert all(0 < len(about) <= 256 for _, about in menus[language])
    assert not {about for _, about in menus[language]} & {about for _, about in registry.in_menu()}


async def test_a_turn_that_takes_long_and_one_that_breaks_say_so(world: World, model: Script) -> None:
    model.lines = [""]
    human = writing(world, "it")
    [sorry] = await human.says("raccontami qualcosa di bello della tua giornata")
    assert sorry.startswith("Ho appena perso il filo")


SHOWN = (
    "/help",
    "/memory",
    "/memory tides",
    "/remind",
    "/tasks",
    "/quiet",
    "/quiet status",
    "/mood",
    "/status",
    "/undo",
)
SHOWN_TOO = ("/settings", "/settings continuity on", "/forget", "/forget nothing like it", "/forget no", "/mood week")


@pytest.mark.parametrize("language", OTHERS)
async def test_nothing_of_what_a_command_shows_is_left_in_english(language: str, command: Commander) -> None:
    for line in (*SHOWN, *SHOWN_TOO):
        english = (await command(line)).text.split("\n")
        with speaking(language):
            theirs = (await command(line)).text.split("\n")
        both = {one for one in english if one in theirs and len(re.findall(r"[a-z]{2,}", one)) > 2}
        assert {one for one in both if not one.startswith(("⚠", "·"))} == set(), line  # faults are for who runs it
