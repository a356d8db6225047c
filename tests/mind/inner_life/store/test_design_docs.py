"""Documents in parts: what did not change keeps its row and its vector, what did is a new row; nothing is twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from furoshiki.core.database.connection import Database
from furoshiki.mind.inner_life.rules.documents import Chunk
from furoshiki.mind.inner_life.store import design_docs
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.store.vectors import Embedded
from furoshiki.recall.retrieval.values import KINDS, Scope
from tests.support import filled

NOW = datetime(2026, 3, 24, 2, 0, tzinfo=UTC)
ONE, TWO, THREE = (Chunk("Memory", f"what is kept, part {number}") for number in ("one", "two", "three"))


def keeps(database: Database, **documents: tuple[Chunk, ...]) -> tuple[int, int, int]:
    with database.write() as db:
        found = design_docs.keep(db, documents, NOW)
    return found.new, found.gone, found.kept


def held(database: Database) -> list[tuple[int, str, str]]:
    with database.read() as db:
        return [(one.id, one.source, one.text) for one in design_docs.every(db)]


def embeds(database: Database) -> list[str]:
    """What memoryd would have to embed, done."""
    with database.write() as db:
        rows = vectors.list_waiting(db, "design", 100)
        made = [Embedded(row.id, b"\x00\x3c", vectors.content_hash(row.text)) for row in rows]
        vectors.keep_vectors(db, "design", "m", vectors.select_unchanged(db, "design", made))
    return sorted(row.text for row in rows)


def test_only_changed_parts_are_embedded_again(database: Database) -> None:
    assert keeps(database, a=(ONE, TWO), b=(THREE,)) == (3, 0, 0)
    assert embeds(database) == sorted(f"Memory: {one.text}" for one in (ONE, TWO, THREE))
    assert keeps(database, a=(ONE, TWO), b=(THREE,)) == (0, 0, 3)
    assert embeds(database) == []
    changed = Chunk("Memory", "what is kept, otherwise")
    assert keeps(database, a=(ONE, changed), b=(THREE,)) == (1, 1, 2)
    assert embeds(database) == ["Memory: what is kept, otherwise"]


def test_a_part_that_moves_keeps_its_row(database: Database) -> None:
    keeps(database, a=(ONE, TWO, THREE))
    before = {text: id_ for id_, _, text in held(database)}
    embeds(database)
    assert keeps(database, a=(THREE, Chunk("Memory", "new"), ONE, TWO)) == (1, 0, 3)
    after = [(id_, text) for id_, _, text in held(database)]
    assert [text for _, text in after] == [THREE.text, "new", ONE.text, TWO.text]
    assert {text: id_ for id_, text in after if text != "new"} == before
    assert embeds(database) == ["Memory: new"]


def test_a_document_that_is_gone_takes_its_parts_along_and_no_id_is_used_again(database: Database) -> None:
    keeps(database, a=(ONE,), b=(TWO,))
    last = max(id_ for id_, _, _ in held(database))
    assert keeps(database, a=(ONE,)) == (0, 1, 1)
    keeps(database, a=(ONE,), b=(TWO,))
    assert [id_ for id_, source, _ in held(database) if source == "b"] == [last + 1]


def test_the_same_words_twice_in_a_document_are_two_parts(database: Database) -> None:
    assert keeps(database, a=(ONE, ONE)) == (2, 0, 0)
    assert keeps(database, a=(ONE, ONE)) == (0, 0, 2)
    assert keeps(database, a=(ONE,)) == (0, 1, 1)


def test_recall_does_not_look_into_them_by_itself() -> None:
    assert "design" not in KINDS
    assert "design" not in Scope().kinds


def test_their_tables_are_those_of_the_schema(database: Database) -> None:
    with database.read() as db:
        found, made = design_docs.tables(db), filled.tables(db)
    assert {name for name in found if not name.endswith("_fts")} == made.keys()
    assert {"turns_fts", "memories_fts", "sessions_fts"} <= set(found)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.dictionaries(st.sampled_from("ab"), st.lists(st.sampled_from((ONE, TWO, THREE)), max_size=4), max_size=2),
        min_size=1,
        max_size=4,
    )
)
@pytest.mark.slow
def test_whatever_came_before_what_is_held_is_the_last(
    tmp_path_factory: pytest.TempPathFactory, migrated: Callable[[Path], Path], rounds: list[dict[str, list[Chunk]]]
) -> None:
    database = Database(migrated(tmp_path_factory.mktemp("docs") / "longmemory.sqlite"))
    for documents in rounds:
        keeps(database, **{name: tuple(parts) for name, parts in documents.items()})
    assert [(source, text) for _, source, text in held(database)] == [
        (source, one.text) for source in sorted(rounds[-1]) for one in rounds[-1][source]
    ]
    database.close()
