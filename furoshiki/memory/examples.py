"""Example sentences of important and of everyday statements, with vectors, for the exit gate."""

import contextlib
import tomllib
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path

from furoshiki.core.database import kv
from furoshiki.recall.embeddings import shipped_vectors
from furoshiki.recall.retrieval import client as memoryd_client
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World

KEPT = "exit_gate.examples"  # the `kv` key of vectors computed here, stored with the encoder's id
AT_ONCE = 4  # examples embedded per request (about 70 ms), so that a turn does not wait long


@dataclass(frozen=True)
class Examples:
    """The sentences, with the vectors computed so far."""

    matters: tuple[str, ...]
    everyday: tuple[str, ...]
    vectors: Mapping[str, Sequence[float]] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether every sentence has a vector."""
        return len(self.vectors) == len({*self.matters, *self.everyday})


NONE = Examples((), ())


def examples(world: World, stopped: Callable[[], bool] = lambda: False) -> Examples:
    """Return the examples with vectors: shipped for built-in encoders, else computed once.

    If memoryd becomes unavailable or `stopped` returns True, the next call continues from there.
    """
    matters, everyday, texts, digest = load(world.config / "matters.toml")
    with world.database.read() as db:
        model = vectors.model(db)
        if model is not None and (model, digest) in _IN_USE:
            return _IN_USE[model, digest]
        stored = kv.get(db, KEPT)
    shipped = None if model is None else shipped_vectors.of_texts(world.config, model, digest)
    ours = stored is not None and (stored["model"], stored["of"]) == (model, digest)
    ready: list[Sequence[float]] = []
    if shipped:
        ready += shipped
    elif ours:
        ready += map(memoryd_client.decode, stored["vectors"])
    before = len(ready)
    with contextlib.suppress(VectorsAway):
        while len(ready) < len(texts) and not stopped():
            ready += world.vectors.embed(texts[len(ready) : len(ready) + AT_ONCE])
    if model is not None and len(ready) > before:
        with world.database.write() as db:
            kv.put(
                db,
                KEPT,
                {"model": model, "of": digest, "vectors": list(map(memoryd_client.encode, ready))},
                world.now,
            )
    learned = Examples(matters, everyday, {text: array("f", one) for text, one in zip(texts, ready, strict=False)})
    if model is not None and learned.whole:
        _IN_USE.clear()
        _IN_USE[model, digest] = learned
    return learned


# a cache of one set of examples by encoder and texts (half a megabyte)
_IN_USE: dict[tuple[str, str], Examples] = {}


@lru_cache(maxsize=1)
def load(path: Path) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str]:
    """Return important examples, everyday examples, the distinct texts of both, and their digest.

    Cached: shipped files do not change.
    """
    with path.open("rb") as file:
        parsed = tomllib.load(file)
    matters, everyday = (tuple(chain(*parsed[kind].values())) for kind in ("matters", "everyday"))
    texts = tuple(dict.fromkeys([*matters, *everyday]))
    return matters, everyday, texts, shipped_vectors.digest(texts)
