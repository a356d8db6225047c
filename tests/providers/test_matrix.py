"""Every family of servers is asked for everything: words come of it, and nothing of the inside."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.core.paths import ROOT
from furoshiki.models.llm.values import Message, Question
from furoshiki.world import World
from tests.models.llm.server import Gpt, Reply, Server, error
from tests.providers import hostile, matrix
from tests.providers.families import FAMILIES, GREETING, Family, door
from tests.providers.matrix import CELLS, Cell, Row
from tests.providers.streams import INSIDE
from tests.support.world import Human, Watched

MOST_CALLS = 8
"""A family is asked so often for one thing at most, until all that it refuses is left out."""

MOST_PAUSED_S = 10.0


@pytest.fixture(scope="module")
def rows() -> dict[str, Row]:
    return {row.family.name: row for row in asyncio.run(matrix.rows())}


@pytest.fixture(params=FAMILIES, ids=lambda family: family.name)
def family(request: pytest.FixtureRequest) -> Family:
    assert isinstance(request.param, Family)
    return request.param


@pytest.mark.parametrize("column", CELLS)
def test_it_ends_in_an_answer_of_the_model_within_bounds(rows: dict[str, Row], family: Family, column: str) -> None:
    cell = rows[family.name].cells[column]
    assert "**" not in cell.word, cell.answers
    assert all(one.provider == family.spec.name for one in cell.answers)
    assert len(cell.bodies) <= MOST_CALLS and sum(cell.paused) <= MOST_PAUSED_S


@pytest.mark.parametrize("column", CELLS)
def test_nothing_of_its_inside_is_shown(rows: dict[str, Row], family: Family, column: str) -> None:
    cell = rows[family.name].cells[column]
    for text in (*(one.text for one in cell.answers), *cell.shown):
        assert INSIDE[:6] not in text and "<" not in text and "bore" not in text
    assert all(_growing(cell))


def _growing(cell: Cell) -> list[bool]:
    """What was shown only grows, try by try."""
    return (
        [GREETING.startswith(text.strip()) for text in cell.shown]
        if GREETING.startswith(cell.answers[0].text or "?")
        else []
    )


def test_the_page_shows_the_matrix(rows: dict[str, Row]) -> None:
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    assert matrix.table(list(rows.values())) in page, "write it again: python -m bench.providers --write"


@pytest.mark.parametrize("name", ["Anthropic", "llama.cpp", "LM Studio", "DeepSeek"])
@pytest.mark.parametrize("column", ["answer", "cut", "refusal"])
async def test_a_person_gets_words(name: str, column: str, world: World, stage: Watched, tmp_path: Path) -> None:
    """A whole turn: what is sent, what is shown while it grows, and what is kept."""
    found = next(one for one in FAMILIES if one.name == name)
    (tmp_path / "models").mkdir()
    async with Server(door(found, column)) as server:
        gateway = matrix.opened(found.values(server.url), tmp_path / "models", [], _at_once, found)
        asking = replace(world, ask=gateway.ask)
        human = Human(asking, Worker(asking))
        said = await human.says("good evening, i put the kettle on")
        await gateway.aclose()
    told = " ".join(said)
    assert {"answer": GREETING, "cut": "broke off", "refusal": "rather not"}[column] in told
    for text in (told, *stage.texts):
        assert INSIDE[:6] not in text and "bore" not in text
    with world.database.read() as db:
        assert not db.execute("SELECT 1 FROM turns WHERE text LIKE '%bore me%'").fetchall()


async def test_hostile_servers_end_in_words_too() -> None:
    found = await hostile.outcomes(2.0, _at_once)
    assert len(found) == 48
    for one in found:
        assert one.answer.text or one.answer.calls or one.answer.finish == "refused", one.server
        assert not re.search(r"bore|<\||think>|sk-canary|User:", repr(one.answer)), one.server


async def _at_once(_seconds: float) -> None:
    """No pause between tries."""


async def test_the_first_to_refuse_still_has_time_to_answer(tmp_path: Path) -> None:
    """A small machine takes a while to refuse, and a while to read what it takes."""
    slow = Reply([0.6, *Gpt.says("Here.").parts], 200)
    refusal = error(400, "x", "stream_options is not supported")
    refusal.parts.insert(0, 0.6)
    async with Server(refusal, slow) as server:
        values = {"COMPATIBLE_BASE_URL": f"{server.url}/v1", "FUROSHIKI_MODEL_CHAT": "compatible:house"}
        gateway = matrix.opened(values, tmp_path, [], _at_once)
        patience = replace(gateway._catalogue.patience, first_sign_s={"chat": 1.0})
        gateway._catalogue = replace(gateway._catalogue, patience=patience)
        answer = await gateway.ask(Question("chat", "turn", (), (Message("user", "Are you there?"),)))
        await gateway.aclose()
    assert (answer.text, len(server.bodies)) == ("Here.", 2)
