"""Token vectors: small on disk, nearly as good as new when read, each kept with its row and gone with it."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.core.database.connection import Database
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.messages.values import NewTurn
from furoshiki.recall.retrieval.store import token_vectors, vectors
from furoshiki.recall.retrieval.store.vectors import Embedded
from tests.support.growth import calls

AT = datetime(2026, 3, 14, tzinfo=UTC)
WIDTH = 128


def some(count: int, width: int = WIDTH, seed: int = 1) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((count, width)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def say(database: Database, text: str, blob: bytes | None, model: str = "m.1") -> int:
    with database.write() as db:
        row_id = turns.add(db, NewTurn("s", "console", "me", "user", text, AT))
        vectors.keep_vectors(db, "turn", model, [Embedded(row_id, b"\0" * 16, "", blob)])
    return row_id


@pytest.mark.parametrize(("bits", "size", "least"), [(8, 128, 0.9998), (4, 64, 0.993)])
def test_what_is_unpacked_points_where_it_pointed(bits: token_vectors.Bits, size: int, least: float) -> None:
    matrix = some(40)
    blob = token_vectors.pack_tokens(matrix, bits)
    again, lengths = token_vectors.unpack_tokens([blob])
    assert len(blob) == 5 + 40 * size
    assert lengths.tolist() == [40]
    assert np.linalg.norm(again, axis=1) == pytest.approx(1, abs=1e-5)
    assert (again * matrix).sum(axis=1).mean() > least


@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from([4, 8])), max_size=12),
    st.sampled_from([4, 64, 128, 384]),
)
def test_many_blobs_together_are_each_of_them_alone(sizes: list[tuple[int, token_vectors.Bits]], width: int) -> None:
    blobs = [token_vectors.pack_tokens(some(count, width, seed), bits) for seed, (count, bits) in enumerate(sizes)]
    together, lengths = token_vectors.unpack_tokens(blobs)
    assert lengths.tolist() == [count for count, _ in sizes]
    ends = np.cumsum(lengths)
    for blob, end, length in zip(blobs, ends, lengths, strict=True):
        assert np.array_equal(together[end - length : end], token_vectors.unpack_tokens([blob])[0])


@pytest.mark.parametrize("bits", [4, 8])
def test_packing_again_what_was_unpacked_changes_nothing(bits: token_vectors.Bits) -> None:
    blob = token_vectors.pack_tokens(some(30), bits, "m.1")
    assert token_vectors.pack_tokens(token_vectors.unpack_tokens([blob])[0], bits, "m.1") == blob


def test_a_text_without_words_has_no_tokens() -> None:
    blob = token_vectors.pack_tokens(np.zeros((0, WIDTH), np.float32))
    found, lengths = token_vectors.unpack_tokens([blob, token_vectors.pack_tokens(some(3))])
    assert found.shape == (3, WIDTH)
    assert lengths.tolist() == [0, 3]


@pytest.mark.parametrize(
    "bad", [b"\x08\x40\x00\x00\x00" + b"\0" * 64, b"\x05\x80\x00\x00\x00", b"\x08\x80\x00\x00\x00\0"]
)
def test_what_does_not_fit_is_refused(bad: bytes) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        token_vectors.unpack_tokens([token_vectors.pack_tokens(some(2)), bad])


def test_an_odd_number_of_dimensions_is_refused() -> None:
    with pytest.raises(ValueError, match="multiple of four"):
        token_vectors.pack_tokens(some(2, 6))


def test_nothing_is_done_for_each_token_and_little_for_each_turn() -> None:
    """So that fifteen hundred turns are unpacked in 0.05 s."""

    def unpacking(turns: int, tokens: int) -> int:
        blobs = [token_vectors.pack_tokens(some(tokens))] * turns
        token_vectors.unpack_tokens(blobs[:1])
        return calls(lambda: token_vectors.unpack_tokens(blobs))

    unpacked = unpacking(1_500, 30)
    assert abs(unpacked - unpacking(1_500, 1)) < 100, "a few may be the garbage collector's"
    assert unpacked < 10 * 1_500


@pytest.mark.slow
def test_tokens_of_two_thousand_rows_are_read_at_once(database: Database) -> None:
    with database.write() as db:
        ids = [turns.add(db, NewTurn("s", "console", "me", "user", f"line {i}", AT)) for i in range(2000)]
        vectors.keep_vectors(db, "turn", "m.1", [Embedded(i, b"\0\0", "", str(i).encode() * 5) for i in ids])
    with database.read() as db:
        found = token_vectors.of(db, "turn", [*ids, 99_999])
    assert found == {i: str(i).encode() * 5 for i in ids}


def test_tokens_of_another_encoder_are_not_handed_out(database: Database) -> None:
    old = say(database, "one", token_vectors.pack_tokens(some(2), model="m.1"), "m.1")
    new = say(database, "two", token_vectors.pack_tokens(some(2), model="m.2"), "m.2")
    with database.read() as db:
        assert token_vectors.of(db, "turn", [old, new], "m.2").keys() == {new}
        assert token_vectors.of(db, "turn", [old, new]).keys() == {old, new}


def test_tokens_go_with_their_row(database: Database) -> None:
    row_id = say(database, "forget me", token_vectors.pack_tokens(some(2)))
    with database.write() as db:
        memory_id = memories.add(db, NewMemory("preference", "drinks rooibos", (say_id(db),)), AT)
        vectors.keep_vectors(
            db, "memory", "m.1", [Embedded(memory_id, b"\0\0", "", token_vectors.pack_tokens(some(3)))]
        )
        assert token_vectors.of(db, "memory", [memory_id]).keys() == {memory_id}
        db.execute("DELETE FROM turns WHERE id=?", (row_id,))
        db.execute("DELETE FROM memories WHERE id=?", (memory_id,))
        assert token_vectors.of(db, "turn", [row_id]) == {}
        assert token_vectors.of(db, "memory", [memory_id]) == {}


def say_id(db) -> int:  # type: ignore[no-untyped-def]
    return turns.add(db, NewTurn("s", "console", "me", "user", "I drink rooibos", AT))


def test_a_row_embedded_again_has_its_new_tokens_only(database: Database) -> None:
    row_id = say(database, "hello", token_vectors.pack_tokens(some(2), model="m.1"))
    with database.write() as db:
        db.execute("UPDATE turns SET index_state='pending' WHERE id=?", (row_id,))
        vectors.keep_vectors(
            db, "turn", "m.1", [Embedded(row_id, b"\0\0", "", token_vectors.pack_tokens(some(5), model="m.1"))]
        )
        assert token_vectors.unpack_tokens(list(token_vectors.of(db, "turn", [row_id]).values()))[1].tolist() == [5]
        db.execute("UPDATE turns SET index_state='pending' WHERE id=?", (row_id,))
        vectors.keep_vectors(db, "turn", "m.1", [Embedded(row_id, b"\0\0", "", None)])
        assert token_vectors.of(db, "turn", [row_id]) == {}


def test_what_was_deleted_while_it_was_embedded_leaves_no_tokens(database: Database) -> None:
    with database.write() as db:
        row_id = turns.add(db, NewTurn("s", "console", "me", "user", "gone", AT))
        db.execute("DELETE FROM turns WHERE id=?", (row_id,))
        vectors.keep_vectors(db, "turn", "m.1", [Embedded(row_id, b"\0\0", "", token_vectors.pack_tokens(some(2)))])
        assert db.execute("SELECT count(*) FROM turn_tokens").fetchone()[0] == 0


def test_a_session_has_a_vector_and_no_tokens(database: Database) -> None:
    with database.write() as db:
        row_id = sessions.add(db, SessionDocument("s1", AT, AT, ("tea",), "They spoke.", None, None))
        vectors.keep_vectors(db, "session", "m.1", [Embedded(row_id, b"\0\0", "", token_vectors.pack_tokens(some(2)))])
        assert token_vectors.of(db, "session", [row_id]) == {}
        assert vectors.backlog(db)["session"] == {"embedded": 1}
