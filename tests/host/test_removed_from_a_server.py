"""Homes whose vectors lie on a Chroma server: what is left there when one goes, and who says which server it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from furoshiki.core import settings
from furoshiki.core.paths import environ
from furoshiki.recall.retrieval.memoryd import tenants
from furoshiki.recall.retrieval.memoryd.chroma_server import ChromaServer, sweep
from tests.support.chroma_server import Way, databases
from tests.support.shared_memoryd import Asked, House
from tests.support.shell import Command


@pytest.fixture
def house(root: Path, migrated: Callable[[Path], Path]) -> House:
    return House(root, migrated)


@pytest.mark.slow
def test_a_home_called_as_a_removed_one_was_starts_with_nothing(
    house: House, way: Way, chroma_server: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUROSHIKI_CHROMA_URL", way.url)
    house.chroma = ChromaServer(way.url, rest_seconds=0.0)
    house.home("anna", "the lighthouse keeper paints")
    house.home("bob", "snow falls")

    async def live(ask: Asked) -> None:
        for name in ("anna", "bob"):
            await ask.whole(name)

    house.run(live)
    first, other = tenants.find_place(house.root / "anna"), tenants.find_place(house.root / "bob")
    assert first is not None and other is not None
    removed = command("host", "remove", "anna", "--yes")
    assert removed.status == 0, removed.err
    assert "deleted from the Chroma server" in removed.out + removed.err
    assert databases(chroma_server, first.tenant) == []
    assert databases(chroma_server, other.tenant) == [other.database]
    way.becomes("cut")
    assert "when it answers" in (gone := command("host", "remove", "bob", "--yes")).out + gone.err
    assert tenants.list_leftovers(house.root / ".host") == [other.tenant]
    way.becomes("open")
    assert sweep(house.chroma, house.root / ".host") == 1
    assert databases(chroma_server, other.tenant) == []
    house.home("anna", "rain falls")
    house.run(lambda ask: ask.whole("anna"))
    now = tenants.find_place(house.root / "anna")
    assert now is not None and now.tenant != first.tenant


def test_which_server_it_is_the_host_says_and_no_home(house: House) -> None:
    anna = house.home("anna", "rain falls")
    (anna / ".env").write_text("FUROSHIKI_CHROMA_URL=http://127.0.0.1:9\n")
    mine = {**environ(), "FUROSHIKI_DATA": str(anna)}
    assert settings.load(mine).furoshiki_chroma_url is None
    (house.root / ".host" / ".env").write_text("FUROSHIKI_CHROMA_URL=http://127.0.0.1:8\n")
    assert settings.load(mine).furoshiki_chroma_url == "http://127.0.0.1:8"
