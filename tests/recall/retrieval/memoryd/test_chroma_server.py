"""FUROSHIKI_CHROMA_URL: the index on a Chroma server that somebody else runs, and what happens while it is away."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import httpx2
import numpy as np
import pytest

from furoshiki.core.database import troubles
from furoshiki.recall.retrieval.memoryd import tenants
from furoshiki.recall.retrieval.memoryd.chroma_server import ChromaServer, ServerAway
from furoshiki.recall.retrieval.memoryd.served_index import ServedIndex
from furoshiki.recall.retrieval.memoryd.service import Service
from tests.recall.retrieval.memoryd.conftest import Memoryd
from tests.support.chroma_server import Way, databases
from tests.support.encoders import WideEncoder

pytestmark = pytest.mark.slow


@pytest.fixture
def served(memoryd: Memoryd, way: Way) -> Callable[[], Service]:
    """The next process of a companion whose index is on the server; one that was away is asked again at once."""

    def begin(token: str | None = None) -> Service:
        server = ChromaServer(way.url, token, rest_seconds=0.0, answer_seconds=2.0)  # however busy the machine is
        index = ServedIndex(memoryd.database, memoryd.data, server, lambda: memoryd.now)
        memoryd.service.index.close()
        memoryd.service = Service(
            memoryd.data, memoryd.database, lambda: memoryd.encoder, lambda: memoryd.now, random.Random(4), index
        )
        return memoryd.service

    begin()
    return begin


def place(memoryd: Memoryd) -> tenants.Place:
    found = tenants.find_place(memoryd.data)
    assert found is not None
    return found


def by(memoryd: Memoryd, text: str) -> tuple[str, str]:
    """How something was looked for, and what was nearest."""
    answer = memoryd.ask("query", text=text, k=1)
    return answer["by"], answer["found"][0][0]


def test_a_server_serves_as_the_index(memoryd: Memoryd, served: Callable[[], Service]) -> None:
    ids = memoryd.say("my sister Anika lives in Lisbon", "the radiator is cold", "I bought a red bicycle")
    memoryd.keep()
    assert by(memoryd, "where does Anika live") == ("index", f"turn:{ids[0]}")
    assert memoryd.states() == {"indexed"}
    assert not memoryd.chroma.exists()
    memoryd.service.index.delete("turn", [ids[1]])
    assert memoryd.ask("audit")["missed"] == [f"turn:{ids[1]}"]
    memoryd.keep()
    assert memoryd.ask("audit")["missed"] == []
    assert by(memoryd, "radiator") == ("index", f"turn:{ids[1]}")


def test_rows_of_which_nobody_knows_any_more_leave_the_server(memoryd: Memoryd, served: Callable[[], Service]) -> None:
    [gone, _] = memoryd.say("the radiator is cold", "I bought a red bicycle")
    memoryd.keep()
    with memoryd.database.write() as db:
        db.execute("DELETE FROM turns WHERE id=?", (gone,))
    assert memoryd.near("radiator") != [f"turn:{gone}"]
    assert memoryd.ask("audit")["removed"] == [f"turn:{gone}"]


@pytest.mark.parametrize("how", ["cut", "hangs"])
def test_while_it_is_away_the_database_answers_and_afterwards_it_catches_up(
    memoryd: Memoryd, served: Callable[[], Service], way: Way, how: str
) -> None:
    [before] = memoryd.say("my sister Anika lives in Lisbon")
    memoryd.keep()
    way.becomes(how)  # type: ignore[arg-type]
    assert by(memoryd, "where does Anika live") == ("scan", f"turn:{before}")
    [meanwhile] = memoryd.say("the radiator is cold")
    if how == "cut":
        memoryd.keep()
        assert memoryd.states() == {"indexed", "embedded"}
        with memoryd.database.read() as db:
            assert way.url in troubles.read_all(db)[0].words
    asked = way.asked
    assert by(memoryd, "radiator")[0] == "scan"  # without trying the server once more
    assert way.asked == asked
    way.becomes("open")
    memoryd.keep()
    assert memoryd.states() == {"indexed"}
    assert by(memoryd, "radiator") == ("index", f"turn:{meanwhile}")
    with memoryd.database.read() as db:
        assert troubles.read_all(db) == []


def test_what_it_lost_is_marked_and_put_in_again(
    memoryd: Memoryd, served: Callable[[], Service], chroma_server: str, way: Way
) -> None:
    [said] = memoryd.say("the radiator is cold")
    memoryd.keep()
    there = place(memoryd)
    for name in databases(chroma_server, there.tenant):
        httpx2.delete(f"{chroma_server}/api/v2/tenants/{there.tenant}/databases/{name}", trust_env=False)
    assert by(memoryd, "radiator") == ("scan", f"turn:{said}")
    way.becomes("cut")
    memoryd.keep()
    assert memoryd.states() == {"indexed"}  # nobody knows better yet
    way.becomes("open")
    memoryd.keep()
    assert by(memoryd, "radiator") == ("index", f"turn:{said}")
    assert databases(chroma_server, there.tenant) == [there.database]


def test_another_encoder_begins_an_index_of_its_own(
    memoryd: Memoryd, served: Callable[[], Service], chroma_server: str
) -> None:
    memoryd.say("my sister Anika lives in Lisbon", "the radiator is cold", "I bought a red bicycle")
    memoryd.keep()
    before = place(memoryd)
    memoryd.encoder = WideEncoder()
    served()
    memoryd.keep()
    assert by(memoryd, "radiator")[0] == "index"
    assert memoryd.ask("audit")["missed"] == []
    after = place(memoryd)
    assert after.tenant == before.tenant
    assert after.secret != before.secret
    assert databases(chroma_server, before.tenant) == [after.database]


def test_a_rebuilt_index_is_turned_otherwise_and_the_old_one_leaves_the_server(
    memoryd: Memoryd, served: Callable[[], Service], chroma_server: str, way: Way
) -> None:
    memoryd.say("my sister Anika lives in Lisbon", "the radiator is cold")
    memoryd.keep()
    before = place(memoryd)
    way.becomes("cut")
    memoryd.ask("rebuild")
    assert place(memoryd).secret != before.secret
    served()  # and the next memoryd still owes it to the server
    memoryd.service.keeper.keep()
    assert databases(chroma_server, before.tenant) == [before.database]
    way.becomes("open")
    memoryd.service.keeper.keep()
    assert databases(chroma_server, before.tenant) == [place(memoryd).database]


def test_the_server_gets_no_words_and_no_vector_as_it_was_made(
    memoryd: Memoryd, served: Callable[[], Service], chroma_server: str
) -> None:
    memoryd.say("my sister Anika lives in Lisbon")
    memoryd.keep()
    there = place(memoryd)
    base = f"{chroma_server}/api/v2/tenants/{there.tenant}/databases/{there.database}/collections"
    [turns] = [one for one in httpx2.get(base, trust_env=False).json() if one["name"] == "turns"]
    asked = {"include": ["embeddings", "documents", "metadatas"]}
    got = httpx2.post(f"{base}/{turns['id']}/get", json=asked, trust_env=False)
    assert "Anika" not in got.text
    sent = np.array(got.json()["embeddings"][0])
    made = memoryd.encoder.encode(["my sister Anika lives in Lisbon"])[0]
    assert abs(float(sent @ made) / float(np.linalg.norm(sent) * np.linalg.norm(made))) < 0.9
    turned = there.turned(len(made))
    assert np.allclose(turned @ turned.T, np.eye(len(made)), atol=1e-5)


def test_a_token_is_brought_and_a_wrong_one_is_named(
    memoryd: Memoryd, served: Callable[[str | None], Service], way: Way
) -> None:
    way.token = "Bearer sesame-0815"
    memoryd.say("the radiator is cold")
    memoryd.keep()
    with memoryd.database.read() as db:
        assert "FUROSHIKI_CHROMA_TOKEN" in troubles.read_all(db)[0].words
    served("sesame-0815")
    memoryd.keep()
    assert by(memoryd, "radiator")[0] == "index"


@pytest.mark.parametrize("answer", ["garbage", "other"])
def test_what_is_no_chroma_server_is_named(tmp_path: Path, answer: str) -> None:
    import http.server
    import threading

    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if answer == "garbage" else 404)
            self.end_headers()
            self.wfile.write(b"<html>welcome</html>")

        def log_message(self, *_: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        server = ChromaServer(f"http://me:pa%40ss@127.0.0.1:{other.server_port}")
        with pytest.raises(ServerAway, match="check FUROSHIKI_CHROMA_URL") as met:
            server.ask("GET", "/heartbeat")
        assert "pa@ss" not in str(met.value)
        assert "pa%40ss" not in str(met.value)
        other.shutdown()


def test_a_copied_data_directory_gets_a_tenant_of_its_own(memoryd: Memoryd, served: Callable[[], Service]) -> None:
    memoryd.say("the radiator is cold")
    memoryd.keep()
    kept = json.loads((memoryd.data / "run" / tenants.FILE).read_text())
    copy = memoryd.data / "copy"
    (copy / "run").mkdir(parents=True)
    (copy / "run" / tenants.FILE).write_text(json.dumps(kept))
    assert tenants.find_place(copy) is None
    assert tenants.of(copy, kept["made_with"]).tenant != kept["tenant"]
