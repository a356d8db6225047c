"""Forgetting with a real index: vectors of what was forgotten are in none of its files, and the rest is found."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from furoshiki.domain.conversation import NewTurn
from furoshiki.mind.remember import forgetting
from furoshiki.storage import turns, vectors
from furoshiki.world import World
from tests.memoryd.conftest import Memoryd
from tests.mind.conftest import clock, model, stage, world

__all__ = ["clock", "model", "stage", "world"]

pytestmark = pytest.mark.slow


@dataclasses.dataclass
class Ours:
    """The way to a memoryd of this process."""

    memoryd: Memoryd

    def rebuild(self) -> None:
        self.memoryd.ask("rebuild")
        self.memoryd.keep()

    def query(self, text: str, *_: Any, **more: Any) -> list[tuple[str, float]]:
        return [(name, cosine) for name, cosine in self.memoryd.ask("query", text=text, k=5)["found"]]

    def nudge(self) -> None:
        self.memoryd.keep()


@pytest.fixture
def known(world: World) -> tuple[World, Memoryd]:
    """Forty turns with vectors in a real Chroma, a copy of which was set aside."""
    memoryd = Memoryd(world.settings.data)
    texts = [f"song number {n} of the river" for n in range(39)]
    texts.insert(17, "my sister Zephyrine plays the accordion")
    with world.store.write() as db:
        for text in texts:
            turns.add(db, NewTurn("s1", "console", "me", "user", text, world.now))
    memoryd.keep()
    aside = memoryd.chroma.with_name("chroma.corrupt-20260101T000000")
    aside.mkdir()
    (aside / "chroma.sqlite3").write_bytes((memoryd.chroma / "chroma.sqlite3").read_bytes())
    return dataclasses.replace(world, vectors=Ours(memoryd)), memoryd  # type: ignore[arg-type]


def holding(data: Path, *wanted: bytes) -> list[str]:
    return [
        path.relative_to(data).as_posix()
        for path in sorted(data.rglob("*"))
        if path.is_file() and any(one in path.read_bytes() for one in wanted)
    ]


def test_neither_words_nor_vectors_are_left_in_any_file(known: tuple[World, Memoryd]) -> None:
    world, memoryd = known
    data = world.settings.data
    with world.store.read() as db:
        blob = db.execute("SELECT embedding FROM turns WHERE id=18").fetchone()[0]
    full = vectors.unpack([blob])[0].tobytes()
    world.store.checkpoint()
    before = holding(data, blob, full)
    assert "memory/longmemory.sqlite" in before
    assert [name for name in before if "chroma/" in name], "the index must hold it, or this proves nothing"
    done = forgetting.forget(world, "Zephyrine", forgetting.look(world, "Zephyrine").token)
    assert done is not None
    assert done.left == ()
    assert holding(data, blob, full, b"Zephyrine", b"zephyrin", b"accordion") == []
    assert memoryd.set_aside == []
    assert "turn:18" not in memoryd.near("my sister Zephyrine plays the accordion", 40)
    assert memoryd.near("song number 5 of the river", 1) == ["turn:6"]
    memoryd.service.close()


def test_without_memoryd_the_index_is_removed_and_filled_again_later(known: tuple[World, Memoryd]) -> None:
    world, memoryd = known
    memoryd.service.close()

    class Away(Ours):
        def rebuild(self) -> None:
            from furoshiki.vectors import VectorsAway

            raise VectorsAway("not in this test")

        query = nudge = rebuild  # type: ignore[assignment]

    away = dataclasses.replace(world, vectors=Away(memoryd))  # type: ignore[arg-type]
    done = forgetting.forget(away, "Zephyrine", forgetting.look(away, "Zephyrine").token)
    assert done is not None
    assert done.left == ()
    assert not memoryd.chroma.exists()
    memoryd.restart(killed=True)
    memoryd.keep()
    assert memoryd.near("song number 5 of the river", 1) == ["turn:6"]
    memoryd.service.close()


def test_an_index_that_somebody_holds_is_left_for_later(
    known: tuple[World, Memoryd], monkeypatch: pytest.MonkeyPatch
) -> None:
    from furoshiki.atomic import locked

    world, memoryd = known
    monkeypatch.setattr(forgetting, "PATIENCE_SECONDS", 0.3)

    class Deaf(Ours):
        def rebuild(self) -> None:
            """It hears, and does nothing."""

    deaf = dataclasses.replace(world, vectors=Deaf(memoryd))  # type: ignore[arg-type]
    with locked(world.settings.data / "run" / forgetting.INDEX_LOCK):
        done = forgetting.forget(deaf, "Zephyrine", forgetting.look(deaf, "Zephyrine").token)
    assert done is not None
    assert done.left == ("index",)
    assert forgetting.finish(world) == ()
    assert memoryd.near("song number 5 of the river", 1) == ["turn:6"]
    memoryd.service.close()
