"""Documents are embedded, indexed, audited and rebuilt like memories, and never come up among them."""

from __future__ import annotations

import pytest

from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.mind.inner_life.rules.documents import Chunk
from furoshiki.mind.inner_life.store import design_docs
from furoshiki.recall.retrieval.memoryd.keeper import EMBED_PART
from furoshiki.recall.retrieval.store import vectors
from tests.recall.retrieval.memoryd.conftest import NOW, Memoryd

pytestmark = pytest.mark.slow

SLEEP = Chunk("When I do what", "I do not sleep. At night I write my journal.")
TABLES = Chunk("What I keep", "Every message is a row of turns.")


def documents(memoryd: Memoryd, *chunks: Chunk) -> None:
    with memoryd.database.write() as db:
        design_docs.keep(db, {"reality": chunks}, NOW)


def near(memoryd: Memoryd, text: str) -> list[str]:
    return [name for name, _ in memoryd.ask("query", text=text, k=3, kinds=["design"])["found"]]


def test_they_are_found_where_they_are_asked_for_and_nowhere_else(memoryd: Memoryd) -> None:
    [said] = memoryd.say("do you sleep at night")
    documents(memoryd, SLEEP, TABLES)
    memoryd.keep()
    assert near(memoryd, "do you sleep at night") == ["design:1", "design:2"]
    assert memoryd.near("do you sleep at night") == [f"turn:{said}"]
    found = memoryd.ask("recall", text="do you sleep at night", now=NOW.isoformat())["found"]
    assert [name for name, _ in found] == [f"turn:{said}"]
    refused = memoryd.service.answer({"op": "recall", "text": "x", "now": NOW.isoformat(), "kinds": ["design"]})
    assert not refused["ok"] and "design" in refused["error"]


def test_what_rests_on_them_alone_is_recalled_like_any_memory(memoryd: Memoryd) -> None:
    memoryd.say("do you sleep at night", "what a day")
    documents(memoryd, SLEEP)
    own = {"source_tag": "internal_consolidation", "category": "self", "metadata": {"design": [1]}}
    with memoryd.database.write() as db:
        held = memories.add(db, NewMemory("reflection", "I looked up how I work: I do not sleep.", (), **own), NOW)
    memoryd.keep()
    found = memoryd.ask("recall", text="do you sleep", now=NOW.isoformat())["found"]
    assert f"memory:{held}" in [name for name, _ in found]


def test_they_wait_while_somebody_talks(memoryd: Memoryd) -> None:
    memoryd.say("hello")
    documents(memoryd, SLEEP, TABLES)
    memoryd.service.keeper.keep(lambda: False)
    with memoryd.database.read() as db:
        assert vectors.backlog(db)["design"] == {"pending": 2}
        assert vectors.backlog(db)["turn"] != {"pending": 1}
    memoryd.keep()
    assert near(memoryd, "what is a row of turns")[0] == "design:2"


def test_what_was_read_of_them_before_somebody_talked_is_kept(memoryd: Memoryd) -> None:
    documents(memoryd, *(Chunk(f"Part {number}", f"It is number {number}.") for number in range(3 * EMBED_PART)))
    idle = iter([True, True, False])
    memoryd.service.keeper.keep(lambda: next(idle, False))
    with memoryd.database.read() as db:
        assert vectors.backlog(db)["design"].get("pending") == EMBED_PART


def test_they_are_in_a_collection_of_their_own_and_survive_a_rebuild(memoryd: Memoryd) -> None:
    memoryd.say("hello")
    documents(memoryd, SLEEP, TABLES)
    memoryd.keep()
    with memoryd.database.read() as db:
        assert vectors.backlog(db)["design"] == {"indexed": 2}
    memoryd.ask("rebuild")
    memoryd.keep()
    assert memoryd.service.index.filled == 3
    assert near(memoryd, "what is a row of turns")[0] == "design:2"
    answer = memoryd.ask("audit", n=50)
    assert (answer["asked"], answer["missed"]) == (3, [])


def test_what_is_no_part_any_more_is_taken_out_by_the_audit(memoryd: Memoryd) -> None:
    documents(memoryd, SLEEP, TABLES)
    memoryd.keep()
    documents(memoryd, TABLES)
    assert memoryd.ask("audit", n=50)["removed"] == ["design:1"]
    assert near(memoryd, "sleep") == ["design:2"]


def test_another_encoder_embeds_them_again(memoryd: Memoryd) -> None:
    documents(memoryd, SLEEP)
    memoryd.keep()
    memoryd.encoder.id = "words.2"
    memoryd.restart()
    memoryd.keep()
    with memoryd.database.read() as db:
        assert db.execute("SELECT embed_model, index_state FROM design_docs").fetchall()[0][:] == ("words.2", "indexed")
