"""Recall: by words, by meaning, by both; and by what is left when memoryd is away."""

from __future__ import annotations

import subprocess
import sys

import pytest

from furoshiki.core.paths import ROOT
from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.recall.retrieval.recall import Wanted, recall, recall_exactly
from furoshiki.recall.retrieval.values import Recalled, Scope
from tests.support.recall import NOW, Memory, Ranked


def ids(found: tuple[Recalled, ...]) -> list[str]:
    return [one.id for one in found]


def exactly(memory: Memory, query: str, k: int = 5) -> tuple[Recalled, ...]:
    return recall_exactly(memory.database, memory.encoder, [Wanted(query, k, NOW)])[0]


def test_words_alone_find_when_memoryd_is_away(memory: Memory) -> None:
    wanted = memory.say("my sister Anika lives in Lisbon")
    memory.say("the radiator is cold")
    assert ids(recall(memory, "Where does Anika live?", k=5, now=NOW)) == [f"turn:{wanted}"]


def test_what_waits_for_its_vector_is_found_by_its_words(memory: Memory) -> None:
    memory.say("the boat is blue")
    memory.embed()
    new = memory.say("the zeppelin is green")
    assert ids(recall(memory, "zeppelin", k=1, now=NOW)) == [f"turn:{new}"]


def test_while_memoryd_is_away_the_likeness_of_hits_finds_more(memory: Memory) -> None:
    hit = memory.say("the tide table hangs in the kitchen beside the lighthouse")
    alike = memory.say("kitchen beside the lighthouse")
    far = memory.say("an altogether different affair")
    memory.embed()
    found = ids(recall(memory, "tide table", k=2, now=NOW))
    assert found == [f"turn:{hit}", f"turn:{alike}"]
    assert f"turn:{far}" not in found


APART = """
import sys
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from furoshiki.core.database.connection import Database
from furoshiki.recall.retrieval.client import Vectors
from furoshiki.recall.retrieval.recall import recall
world = SimpleNamespace(database=Database(Path(sys.argv[1])), vectors=Vectors(Path(sys.argv[1]).parent))
found = recall(world, "tide table", k=2, now=datetime.fromisoformat(sys.argv[2]))
print("numpy" in sys.modules, *(one.id for one in found))
"""


def test_what_recalls_while_memoryd_is_away_loads_no_numpy(memory: Memory) -> None:
    hit = memory.say("the tide table hangs in the kitchen beside the lighthouse")
    alike = memory.say("kitchen beside the lighthouse")
    memory.embed()
    command = [sys.executable, "-c", APART, str(memory.database.path), NOW.isoformat()]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", f"turn:{hit}", f"turn:{alike}"]


def test_meaning_finds_what_shares_no_word(memory: Memory) -> None:
    wanted = memory.say("my sister moved to Portugal")
    memory.say("the boat is blue")
    memory.vectors = Ranked([f"turn:{wanted}"])
    assert ids(recall(memory, "Which country does Anika live in?", k=1, now=NOW)) == [f"turn:{wanted}"]
    assert memory.vectors.asked == [("Which country does Anika live in?", ("turn", "memory", "session"), NOW)]


def test_memoryd_has_the_last_word_about_the_order(memory: Memory) -> None:
    words_only = memory.say("zeppelin zeppelin")
    both = memory.say("a zeppelin over the harbour at noon")
    meaning_only = memory.say("an airship")
    order = [f"turn:{meaning_only}", f"turn:{both}", f"turn:{words_only}"]
    memory.vectors = Ranked(order)
    assert ids(recall(memory, "zeppelin", k=3, now=NOW)) == order


@pytest.mark.parametrize(("judges", "first"), [((0.0, 9.0, 0.0), 1), ((9.0, 0.0, 0.0), 0), ((), 0)])
def test_a_waiting_caller_has_the_first_hit_read_again(memory: Memory, judges: tuple[float, ...], first: int) -> None:
    order = [f"turn:{memory.say(text)}" for text in ("a zeppelin", "an airship", "the harbour")]
    memory.vectors = Ranked(order, judges=judges)
    assert ids(recall(memory, "what flew there?", k=3, now=NOW)) == order
    found = recall(memory, "what flew there?", k=3, now=NOW, judged=True)
    assert ids(found) == [order[first], order[1 - first], order[2]]
    assert found[0].score > found[1].score


def test_stale_ids_of_the_index_are_passed_over(memory: Memory) -> None:
    wanted = memory.say("the boat is blue")
    memory.vectors = Ranked(["turn:999", f"turn:{wanted}", "memory:7", "session:7"])
    assert ids(recall(memory, "boat", k=5, now=NOW)) == [f"turn:{wanted}"]


def test_of_equals_the_recent_one_comes_first(memory: Memory) -> None:
    old = memory.say("the boat is blue", days_ago=400)
    new = memory.say("the boat is blue")
    assert ids(recall(memory, "boat", k=2, now=NOW)) == [f"turn:{new}", f"turn:{old}"]


def test_facts_and_sessions_are_recalled_with_what_they_rest_on(memory: Memory) -> None:
    said = memory.say("I drink rooibos in the evening")
    with memory.database.write() as db:
        fact = memories.add(db, NewMemory("preference", "drinks rooibos", (said,)), NOW)
        session = sessions.add(db, SessionDocument("s1", NOW, NOW, ("tea",), "They spoke of rooibos.", None, None))
    found = {one.id: one for one in recall(memory, "rooibos", k=5, now=NOW)}
    assert set(found) == {f"turn:{said}", f"memory:{fact}", f"session:{session}"}
    assert all(one.turn_ids == (said,) for one in found.values())
    assert list(found)[-1] == f"session:{session}"


def test_a_scope_limits_kinds_and_leaves_ids_out(memory: Memory) -> None:
    first, second = memory.say("the boat is blue"), memory.say("the boat was red")
    with memory.database.write() as db:
        fact = memories.add(db, NewMemory("semantic", "has a boat", (first,)), NOW)
    only = recall(memory, "boat", k=5, now=NOW, scope=Scope(kinds=("memory",)))
    assert ids(only) == [f"memory:{fact}"]
    without = recall(memory, "boat", k=5, now=NOW, scope=Scope(without=frozenset({f"turn:{second}"})))
    assert f"turn:{second}" not in ids(without)
    assert f"turn:{first}" in ids(without)


@pytest.mark.parametrize("query", ["", "?!", '" OR *', "the", "\x00", "\ud800"])
def test_an_odd_question_has_an_answer_too(memory: Memory, query: str) -> None:
    memory.say("the boat is blue")
    memory.embed()
    assert len(recall(memory, query, k=3, now=NOW)) <= 1
    assert len(exactly(memory, query)) == 1


def test_an_empty_memory_has_no_answers(memory: Memory) -> None:
    assert recall(memory, "anything", k=5, now=NOW) == ()
    assert exactly(memory, "anything") == ()
    assert recall_exactly(memory.database, memory.encoder, []) == []


def test_an_exact_search_is_the_same_before_and_after_indexing(memory: Memory) -> None:
    for i in range(40):
        memory.say(f"boat number {i} lies beside boat number {i + 1}")
    before = exactly(memory, "where lies boat 7", k=40)
    memory.embed()
    after = exactly(memory, "where lies boat 7", k=40)
    assert [one.id for one in before[:10]] == [one.id for one in after[:10]]
    assert exactly(memory, "where lies boat 7", k=40) == after


def test_a_batch_answers_as_each_question_alone(memory: Memory) -> None:
    for i in range(30):
        memory.say(f"boat {i} and tree {i * 3}")
    memory.embed()
    queries = ["boat 4", "tree 9", "nothing at all"]
    together = recall_exactly(memory.database, memory.encoder, [Wanted(query, 5, NOW) for query in queries])
    assert together == [exactly(memory, query) for query in queries]


def test_reading_never_writes(memory: Memory) -> None:
    memory.say("the boat is blue")
    memory.embed()
    before = memory.database.version()
    recall(memory, "boat", k=5, now=NOW)
    exactly(memory, "boat")
    assert memory.database.version() == before


def test_scores_fall_and_are_above_nothing(memory: Memory) -> None:
    for i in range(20):
        memory.say(f"boat {i}", days_ago=i)
    scores = [one.score for one in recall(memory, "boat 3", k=20, now=NOW)]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0
