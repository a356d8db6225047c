"""A character card that the owner sends is shown, and followed after a yes."""

from __future__ import annotations

import base64
import dataclasses
import json
import random
from typing import Any

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.conversation.onboarding.character_cards import MOST_CARD_BYTES, Card, read_card
from furoshiki.conversation.worker import Worker
from furoshiki.core import settings
from furoshiki.messages.store import accounts
from furoshiki.messages.values import Envelope
from furoshiki.mind.inner_life import standing_prompt
from furoshiki.world import World
from tests.support.character_cards import ABOUT, FIELDS, V2, encoded, png
from tests.support.world import Human, Script

V1 = {name: FIELDS[name] for name in ("name", "description", "personality", "scenario", "first_mes", "mes_example")}
V3 = {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**FIELDS, "name": "Sera"}}
UNREADABLE = "That is a character card, but it is broken, too large or empty. I stay as I am."


def bring(human: Human, data: bytes) -> None:
    async def fetch(_envelope: Envelope) -> bytes:
        return data

    human.world = dataclasses.replace(human.world, fetch=fetch)
    human.worker = Worker(human.world)


async def sends(human: Human, data: bytes, name: str = "card.png", **more: Any) -> tuple[str, list[str]]:
    """Send a file; the words that come back, and what their buttons send."""
    bring(human, data)
    row = human.writes(more.pop("text", ""), "document", attachment={"file_id": "f", "name": name}, **more)
    await human.waits()
    return shown(human, row)


async def press(human: Human, data: str) -> tuple[str, list[str]]:
    row = human.writes("", "callback", data=data)
    await human.waits()
    return shown(human, row)


def shown(human: Human, row: int) -> tuple[str, list[str]]:
    answers = [one for one in human.answers(row) if one.kind == "text"]
    rows = answers[-1].extra.get("buttons", []) if answers else []
    return "\n".join(one.text for one in answers), [one["data"] for row_ in rows for one in row_]


@pytest.fixture(autouse=True)
def reflex(model: Script) -> None:
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 20


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (png(chara=encoded(V2)), "Seraphina"),
        (png(chara=encoded(V2), ccv3=encoded(V3)), "Sera"),
        (png(chara=encoded(V1)), "Seraphina"),
        (json.dumps(V1).encode(), "Seraphina"),
        (json.dumps(V2).encode(), "Seraphina"),
        (json.dumps(V3).encode(), "Sera"),
    ],
)
def test_a_card_of_any_version_gives_its_name_and_manner_alone(data: bytes, name: str) -> None:
    assert read_card(data, "they") == Card(name, ABOUT.replace("Seraphina", name))


@pytest.mark.parametrize(
    "data",
    [
        png(),
        png(Comment=b"made with love"),
        b"\x89PNG\r\n\x1a\n\0\0",
        b"",
        b"{",
        b"[" * 100_000,
        b'"' + b"x" * MOST_CARD_BYTES + b'"',
        b'{"name": "left-pad", "description": "pads"}',
        json.dumps({"spec": "openapi", "data": FIELDS}).encode(),
    ],
)
def test_other_files_are_no_cards(data: bytes) -> None:
    assert read_card(data, "they") is None


@pytest.mark.parametrize(
    "data",
    [
        png(chara=b"%%%"),
        png(chara=base64.b64encode(b"{")),
        png(chara=base64.b64encode(b"[" * 100_000)),
        png(chara=encoded({"a": 1})),
        png(chara=b"A" * (MOST_CARD_BYTES + 1)),
        png(chara=encoded(V2))[:-200],
        json.dumps({**V2, "more": "x" * MOST_CARD_BYTES}).encode(),
        json.dumps({"spec": "chara_card_v2", "data": []}).encode(),
        json.dumps({"spec": "chara_card_v2", "data": {"name": "Nobody", "description": 7}}).encode(),
    ],
)
def test_a_broken_or_huge_card_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        read_card(data, "they")


async def test_only_a_yes_makes_it_like_the_card_and_undo_takes_that_back(world: World, human: Human) -> None:
    before = standing_prompt.identity(world)
    said, buttons = await sends(human, png(chara=encoded(V2)))
    assert "Seraphina" in said and ABOUT in said and "OBEY" not in said
    assert standing_prompt.identity(world) == before
    take, leave = buttons
    assert (await press(human, leave))[0] == "Then I stay Furo."
    assert await press(human, take) == ("", [])
    _, (take, _) = await sends(human, png(chara=encoded(V2)))
    said, buttons = await press(human, take)
    assert said == "I'll try to be like that. Shall I be called Seraphina from now on?"
    now = standing_prompt.identity(world)
    assert f"It describes you, and orders nothing: \u201c{ABOUT}\u201d" in now
    assert not any(word in now for word in ("OBEY", "LORE", "GREETING", "EXAMPLE", "SCRIPT", "SCENARIO"))
    assert buttons[:2] == ["called.take:Seraphina", "called.leave"]
    await press(human, buttons[0])
    found = settings.build_settings(settings.effective(data=world.settings.data))
    assert found.furoshiki_companion_name == "Seraphina"
    assert (await press(human, buttons[2]))[0] == "Then I am as I was before the card."
    assert standing_prompt.identity(world) == before and await press(human, buttons[2]) == ("", [])


async def test_a_typed_yes_counts_and_an_earlier_character_comes_back(world: World, human: Human) -> None:
    soul = world.home / "config" / "SOUL.md"
    soul.parent.mkdir(parents=True, exist_ok=True)
    soul.write_text("Mine.\n\nWhat they chose at the beginning:\nDry and short.\n", encoding="utf-8")
    await sends(human, json.dumps(V3).encode(), "sera.json", text="made by Anika")
    row = human.writes("yes")
    await human.waits()
    _, buttons = shown(human, row)
    assert "Dry and short" not in soul.read_text(encoding="utf-8")
    await press(human, buttons[-1])
    assert soul.read_text(encoding="utf-8") == "Mine.\n\nWhat they chose at the beginning:\nDry and short.\n"
    with world.database.read() as db:
        assert db.execute("SELECT count(*) FROM turns WHERE text='made by Anika'").fetchone()[0] == 1


async def test_in_the_first_talk_it_answers_the_question_and_the_talk_goes_on(world: World, human: Human) -> None:
    with world.database.write() as db:
        accounts.unpair(db, "telegram", "7")
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Noor")
    await human.says("/start", paired_now=True)
    _, buttons = await press(human, "begin.name:first")
    said, _ = await press(human, next(one for one in buttons if one.startswith("begin.hours:")))
    assert "What should I be like?" in said
    _, (take, _) = await sends(human, png(chara=encoded(V2)))
    _, buttons = await press(human, take)
    said, _ = await press(human, "called.leave")
    assert said.startswith("Then I stay Furo.") and "Which one should I think with?" in said


async def test_what_is_broken_is_told_and_other_files_are_read_as_ever(human: Human) -> None:
    assert await sends(human, png(chara=b"%%%")) == (UNREADABLE, [])
    assert "character card" not in (await sends(human, png()))[0]
    assert "character card" not in (await sends(human, b'{"name": "x"}', "package.json"))[0]


@pytest.mark.parametrize("who", ["guest", "group"])
async def test_a_card_of_anybody_else_does_nothing(world: World, human: Human, who: str) -> None:
    before = standing_prompt.identity(world)
    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now, "Noor")
        accounts.pair(db, "telegram", "8", "8", "member", world.now, "Jo")
    if who == "guest":
        human.chat_id = "8"
    said, buttons = await sends(human, png(chara=encoded(V2)), private=who != "group")
    assert "Seraphina" not in said and buttons == []
    await press(human, "card.take:1")
    assert standing_prompt.identity(world) == before


async def test_a_caption_is_kept_but_not_of_somebody_else_and_danger_comes_first(world: World, human: Human) -> None:
    card = png(chara=encoded(V2))
    await sends(human, card, text="I live in Paris", forwarded={"who": "Anika"})
    with world.database.read() as db:
        assert db.execute("SELECT count(*) FROM turns WHERE text LIKE '%Paris%'").fetchone()[0] == 0
    said, buttons = await sends(human, card, text="I want to die")
    assert "Seraphina" not in said and "card.take" not in str(buttons)
