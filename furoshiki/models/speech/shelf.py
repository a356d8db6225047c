"""What can be fetched to hear and to speak (`config/speech.toml`), and what of it lies in the data directory."""

from __future__ import annotations

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
FOLDER = Path("models", "voice")
"""Below the data directory; no backup holds it."""

SHARE = 4
"""One part in so many of the machine's memory is for hearing."""

_EVERY = "*"


@dataclass(frozen=True)
class Part:
    """A file of a model or a voice: where it lies, and its name in the folder; of a wheel (`unpack`) what lies in that
    folder of it, at most `unpacked` bytes."""

    remote: Remote
    name: str
    unpack: str = ""
    unpacked: int = 0


@dataclass(frozen=True)
class Model:
    """A Whisper model, or a voice of Piper's: for which languages, under which licence, on machines of which size."""

    name: str
    languages: tuple[str, ...]
    licence: str
    parts: tuple[Part, ...]
    memory_mb: int = 0
    cores: int = 0
    file: str = "model.bin"
    """What it is known by, in its folder."""

    @property
    def size(self) -> int:
        """Bytes to fetch."""
        return sum(part.remote.size for part in self.parts)

    def knows(self, language: str) -> bool:
        """Whether it is for a language ("de")."""
        return _EVERY in self.languages or language in self.languages

    def fits(self, memory_mb: int, cores: int) -> bool:
        """Whether a machine can bear it."""
        return self.memory_mb * SHARE <= memory_mb and self.cores <= cores


@dataclass(frozen=True)
class Engine:
    """The packages that run a model: those of a lock (below the checkout) that are not installed with everything else,
    by one module of theirs; `size` in bytes as they are fetched."""

    module: str
    lock: str
    packages: tuple[str, ...]
    size: int


@functools.cache
def models(use: Use) -> tuple[Model, ...]:
    """What there is to fetch, the smallest first."""
    return tuple(map(_model, _table()[use]))


def engine(use: Use) -> Engine:
    """What runs it."""
    found = _table()["engines"][use]
    return Engine(found["module"], found["lock"], tuple(found["packages"]), found["size"])


def best(use: Use, language: str) -> Model | None:
    """The largest for a language that this machine can bear, or the smallest where none is small enough; None without
    one for that language."""
    known = [one for one in models(use) if one.knows(language)]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1_000_000
    fitting = [one for one in known if one.fits(memory, os.cpu_count() or 1)]
    return fitting[-1] if fitting else next(iter(known), None)


def smallest(use: Use, language: str, than: Model) -> Model | None:
    """The smallest for a language, where it is smaller than the one that was tried."""
    return next((one for one in models(use) if one.knows(language) and one.size < than.size), None)


def folder(data: Path, use: Use) -> Path:
    """Where the engine lies."""
    return data / FOLDER / use


def packages(data: Path, use: Use) -> Path:
    """Where the engine's packages lie, to be looked into after all others."""
    return folder(data, use) / "packages"


def has_engine(data: Path, use: Use) -> bool:
    """Whether the engine is here: installed with the program, or fetched."""
    module = engine(use).module
    return (packages(data, use) / module).is_dir() or importlib.util.find_spec(module) is not None


def place(data: Path, use: Use, model: Model) -> Path:
    """The folder of a model that hears, or the one that all voices share."""
    return data / FOLDER / "voices" if use == "speaking" else data / FOLDER / model.name.lower().replace(" ", "-")


def locate_partial(data: Path) -> Path:
    """The folder of what has not come whole."""
    return data / FOLDER / "coming"


def is_here(data: Path, use: Use, model: Model) -> bool:
    """Whether a model or a voice was fetched."""
    return (place(data, use, model) / model.file).is_file()


def find_hearing_model(data: Path) -> tuple[Model, Path] | None:
    """The largest model that was fetched, and where it lies."""
    found = (one for one in reversed(models("hearing")) if is_here(data, "hearing", one))
    return next(((one, place(data, "hearing", one)) for one in found), None)


def voices(data: Path) -> Path | None:
    """The folder of voices that were fetched; None when none was."""
    found = data / FOLDER / "voices"
    return found if any(found.glob("*.onnx")) else None


def measure(data: Path) -> int:
    """Bytes of everything that was fetched."""
    return sum(path.lstat().st_size for path in trees.files(data / FOLDER))


def remove(data: Path) -> int:
    """Remove everything that was fetched; answers the bytes that are free again. Raises OSError."""
    free = measure(data)
    if (data / FOLDER).exists():
        trees.remove(data / FOLDER)
    return free


def to_fetch(data: Path, use: Use, model: Model | None) -> int:
    """Bytes to fetch for a use: of its engine, where that is missing, and of the model."""
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
