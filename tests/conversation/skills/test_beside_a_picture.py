"""What a model wants while words from a picture stand before it: done where the owner asks for that, else asked.

The table names the turn, what the model calls in it, and what is right: both a needless question and an act that
nobody asked for are wrong.
"""

from __future__ import annotations

import dataclasses
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app.wiring import LANGUAGES, lexicon, shape
from furoshiki.conversation.worker import Worker
from furoshiki.core.paths import ROOT
from furoshiki.language.lexicon import Lexicon
from furoshiki.messages.store import turns
from furoshiki.messages.store.turns import LATELY
from furoshiki.messages.values import Envelope
from furoshiki.models.llm.values import ToolCall
from furoshiki.owner.agenda.store import proposals, tasks
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World
from tests.support.rows import user_said
from tests.support.world import Human, Script

TABLE = Path(__file__).with_name("said_beside_a_picture.tsv")
ROWS = [line.split("\t") for line in TABLE.read_text().splitlines() if not line.startswith("#")]
PHOTO: dict[str, Any] = {"kind": "photo", "attachment": {"file_id": "f", "media_type": "image/jpeg"}}


def _lexicon_of(spoken: str | None, _told: str | None) -> Lexicon:
    return lexicon(spoken)


def args(name: str, text: str, ids: dict[str, int]) -> dict[str, Any]:
    action, *rest = text.split("|")
    if name == "wish_plugin":
        return {"wish": action}
    if name == "focus":
        return {"action": action, **({"topic": rest[0], "minutes": int(rest[1])} if rest else {})}
    if name == "list":
        return {"action": action, "list": rest[0], **({"items": rest[1].split(";")} if rest[1:] else {})}
    if action == "create":
        return {"action": action, "what": rest[0], "when": rest[1]}
    return {"action": action, "id": ids[rest[0]], **({"when": rest[1]} if rest[1:] else {})}


@pytest.fixture
def human(world: World) -> Human:
    async def fetch(_envelope: Envelope) -> bytes:
        return b"a picture"

    world = dataclasses.replace(world, shape=shape, fetch=fetch)
    return Human(world, Worker(world))


def waiting(world: World) -> dict[str, int]:
    """What the table says is there already."""
    at = datetime.fromisoformat("2026-03-24T23:00+00:00")
    with world.database.write() as db:
        db.execute("DELETE FROM tasks")
        for item in ("milk", "bread", "Milch", "Brot"):
            tasks.add(db, "shopping", item, world.now)
        reminders = ("dentist", "water the plants", "Zahnarzt")
        return {one: tasks.add(db, tasks.REMINDERS, one, world.now, due_at=at) for one in reminders}


async def asked(human: Human, model: Script, words: str, call: ToolCall, **under: Any) -> bool:
    """Whether their yes was needed for what the model calls in a turn."""
    model.lines, model.questions = [call, "Mhm."], []
    row = human.writes(words, **under)
    await human.waits()
    assert any(one.calls for question in model.questions for one in question.messages), words
    with human.world.database.write() as db:
        found = bool(proposals.of_turn(db, f"inbox:{row}"))
        for waiting_still in proposals.of_turn(db, f"inbox:{row}"):
            proposals.take(db, waiting_still)  # the next "ok" is no answer to it
    return found


@pytest.mark.parametrize("where", ["with", "after"])
async def test_it_is_done_where_they_ask_for_exactly_that(human: Human, model: Script, where: str) -> None:
    under = PHOTO if where == "with" else {}
    if not under:
        await human.says("look at this", **PHOTO)
        await human.says("nice, isn't it?")
    wrong = []
    for _, words, name, wanted, right in (row for row in ROWS if row[0] == where):
        language = load_languages(ROOT / "config").of(words)
        spoken = language.code if language is not None and language.code in LANGUAGES else None
        # the owner's language, as Telegram tells it
        human.worker = Worker(dataclasses.replace(human.world, words=partial(_lexicon_of, spoken)))
        call = ToolCall("c", name, args(name, wanted, waiting(human.world)))
        is_asked = await asked(human, model, words, call, **under)
        if not right.startswith("~") and ("ask" if is_asked else "do") != right:
            wrong.append((words, name, wanted, right))
    assert wrong == []


async def test_once_the_picture_has_left_nothing_is_asked_any_more(human: Human, model: Script) -> None:
    call = ToolCall("c", "list", {"action": "add", "list": "shopping", "items": ["gift cards"]})
    await human.says("look at this", **PHOTO)
    assert await asked(human, model, "we are out of it again", call)
    with human.world.database.write() as db:
        for number in range(LATELY):
            turns.add(db, user_said(f"we are out of it again, the {number}th time", human.world.now))
    assert not await asked(human, model, "we are out of it again", call)
