"""The values that `furoshiki memory search|stats|reindex` print."""

from __future__ import annotations

import json
from typing import Any

import pytest

from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.recall.retrieval import reindex as indexing
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.reindex import reindex, stats
from furoshiki.recall.retrieval.search import BadQuestion, search_batch, search_one
from furoshiki.recall.retrieval.store import vectors
from tests.support.importing import import_lines
from tests.support.recall import NOW, Memory

LINE = {"session": "S1", "at": "2023-05-08T13:56", "speaker": "Ines", "text": "I sold the boat.", "id": "D1:1"}


def test_a_result_has_the_promised_shape(memory: Memory) -> None:
    import_lines(memory.database, [json.dumps(LINE).encode()], "diary")
    own = memory.say("A boat, how nice")
    with memory.database.write() as db:
        fact = memories.add(db, NewMemory("semantic", "sold a boat", (1, own)), NOW)
    found = {one["id"]: one for one in search_one(memory.database, memory.encoder, "boat", 5, NOW)}
    imported = found["turn:1"]
    assert list(imported) == ["id", "kind", "turn_ids", "session", "at", "text", "score"]
    assert imported["turn_ids"] == ["D1:1"]
    assert imported["session"] == "S1"
    assert imported["at"] == "2023-05-08T13:56:00.000000+00:00"
    assert found[f"turn:{own}"]["turn_ids"] == [own]
    assert found[f"memory:{fact}"]["turn_ids"] == ["D1:1", own]
    json.dumps(found)


def test_a_search_right_after_an_import_finds_by_meaning(memory: Memory) -> None:
    import_lines(memory.database, [json.dumps(LINE).encode()], "diary")
    [found] = search_one(memory.database, memory.encoder, "Ines?", 1, NOW)
    assert found["turn_ids"] == ["D1:1"]


def test_a_batch_has_one_answer_a_line_in_order(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("furoshiki.recall.retrieval.search.AT_ONCE", 2)
    for i in range(12):
        memory.say(f"boat {i}")
    asked = [
        '{"query": "boat 3", "k": 1}',
        "",
        '{"query": "boat 5", "k": 2, "now": "2026-03-14T09:26"}',
        '{"query": "boat"}',
        '{"query": "", "k": 0}',
    ]
    answers = list(search_batch(memory.database, memory.encoder, asked, NOW))
    assert [len(answer) for answer in answers] == [1, 2, 10, 10]
    assert answers[0][0]["text"] == "boat 3"
    assert answers[1] == search_one(memory.database, memory.encoder, "boat 5", 2, NOW)


@pytest.mark.parametrize("line", ["{", "[]", '{"k": 3}', '{"query": 5}', '{"query": "x", "now": "soon"}', "null"])
def test_a_line_that_is_no_question_is_named(memory: Memory, line: str) -> None:
    with pytest.raises(BadQuestion, match="line 2 of the batch"):
        next(search_batch(memory.database, memory.encoder, ['{"query": "x"}', line], NOW))


class Indexer:
    """A memoryd that is away at first, and has done its work after a few looks."""

    def __init__(self, memory: Memory, away: int = 0, looks: int = 0) -> None:
        self.memory = memory
        self.away = away
        self.looks = looks
        self.asked: list[str] = []

    def _there(self, what: str) -> None:
        self.asked.append(what)
        if self.away:
            self.away -= 1
            raise VectorsAway("starting")

    def nudge(self, at_once: bool = False) -> None:
        assert at_once
        self.asked.append("nudge")

    def rebuild(self) -> None:
        self._there("rebuild")

    def status(self) -> dict[str, Any]:
        self._there("status")
        if self.looks:
            self.looks -= 1
        elif indexing.without_vector(self.memory.database):
            self.memory.embed()
        else:
            with self.memory.database.write() as db:
                vectors.mark_indexed(db, "turn", [row_id for row_id, _ in vectors.list_unindexed(db, "turn", 100)])
        return {"busy": False, "filled": 0, "index": "ready"}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "_LOOK_SECONDS", 0.0)


def test_reindexing_waits_until_nothing_waits(memory: Memory) -> None:
    memory.say("boat")
    told: list[int] = []
    indexer = Indexer(memory, away=3, looks=4)
    assert reindex(memory.database, indexer, wait=True, on_progress=told.append) == 0
    assert set(told) == {1}
    assert indexer.asked[:4] == ["rebuild"] * 4


def test_its_own_documents_which_wait_for_a_quiet_minute_are_not_waited_for(memory: Memory) -> None:
    memory.say("boat")
    with memory.database.write() as db:
        db.execute("INSERT INTO design_docs (source, part, heading, text, made_at) VALUES ('a', 0, 'A', 'words', '')")
    assert reindex(memory.database, Indexer(memory), wait=True) == 0
    indexing.wait_for_vectors(memory.database, Indexer(memory))


def test_reindexing_without_waiting_only_asks(memory: Memory) -> None:
    memory.say("boat")
    indexer = Indexer(memory, looks=50)
    assert reindex(memory.database, indexer, wait=False) == 1
    assert indexer.asked == ["rebuild", "status"]


def test_an_index_that_is_not_ready_lacks_something_also_when_no_row_waits(memory: Memory) -> None:
    assert indexing.count_missing(memory.database, Indexer(memory, away=1)) == 1
    assert indexing.count_missing(memory.database, Indexer(memory)) == 0


def test_after_an_import_only_the_vectors_are_waited_for(memory: Memory) -> None:
    memory.say("boat")
    indexer = Indexer(memory, looks=3)
    indexing.wait_for_vectors(memory.database, indexer)
    assert indexing.without_vector(memory.database) == 0
    assert indexing.count_missing(memory.database, indexer) == 1


def test_waiting_for_somebody_who_never_comes_ends(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "START_SECONDS", 0.02)
    memory.say("boat")
    with pytest.raises(VectorsAway, match="starting"):
        indexing.wait_for_vectors(memory.database, Indexer(memory, away=10**9))


def test_waiting_for_somebody_who_gets_nowhere_ends(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "STUCK_SECONDS", 0.02)
    memory.say("boat")
    with pytest.raises(VectorsAway, match="makes no progress"):
        indexing.wait_for_vectors(memory.database, Indexer(memory, looks=10**9))


def test_stats_count_what_there_is_and_what_waits(memory: Memory) -> None:
    for i in range(3):
        memory.say(f"boat {i}")
    with memory.database.write() as db:
        memories.add(db, NewMemory("semantic", "likes boats", (1,)), NOW)
    before = stats(memory.database, Indexer(memory, away=1))
    assert (before["turns"], before["memories"], before["sessions"], before["pending"]) == (3, 1, 0, 4)
    assert before["states"]["turn"] == {"pending": 3}
    assert (before["model"], before["memoryd"]) == (None, None)
    memory.embed()
    after = stats(memory.database, Indexer(memory))
    assert after["states"]["turn"] == {"embedded": 3}
    assert after["model"] == "words.1"
    assert after["memoryd"]["index"] == "ready"
    assert after["database_bytes"] > 0
