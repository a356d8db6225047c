"""The vectors that come with the program: made from the texts as they are, for the encoders as they are, and used."""

from __future__ import annotations

import json
import math

import pytest

from furoshiki.core.database import kv
from furoshiki.core.paths import ROOT
from furoshiki.memory import contradiction, examples
from furoshiki.recall.embeddings import models, shipped_vectors
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World

CONFIG = ROOT / "config"
BUILT_IN = (models.identity(models.COLBERT), models.identity("minilm-int8"))
AGAIN = "run python -m bench.shipped_vectors --write"


def test_they_are_for_the_encoders_as_they_are() -> None:
    shipped = json.loads((CONFIG / shipped_vectors.FILE).read_text(encoding="utf-8"))["encoders"]
    assert set(shipped) == set(BUILT_IN), AGAIN


@pytest.mark.parametrize("model", BUILT_IN)
def test_they_were_made_from_the_texts_as_they_are(model: str) -> None:
    *_, texts, digest = examples.load(CONFIG / "matters.toml")
    found = shipped_vectors.of_texts(CONFIG, model, digest)
    assert found is not None, AGAIN
    assert len(found) == len(texts)
    assert all(math.hypot(*one) == pytest.approx(1.0, abs=0.001) for one in found)
    learned = shipped_vectors.directions(CONFIG, model, contradiction.PAIRS_DIGEST)
    assert learned is not None, AGAIN
    assert len(learned.against) == len(learned.alike) == contradiction.DIRECTIONS


def test_other_texts_and_other_encoders_have_none() -> None:
    *_, digest = examples.load(CONFIG / "matters.toml")
    assert shipped_vectors.of_texts(CONFIG, BUILT_IN[0], "other") is None
    assert shipped_vectors.of_texts(CONFIG, "another", digest) is None
    assert shipped_vectors.directions(CONFIG, "another", contradiction.PAIRS_DIGEST) is None


def test_nobody_embeds_what_is_shipped(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "_IN_USE", {})
    with world.database.write() as db:
        vectors.model_is(db, BUILT_IN[0], world.now)
    assert examples.examples(world).whole, "memoryd is away, and still all of them are there"
    with world.database.read() as db:
        assert kv.get(db, examples.KEPT) is None
