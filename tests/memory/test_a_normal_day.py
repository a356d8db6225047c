"""A day of talk with the encoder that people have: what matters in a life is kept, chatter is not."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.memory import examples, exit_gate
from furoshiki.memory.store import memories
from furoshiki.recall.embeddings.encoder import OnnxEncoder
from furoshiki.recall.embeddings.models import best, files
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World
from tests.support.near import Near
from tests.support.world import FrozenClock, Human

MATTERS = (
    "my father died this morning",
    "I got the job in Lyon",
    "I'm pregnant",
    "my uncle drowned when I was nine",
    "I found a lump in my breast",
    "Sofia and I have decided to separate",
    "I dropped out of medical school",
    "our house was broken into while we slept",
    "I lost all my savings on that stupid investment",
    "we got the keys to our first home",
    "my sister won't talk to me since the inheritance",
    "I was bullied all through school",
    "my little brother was born with a heart defect",
    "I got into a car crash on the motorway, nobody was hurt",
    "my best friend Ana died two years ago today",
    "I've decided to quit smoking",
)
CHATTER = (
    "it's windy as hell",
    "the tram was packed again",
    "I had soup",
    "the new episode is out tonight",
    "I'm on my lunch break",
    "this coffee is too strong",
    "ugh, mondays",
    "I'll call you back later",
    "my screen is too bright",
    "the soup needs salt",
    "they changed the logo of the app",
    "nothing special today",
    "just sitting here",
    "it's going to snow maybe",
    "haha that's funny",
    "my phone is at 10 percent",
)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> OnnxEncoder:
    return OnnxEncoder(files(best(), tmp_path_factory.mktemp("models")))


def with_encoder(world: World, encoder: OnnxEncoder) -> World:
    with world.database.write() as db:
        vectors.model_is(db, encoder.id, world.now)
    return replace(world, vectors=Near(world, encoder), rng=random.Random(11))


def cells(world: World) -> dict[str, str]:
    with world.database.read() as db:
        return {row["text"]: row["cell"] or row["reason"] for row in db.execute("SELECT * FROM scratch_buffer")}


def moments(world: World) -> set[str]:
    with world.database.read() as db:
        return {one.metadata["words"] for one in memories.newest(db, 200) if one.type == "episodic"}


@pytest.mark.slow
async def test_what_matters_in_a_life_is_kept_and_chatter_is_not(
    world: World, clock: FrozenClock, encoder: OnnxEncoder
) -> None:
    there = with_encoder(world, encoder)
    human = Human(there, Worker(there))
    talk = [*MATTERS, *CHATTER]
    random.Random(3).shuffle(talk)
    for number, words in enumerate(talk):
        await human.says(words)
        clock.pass_(minutes=2)
        if number % 5 == 4:
            clock.pass_(minutes=20)
            await exit_gate.flush(there)
    clock.pass_(minutes=20)
    await exit_gate.flush(there)
    found = cells(there)
    core = {words for words, cell in found.items() if cell.startswith("core")}
    assert core <= set(MATTERS)
    assert len(core) >= 14
    at_once = moments(there)
    assert core <= at_once and len(at_once & set(CHATTER)) <= 3
    clock.pass_(hours=24)
    await exit_gate.flush(there)
    kept = moments(there)
    assert len(kept & set(MATTERS)) >= 15
    assert len(kept & set(CHATTER)) <= 4


def test_the_examples_are_embedded_once_for_each_encoder(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with world.database.write() as db:
        vectors.model_is(db, "of their own", world.now)
    made = examples.examples(replace(world, vectors=Near(world)))
    assert set(made.vectors) == {*made.matters, *made.everyday}
    monkeypatch.setattr(examples, "_IN_USE", {})  # as a new process has it
    again = examples.examples(world)
    assert again.vectors["I am pregnant."] == pytest.approx(made.vectors["I am pregnant."], abs=1e-6)
    with world.database.write() as db:
        vectors.model_is(db, "another", world.now)
    assert examples.examples(world).vectors == {}, "those of another encoder say nothing"


def test_without_an_encoder_the_examples_are_words(world: World) -> None:
    assert examples.examples(world).vectors == {}
    assert Path(world.config / "matters.toml").is_file()
