"""Which encoder a name means, and how its files come to be."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from furoshiki.embed.encoder import Encoder, OnnxEncoder
from furoshiki.embed.models import load, prepare, weights_folder
from furoshiki.errors import BadSetting, NotConfigured

pytestmark = pytest.mark.slow


def test_building_twice_builds_once(models: Path, int8: Encoder) -> None:
    target = models / f"{int8.id}.onnx"
    before = target.stat().st_mtime_ns
    assert prepare("minilm-int8", models) == target
    assert target.stat().st_mtime_ns == before
    assert not list(models.glob("*.unfinished"))


def test_two_processes_may_build_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "furoshiki.embed.prepare", "minilm-int8", str(tmp_path / "models")]
    both = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    assert load("minilm-int8", tmp_path / "models").encode(["hello"]).shape == (1, 384)


def test_a_folder_with_an_onnx_file_is_an_encoder(tmp_path: Path, models: Path, int8: Encoder) -> None:
    shutil.copy(models / f"{int8.id}.onnx", tmp_path / "model.onnx")
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
        load("minilm-int8", blocked)
