"""Rows get vectors, vectors get into the index, and what is in the index can be found."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable

import numpy as np
import pytest

from furoshiki.memory.store import memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import sessions, turns
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.messages.values import NewTurn
from furoshiki.recall.retrieval.client import decode
from furoshiki.recall.retrieval.memoryd import keeper
from furoshiki.recall.retrieval.memoryd.service import Made
from furoshiki.recall.retrieval.store import token_vectors, vectors
from furoshiki.recall.retrieval.values import EMBED_PREFIX, Kind
from tests.recall.retrieval.memoryd.conftest import NOW, Memoryd
from tests.support.encoders import WIDE, WordEncoder

pytestmark = pytest.mark.slow


def test_what_was_said_is_found_by_meaning(memoryd: Memoryd) -> None:
    ids = memoryd.say("my sister Anika lives in Lisbon", "the radiator is cold", "I bought a red bicycle")
    memoryd.keep()
    assert memoryd.states() == {"indexed"}
    assert memoryd.near("where does Anika live")[0] == f"turn:{ids[0]}"
    answer = memoryd.ask("query", text="a bicycle", k=1)
    assert answer["by"] == "index"
    assert answer["found"][0][0] == f"turn:{ids[2]}"


def test_a_search_has_texts_encoded_beside_the_question(memoryd: Memoryd) -> None:
    texts = ["user: happy birthday to me!", "user: Anika was born on the third of May."]
    scores = memoryd.ask("score", text="When was Anika born?", texts=texts)["scores"]
    assert len(scores) == 2 and scores[1] > scores[0]


def test_the_speaker_is_part_of_what_is_embedded(memoryd: Memoryd) -> None:
    memoryd.say("good morning")
    memoryd.keep()
    assert "user: good morning" in memoryd.encoder.asked


def test_a_row_keeps_its_vector_and_who_made_it(memoryd: Memoryd) -> None:
    [row_id] = memoryd.say("good morning")
    memoryd.keep()
    with memoryd.database.read() as db:
        row = db.execute("SELECT * FROM turns WHERE id=?", (row_id,)).fetchone()
    assert row["embed_model"] == memoryd.encoder.id
    assert len(row["content_hash"]) == 32
    expected = memoryd.encoder.encode(["user: good morning"])[0]
    assert np.abs(vectors.unpack([row["embedding"]])[0] - expected).max() < 1e-3


def test_a_rows_words_are_kept_with_its_vector(memoryd: Memoryd) -> None:
    [turn_id] = memoryd.say("the harbour at night")
    with memoryd.database.write() as db:
        memory_id = memories.add(db, NewMemory("preference", "drinks rooibos", (turn_id,)), NOW)
        session_id = sessions.add(db, SessionDocument("s1", NOW, NOW, ("tea",), "They spoke.", None, None))
    memoryd.keep()
    with memoryd.database.read() as db:
        [of_turn] = token_vectors.of(db, "turn", [turn_id], memoryd.encoder.id).values()
        [of_memory] = token_vectors.of(db, "memory", [memory_id], memoryd.encoder.id).values()
        assert token_vectors.of(db, "session", [session_id]) == {}
    expected = memoryd.encoder.encode_tokens("user: the harbour at night")[1]
    kept, lengths = token_vectors.unpack_tokens([of_turn, of_memory])
    assert lengths.tolist() == [5, 4]
    assert (kept[:5] * expected).sum(axis=1).min() > 0.98


def test_a_memory_that_was_put_into_context_is_embedded_with_it(memoryd: Memoryd) -> None:
    [turn_id] = memoryd.say("yes, the fourth")
    with memoryd.database.write() as db:
        memory_id = memories.add(db, NewMemory("episodic", "it is on the fourth", (turn_id,)), NOW)
    memoryd.keep()
    with memoryd.database.write() as db:
        memories.contextualize(db, memory_id, "the dentist appointment is on the fourth")
    assert memoryd.near("it is on the fourth", k=1) == [f"memory:{memory_id}"]
    memoryd.keep()
    assert memoryd.encoder.asked[-1] == EMBED_PREFIX["episodic"] + "the dentist appointment is on the fourth"
    assert memoryd.near("dentist appointment", k=1) == [f"memory:{memory_id}"]


def test_a_text_changed_while_it_was_embedded_is_embedded_as_it_is_now(memoryd: Memoryd) -> None:
    [turn_id] = memoryd.say("a source")
    with memoryd.database.write() as db:
        memory_id = memories.add(db, NewMemory("semantic", "lives in Porto", (turn_id,)), NOW)
    encode = memoryd.encoder.encode_tokens

    def slowly(text: str) -> tuple[np.ndarray, np.ndarray]:
        if text.endswith("lives in Porto"):
            with memoryd.database.write() as db:
                db.execute("UPDATE memories SET content='lives in Lisbon' WHERE id=?", (memory_id,))
        return encode(text)

    memoryd.encoder.encode_tokens = slowly  # type: ignore[method-assign]
    memoryd.keep()
    assert memoryd.near("Factual knowledge: lives in Lisbon", k=1) == [f"memory:{memory_id}"]
    with memoryd.database.read() as db:
        [kept] = vectors.of_ids(db, "memory", memoryd.encoder.id, [memory_id]).values()
    expected = encode("Factual knowledge: lives in Lisbon")[0]
    assert vectors.unpack([kept])[0] @ expected > 0.99


def test_rows_keep_their_old_vectors_until_another_encoder_made_new_ones(memoryd: Memoryd) -> None:
    ids = memoryd.say("the tide table", "the lighthouse")
    memoryd.keep()
    with memoryd.database.write() as db:
        assert vectors.start_over(db, "turn", "words.2", 0, 100) == ids[-1]
        assert vectors.backlog(db)["turn"] == {"pending": 2}
        assert vectors.of_ids(db, "turn", "words.1", ids).keys() == set(ids)
        assert token_vectors.of(db, "turn", ids, "words.1").keys() == set(ids)
        assert token_vectors.of(db, "turn", ids, "words.2") == {}
    memoryd.encoder.id = "words.2"
    memoryd.restart()
    memoryd.keep()
    with memoryd.database.read() as db:
        assert vectors.of_ids(db, "turn", "words.1", ids) == {}
        assert token_vectors.of(db, "turn", ids, "words.2").keys() == set(ids)


def test_rebuilding_the_index_changes_no_answer(memoryd: Memoryd) -> None:
    memoryd.say(*[f"line {i} about the {word}" for i in range(20) for word in ("harbour", "radiator", "bicycle")])
    memoryd.keep()
    asked = [{"text": text, "now": NOW.isoformat(), "k": 20} for text in ("the harbour", "line 7", "a red bicycle")]
    before = [memoryd.ask("recall", **one)["found"] for one in asked]
    memoryd.ask("rebuild")
    memoryd.keep()
    assert [memoryd.ask("recall", **one)["found"] for one in asked] == before
    assert all(before)


def test_memories_and_session_documents_are_found_too(memoryd: Memoryd) -> None:
    [turn_id] = memoryd.say("I drink rooibos in the evening")
    with memoryd.database.write() as db:
        memory_id = memories.add(db, NewMemory("preference", "drinks rooibos", (turn_id,)), NOW)
        session_id = sessions.add(db, SessionDocument("s1", NOW, NOW, ("tea", "sleep"), "They spoke.", None, None))
    memoryd.keep()
    assert EMBED_PREFIX["preference"] + "drinks rooibos" in memoryd.encoder.asked
    assert "tea, sleep\nThey spoke." in memoryd.encoder.asked
    assert set(memoryd.near("rooibos tea", k=3)) == {f"turn:{turn_id}", f"memory:{memory_id}", f"session:{session_id}"}
    only = memoryd.ask("query", text="rooibos", k=5, kinds=["memory"])["found"]
    assert [name for name, _ in only] == [f"memory:{memory_id}"]


def test_a_text_the_encoder_cannot_take_costs_only_itself(memoryd: Memoryd) -> None:
    memoryd.encoder.poison = "unspeakable"
    bad, good = memoryd.say("something unspeakable", "something else")
    memoryd.keep()
    with memoryd.database.read() as db:
        states = dict(db.execute("SELECT id, index_state FROM turns").fetchall())
    assert states == {bad: "failed", good: "indexed"}


def test_another_encoder_embeds_everything_again(memoryd: Memoryd) -> None:
    [row_id] = memoryd.say("the tide table is wrong by one hour")
    memoryd.keep()
    memoryd.encoder.id = "words.2"
    memoryd.restart()
    memoryd.keep()
    with memoryd.database.read() as db:
        assert [tuple(row) for row in db.execute("SELECT embed_model, index_state FROM turns")] == [
            ("words.2", "indexed")
        ]
    found = memoryd.ask("query", text="user: the tide table is wrong by one hour", k=1)
    assert found["by"] == "index"
    assert found["found"][0][0] == f"turn:{row_id}"
    assert found["found"][0][1] > 0.99


def test_what_is_said_is_found_by_meaning_before_the_index_has_it(memoryd: Memoryd, later: Callable[..., None]) -> None:
    old, *_ = memoryd.say("my sister Anika lives in Lisbon", "the radiator is cold")
    memoryd.keep()
    [new] = memoryd.say("Anika has bought a red bicycle")
    talked(memoryd)
    assert memoryd.states() == {"indexed", "embedded"}
    answer = memoryd.ask("query", text="what has Anika bought", k=2)
    assert (answer["by"], [name for name, _ in answer["found"]]) == ("index", [f"turn:{new}", f"turn:{old}"])
    assert memoryd.ask("recall", text="a red bicycle", now=NOW.isoformat(), k=1)["found"][0][0] == f"turn:{new}"
    assert memoryd.ask("audit", n=200)["missed"] == []
    later(minutes=15)
    talked(memoryd)
    assert memoryd.states() == {"indexed"}
    assert memoryd.near("what has Anika bought", k=2) == [f"turn:{new}", f"turn:{old}"]


def test_what_was_said_a_second_ago_is_found_before_it_has_its_vector(memoryd: Memoryd) -> None:
    memoryd.encoder = WordEncoder(WIDE)  # how near is near enough is known of this one
    *_, said = memoryd.say("the river was high", "my locker code is 4471")
    answer = memoryd.ask("recall", text="what is my locker code?", now=NOW.isoformat(), floor="asked")
    assert answer["found"][0][0] == f"turn:{said}"
    memoryd.say(*(f"line {n} of an import" for n in range(20)))
    assert memoryd.ask("recall", text="line", now=NOW.isoformat())["found"], "by its words alone"
    assert not any("import" in text for text in memoryd.encoder.asked)


def test_a_row_that_goes_into_the_index_during_a_question_is_found(memoryd: Memoryd) -> None:
    memoryd.say("the radiator is cold")
    memoryd.keep()
    [new] = memoryd.say("Anika has bought a red bicycle")
    talked(memoryd)
    real = memoryd.service.index.nearest

    def overtaken(kind: Kind, vector: np.ndarray, limit: int) -> list[tuple[str, float]] | None:
        before = real(kind, vector, limit)
        memoryd.keep()
        return before

    memoryd.service.index.nearest = overtaken  # type: ignore[method-assign]
    assert memoryd.near("what has Anika bought", k=1) == [f"turn:{new}"]
    assert memoryd.states() == {"indexed"}


def test_enough_rows_go_into_the_index_together(memoryd: Memoryd) -> None:
    memoryd.say("the first")
    memoryd.keep()
    puts: list[int] = []
    real = memoryd.service.index.upsert
    memoryd.service.index.upsert = lambda kind, ids, rows: puts.append(len(ids)) or real(kind, ids, rows)  # type: ignore[method-assign, func-returns-value]
    for number in range(keeper.INDEX_AT):
        assert puts == []
        memoryd.say(f"line {number}")
        talked(memoryd)
    assert puts == [keeper.INDEX_AT]
    assert memoryd.states() == {"indexed"}


def test_the_next_process_puts_into_the_index_what_was_left(memoryd: Memoryd) -> None:
    memoryd.say("the harbour at night")
    memoryd.keep()
    memoryd.say("the bicycle is red")
    talked(memoryd)
    memoryd.restart(killed=True)
    talked(memoryd)
    assert memoryd.states() == {"indexed"}


def test_a_memory_is_found_by_its_new_vector_before_the_index_has_it(memoryd: Memoryd) -> None:
    [turn_id] = memoryd.say("yes, the fourth")
    with memoryd.database.write() as db:
        memory_id = memories.add(db, NewMemory("episodic", "it is on the fourth", (turn_id,)), NOW)
    memoryd.keep()
    with memoryd.database.write() as db:
        memories.contextualize(db, memory_id, "dentist appointment")
    talked(memoryd)
    [(name, cosine)] = memoryd.ask("query", text=EMBED_PREFIX["episodic"] + "dentist appointment", k=1)["found"]
    assert (name, cosine) == (f"memory:{memory_id}", pytest.approx(1.0, abs=0.01))


def talked(memoryd: Memoryd) -> None:
    """What memoryd does after a turn."""
    memoryd.ask("nudge")
    memoryd.service.keeper.keep()


def test_without_anything_to_do_nothing_is_opened(memoryd: Memoryd) -> None:
    memoryd.service.keeper.keep()
    assert memoryd.encoder.asked == []
    assert not memoryd.chroma.exists()


def test_embedding_alone_opens_no_index(memoryd: Memoryd) -> None:
    answer = memoryd.ask("embed", texts=["hello", "there"])
    assert len(answer["vectors"]) == 2
    assert answer["model"] == "words.1"
    assert memoryd.service.index.state == "closed"


def test_a_row_deleted_while_it_was_embedded_stays_deleted(memoryd: Memoryd) -> None:
    [row_id] = memoryd.say("forget this")
    with memoryd.database.write() as db:
        waiting = vectors.list_waiting(db, "turn", 10)
        db.execute("DELETE FROM turns WHERE id=?", (row_id,))
        made = [vectors.Embedded(row.id, b"\0" * 128, "0" * 32) for row in waiting]
        vectors.keep_vectors(db, "turn", "words.1", made)
        assert db.execute("SELECT count(*) FROM turns").fetchone()[0] == 0


def test_the_audit_runs_once_a_day(memoryd: Memoryd, later: Callable[..., None]) -> None:
    memoryd.say("one", "two", "three")
    audits: list[int] = []
    real = memoryd.service.index.missed
    memoryd.service.index.missed = lambda model, size, rng: audits.append(size) or real(model, size, rng)  # type: ignore[method-assign, func-returns-value]
    memoryd.keep()
    memoryd.keep()
    later(hours=23)
    memoryd.keep()
    assert audits == [200]
    later(hours=2)
    memoryd.keep()
    assert audits == [200, 200]


def test_many_equal_turns_are_no_miss(memoryd: Memoryd) -> None:
    memoryd.say(*["ok"] * 60)
    memoryd.keep()
    assert memoryd.ask("audit", n=200) == {"ok": True, "asked": 60, "missed": [], "removed": [], "rebuilding": False}


def test_a_backlog_is_taken_newest_first(memoryd: Memoryd) -> None:
    memoryd.say(*[f"line {i}" for i in range(100)])
    memoryd.keep()
    assert memoryd.encoder.asked[0] == "user: line 99"
    assert memoryd.states() == {"indexed"}


def test_an_empty_turn_never_waits(memoryd: Memoryd) -> None:
    with memoryd.database.write() as db:
        turns.add(db, NewTurn("s1", "console", "me", "companion", "  ", NOW, kind="silence"))
    assert memoryd.ask("status")["pending"] == 0


def test_deleted_ids_are_not_found_any_more(memoryd: Memoryd) -> None:
    first, second = memoryd.say("the harbour at night", "the harbour at noon")
    memoryd.keep()
    memoryd.service.index.delete("turn", [first])
    assert memoryd.near("harbour") == [f"turn:{second}"]


def test_bad_requests_are_answered_in_words(memoryd: Memoryd) -> None:
    for request in (None, [], {}, {"op": "dance"}, {"op": "query"}, {"op": "embed", "texts": "no list"}):
        assert memoryd.service.answer(request)["ok"] is False
    assert memoryd.service.answer({"op": "query", "text": "x", "kinds": ["dream"]})["ok"] is False


def test_the_vector_of_what_was_just_asked_is_not_made_again(memoryd: Memoryd) -> None:
    memoryd.say("the ferry is late")
    memoryd.keep()
    fresh = memoryd.ask("embed", texts=["where is the ferry?"])
    memoryd.ask("recall", text="where is the ferry?", now=NOW.isoformat())
    memoryd.encoder.asked.clear()
    again = memoryd.ask("embed", texts=["where is the ferry?"])
    assert memoryd.encoder.asked == []
    assert decode(again["vectors"][0]) == pytest.approx(decode(fresh["vectors"][0]), abs=1e-6)
    assert memoryd.ask("embed", texts=["where is the ferry?", "and when?"])["vectors"][0] == again["vectors"][0]
    assert memoryd.encoder.asked == ["and when?"]


def test_only_so_many_vectors_are_kept_at_hand(memoryd: Memoryd) -> None:
    memoryd.service._made = Made(2)
    for text in ("one", "two", "one", "three"):
        memoryd.ask("embed", texts=[text])
    memoryd.encoder.asked.clear()
    memoryd.ask("embed", texts=["one", "three", "two"])
    assert memoryd.encoder.asked == ["two"], "what was not asked for the longest time was let go"


def test_what_chromas_log_took_is_given_back(memoryd: Memoryd) -> None:
    memoryd.say(*[f"line {i}" for i in range(1500)])
    memoryd.keep()
    with contextlib.closing(sqlite3.connect(memoryd.chroma / "chroma.sqlite3")) as db:
        free, size = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count"))
    assert free * 4 <= size
    assert memoryd.near("user: line 7", k=1) == ["turn:8"]


def list_pauses(memoryd: Memoryd, rows: int, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that a round over this many rows pauses, without waiting for them."""
    paused: list[float] = []
    monkeypatch.setattr(memoryd.service.keeper._stopping, "wait", paused.append)
    memoryd.say(*(f"line {number}" for number in range(rows)))
    memoryd.keep()
    assert memoryd.states() == {"indexed"}
    return paused


def test_many_rows_make_way_for_somebody_who_talks(memoryd: Memoryd, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not list_pauses(memoryd, 3 * keeper.EMBED_PART, monkeypatch)
    memoryd.ask("embed", texts=["hello"])  # a job asks for it
    assert not list_pauses(memoryd, 3 * keeper.EMBED_PART, monkeypatch), "nobody has said anything"
    memoryd.ask("embed", texts=["hello"], said=True)
    assert len(list_pauses(memoryd, 3 * keeper.EMBED_PART, monkeypatch)) == 3


def test_the_message_just_said_is_read_without_a_pause(memoryd: Memoryd, monkeypatch: pytest.MonkeyPatch) -> None:
    memoryd.ask("recall", text="hello", now=NOW.isoformat())
    assert not list_pauses(memoryd, 2, monkeypatch)
