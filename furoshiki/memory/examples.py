"""Sentences that stand for what matters in a life and for chatter, with their vectors: what judging compares with."""

from __future__ import annotations

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

KEPT = "exit_gate.examples"
"""Under this name `kv` keeps the vectors that were made here, with the encoder that made them."""

AT_ONCE = 4
"""Examples that get their vectors with one request, some 70 ms of memoryd's time: a turn may be waiting for it."""


@dataclass(frozen=True)
class Examples:
    """The sentences, with their vectors as far as they are made."""

    matters: tuple[str, ...]
    everyday: tuple[str, ...]
    vectors: Mapping[str, Sequence[float]] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether all of them can be compared with."""
        return len(self.vectors) == len({*self.matters, *self.everyday})


NONE = Examples((), ())


def examples(world: World, stopped: Callable[[], bool] = lambda: False) -> Examples:
    """The examples with their vectors: shipped for the built-in encoders, made once for any other and kept.

    When memoryd goes away, or somebody else's turn has come (`stopped`), the next call goes on from there.
    """
    matters, everyday, texts, digest = load(world.config / "matters.toml")
    with world.database.read() as db:
        model = vectors.model(db)
        if model is not None and (model, digest) in _IN_USE:
            return _IN_USE[model, digest]
        kept = kv.get(db, KEPT)
    shipped = None if model is None else shipped_vectors.of_texts(world.config, model, digest)
    ours = kept is not None and (kept["model"], kept["of"]) == (model, digest)
    made: list[Sequence[float]] = (
        [*shipped] if shipped else list(map(memoryd_client.decode, kept["vectors"])) if ours else []
    )
    before = len(made)
    with contextlib.suppress(VectorsAway):
        while len(made) < len(texts) and not stopped():
            made += world.vectors.embed(texts[len(made) : len(made) + AT_ONCE])
    if model is not None and len(made) > before:
        with world.database.write() as db:
            kv.put(
                db, KEPT, {"model": model, "of": digest, "vectors": list(map(memoryd_client.encode, made))}, world.now
            )
    found = Examples(matters, everyday, {text: array("f", one) for text, one in zip(texts, made, strict=False)})
    if model is not None and found.whole:
        _IN_USE.clear()
        _IN_USE[model, digest] = found
    return found


_IN_USE: dict[tuple[str, str], Examples] = {}
"""The examples in use, by encoder and texts, of which their vectors are a function. Half a megabyte."""


@lru_cache(maxsize=1)
def load(path: Path) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str]:
    """What matters in a life, chatter, each text of the two once, and what stands for all of them.

    Shipped files do not change.
    """
    with path.open("rb") as file:
        read = tomllib.load(file)
    matters, everyday = (tuple(chain(*read[kind].values())) for kind in ("matters", "everyday"))
    texts = tuple(dict.fromkeys([*matters, *everyday]))
    return matters, everyday, texts, shipped_vectors.digest(texts)
