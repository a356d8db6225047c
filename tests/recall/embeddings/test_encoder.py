"""The encoders against sentence-transformers, and against themselves."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench import projection as project
from bench.projection import DIMENSIONS
from furoshiki.recall.embeddings.encoder import MOST_PARTS, WEIGHTS, OnnxEncoder, map_weights
from furoshiki.recall.embeddings.models import files, load, weights_folder

pytestmark = pytest.mark.slow

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())
"""Vectors made once by sentence-transformers itself; the file says which version."""

COLBERT = json.loads((Path(__file__).parent / "golden_colbert.json").read_text())
"""Vectors of the packaged answerai-colbert-small-v1, and the first text's tokens after projection."""

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


def test_fp32_is_what_sentence_transformers_computes(fp32: OnnxEncoder) -> None:
    *texts, long = GOLDEN["texts"]
    *vectors, of_its_beginning = np.array(GOLDEN["vectors"])
    assert np.abs(fp32.encode(texts) - np.array(vectors)).max() < 1e-3
    beginning = fp32._pool_states(fp32._read(fp32._parts(long)[0]))
    assert np.abs(beginning - of_its_beginning).max() < 1e-3, "sentence-transformers leaves the rest unread"


def test_a_long_text_is_read_to_its_end(either: OnnxEncoder) -> None:
    filler = "the weather was fine and we walked along the river for a while " * 35
    vector, tokens = either.encode_tokens(f"{filler} then Zephyrine told us about her accordion")
    assert tokens.shape[0] == len(either.pieces(f"{filler} then Zephyrine told us about her accordion")) > 254
    asked = either.encode_tokens("accordion")[1]
    assert (tokens[254:] @ asked.T).max() > (tokens[:254] @ asked.T).max() + 0.2
    assert vector @ either.encode([filler])[0] > 0.9, "what most of it is about stays what it is about"


def test_int8_points_where_fp32_points(fp32: OnnxEncoder, int8: OnnxEncoder) -> None:
    texts = SENTENCES + GOLDEN["texts"]
    cosines = (fp32.encode(texts) * int8.encode(texts)).sum(axis=1)
    assert cosines.mean() >= 0.97
    assert cosines.min() >= 0.95


def test_colbert_computes_what_it_computed_when_it_was_chosen(colbert: OnnxEncoder) -> None:
    """The vectors were made once on x86 with VNNI; int8 products differ a little between processors."""
    cosines = (colbert.encode(COLBERT["texts"]) * np.array(COLBERT["vectors"])).sum(axis=1)
    assert cosines.min() >= 0.98
    tokens = colbert.encode_tokens(COLBERT["texts"][0])[1]
    assert tokens.shape == np.array(COLBERT["tokens"]).shape
    assert (tokens * np.array(COLBERT["tokens"])).sum(axis=1).mean() >= 0.97


def test_weights_that_are_mapped_give_the_same_vectors(tmp_path: Path) -> None:
    whole = files("colbert-small", tmp_path)
    folder = Path(shutil.copytree(whole.model.parent, tmp_path / "mapped"))
    mapped = replace(whole, model=folder / "model.onnx")
    if not (folder / WEIGHTS).exists():  # else it was installed so
        map_weights(mapped.model)
    assert mapped.model.stat().st_size < 1_000_000 < (folder / WEIGHTS).stat().st_size
    held = OnnxEncoder(mapped)
    for text in ("", "hello", "where did we leave the second oar? " * 20):
        for ours, theirs in zip(held.encode_tokens(text), OnnxEncoder(whole).encode_tokens(text), strict=True):
            assert np.array_equal(ours, theirs)
    assert str(folder / WEIGHTS) in Path("/proc/self/maps").read_text()


def test_the_same_text_has_the_same_vector_in_any_company(either: OnnxEncoder) -> None:
    alone = either.encode([SENTENCES[0]])[0]
    among = either.encode([*SENTENCES[1:], "a long story " * 100, SENTENCES[0]])[-1]
    assert np.array_equal(alone, among)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60), st.lists(st.text(max_size=30), max_size=3))
def test_a_texts_tokens_are_the_same_in_any_company(either: OnnxEncoder, text: str, before: list[str]) -> None:
    pooled, tokens = either.encode_tokens(text)
    for other in before:
        either.encode_tokens(other)
    again, tokens_again = either.encode_tokens(text)
    assert np.array_equal(pooled, again)
    assert np.array_equal(tokens, tokens_again)
    assert np.array_equal(pooled, either.encode([*before, text])[-1])


@pytest.mark.parametrize("text", ["", " ", "\x00", "lone \ud800 surrogate", "word " * 50_000, "\u200d" * 300])
def test_any_text_has_a_unit_vector_and_small_unit_tokens(either: OnnxEncoder, text: str) -> None:
    vector = either.encode([text])[0]
    pooled, tokens = either.encode_tokens(text)
    assert vector.dtype == pooled.dtype == tokens.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert tokens.shape[1] == DIMENSIONS
    assert len(tokens) <= 254 * MOST_PARTS
    assert np.linalg.norm(tokens, axis=1) == pytest.approx(1, abs=1e-5)


def test_each_word_is_a_token_and_the_marks_at_the_ends_are_none(either: OnnxEncoder) -> None:
    assert len(either.encode_tokens("the red bicycle")[1]) == 3
    assert either.pieces("the red bicycle") == ["the", "red", "bicycle"]
    assert len(either.encode_tokens("")[1]) == len(either.pieces("")) == 0
    assert len(either.encode_tokens("word " * 500)[1]) == len(either.pieces("word " * 500)) == 500
    assert len(either.encode_tokens("word " * 2000)[1]) == 254 * MOST_PARTS


def test_a_token_finds_its_like_in_another_sentence(either: OnnxEncoder) -> None:
    question = either.encode_tokens("Where is my bicycle?")[1]
    right = either.encode_tokens("Ines: the bicycle stands behind the house")[1]
    wrong = either.encode_tokens("Ines: I drank too much coffee yesterday")[1]
    assert (question @ right.T).max(axis=1).mean() > (question @ wrong.T).max(axis=1).mean() + 0.05


def test_projected_tokens_are_nearly_as_near_as_whole_ones(colbert: OnnxEncoder, models: Path) -> None:
    whole = OnnxEncoder(project.unprojected(files("colbert-small", models)))
    wide = np.concatenate([whole.encode_tokens(text)[1] for text in SENTENCES])
    small = np.concatenate([colbert.encode_tokens(text)[1] for text in SENTENCES])
    assert np.corrcoef((wide @ wide.T).ravel(), (small @ small.T).ravel())[0, 1] > 0.97


def test_projections_lose_little_and_spread_what_is_left() -> None:
    rng = np.random.default_rng(1)
    tokens = rng.standard_normal((2000, 32)).astype(np.float32) * np.geomspace(1, 0.01, 32).astype(np.float32)
    tokens /= np.linalg.norm(tokens, axis=1, keepdims=True)
    projection = project.matrix(tokens, 16)
    assert np.abs(projection.T @ projection - np.eye(16)).max() < 1e-5
    kept = tokens @ projection
    assert np.square(kept).sum(axis=1).mean() > 0.95
    assert kept.std(axis=0).max() < 3 * kept.std(axis=0).min()
    assert np.array_equal(projection, project.matrix(tokens, 16))


def test_everyday_sentences_are_full_and_repeatable() -> None:
    words = ["garden", "river", "##s", "[CLS]", "é", "ox"]
    made = list(project.sentences(words, 200, 1))
    assert made == list(project.sentences(words, 200, 1))
    assert not any("{" in text for text in made)
    assert not any("##s" in text or "CLS" in text for text in made)


def test_nothing_in_nothing_out(either: OnnxEncoder) -> None:
    assert either.encode([]).shape == (0, 384)


def test_sentence_transformers_agrees_when_it_is_installed(fp32: OnnxEncoder, models: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="the torch extra is not installed")
    other = load(f"sentence-transformers:{weights_folder()}", models)
    assert other.dimensions == 384
    assert np.abs(other.encode(SENTENCES) - fp32.encode(SENTENCES)).max() < 1e-3
    assert other.encode([]).shape == (0, 384)
    pooled, tokens = other.encode_tokens(SENTENCES[0])
    assert np.abs(pooled - other.encode(SENTENCES[:1])[0]).max() < 1e-5
    assert other.pieces(SENTENCES[0]) == fp32.pieces(SENTENCES[0])
    assert tokens.shape == (len(fp32.encode_tokens(SENTENCES[0])[1]), 384)
