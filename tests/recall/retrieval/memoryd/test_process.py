"""memoryd as a process of its own: started on demand, alone, gone without a trace."""

from __future__ import annotations

import signal
import time
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
from furoshiki.recall.embeddings.models import BUILD
from furoshiki.recall.retrieval.client import SOCKET, Vectors, VectorsAway
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.store.vectors import Embedded
from tests.support.extent import at_night
from tests.support.memoryd_process import PATIENCE_SECONDS, Home, eventually, whole

pytestmark = pytest.mark.slow


def test_of_two_started_at_once_one_stays_and_embeds_without_chroma(home: Home) -> None:
    home.vectors = Vectors(home.data)
    home.start_cold()
    home.start_cold()
    pid = eventually(home.status)["pid"]
    stays, leaves = sorted(home.processes, key=lambda process: process.pid != pid)
    assert leaves.wait(PATIENCE_SECONDS) == 0
    assert stays.poll() is None
    [vector] = home.vectors.embed(["hello"], seconds=20)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    maps = Path(f"/proc/{pid}/maps").read_text()
    assert "onnxruntime" in maps
    assert "chromadb_rust_bindings" not in maps
    stays.send_signal(signal.SIGTERM)
    assert stays.wait(PATIENCE_SECONDS) == 0
    assert not (home.data / "run" / SOCKET).exists()


@pytest.mark.slow
def test_what_is_said_is_indexed_and_survives_being_killed(home: Home) -> None:
    first = home.say("my sister Anika lives in Lisbon")
    home.vectors.nudge(at_once=True)
    eventually(home.status, lambda status: status["index"] == "ready" and not status["pending"])
    assert home.vectors.query("Where does Anika live?", seconds=5)[0][0] == f"turn:{first}"
    home.processes[-1].kill()
    home.processes[-1].wait()
    second = home.say("the bicycle is red")
    home.start()
    eventually(home.status, lambda status: status["index"] == "ready" and not status["pending"])
    found = [name for name, _ in home.vectors.query("what colour is the bicycle", seconds=5)]
    assert found == [f"turn:{second}", f"turn:{first}"]
    home.vectors.stop()
    assert home.processes[-1].wait(PATIENCE_SECONDS) == 0


def test_a_small_index_is_in_memory_and_one_that_grows_goes_to_chroma(home: Home) -> None:
    home.more["FUROSHIKI_CHROMA_FROM"] = "3"
    said = [home.say(text) for text in SAID[:3]]
    home.vectors.nudge(at_once=True)
    eventually(home.status, whole)
    before = eventually(lambda: home.vectors.query(SAID[1], seconds=10))
    assert [name for name, _ in before][0] == f"turn:{said[1]}"
    pid, folder = home.status()["pid"], home.data / "memory" / "chroma"
    assert not folder.exists()
    assert "chromadb_rust_bindings" not in Path(f"/proc/{pid}/maps").read_text()
    home.vectors = Vectors(home.data)
    home.say(SAID[3])
    home.vectors.nudge(at_once=True)
    assert home.processes[-1].wait(PATIENCE_SECONDS) == 0, "it does not look at more one by one than is wanted"
    home.start()
    eventually(lambda: home.vectors.query(SAID[1], seconds=10))
    eventually(home.status, whole)
    after = eventually(lambda: home.vectors.query(SAID[1], seconds=10))
    assert [name for name, _ in after if name != f"turn:{said[-1] + 1}"] == [name for name, _ in before]
    assert (folder / "chroma.sqlite3").exists()
    home.processes[-1].terminate()
    assert home.processes[-1].wait(PATIENCE_SECONDS) == 0
    home.more["FUROSHIKI_CHROMA_FROM"] = "100"
    home.start()
    eventually(home.status)
    assert not folder.exists(), "its files would age"


SAID = ("the ferry to Porto leaves at dawn", "my sister plays the cello", "the oven is broken", "it rains on the roses")


@pytest.mark.faults
def test_killed_while_it_rebuilds_the_index_it_finds_the_same_in_the_end(home: Home) -> None:
    """Deleted, half filled, or nearly done: the next memoryd finishes it, and no row is lost or left waiting."""
    for text in SAID:
        home.say(text)
    home.vectors.nudge(at_once=True)
    eventually(home.status, whole)
    rng = np.random.default_rng(3)
    others = rng.standard_normal((4000, 384)).astype(np.float32)
    others /= np.linalg.norm(others, axis=1, keepdims=True)
    with home.database.write() as db:
        ids = [
            turns.add(db, NewTurn("s2", "console", "me", "user", "x", datetime(2026, 3, 14, tzinfo=UTC)))
            for _ in others
        ]
        made = [Embedded(one, vectors.pack(row), "") for one, row in zip(ids, others, strict=True)]
        vectors.keep_vectors(db, "turn", f"minilm-int8.{BUILD}", made)
    home.vectors.nudge(at_once=True)
    eventually(home.status, whole)
    before = [eventually(lambda text=text: home.vectors.query(text, seconds=10))[:3] for text in SAID]
    assert [found[0][0] for found in before] == [f"turn:{number}" for number in range(1, len(SAID) + 1)]

    killed_half_way = 0
    for moment in (0.0, 0.1, 0.3):
        home.vectors.rebuild()
        eventually(home.status, lambda status: status["index"] != "ready" or whole(status))
        time.sleep(moment)
        killed_half_way += not whole(home.status())
        home.processes[-1].kill()
        home.processes[-1].wait()
        home.start()
        eventually(home.status)
    assert killed_half_way, "none of them came in time"
    eventually(lambda: home.vectors.query(SAID[0], seconds=10))  # a query opens the index
    eventually(home.status, whole)
    assert [eventually(lambda text=text: home.vectors.query(text, seconds=10))[:3] for text in SAID] == before
    assert home.vectors.audit()["missed"] == []


@pytest.mark.faults
@pytest.mark.parametrize(("number", "set_aside"), [(signal.SIGKILL, 0), (signal.SIGSEGV, 1)])
def test_only_what_it_does_itself_is_a_death_by_the_index(home: Home, number: int, set_aside: int) -> None:
    home.say(SAID[0])
    home.vectors.nudge(at_once=True)
    eventually(home.status, whole)
    home.vectors = Vectors(home.data)  # it starts no other one: of two the second would leave at once
    for _ in range(3):
        pid = home.status()["pid"]
        [running] = [process for process in home.processes if process.pid == pid]
        running.send_signal(number)
        assert running.wait(PATIENCE_SECONDS) == -number
        home.start()
        eventually(lambda: home.vectors.query(SAID[0], seconds=10))  # a query opens the index
        eventually(home.status, whole)
    assert len(list((home.data / "memory").glob("chroma.corrupt-*"))) == set_aside
    assert home.vectors.query(SAID[0], seconds=10)[0][0] == "turn:1"


@pytest.mark.slow
@pytest.mark.faults
@pytest.mark.parametrize("damage", ["garbled", *at_night("short")])
def test_an_index_that_may_kill_its_owner_is_set_aside(home: Home, damage: str) -> None:
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((2000, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    with home.database.write() as db:
        for _ in rows:
            turns.add(db, NewTurn("s1", "console", "me", "user", "x", datetime(2026, 3, 14, tzinfo=UTC)))
        made = [Embedded(i, vectors.pack(row), "") for i, row in enumerate(rows, 1)]
        vectors.keep_vectors(db, "turn", f"minilm-int8.{BUILD}", made)
    home.vectors.nudge(at_once=True)
    eventually(home.status, lambda status: status["index"] == "ready" and not status["pending"])
    home.vectors.stop()
    home.processes[-1].wait(PATIENCE_SECONDS)
    home.vectors = Vectors(home.data)  # it starts no other one: of two the second would leave at once
    [graph] = (home.data / "memory" / "chroma").glob("*/data_level0.bin")
    size = graph.stat().st_size
    graph.write_bytes(rng.bytes(size) if damage == "garbled" else graph.read_bytes()[: size // 2])

    deaths = []
    give_up = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < give_up and not list((home.data / "memory").glob("chroma.corrupt-*")):
        home.start()
        process = home.processes[-1]
        while process.poll() is None and time.monotonic() < give_up:
            try:
                found = home.vectors.query("anything", seconds=5)
                assert len(found) in (0, 150)
            except VectorsAway:
                pass
            if list((home.data / "memory").glob("chroma.corrupt-*")):
                break
            time.sleep(0.1)
        deaths.append(process.poll())
    assert deaths[-1] is None, f"it should have survived in the end: {deaths}"
    status = eventually(home.status, lambda status: status["index"] == "ready" and not status["busy"])
    assert status["filled"] == 2000
    assert home.vectors.audit(200)["missed"] == []
