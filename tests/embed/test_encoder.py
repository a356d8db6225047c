"""The encoders against sentence-transformers, and against themselves."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from furoshiki.embed.encoder import Encoder
from furoshiki.embed.models import load, weights_folder

pytestmark = pytest.mark.slow

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())
"""Vectors made once by sentence-transformers itself; the file says which version."""

SENTENCES = [
    "Ines: I finally found the key of the red bicycle behind the radiator.",
    "companion: You looked for it three weeks ago, too.",
    "Ines: yes!!! and it rains now, of course",
    "User preference: drinks rooibos in the evening",
    "Factual knowledge: Anika's birthday is on the 3rd of May",
    "I am so tired of commuting, I could sleep standing.",
    "How-to instruction: answer in two sentences when it is late",
    "What did the dentist say about the wisdom tooth?",
]


def test_fp32_is_what_sentence_transformers_computes(fp32: Encoder) -> None:
    assert np.abs(fp32.encode(GOLDEN["texts"]) - np.array(GOLDEN["vectors"])).max() < 1e-3


def test_int8_points_where_fp32_points(fp32: Encoder, int8: Encoder) -> None:
    texts = SENTENCES + GOLDEN["texts"]
    cosines = (fp32.encode(texts) * int8.encode(texts)).sum(axis=1)
    assert cosines.mean() >= 0.97
    assert cosines.min() >= 0.95


def test_the_same_text_has_the_same_vector_in_any_company(int8: Encoder) -> None:
    alone = int8.encode([SENTENCES[0]])[0]
    among = int8.encode([*SENTENCES[1:], "a long story " * 100, SENTENCES[0]])[-1]
    assert np.array_equal(alone, among)


@pytest.mark.parametrize("text", ["", " ", "\x00", "lone \ud800 surrogate", "word " * 50_000, "\u200d" * 300])
def test_any_text_has_a_unit_vector(int8: Encoder, text: str) -> None:
    vector = int8.encode([text])[0]
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_nothing_in_nothing_out(int8: Encoder) -> None:
    assert int8.encode([]).shape == (0, 384)


def test_sentence_transformers_agrees_when_it_is_installed(fp32: Encoder, models: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="the torch extra is not installed")
    other = load(f"sentence-transformers:{weights_folder()}", models)
    assert other.dimensions == 384
    assert np.abs(other.encode(SENTENCES) - fp32.encode(SENTENCES)).max() < 1e-3
    assert other.encode([]).shape == (0, 384)
