"""Asked in plain words, the right page is found: by the real encoder and Chroma, and by words when both are away."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.conversation import abilities
from furoshiki.core.settings import Settings
from furoshiki.mind.inner_life.self_model.document_search import look_up
from furoshiki.recall.embeddings.models import load
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import Kind
from furoshiki.world import World
from tests.recall.retrieval.memoryd.conftest import Memoryd
from tests.support.world import NoVectors

pytestmark = pytest.mark.slow

ASKED = (
    ("How do you remember things?", "How I remember"),
    ("how do you forget?", "How I remember"),
    ("what happens to what I ask you to forget?", "How I remember"),
    ("What model are you using?", "Which model I am using"),
    ("which LLM do you run on?", "Which model I am using"),
    ("what model writes your journal?", "Which model does which"),
    ("do you send my messages to anyone?", "Where what you tell me is stored"),
    ("who can read what I tell you?", "Where what you tell me is stored"),
    ("where is what I tell you stored?", "Where what you tell me is stored"),
    ("When do you sleep?", "When I sleep"),
    ("when do you reflect?", "When I sleep"),
    ("how often does the soul engine run?", "When I sleep"),
    ("what happens at night?", "When I sleep"),
    ("when are backups made?", "Backups"),
    ("what do your scripts do?", "What my scripts do"),
    ("which encoder do you use?", "Which encoder I use"),
    ("what is memoryd?", "Which encoder I use"),
    ("which collections are in your index?", "Which encoder I use"),
    ("what tables does your database have?", "What my database keeps"),
    ("what do you keep in mind_queue?", "What my database keeps"),
    ("how do your feelings work?", "How my feelings work"),
    ("how fast does your anger fade?", "How my feelings work"),
    ("what skills do you have?", "What I can do"),
    ("which commands are there?", "What I can do"),
    ("which plugins do you have?", "Plugins"),
    ("what is your daily budget in dollars?", "How I am set up"),
    ("how many tokens may a message use?", "How I am set up"),
    ("what prompts are you given?", "What I am told"),
    ("what lies in your data folder?", "Where everything lies"),
    ("which documents do you know about yourself?", "My documents"),
)
"""Questions as people ask them, and the heading of the page that tells."""

WITH_MEANING, BY_WORDS = 0.85, 0.75
"""The share of them whose page must be among the first three."""


class Asking(NoVectors):
    """The way to the memoryd of this process."""

    def __init__(self, memoryd: Memoryd) -> None:
        self.memoryd = memoryd

    def query(self, text: str, kinds: Sequence[Kind] = (), k: int = 150) -> Any:
        found = self.memoryd.ask("query", text=text, kinds=list(kinds), k=k)
        assert found["by"] == "index"
        return found["found"]


@pytest.fixture(params=["best", "minilm-int8"])
def by_meaning(memoryd: Memoryd, request: pytest.FixtureRequest, knowing: World) -> World:
    """The same, with everything indexed."""
    memoryd.encoder = load(request.param, memoryd.data / "models")  # type: ignore[assignment]
    memoryd.keep()
    with knowing.database.read() as db:
        assert set(vectors.backlog(db)["design"]) == {"indexed"}
    return dataclasses.replace(knowing, vectors=Asking(memoryd))


@pytest.fixture
def knowing(memoryd: Memoryd) -> Iterator[World]:
    """A companion that has written down how it works, and finds it by words alone."""
    settings = Settings(furoshiki_data=memoryd.data, furoshiki_timezone="Europe/Lisbon", furoshiki_seed=7)
    world = build_world(settings, SystemClock(), spawn_memoryd=False)
    abilities.keep(world)
    yield dataclasses.replace(world, vectors=NoVectors())
    world.database.close()


def _found(world: World) -> float:
    missed = [
        question
        for question, heading in ASKED
        if not any(heading in one.heading for one in look_up(world, question, 3))
    ]
    share = 1 - len(missed) / len(ASKED)
    print(f"{share:.2f} found among the first three; not: {missed}")
    return share


@pytest.mark.nightly
def test_the_page_that_tells_is_among_the_first_three(by_meaning: World) -> None:
    assert _found(by_meaning) >= WITH_MEANING


def test_the_page_that_tells_is_found_by_words_alone(knowing: World) -> None:
    assert _found(knowing) >= BY_WORDS
