"""What the index compares: fewer numbers of a vector, which find the same candidates."""

from __future__ import annotations

import numpy as np
import pytest

from bench.projection import INDEX_DIMENSIONS, principal
from furoshiki.recall.embeddings.models import BUILT_IN, identity
from furoshiki.recall.embeddings.reduction import Reduction


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_encoder_has_directions_at_right_angles(name: str) -> None:
    directions = Reduction.of(identity(name)).directions
    assert directions is not None
    assert directions.shape == (384, INDEX_DIMENSIONS)
    assert np.abs(directions.T @ directions - np.eye(INDEX_DIMENSIONS)).max() < 2e-3


def test_another_encoder_keeps_its_vectors_as_they_are() -> None:
    vectors = np.ones((2, 768), np.float32)
    found = Reduction.of("all-mpnet.0123456789ab.4")
    assert found.reduced(vectors) is vectors
    assert found.id == "all-mpnet.0123456789ab.4"


def test_an_index_of_whole_vectors_is_another_one() -> None:
    model = identity("colbert-small")
    assert Reduction.of(model).id not in (model, Reduction.of(identity("minilm-int8")).id)


def test_principal_directions_lose_nothing_of_rows_that_lie_in_them() -> None:
    rng = np.random.default_rng(1)
    rows = (rng.standard_normal((50, 5)) @ rng.standard_normal((5, 30))).astype(np.float32)
    kept = rows @ principal(rows, 5).astype(np.float32)
    assert np.allclose(kept @ kept.T, rows @ rows.T, atol=1e-3)
