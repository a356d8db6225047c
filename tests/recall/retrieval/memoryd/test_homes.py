"""One memoryd for many homes: each gets its own and nothing else, and what breaks in one is that one's trouble."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import numpy as np
import pytest

from furoshiki.core.atomic_files import hold
from furoshiki.core.database.connection import Database
from furoshiki.recall.retrieval.client import KEY
from furoshiki.recall.retrieval.memoryd import held_index
from furoshiki.recall.retrieval.memoryd.homes import REFUSED
from furoshiki.recall.retrieval.memoryd.service import Service
from tests.recall.retrieval.memoryd.conftest import Memoryd
from tests.support.shared_memoryd import Asked, House, Migrated


@pytest.fixture
def house(tmp_path: Path, migrated: Migrated) -> House:
    return House(tmp_path / "homes", migrated)


def test_the_same_ids_are_in_both_and_each_only_ever_gets_its_own(house: House) -> None:
    house.home("anna", "the lighthouse keeper paints", "rain falls")
    house.home("bob", "an old bicycle rusts", "snow falls", "my secret is the lighthouse")

    async def live(ask: Asked) -> None:
        await ask.whole("anna")
        await ask.whole("bob")
        assert await ask.near("anna", "lighthouse") == ["turn:1", "turn:2"]
        assert (await ask.near("bob", "lighthouse"))[0] == "turn:3"
        assert sorted(await ask.recalled("anna", "my secret")) == ["turn:1", "turn:2"]
        # Ids, words and operations that mean what the other home has:
        other = {"ids": ["turn:3"], "data": str(house.root / "bob"), "key2": house.key("bob")}
        assert (await ask("anna", "audit", n=50, **other))["removed"] == []
        assert (await ask("anna", "rebuild"))["ok"]
        await ask.whole("anna")
        assert sorted(await ask.near("anna", "an old bicycle rusts")) == ["turn:1", "turn:2"]
        assert (await ask.near("bob", "an old bicycle rusts"))[0] == "turn:1"
        # What was read for one is read again for the other: no answer is quicker because somebody else has asked.
        house.encoder.asked.clear()
        for name in ("bob", "anna", "anna"):
            await ask(name, "embed", texts=["words of mine"])
        assert house.encoder.asked == ["words of mine"] * 2

    house.run(live)


def test_only_who_brings_the_key_of_a_home_is_answered_and_nobody_learns_which_there_are(house: House) -> None:
    house.home("anna", "rain falls")
    bob = house.home("bob", "snow falls")
    (house.root / ".host" / "run").mkdir()
    (house.root / ".host" / "run" / KEY).write_text("0" * 64)
    key = house.key("anna")

    async def live(ask: Asked) -> None:
        refused = {"ok": False, "error": REFUSED}
        names = [
            "bob",
            "../anna",
            "anna/../bob",
            "anna/",
            ".host",
            "..",
            "",
            "ANNA",
            "ånna",
            "аnna",
            "anna\0",
            "a" * 9999,
        ]
        for name in [*names, "nobody", None, 7, ["anna"], {"anna": 1}]:
            assert await ask.homes.answer({"op": "status", "home": name, "key": key}) == refused, name
        for wrong in ["", key[:-1], key + "0", "é" * 64, None, 7, [key], "f" * 64, house.key("bob")]:
            assert await ask.homes.answer({"op": "status", "home": "anna", "key": wrong}) == refused, wrong
        assert await ask.homes.answer({"op": "status", "home": "anna"}) == refused
        assert not (await ask.homes.answer(["status"]))["ok"]
        (bob / "run" / KEY).unlink()
        (bob / "run" / KEY).symlink_to(house.root / "anna" / "run" / KEY)
        assert await ask.homes.answer({"op": "status", "home": "bob", "key": key}) == refused
        assert ask.opened() == []
        assert (await ask("anna", "status"))["ok"]

    house.run(live)


def test_a_home_whose_database_is_a_link_into_another_is_not_opened(house: House) -> None:
    anna = house.home("anna", "rain falls")
    bob = house.home("bob", "snow falls")
    (bob / "memory" / "longmemory.sqlite").unlink()
    (bob / "memory" / "longmemory.sqlite").symlink_to(anna / "memory" / "longmemory.sqlite")

    async def live(ask: Asked) -> None:
        answer = await ask("bob", "query", text="rain")
        assert not answer["ok"] and "another home" in answer["error"]
        assert ask.opened() == []

    house.run(live)


def test_those_asked_longest_ago_are_closed_for_others_and_answer_again_when_asked(house: House) -> None:
    for name in ("anna", "bob", "cleo"):
        house.home(name, f"{name} sings", "rain falls")

    async def live(ask: Asked) -> None:
        for name in ("anna", "bob"):
            await ask.whole(name)
        assert await ask.near("anna", "anna sings") == ["turn:1", "turn:2"]
        await ask.rest()
        await ask("cleo", "status")
        await ask.until(["anna", "cleo"])
        house.say("bob", "bob whistles")
        await ask.rest()
        assert (await ask.near("bob", "bob sings"))[0] == "turn:1"
        await ask.whole("bob")
        assert (await ask.near("bob", "whistles"))[0] == "turn:3"
        await ask.until(["bob", "cleo"])

    house.run(live, most_open=2)


def test_who_is_not_asked_is_closed_and_a_home_that_is_let_go_of_is_free_at_once(house: House) -> None:
    house.home("anna", "rain falls")
    house.home("bob", "snow falls")

    async def live(ask: Asked) -> None:
        await ask.whole("anna")
        assert await ask("anna", "stop") == {"ok": True}
        assert ask.opened() == []
        assert await ask("anna", "stop") == {"ok": True}
        await ask("bob", "status")
        await ask.until([])

    house.run(live, idle_seconds=0.2)


def test_a_damaged_or_hanging_home_and_one_that_is_held_are_their_own_trouble(house: House) -> None:
    for name in ("anna", "bob", "cleo", "dora"):
        house.home(name, "rain falls")
    (house.root / "bob" / "memory" / "longmemory.sqlite").write_bytes(b"no database" * 1000)
    lease = hold(house.root / "dora" / "run" / "chroma.lock")

    async def live(ask: Asked) -> None:
        await ask.whole("anna")
        hanging = [asyncio.create_task(ask("cleo", "embed", texts=[f"hang {n}"])) for n in range(8)]
        broken = await ask("bob", "query", text="rain")
        assert not broken["ok"] and "damaged" in broken["error"]
        assert "a memoryd of its own" in (await ask("dora", "status"))["error"]
        assert await ask.near("anna", "rain") == ["turn:1"]
        house.encoder.go_on.set()
        assert all(answer["ok"] for answer in await asyncio.gather(*hanging))

    house.run(live)
    assert lease is not None


def test_a_large_import_in_one_home_leaves_turns_to_the_others(house: House) -> None:
    house.home("anna", *(f"page {n}" for n in range(1500)))
    house.home("bob", "snow falls")

    async def live(ask: Asked) -> None:
        await ask("anna", "nudge")
        await ask.whole("bob")
        status = await ask("anna", "status")
        assert status["pending"] > 0, "bob's row came before the import was through"
        await ask.whole("anna")

    house.run(live)


def test_a_home_closed_in_the_middle_of_an_import_is_opened_again_for_the_rest(house: House) -> None:
    for name in ("anna", "bob", "cleo"):
        house.home(name, *(f"{name} {n}" for n in range(100)))

    async def live(ask: Asked) -> None:
        for name in ("anna", "bob", "cleo"):
            await ask(name, "nudge")
        for name in ("anna", "bob", "cleo"):
            database = Database(house.root / name / "memory" / "longmemory.sqlite")
            while True:
                with database.read() as db:
                    if not db.execute("SELECT count(*) FROM turns WHERE index_state='pending'").fetchone()[0]:
                        break
                await asyncio.sleep(0.01)
            database.close()

    house.run(live, most_open=1)


def test_a_home_that_is_carried_away_fills_an_index_of_its_own(house: House, tmp_path: Path) -> None:
    data = house.home("anna", "rain falls", "snow falls")
    (data / "memory" / "chroma").mkdir()

    async def live(ask: Asked) -> None:
        await ask.whole("anna")

    house.run(live)
    assert not (data / "memory" / "chroma").exists()
    alone = Memoryd(data.rename(tmp_path / "alone"))
    alone.keep()
    assert isinstance(alone.service, Service) and alone.service.index.state == "ready"
    assert alone.near("snow falls") == ["turn:2", "turn:1"]
    alone.service.close()


def test_what_is_held_is_replaced_taken_out_and_bounded(memoryd: Memoryd, monkeypatch: pytest.MonkeyPatch) -> None:
    rain, snow, hail = memoryd.say("rain falls", "snow falls", "hail falls")
    memoryd.keep()
    index, rng, model = held_index.HeldIndex(memoryd.database), random.Random(1), memoryd.encoder.id
    vector, *more = memoryd.encoder.encode(["rain falls", "rain falls", "rain falls"])

    def near() -> list[str] | None:
        found = index.nearest("turn", vector, 5)
        return None if found is None else [name for name, _ in found]

    assert near() is None
    assert index.ensure(model, rng, lambda: True)
    index.delete("turn", [rain, 999])
    assert near() == [f"turn:{snow}", f"turn:{hail}"]
    assert index.missed(model, 10, rng) == (3, [f"turn:{rain}"])
    assert index.upsert("turn", [rain, 77], np.array(more))
    assert near() == [f"turn:{rain}", f"turn:{snow}", f"turn:{hail}"]
    assert index.without_row(rng) == ["turn:77"]
    assert index.held_bytes == 3 * (8 + 64 * 4)
    monkeypatch.setattr(held_index, "MOST_HELD", 2)
    index.discard()
    assert near() is None
    assert index.ensure(model, rng, lambda: True)
    assert near() == [f"turn:{snow}", f"turn:{hail}"]
