"""Forgetting with a real index: vectors of what was forgotten are in none of its files, and the rest is found."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from furoshiki.archive.forgetting import forgetting
from furoshiki.core.atomic_files import locked
from furoshiki.recall.embeddings.reduction import Reduction
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.memoryd import tenants
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World
from tests.support.chroma_server import Way, databases
from tests.support.files import contents
from tests.support.memoryd_process import Home, eventually, whole
from tests.support.world import NoVectors

pytestmark = pytest.mark.slow

SISTER = 18


@pytest.fixture
def known(world: World, home: Home) -> World:
    """Forty turns in the index of a memoryd of its own; a copy of the index was set aside once."""
    texts = [f"song number {n} of the river" for n in range(39)]
    texts.insert(SISTER - 1, "my sister Zephyrine plays the accordion")
    for text in texts:
        home.say(text)
    home.vectors.nudge(at_once=True)
    eventually(home.status, whole)
    aside = home.data / "memory" / "chroma.corrupt-20260101T000000"
    aside.mkdir()
    (aside / "chroma.sqlite3").write_bytes((home.data / "memory" / "chroma" / "chroma.sqlite3").read_bytes())
    return dataclasses.replace(world, vectors=home.vectors)  # type: ignore[arg-type]


def holding(data: Path, *wanted: bytes) -> list[str]:
    """The files with any of these bytes in them, the models aside."""
    return [
        path.relative_to(data).as_posix()
        for path, held in contents(data)
        if "models" not in path.parts and any(one in held for one in wanted)
    ]


def test_neither_words_nor_vectors_are_left_in_any_file(known: World, home: Home) -> None:
    with known.database.read() as db:
        blob = db.execute("SELECT embedding FROM turns WHERE id=?", (SISTER,)).fetchone()[0]
    [whole_vector] = vectors.unpack([blob])
    full = whole_vector.tobytes()
    reduced = Reduction.of(str(home.status()["model"])).reduced(whole_vector)
    # Two numbers in a row are enough to know it by; the last bit of one may be another in a batch of many.
    in_index = [reduced[at : at + 2].tobytes() for at in range(len(reduced) - 1)]
    eventually(known.database.checkpoint, bool)  # memoryd may be reading just now
    before = holding(home.data, blob, full, *in_index)
    assert "memory/longmemory.sqlite" in before
    assert [name for name in before if "chroma/" in name], "the index must hold it, or this proves nothing"
    knew = home.status()["pid"]
    done = forgetting.forget(known, "Zephyrine", forgetting.look(known, "Zephyrine").token)
    assert done is not None
    assert done.left == ()
    eventually(lambda: home.vectors.query("a song", seconds=5))  # a query has the index filled again
    eventually(home.status, whole)
    assert home.status()["pid"] != knew, "a process that knew the words could write them down again"
    assert holding(home.data, blob, full, *in_index, b"Zephyrine", b"zephyrin", b"accordion") == []
    assert [path.name for path in home.data.glob("memory/chroma*")] == ["chroma"]
    near = [name for name, _ in home.vectors.query("my sister Zephyrine plays the accordion", k=40, seconds=5)]
    assert len(near) == 39
    assert f"turn:{SISTER}" not in near
    assert home.vectors.query("song number 5 of the river", k=1, seconds=5)[0][0] == "turn:6"


def test_an_index_in_memory_ends_with_the_process_that_knew_the_words(world: World, home: Home) -> None:
    home.more["FUROSHIKI_CHROMA_FROM"] = "100"
    home.say("my sister Zephyrine plays the accordion")
    home.say("song number 5 of the river")
    home.vectors.nudge(at_once=True)
    knew = eventually(home.status, whole)["pid"]
    known = dataclasses.replace(world, vectors=home.vectors)  # type: ignore[arg-type]
    done = forgetting.forget(known, "Zephyrine", forgetting.look(known, "Zephyrine").token)
    assert done is not None
    assert done.left == ()
    assert eventually(home.status)["pid"] != knew
    near = eventually(lambda: home.vectors.query("my sister Zephyrine plays the accordion", seconds=5))
    assert [name for name, _ in near] == ["turn:2"]


def test_without_memoryd_the_index_is_removed_and_filled_again_later(known: World, home: Home) -> None:
    home.vectors.stop()
    home.processes[-1].wait(20)
    away = dataclasses.replace(known, vectors=NoVectors())  # type: ignore[arg-type]
    done = forgetting.forget(away, "Zephyrine", forgetting.look(away, "Zephyrine").token)
    assert done is not None
    assert done.left == ()
    assert not (home.data / "memory" / "chroma").exists()
    eventually(lambda: home.vectors.query("a song", seconds=5))
    eventually(home.status, whole)
    assert home.vectors.query("song number 5 of the river", k=1, seconds=5)[0][0] == "turn:6"


def test_an_index_that_somebody_holds_is_left_for_later(
    known: World, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.vectors.stop()
    home.processes[-1].wait(20)

    class Deaf(NoVectors):
        def stop(self) -> None:
            """It hears, and does nothing."""

    monkeypatch.setattr(forgetting, "PATIENCE_SECONDS", 0.3)
    deaf = dataclasses.replace(known, vectors=Deaf())  # type: ignore[arg-type]
    with locked(home.data / "run" / forgetting.INDEX_LOCK):
        done = forgetting.forget(deaf, "Zephyrine", forgetting.look(deaf, "Zephyrine").token)
    assert done is not None
    assert done.left == ("index",)
    with pytest.raises(VectorsAway):
        home.vectors.stop()
    assert forgetting.finish(known) == ()
    eventually(lambda: home.vectors.query("a song", seconds=5))
    assert eventually(lambda: home.vectors.query("song number 5 of the river", k=1, seconds=5))[0][0] == "turn:6"


def test_on_a_chroma_server_a_new_index_is_begun_and_the_old_one_is_deleted_without_anybody_asking(
    world: World, home: Home, way: Way, chroma_server: str
) -> None:
    (home.data / ".env").write_text(f"FUROSHIKI_CHROMA_URL={way.url}\n")
    for text in ("my sister Zephyrine plays the accordion", "song number 5 of the river", "the radiator is cold"):
        home.say(text)
    home.vectors.nudge(at_once=True)
    eventually(home.status, whole)
    eventually(lambda: home.vectors.query("accordion", seconds=5))
    before = tenants.find_place(home.data)
    assert before is not None and databases(chroma_server, before.tenant) == [before.database]
    known = dataclasses.replace(world, vectors=home.vectors)  # type: ignore[arg-type]
    done = forgetting.forget(known, "Zephyrine", forgetting.look(known, "Zephyrine").token)
    assert done is not None and done.left == ()
    after = tenants.find_place(home.data)
    assert after is not None and (after.tenant, after.secret != before.secret) == (before.tenant, True)
    assert holding(home.data, before.secret.encode(), b"Zephyrine") == []
    home.start()
    eventually(home.status, lambda status: whole(status) and not status["busy"])
    assert databases(chroma_server, before.tenant) == [after.database]
    assert home.vectors.audit()["missed"] == []
    near = [name for name, _ in home.vectors.query("my sister Zephyrine plays the accordion", k=40, seconds=5)]
    assert sorted(near) == ["turn:2", "turn:3"]
