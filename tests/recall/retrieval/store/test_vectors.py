"""Stored vectors: packed, scanned exactly, sampled from everywhere."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import numpy as np
import pytest

from furoshiki.core.database.connection import Database
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.store.vectors import Embedded

AT = datetime(2026, 3, 14, tzinfo=UTC)
MODEL = "m.1"


def fill(database: Database, count: int, width: int = 8) -> np.ndarray:
    rows = np.random.default_rng(5).standard_normal((count, width)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    with database.write() as db:
        ids = [turns.add(db, NewTurn("s", "console", "me", "user", f"line {i}", AT)) for i in range(count)]
        made = [Embedded(row_id, vectors.pack(row), "") for row_id, row in zip(ids, rows, strict=True)]
        vectors.keep_vectors(db, "turn", MODEL, made)
        vectors.mark_indexed(db, "turn", ids)
    return rows.astype("<f2").astype(np.float32)


def test_half_the_bytes_and_hardly_less_exact() -> None:
    row = np.random.default_rng(1).standard_normal(384).astype(np.float32)
    row /= np.linalg.norm(row)
    assert len(vectors.pack(row)) == 768
    assert vectors.unpack([vectors.pack(row)])[0] @ row > 0.999999


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [7, 64, 4096])
def test_the_scan_is_exact_however_it_is_cut(database: Database, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "SCANNED_AT_ONCE", at_once)
    rows = fill(database, 200)
    questions = np.random.default_rng(9).standard_normal((3, 8)).astype(np.float32)
    with database.read() as db:
        found = vectors.nearest(db, "turn", MODEL, questions, 10)
    for question, answers in zip(questions, found, strict=True):
        best = np.argsort(-(rows @ question))[:10] + 1
        assert [row_id for row_id, _ in answers] == best.tolist()
        assert answers[0][1] == pytest.approx(float(rows[best[0] - 1] @ question), abs=1e-5)


def test_a_bounded_scan_looks_at_the_newest(database: Database) -> None:
    fill(database, 100)
    with database.read() as db:
        found = vectors.nearest(db, "turn", MODEL, np.ones((1, 8), np.float32), 50, newest=20)[0]
    assert {row_id for row_id, _ in found} == set(range(81, 101))


def test_vectors_of_another_encoder_are_not_compared(database: Database) -> None:
    fill(database, 5)
    with database.read() as db:
        assert vectors.nearest(db, "turn", "m.2", np.ones((1, 8), np.float32), 5) == [[]]
        assert vectors.of_ids(db, "turn", "m.2", [1]) == {}
        assert list(vectors.of_ids(db, "turn", MODEL, [1, 99])) == [1]


def test_a_sample_comes_from_everywhere_and_has_no_doubles(database: Database) -> None:
    fill(database, 1000)
    with database.read() as db:
        sample = vectors.sample(db, MODEL, 100, random.Random(3))
        everything = vectors.sample(db, MODEL, 5000, random.Random(3))
        nothing = vectors.sample(db, "m.2", 100, random.Random(3))
    ids = [row_id for _, row_id, _ in sample]
    assert len(set(ids)) == len(ids) == 100
    assert min(ids) < 150
    assert max(ids) > 850
    assert len(everything) == 1000
    assert nothing == []


def test_starting_over_takes_steps(database: Database) -> None:
    fill(database, 25)
    with database.write() as db:
        assert vectors.start_over(db, "turn", "m.2", 0, 10) == 10
        assert vectors.count_pending(db) == 10
        assert vectors.start_over(db, "turn", "m.2", 10, 100) == 25
        assert vectors.start_over(db, "turn", "m.2", 25, 100) is None
        assert vectors.backlog(db)["turn"] == {"pending": 25}


def test_vectors_are_handed_out_in_order(database: Database) -> None:
    fill(database, 25)
    with database.read() as db:
        first = vectors.read_vectors(db, "turn", MODEL, 0, 10)
        rest = vectors.read_vectors(db, "turn", MODEL, first[-1][0], 100)
    assert [row_id for row_id, _ in first + rest] == list(range(1, 26))
