"""Precomputed vectors of the fixed texts for the built-in encoders: `config/shipped_vectors.json`.

Without it every installation would embed the examples and the pairs of statements itself, one to
two seconds of CPU time during the owner's first messages. `python -m bench.shipped_vectors --write`
makes the file; changed texts and other encoders are not in it.
"""

import hashlib
import json
from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from furoshiki.core import similarity
from furoshiki.language.facts.opposition import Directions

FILE = "shipped_vectors.json"  # in the folder of shipped defaults


def digest(texts: Iterable[str]) -> str:
    """Return a digest of texts and their order."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def of_texts(config: Path, model: str, of: str) -> "list[array[float]] | None":
    """Return the vectors of the texts with this digest by encoder id; None if not shipped."""
    shipped = _load_vectors(config / FILE, model)
    if shipped is None or shipped["examples"]["of"] != of:
        return None
    return [array("f", row) for row in unpack(shipped["examples"]["vectors"], shipped["dimensions"])]


def directions(config: Path, model: str, of: str) -> Directions | None:
    """Return the directions of the pairs with this digest, by encoder; None if not shipped."""
    shipped = _load_vectors(config / FILE, model)
    if shipped is None or shipped["directions"]["of"] != of:
        return None
    sides = (unpack(shipped["directions"][side], shipped["dimensions"]) for side in ("against", "alike"))
    return Directions(*map(tuple, sides))


def unpack(text: str, dimensions: int) -> list[tuple[float, ...]]:
    """Decode rows written by `similarity.pack`."""
    flat = similarity.unpack(text)
    return [flat[start : start + dimensions] for start in range(0, len(flat), dimensions)]


def _load_vectors(path: Path, model: str) -> Mapping[str, Any] | None:
    """Return the shipped data of one encoder, or None. Keep only a part: the file is large."""
    shipped: Mapping[str, Any] | None = json.loads(path.read_text(encoding="utf-8"))["encoders"].get(model)
    return shipped
