"""Generates years of conversation in seconds: turns written directly, with fake vectors of the
right shape."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from furoshiki.core.database import migrate
from furoshiki.core.database.connection import Database
from furoshiki.core.timestamps import stamp

COMMON = """
the a and to of i you it in that was is my we on for but with they at so not have be this had
""".split()  # noqa: SIM905
BATCH = 5000
DIMENSIONS = 384


TOKEN_DIMENSIONS = 96


def fill(path: Path, turns: int, model: str, seed: int = 1, tokens: bool = False) -> None:
    """Write so many turns into a new database; `model` is the encoder recorded for their vectors.

    With `tokens` each word has token vectors, too, to measure a whole ranking.
    """
    import numpy as np

    from furoshiki.recall.retrieval.store.token_vectors import pack_tokens

    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    words = vocabulary(rng)
    weights = [1.0 / rank for rank in range(1, len(words) + 1)]
    migrate.ensure(path)
    database = Database(path)
    begin = datetime.now(UTC) - timedelta(days=1500)
    for first in range(1, turns + 1, BATCH):
        size = min(BATCH, turns + 1 - first)
        vectors = numbers.standard_normal((size, DIMENSIONS)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        rows = []
        for offset in range(size):
            number = first + offset
            at = begin + timedelta(minutes=20 * number)
            text = " ".join(rng.choices(words, weights, k=rng.randint(4, 40)))
            rows.append(
                (
                    number,
                    at.strftime("%Y%m%d-%H0000"),
                    "telegram",
                    "7",
                    ("user", "companion")[number % 2],
                    "text",
                    text,
                    stamp(at),
                    "live",
                    vectors[offset].astype("<f2").tobytes(),
                    model,
                    "made up",
                    "embedded",
                )
            )
        with database.write() as db:
            db.executemany(
                "INSERT INTO turns (id, session_id, channel, chat_id, speaker, kind, text, at, source, embedding, "
                "embed_model, content_hash, index_state) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                rows,
            )
            if tokens:
                spoken = numbers.standard_normal((40, TOKEN_DIMENSIONS)).astype(np.float32)
                spoken /= np.linalg.norm(spoken, axis=1, keepdims=True)
                blobs = [pack_tokens(np.roll(spoken, shift, axis=1)[: 10 + shift], model=model) for shift in range(30)]
                db.executemany(
                    "INSERT INTO turn_tokens (id, tokens) VALUES (?, ?)",
                    [(row[0], blobs[row[0] % len(blobs)]) for row in rows],
                )
    database.checkpoint()
    database.close()


def vocabulary(rng: random.Random) -> list[str]:
    """Return words with a natural distribution, the most frequent first: a few common, thousands
    rare."""
    parts = ("ba", "lo", "mi", "ter", "ka", "shu", "ren", "to", "vel", "gra", "sin", "po", "del", "ni", "fra", "us")
    rare = {"".join(rng.choices(parts, k=rng.randint(2, 4))) for _ in range(8000)}
    return COMMON + sorted(rare, key=lambda _word: rng.random())
