"""An index of vectors with fewer numbers: candidates come from it, how near they are from the whole vectors."""

from __future__ import annotations

import json

from furoshiki.recall.embeddings.reduction import Reduction
from furoshiki.recall.retrieval.store import vectors
from tests.recall.retrieval.memoryd.conftest import Memoryd
from tests.support.encoders import WIDE as MODEL
from tests.support.encoders import WideEncoder

SAID = [f"{thing} number {n}" for n in range(20) for thing in ("boat", "harbour", "radiator", "letter", "garden")]


def wide(memoryd: Memoryd) -> Memoryd:
    memoryd.encoder = WideEncoder()
    return memoryd


def test_cosines_are_those_of_the_whole_vectors(memoryd: Memoryd) -> None:
    wide(memoryd).say(*SAID)
    memoryd.keep()
    found = memoryd.ask("query", text="boat number 3", kinds=["turn"], k=5)
    assert found["by"] == "index"
    with memoryd.database.read() as db:
        exact = vectors.nearest(db, "turn", MODEL, memoryd.encoder.encode(["boat number 3"]), 5)[0]
    assert [round(cosine, 4) for _, cosine in found["found"]] == [round(cosine, 4) for _, cosine in exact]
    assert found["found"][0][0] == f"turn:{exact[0][0]}"


def test_an_index_of_whole_vectors_is_rebuilt_and_finds_everything(memoryd: Memoryd) -> None:
    wide(memoryd).say(*SAID)
    memoryd.keep()
    marker = memoryd.chroma / "furoshiki.json"
    assert json.loads(marker.read_text())["model"] == Reduction.of(MODEL).id
    marker.write_text(json.dumps({"model": MODEL, "complete": True}))  # as the version before left it
    memoryd.restart()
    memoryd.keep()
    assert memoryd.service.index.filled == len(SAID)
    assert memoryd.ask("audit", n=50)["missed"] == []
    assert memoryd.set_aside == []


def test_a_row_that_is_gone_is_not_named(memoryd: Memoryd) -> None:
    first, *_ = wide(memoryd).say(*SAID)
    memoryd.keep()
    with memoryd.database.write() as db:
        db.execute("DELETE FROM turns WHERE id=?", (first,))
    assert f"turn:{first}" not in memoryd.near(SAID[0], k=100)
