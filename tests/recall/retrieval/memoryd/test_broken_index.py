"""The index is deleted, damaged, or kills its owner: answers go on, and afterwards everything is found as before."""

from __future__ import annotations

import shutil
import threading
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from furoshiki.core.errors import FuroshikiError
from furoshiki.recall.retrieval.memoryd.chroma import Chroma, IndexBroken
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.store.vectors import Embedded
from tests.recall.retrieval.memoryd.conftest import Memoryd

pytestmark = pytest.mark.faults

SAID = [f"we talked about subject{i} and about thing{i * 7} on the way" for i in range(120)]


@pytest.fixture
def full(memoryd: Memoryd) -> Memoryd:
    memoryd.say(*SAID)
    memoryd.keep()
    return memoryd


def all_found(memoryd: Memoryd) -> bool:
    answers = [memoryd.ask("query", text=f"user: {text}", k=1) for text in SAID]
    return all(answer["by"] == "index" and answer["found"][0][0] == f"turn:{i}" for i, answer in enumerate(answers, 1))


def test_deleted_before_the_start(full: Memoryd) -> None:
    full.service.close()
    shutil.rmtree(full.chroma)
    full.restart()
    full.keep()
    assert all_found(full)


def test_deleted_while_it_is_open(full: Memoryd) -> None:
    shutil.rmtree(full.chroma)
    answer = full.ask("query", text=f"user: {SAID[3]}", k=1)
    assert (answer["by"], answer["found"][0][0]) == ("scan", "turn:4")
    full.keep()
    assert all_found(full)


def test_written_to_after_it_was_deleted(full: Memoryd) -> None:
    shutil.rmtree(full.chroma)
    [new] = full.say("a new thing")
    full.keep()
    full.keep()
    assert full.near("user: a new thing", k=1) == [f"turn:{new}"]
    assert all_found(full)


def test_damage_that_chroma_does_not_notice(memoryd: Memoryd) -> None:
    # Chroma writes its graph files after a thousand rows; without them it answers from what is left, without a word.
    # (Damage that may kill the process that reads it is done to a process of its own, in test_process.)
    rng = np.random.default_rng(7)
    rows = rng.standard_normal((1500, 64)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    memoryd.say(*["x"] * 1500)
    with memoryd.database.write() as db:
        made = [Embedded(i, vectors.pack(row), "") for i, row in enumerate(rows, 1)]
        vectors.keep_vectors(db, "turn", memoryd.encoder.id, made)
    memoryd.keep()
    assert memoryd.ask("audit", n=200)["missed"] == []
    memoryd.service.close()
    [graph] = memoryd.chroma.glob("*/data_level0.bin")
    shutil.rmtree(graph.parent)
    memoryd.restart()
    memoryd.keep()
    memoryd.keep()
    assert len(memoryd.set_aside) == 1
    assert memoryd.ask("audit", n=200)["missed"] == []


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 200])
def test_a_garbled_database(full: Memoryd, content: bytes) -> None:
    full.service.close()
    (full.chroma / "chroma.sqlite3").write_bytes(content)
    full.restart()
    full.keep()
    full.keep()
    assert all_found(full)


def test_two_crashes_soon_after_opening_set_it_aside(full: Memoryd) -> None:
    full.crash()
    full.keep()
    assert not full.set_aside
    full.restart(killed=True)
    full.keep()
    assert not full.set_aside
    full.crash()
    full.keep()
    assert len(full.set_aside) == 1
    assert all_found(full)


def test_a_kill_from_outside_does_not_discredit_the_index(full: Memoryd) -> None:
    for _ in range(5):
        full.restart(killed=True)
        full.keep()
    assert not full.set_aside
    assert all_found(full)


def test_a_crash_long_after_opening_is_none_of_the_index(full: Memoryd) -> None:
    for _ in range(3):
        full.service.index.survived()
        full.crash()
        full.keep()
    assert not full.set_aside


def test_ending_as_one_should_is_no_death(full: Memoryd) -> None:
    for _ in range(5):
        full.restart()
        full.keep()
    assert not full.set_aside


def test_the_audit_notices_what_is_missing(full: Memoryd) -> None:
    full.service.index.delete("turn", [7])
    answer = full.ask("audit", n=200)
    assert answer == {"ok": True, "asked": 120, "missed": ["turn:7"], "removed": [], "rebuilding": True}
    assert full.ask("status")["index"] == "closed"
    full.keep()
    assert len(full.set_aside) == 1
    assert all_found(full)


def test_the_audit_takes_out_what_has_no_row(full: Memoryd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("furoshiki.recall.retrieval.memoryd.index.PAGE", 50)
    with full.database.write() as db:
        db.execute("DELETE FROM turns WHERE id IN (7, 70, 119)")
    assert full.near(f"user: {SAID[6]}", k=1) == ["turn:7"], "the index still has it"
    answer = full.ask("audit", n=200)
    assert (sorted(answer["removed"]), answer["missed"]) == (["turn:119", "turn:7", "turn:70"], [])
    assert "turn:7" not in full.near(f"user: {SAID[6]}", k=120)
    assert full.ask("audit", n=200)["removed"] == []
    assert not full.set_aside


def test_of_a_large_index_a_part_is_looked_at_each_time(full: Memoryd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("furoshiki.recall.retrieval.memoryd.index.PAGE", 10)
    monkeypatch.setattr("furoshiki.recall.retrieval.memoryd.index.MOST_PAGES", 5)
    with full.database.write() as db:
        db.execute("DELETE FROM turns WHERE id > 20")
    assert len(full.ask("audit")["removed"]) <= 50
    for _ in range(30):
        full.ask("audit")
    assert set(full.near(f"user: {SAID[6]}", k=120)) == {f"turn:{row}" for row in range(1, 21)}


def test_a_rebuild_can_be_asked_for_and_stopped_half_way(full: Memoryd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("furoshiki.recall.retrieval.memoryd.index.FILL_BATCH", 50)
    monkeypatch.setattr(full.service.keeper, "_between", lambda _encoder: False)
    full.ask("rebuild")
    full.keep()
    assert full.ask("status")["index"] == "filling"
    assert full.near(f"user: {SAID[9]}", k=1) == ["turn:10"]
    full.restart()
    full.keep()
    assert all_found(full)
    assert not full.set_aside, "nothing was wrong with it"


def test_while_it_is_filled_new_rows_are_embedded_and_found_by_scan(
    full: Memoryd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("furoshiki.recall.retrieval.memoryd.index.FILL_BATCH", 50)
    full.ask("rebuild")
    seen: list[str] = []
    between = full.service.keeper._between

    def say_something(encoder: object) -> bool:
        if not seen:
            [new] = full.say("a word in between")
            going_on = between(encoder)  # type: ignore[arg-type]
            seen.extend(full.near("user: a word in between", k=1))
            assert seen == [f"turn:{new}"]
            return going_on
        return between(encoder)  # type: ignore[arg-type]

    monkeypatch.setattr(full.service.keeper, "_between", say_something)
    full.keep()
    assert seen
    assert all_found(full)


def test_only_the_newest_two_are_kept(full: Memoryd) -> None:
    for _ in range(4):
        full.service.index.distrust("for this test")
        full.now = full.now.replace(second=full.now.second + 1)
        full.keep()
    assert len(full.set_aside) == 2


def test_a_full_disk_is_not_taken_for_a_broken_index(full: Memoryd, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("furoshiki.recall.retrieval.memoryd.index.shutil.disk_usage", lambda _path: usage(100, 100, 0))
    full.service.index.distrust("no space left on device")
    full.keep()
    assert not full.set_aside
    assert full.ask("query", text=f"user: {SAID[5]}", k=1)["found"][0][0] == "turn:6"
    monkeypatch.undo()
    full.keep()
    assert all_found(full)


def test_an_index_that_cannot_be_opened_at_all_leaves_the_scan(full: Memoryd, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise IndexBroken("no")

    monkeypatch.setattr("furoshiki.recall.retrieval.memoryd.index.Chroma", refuse)
    full.service.close()
    full.restart()
    with pytest.raises((IndexBroken, FuroshikiError)):
        full.keep()
    assert full.ask("query", text=f"user: {SAID[5]}", k=1)["found"][0][0] == "turn:6"


def test_the_marker_of_another_program_is_not_believed(full: Memoryd) -> None:
    full.service.close()
    Path(full.chroma / "furoshiki.json").write_text("[1, 2")
    full.restart()
    full.keep()
    assert all_found(full)


def test_the_index_is_written_while_its_disk_space_is_given_back(tmp_path: Path) -> None:
    """Chroma and Python each bring a copy of SQLite, which in one process do not see each other's locks."""
    chroma, done, rng = Chroma(tmp_path / "chroma"), threading.Event(), np.random.default_rng(1)

    def tidies() -> None:
        while not done.is_set():
            chroma._looked_at = 0
            chroma.tidy()

    beside = threading.Thread(target=tidies)
    beside.start()
    try:
        for number in range(40):
            rows = range(number * 100 + 1, number * 100 + 101)
            chroma.upsert("turn", rows, rng.normal(size=(100, 96)).astype(np.float32))
            chroma.delete("turn", rows[:80])
    finally:
        done.set()
        beside.join()
    assert chroma.count("turn") == 40 * 20
    chroma.close()
