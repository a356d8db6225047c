"""Another encoder than the one whose vectors are there: it is said, and nothing is left out of what is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from furoshiki.conversation.commands import status
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.recall.embeddings import models
from furoshiki.recall.embeddings.models import identity
from furoshiki.recall.retrieval import encoder_change
from furoshiki.recall.retrieval.memoryd.keeper import vectors_made
from furoshiki.recall.retrieval.recall import Wanted, recall_exactly
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World
from tests.support.encoders import WordEncoder

NEW = identity("minilm-int8")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every built-in encoder is there, as far as anybody looks."""
    monkeypatch.setattr(models, "check", lambda _name: None)


@pytest.fixture
def old(world: World) -> WordEncoder:
    """Three turns that another encoder read."""
    encoder = WordEncoder("words.1")
    with world.database.write() as db:
        for text in ("My sister Anika lives in Lisbon.", "The radiator is cold.", "I bought a red bicycle."):
            turns.add(db, NewTurn("s1", "console", "me", USER, text, world.now))
        vectors.model_is(db, encoder.id, world.now)
        embed(world, encoder, db)
    return encoder


def embed(world: World, encoder: WordEncoder, db: object, limit: int = 9) -> None:
    rows = vectors.list_waiting(db, "turn", limit)  # type: ignore[arg-type]
    made, _ = vectors_made(encoder, "turn", rows)
    vectors.keep_vectors(db, "turn", encoder.id, made)  # type: ignore[arg-type]


def said(world: World, embedder: str = "minilm-int8") -> str | None:
    with world.database.read() as db:
        return encoder_change.at_start(db, world.settings.model_copy(update={"furoshiki_embedder": embedder}))


def test_with_the_same_encoder_there_is_nothing_to_say(world: World) -> None:
    assert said(world) is None, "nothing has a vector yet"
    with world.database.write() as db:
        vectors.model_is(db, NEW, world.now)
    assert said(world) is None


def test_it_says_what_happens_and_how_long_it_takes_until_it_is_done(world: World, old: WordEncoder) -> None:
    words = said(world)
    assert words is not None and words.startswith(f"3 texts have vectors of words.1 and none of {NEW}")
    assert "about" not in words, "no speed was measured yet"
    with world.database.write() as db:
        vectors.pace_is(db, 0.01, world.now)
        vectors.model_is(db, NEW, world.now)
        vectors.start_over(db, "turn", NEW, 0, 100)
        embed(world, WordEncoder(NEW), db, limit=1)
    words = said(world)
    assert words is not None and words.startswith(f"2 texts have vectors of an earlier encoder and none of {NEW}")
    assert "about 4 minutes of work" in words
    assert words in status.gather(elsewhere(world))["health"]["notes"]
    with world.database.write() as db:
        embed(world, WordEncoder(NEW), db)
    assert said(world) is None


def elsewhere(world: World) -> World:
    """The same with the other encoder in its settings."""
    import dataclasses

    settings = world.settings.model_copy(update={"furoshiki_embedder": "minilm-int8"})
    return dataclasses.replace(world, settings=settings)


def test_until_then_its_words_find_it(world: World, old: WordEncoder) -> None:
    found = recall_exactly(world.database, WordEncoder(NEW), [Wanted("Where does Anika live?", 3, world.now)])[0]
    assert [one.id for one in found][:1] == ["turn:1"]


def test_a_folder_without_its_model_is_said_with_the_way_to_mend_it(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    folder = tmp_path / "mine"
    assert "there is no such folder" in (said(world, str(folder)) or "")
    folder.mkdir()
    (folder / "tokenizer.json").write_text("{}")
    words = said(world, str(folder))
    assert words is not None and "put the model back there" in words and "found by its words alone" in words
    (folder / "model.onnx").write_bytes(b"one")
    assert said(world, str(folder)) is None
    first = models.predict_id(str(folder), tmp_path)
    (folder / "model.onnx").write_bytes(b"two")
    assert models.predict_id(str(folder), tmp_path) not in (None, first), "other weights make other vectors"
