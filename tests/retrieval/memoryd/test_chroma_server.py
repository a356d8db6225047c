"""FUROSHIKI_CHROMA_URL: the same index on a Chroma server somebody else runs."""

from __future__ import annotations

import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from furoshiki.embeddings.reduction import Reduction
from furoshiki.retrieval.memoryd.chroma import Chroma, IndexBroken
from furoshiki.retrieval.memoryd.service import Service
from tests.retrieval.memoryd.conftest import Memoryd
from tests.support.encoders import WideEncoder

pytestmark = pytest.mark.slow


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(Path(sys.executable).parent / "chroma"), "run", "--path", str(tmp_path / "server"), "--port"]
    with (tmp_path / "server.log").open("wb") as log:
        process = subprocess.Popen([*command, str(port)], stdout=log, stderr=log)
    give_up = time.monotonic() + 60
    while True:
        try:
            Chroma(tmp_path, f"http://127.0.0.1:{port}").close()
            break
        except IndexBroken:
            assert time.monotonic() < give_up
            time.sleep(0.1)
    yield f"http://127.0.0.1:{port}"
    process.kill()
    process.wait(10)


def test_a_server_serves_as_the_index(memoryd: Memoryd, url: str) -> None:
    memoryd.service = Service(
        memoryd.data, memoryd.database, lambda: memoryd.encoder, url, lambda: memoryd.now, random.Random(4)
    )
    ids = memoryd.say("my sister Anika lives in Lisbon", "the radiator is cold", "I bought a red bicycle")
    memoryd.keep()
    answer = memoryd.ask("query", text="where does Anika live", k=1)
    assert (answer["by"], answer["found"][0][0]) == ("index", f"turn:{ids[0]}")
    assert not memoryd.chroma.exists()
    memoryd.ask("delete", ids=[f"turn:{ids[1]}"])
    assert memoryd.ask("audit")["missed"] == [f"turn:{ids[1]}"]
    memoryd.keep()
    assert memoryd.ask("audit")["missed"] == []
    assert memoryd.ask("query", text="radiator", k=1)["by"] == "index"


def test_whole_vectors_on_a_server_make_room_for_those_with_fewer_numbers(
    memoryd: Memoryd, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def served() -> Service:
        return Service(
            memoryd.data, memoryd.database, lambda: memoryd.encoder, url, lambda: memoryd.now, random.Random(4)
        )

    memoryd.encoder = WideEncoder()
    memoryd.service = served()
    with monkeypatch.context() as before:
        before.setattr(Reduction, "of", classmethod(lambda cls, model: cls(model)))  # as earlier versions left it
        memoryd.say("my sister Anika lives in Lisbon", "the radiator is cold", "I bought a red bicycle")
        memoryd.keep()
        assert memoryd.ask("query", text="radiator", k=1)["by"] == "index"
    memoryd.service = served()
    memoryd.keep()
    memoryd.keep()  # the first look found that nothing in it can be asked any more
    assert memoryd.ask("audit")["missed"] == []
    assert memoryd.ask("query", text="radiator", k=1)["by"] == "index"


def test_a_server_that_is_away_leaves_the_scan(memoryd: Memoryd) -> None:
    memoryd.service = Service(
        memoryd.data,
        memoryd.database,
        lambda: memoryd.encoder,
        "http://127.0.0.1:9",
        lambda: memoryd.now,
        random.Random(4),
    )
    [said] = memoryd.say("the radiator is cold")
    with pytest.raises(IndexBroken):
        memoryd.keep()
    answer = memoryd.ask("query", text="radiator", k=1)
    assert (answer["by"], answer["found"][0][0]) == ("scan", f"turn:{said}")
