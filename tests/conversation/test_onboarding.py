"""The first talk in Telegram: questions with buttons, answers that hold, and nothing lost to them."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import time
from typing import Any

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.messages.store import accounts
from furoshiki.mind.inner_life import standing_prompt
from furoshiki.owner.agenda.store import quiet
from furoshiki.owner.user_model import user
from furoshiki.world import World
from tests.support.world import Human, Script


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 60


@pytest.fixture
def world(world: World) -> World:
    """Nobody has said by whose clocks its owner lives."""
    return replace(world, settings=world.settings.model_copy(update={"furoshiki_timezone": None}))


class Begun:
    """Somebody who has just paired, and presses what is shown under the last words."""

    def __init__(self, human: Human, name: str = "Noor Haddad", language: str | None = None) -> None:
        self.human, self.buttons = human, []  # type: Human, list[dict[str, str]]
        with human.world.database.write() as db:
            accounts.unpair(db, "telegram", "7")
            accounts.pair(db, "telegram", "7", "7", "owner", human.world.now, name, language)

    async def says(self, text: str, **payload: Any) -> str:
        """Write; the words that come back."""
        return await self._after(self.human.writes(text, **payload))

    async def starts(self) -> str:
        """What the button START of Telegram sends after a code was redeemed."""
        return await self.says("/start", paired_now=True)

    async def presses(self, text: str) -> str:
        """Press a button that is there; the words that come back."""
        data = next(one["data"] for one in self.buttons if one["text"] == text)
        return await self._after(self.human.writes("", "callback", data=data))

    async def _after(self, row: int) -> str:
        await self.human.waits()
        answers = self.human.answers(row)
        rows = answers[-1].extra.get("buttons", []) if answers else []
        self.buttons = [one for row in rows for one in row]
        return "\n".join(one.text for one in answers)


async def test_a_first_talk_by_buttons_settles_everything(world: World, human: Human) -> None:
    begun = Begun(human)
    assert (await begun.starts()).endswith("What should I call you?")
    assert "Is it the same for you?" in await begun.presses("Noor")
    assert "never write first" in await begun.presses("Yes")
    assert "What should I be like?" in await begun.presses("23:00 – 07:00")
    assert "Which one should I think with?" in await begun.presses("Frank")
    assert "May I write first" in await begun.presses("None for now")
    last = await begun.presses("Only reminders")
    assert last.endswith("I am glad to be here, Noor. How was your day?") and begun.buttons == []
    with world.database.read() as db:
        assert user.name(db) == "Noor"
        assert quiet.hours(db) == (time(23), time(7))
        assert user.zone(world, db) == world.zone
    assert "They like you frank best" in standing_prompt.identity(world)
    assert world.follow(world).settings.furoshiki_outreach_per_day in (None, 0)
    pages = (world.settings.data / "memory" / "operator_settings.json").read_text(encoding="utf-8")
    assert '"FUROSHIKI_OUTREACH_PER_DAY": 0' in pages


async def test_words_answer_as_well_as_buttons_and_another_clock_is_asked_by_a_city(world: World, human: Human) -> None:
    begun = Begun(human)
    await begun.starts()
    assert (await begun.says("call me Jo, please")).startswith("Jo it is.")
    assert "Which big city" in await begun.presses("No")
    assert (await begun.says("Tokyo")).startswith("So it is 00:00 where you are.")
    with world.database.read() as db:
        assert user.name(db) == "Jo"
        assert str(user.zone(world, db)) == "Asia/Tokyo"
        source = db.execute("SELECT text FROM turns WHERE text LIKE 'call me Jo%'").fetchall()
    assert len(source) == 1


async def test_how_it_should_be_may_be_written_in_their_own_words(world: World, human: Human) -> None:
    begun = Begun(human)
    await begun.starts()
    for button in ("Noor", "Yes", "Yes"):
        said = await begun.presses(button)
    assert "What should I be like?" in said
    assert "how I should be" in await begun.presses("In my own words")
    for talk in ("what can you do?", "I want to die"):
        assert "Which one should I think with?" not in await begun.says(talk)
    assert "Which one should I think with?" in await begun.says(
        "dry and short, like my grandmother. no exclamation marks"
    )
    shown = standing_prompt.identity(world)
    assert "dry and short, like my grandmother. no exclamation marks" in shown and "I want to die" not in shown


async def test_everything_can_be_skipped_and_what_is_said_instead_is_talk(world: World, human: Human) -> None:
    begun = Begun(human)
    await begun.starts()
    assert "What should I call you?" not in await begun.says("my sister Anika lives in Lisbon")
    with world.database.read() as db:
        assert user.name(db) is None
        assert db.execute("SELECT count(*) FROM memories WHERE object='Anika'").fetchone()[0]
    assert (await begun.says("/start")).endswith("What should I call you?")
    for _ in range(6):
        said = await begun.presses("Skip")
    assert said.endswith("I am glad to be here. How was your day?")
    assert "/more" in await begun.says("/start")


async def test_a_used_button_settles_nothing_a_second_time(world: World, human: Human) -> None:
    begun = Begun(human)
    await begun.starts()
    old = begun.buttons
    await begun.presses("Noor")
    begun.buttons = old
    assert await begun.presses("Noor") == ""


async def test_it_speaks_the_language_telegram_tells(human: Human) -> None:
    begun = Begun(human, "Jonas", "de")
    assert (await begun.starts()).endswith("Wie soll ich dich nennen?")
    assert "Bei dir auch?" in await begun.presses("Jonas")


async def test_what_the_set_up_has_asked_is_not_asked_again(world: World, human: Human) -> None:
    with world.database.write() as db:
        quiet.keep_hours(db, time(22), time(7), world.now)
    begun = Begun(human)
    await begun.starts()
    await begun.presses("Noor")
    assert "What should I be like?" in await begun.presses("Yes")


@pytest.mark.parametrize(
    "said", ["我想死", "Я хочу умереть", "kendimi öldüreceğim", "ich will sterben", "脑子里的声音叫我伤害宝宝"]
)
async def test_a_call_for_help_is_no_name(said: str, world: World, human: Human) -> None:
    begun = Begun(human)
    await begun.starts()
    assert "it is." not in await begun.says(said)
    with world.database.read() as db:
        assert user.name(db) is None


@pytest.mark.parametrize(("name", "language"), [("Jo", None), ("Léa", "fr"), ("Björn", "de")])
async def test_a_bare_name_is_talk_and_the_next_question_follows(
    name: str, language: str | None, world: World, human: Human
) -> None:
    begun = Begun(human, "Eleonore", language)
    await begun.starts()
    said = await begun.says(name)
    with world.database.read() as db:
        assert user.name(db) == name
    assert "15:00" in said, "the clock is asked about next"


async def test_the_city_and_the_last_question_stand_in_the_talk(world: World, human: Human) -> None:
    begun = Begun(human)
    await begun.starts()
    await begun.presses("Noor")
    await begun.presses("No")
    await begun.says("Tokyo")
    for _ in range(4):
        await begun.presses("Skip")
    with world.database.read() as db:
        said = [row["text"] for row in db.execute("SELECT text FROM turns WHERE kind='text' ORDER BY id").fetchall()]
    assert said[1:3] == ["Noor", "Tokyo"] and said[-1].endswith("How was your day?")
