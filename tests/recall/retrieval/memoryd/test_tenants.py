"""The homes of a host on one Chroma server: each has its own there and reaches nothing else; nobody waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

from furoshiki.core.database.connection import Database
from furoshiki.recall.retrieval.memoryd import tenants
from furoshiki.recall.retrieval.memoryd.chroma_server import ChromaServer
from furoshiki.recall.retrieval.memoryd.homes import REFUSED
from tests.support.chroma_server import Way
from tests.support.shared_memoryd import Asked, House

pytestmark = pytest.mark.slow


@pytest.fixture
def house(tmp_path: Path, migrated: Callable[[Path], Path], way: Way) -> House:
    made = House(tmp_path / "homes", migrated)
    made.chroma = ChromaServer(way.url, rest_seconds=0.0)
    return made


def place(house: House, name: str) -> tenants.Place:
    found = tenants.find_place(house.root / name)
    assert found is not None
    return found


def states(house: House, name: str) -> set[str]:
    database = Database(house.root / name / "memory" / "longmemory.sqlite")
    with database.read() as db:
        found = {row[0] for row in db.execute("SELECT DISTINCT index_state FROM turns")}
    database.close()
    return found


def test_the_same_ids_and_words_are_in_both_and_each_only_ever_gets_its_own(house: House) -> None:
    house.home("anna", "the lighthouse keeper paints", "rain falls", "'; DROP TABLE tenants --", "../../tenants/{}")
    house.home("bob", "an old bicycle rusts", "snow falls", "my secret is the lighthouse", '{"$ne": ""}', "turn:1")

    async def live(ask: Asked) -> None:
        await ask.whole("anna")
        await ask.whole("bob")
        assert place(house, "anna").tenant != place(house, "bob").tenant
        assert (await ask.near("anna", "lighthouse"))[0] == "turn:1"
        assert (await ask.near("bob", "lighthouse"))[0] == "turn:3"
        assert max(await ask.near("anna", "my secret is the lighthouse")) <= "turn:4"
        assert (await ask.near("bob", '{"$ne": ""}'))[0] == "turn:4"
        # Ids, filters, places and keys that mean what the other home has:
        bobs = {"ids": ["turn:5"], "where": {"$ne": ""}, "tenant": place(house, "bob").tenant, "home2": "bob"}
        assert (await ask("anna", "audit", n=50, **bobs))["removed"] == []
        wrong = await ask.homes.answer({"home": "bob", "key": house.key("anna"), "op": "query", "text": "secret"})
        assert wrong == {"ok": False, "error": REFUSED}
        assert (await ask("anna", "rebuild"))["ok"]
        await ask.whole("anna")
        for name in ("anna", "bob"):
            assert (await ask(name, "audit", n=50))["missed"] == []
        assert (await ask.near("bob", "turn:1"))[0] == "turn:5"

    house.run(live)


def test_what_a_server_says_of_other_rows_is_not_believed(house: House, chroma_server: str) -> None:
    house.home("anna", "the lighthouse keeper paints")

    async def live(ask: Asked) -> None:
        await ask.whole("anna")
        there = place(house, "anna")
        base = f"{chroma_server}/api/v2/tenants/{there.tenant}/databases/{there.database}/collections"
        [turns] = [one["id"] for one in httpx2.get(base, trust_env=False).json() if one["name"] == "turns"]
        said = house.encoder.encode(["the lighthouse keeper paints"])
        vector = (said @ there.turned(said.shape[1]))[0].tolist()
        names = ["turn:77", "memory:1", "turn:" + "9" * 5000, "nonsense", "turn:-3", "../bob"]
        rows = {"ids": names, "embeddings": [vector] * len(names)}
        assert httpx2.post(f"{base}/{turns}/upsert", json=rows, trust_env=False).status_code == 200
        assert await ask.near("anna", "lighthouse") == ["turn:1"]
        removed = (await ask("anna", "audit"))["removed"]
        left = httpx2.post(f"{base}/{turns}/get", json={"ids": ["turn:77", "turn:1"]}, trust_env=False).json()["ids"]
        assert left == ["turn:1"] and set(removed) <= {"turn:77"}, "an audit of its own may have come before"

    house.run(live)


@pytest.mark.parametrize("how", ["cut", "hangs"])
def test_a_server_that_is_away_holds_up_nobody_and_all_catch_up(house: House, way: Way, how: str) -> None:
    names = ("anna", "bob", "cleo")
    for name in names:
        house.home(name, f"{name} sings", "rain falls")

    async def live(ask: Asked) -> None:
        for name in names:
            await ask.whole(name)
        way.becomes(how)  # type: ignore[arg-type]
        for name in names:
            assert (await ask(name, "query", text=f"{name} sings"))["by"] == "scan"
        asked = way.asked
        assert all([(await ask(name, "query", text="rain"))["by"] == "scan" for name in names])
        house.say("bob", "bob whistles")
        await ask("bob", "nudge")
        way.becomes("open")
        for name in names:  # each question has it looked after again, which else is done once a minute
            while (await ask(name, "query", text=f"{name} sings"))["by"] != "index":
                await asyncio.sleep(0.01)
        await ask.whole("bob")
        assert (await ask.near("bob", "whistles"))[0] == "turn:3"
        assert asked <= 12, "one home found out for all"

    house.run(live)
    assert all(states(house, name) == {"indexed"} for name in names)
