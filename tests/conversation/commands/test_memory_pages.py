"""Looking through what is known by buttons: whom it is about, one of it, where it is from, and what is done with it."""

from __future__ import annotations

import random

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.memory.store import memories
from furoshiki.messages.values import Outgoing
from furoshiki.world import World
from tests.support.world import Human, Script


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 30


class Looking:
    """Somebody who presses what is shown under the last answer."""

    def __init__(self, human: Human) -> None:
        self.human, self.shown = human, dict[str, str]()

    async def says(self, text: str) -> str:
        return await self._after(self.human.writes(text))

    async def presses(self, text: str) -> str:
        return await self._after(self.human.writes("", "callback", data=self.shown[text]))

    async def _after(self, row: int) -> str:
        await self.human.waits()
        answers: list[Outgoing] = self.human.answers(row)
        rows = answers[-1].extra.get("buttons", []) if answers else []
        self.shown = {one["text"]: one["data"] for line in rows for one in line}
        return "\n".join(one.text for one in answers)


@pytest.fixture
async def looking(human: Human) -> Looking:
    """Who has told of a sister, and of themselves, and opens the list of whom something is known of."""
    for text in ("my sister Anika lives in Lisbon", "my name is Noor", "I live in Porto", "I'm vegetarian"):
        await human.says(text)
    found = Looking(human)
    assert "I remember" in await found.says("/memory")
    assert await found.presses("Look through it") == "Of whom?"
    return found


async def test_it_is_found_by_whom_it_is_about_and_tells_where_it_is_from(looking: Looking) -> None:
    assert "Anika (1)" in looking.shown and "You (4)" in looking.shown
    assert await looking.presses("Anika (1)") == "Anika:\n1. Anika lives in Lisbon."
    assert await looking.presses("1") == "Anika lives in Lisbon."
    assert "“my sister Anika lives in Lisbon”" in await looking.presses("Where from?")


async def test_what_is_wrong_is_taken_back_and_what_is_held_on_to_is_not(looking: Looking, world: World) -> None:
    listed = await looking.presses("You (4)")
    number = next(line[0] for line in listed.splitlines() if "Porto" in line)
    await looking.presses(number)
    again = dict(looking.shown)
    assert "I hold on to that" in await looking.presses("Hold on to it")
    looking.shown = again
    assert "Let it fade first" in await looking.presses("That's wrong")
    looking.shown = {"fade": again["Hold on to it"].replace("pin", "unpin")}
    await looking.presses("fade")
    looking.shown = again
    assert (await looking.presses("That's wrong")).startswith("I take that back: You live in Porto.")
    with world.database.read() as db:
        assert "Porto" not in {one.object for one in memories.read_known(db)}
    looking.shown = again
    assert await looking.presses("That's wrong") == "I no longer know that."


async def test_forgetting_asks_first_as_the_command_does(looking: Looking) -> None:
    await looking.presses("Anika (1)")
    await looking.presses("1")
    assert "would be gone" in await looking.presses("Forget")
    assert set(looking.shown) == {"Forget it", "Keep it"}


async def test_more_than_a_page_is_turned(looking: Looking, human: Human) -> None:
    for thing in ("tea", "jazz", "hiking", "cheese", "chess"):
        await human.says(f"I like {thing}")
    await looking.says("/memory")
    await looking.presses("Look through it")
    about_them = next(name for name in looking.shown if name.startswith("You ("))
    first = await looking.presses(about_them)
    second = await looking.presses("▶")
    assert first.splitlines()[1:] != second.splitlines()[1:] and second.startswith("You:\n1. ")
    assert await looking.presses("◀") == first


async def test_abroad_what_is_known_is_shown_in_their_own_words(human: Human) -> None:
    """A fact is kept in English; to somebody who writes German "Your sister lives in Bonn." says little."""
    told = ("meine Schwester wohnt in Bonn", "ich wohne in Kassel", "mein Bruder heißt Jonas")
    for text in told:
        await human.says(text)
    looking = Looking(human)
    shown = await looking.says("/memory")
    assert all(f"\u201c{text}\u201d" in shown for text in told) and "lives" not in shown
    assert "lives" not in await looking.says("/forget Bonn")
