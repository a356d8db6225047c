"""memoryd with its encoder on another machine: a real server in a process of its own, TLS, a self-made certificate."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import numpy as np
import pytest

from furoshiki.core.database import troubles
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import BadSetting
from furoshiki.recall.embeddings import models as encoders
from furoshiki.recall.embeddings.encoder import EncoderAway
from furoshiki.recall.embeddings.remote import wire
from furoshiki.recall.embeddings.remote.link import Link, RemoteEncoder
from furoshiki.recall.embeddings.remote.server import CONNECTIONS
from furoshiki.recall.retrieval.client import Vectors, VectorsAway
from tests.support.encoder_server import EncoderServer, server
from tests.support.files import contents
from tests.support.memoryd_process import Home, eventually, waiting, whole

__all__ = ["server"]

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)


@pytest.fixture(scope="module")
def token(server: EncoderServer) -> str:
    return server.token("attic-pi")


@pytest.fixture
def running(server: EncoderServer) -> Iterator[EncoderServer]:
    if server.process is None or server.process.poll() is not None:
        server.start()
    return server


def away(address: str, token: str, certificate: Path) -> str:
    """Why an encoder cannot be asked, in words."""
    with pytest.raises(EncoderAway) as found:
        RemoteEncoder(Link(address, token, certificate), patience=20.0)
    return str(found.value)


def made_by(database: Database) -> set[str | None]:
    """The encoders whose vectors the turns have."""
    with database.read() as db:
        return {row[0] for row in db.execute("SELECT DISTINCT embed_model FROM turns")}


def standing(database: Database) -> list[str]:
    with database.read() as db:
        return [one.words for one in troubles.read_all(db) if one.what == troubles.ENCODER]


def test_vectors_are_those_made_here_and_nothing_is_kept_of_the_words(running: EncoderServer, token: str) -> None:
    here = encoders.load("minilm-int8", running.data / "models")
    there = RemoteEncoder(Link(running.url, token, running.certificate), patience=20.0)
    texts = ["Zephyrine plays the accordion", "", "naïve 🙂 \udce4 " + "rain and wind " * 3000]
    assert (there.id, there.dimensions) == (here.id, here.dimensions)
    assert np.array_equal(there.encode(texts), here.encode(texts))
    for text, made in zip(texts, there.encode_many(texts), strict=True):
        pooled, tokens = here.encode_tokens(text)
        assert made is not None and np.array_equal(made[0], pooled) and np.array_equal(made[1], tokens)
        assert np.array_equal(there.encode_tokens(text)[1], tokens) and there.pieces(text) == here.pieces(text)
    kept = contents(running.data)
    assert not [path for path, held in kept if b"ephyrin" in held or token.encode() in held]
    assert running.process is not None
    assert token not in Path(f"/proc/{running.process.pid}/cmdline").read_text()


def test_what_is_wrong_is_said_in_a_sentence(running: EncoderServer, token: str, tmp_path: Path) -> None:
    said = away(running.url, token[:-1] + "~", running.certificate)
    assert "does not know the token: `furoshiki encoder token NAME`" in said and token[:-1] not in said
    other = running.certify(tmp_path / "other")
    assert "nothing here vouches for" in away(running.url, token, other)
    assert "certificate for another name" in away(
        running.url.replace("localhost", "127.0.0.1"), token, running.certificate
    )
    assert "cannot be reached (" in away("https://localhost:1", token, running.certificate)
    assert "does not speak TLS as it should" in away(something_else(), token, other)
    assert "is something else than Furoshiki's encoder" in away(something_else(other), token, other)
    expired = running.certify(tmp_path / "expired", expired=True)
    assert "has a certificate that has expired" in away(something_else(expired), token, expired)
    with pytest.raises(BadSetting, match="cannot be read as certificates"):
        Link(running.url, token, tmp_path / "none.pem")

    withdrawn = running.token("old-laptop")
    running.command("withdraw", "old-laptop")
    assert "does not know the token" in away(running.url, withdrawn, running.certificate)


def something_else(certificate: Path | None = None) -> str:
    """The address of what is no encoder: it greets, with a certificate or without TLS."""
    ready = threading.Event()
    port: list[int] = []
    context = None if certificate is None else ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    if context is not None and certificate is not None:
        context.load_cert_chain(certificate, certificate.with_name("key.pem"))

    async def greets(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
        await writer.drain()
        await reader.read(1)
        writer.close()

    async def serving() -> None:
        at = await asyncio.start_server(greets, "127.0.0.1", 0, ssl=context)
        port.append(at.sockets[0].getsockname()[1])
        ready.set()
        await asyncio.sleep(60)

    threading.Thread(target=lambda: asyncio.run(serving()), daemon=True).start()
    assert ready.wait(10)
    return f"https://localhost:{port[0]}"


def test_what_is_too_much_or_no_request_is_refused(running: EncoderServer, token: str) -> None:
    context = ssl.create_default_context(cafile=str(running.certificate))
    mine = {"authorization": f"Bearer {token}", wire.VERSION: wire.PROTOCOL}
    with httpx2.Client(verify=context, base_url=running.url, headers=mine, trust_env=False, timeout=20) as web:

        def asked(body: object, **headers: str) -> int:
            return web.post(wire.ENCODE, json=body, headers=headers).status_code

        good = {"texts": ["tea"], "tokens": False, "model": None}
        assert asked(good) == 200
        assert asked(good | {"texts": ["tea"] * (wire.MOST_TEXTS + 1)}) == 413
        assert asked(good | {"texts": ["t" * 20_000]}) == asked({"texts": "tea"}) == asked([]) == 400
        assert asked(good | {"model": "another.1"}) == 409
        assert asked(good, **{wire.VERSION: "0"}) == 426
        assert asked(good, authorization="Bearer x") == asked(good, authorization="Basic eA==") == 401
        assert web.get("/").status_code == 404
        try:
            status = web.post(wire.ENCODE, content=b"x" * (wire.MOST_REQUEST + 1)).status_code
        except httpx2.HTTPError:  # it may close before all of it is sent
            status = 413
        assert status == 413
    refused = running.command("serve", f"0.0.0.0:{running.port}")
    assert refused.returncode == 1  # it has a certificate: the port is what is taken
    (running.folder / "certificate.pem").rename(running.folder / "away.pem")
    refused = running.command("serve", "0.0.0.0:0")
    (running.folder / "away.pem").rename(running.folder / "certificate.pem")
    assert refused.returncode == 1 and "so TLS is needed" in refused.stderr and "openssl req -x509" in refused.stderr


def test_who_holds_every_place_makes_room(running: EncoderServer, token: str) -> None:
    """As many connections as there are, and not a letter on any: who brings a token is answered all the same."""
    context = ssl.create_default_context(cafile=str(running.certificate))
    with contextlib.ExitStack() as held:
        for _ in range(CONNECTIONS + 5):
            bare = held.enter_context(socket.create_connection(("localhost", running.port), 20))
            held.enter_context(context.wrap_socket(bare, server_hostname="localhost"))
        assert RemoteEncoder(Link(running.url, token, running.certificate), patience=20.0)


def doctor_of(data: Path) -> str:
    """What the doctor says of a home; of what it had no time for on a busy machine it says so."""
    looks = [sys.executable, "scripts/doctor.py", "--json", "--data", str(data)]
    return subprocess.run(looks, capture_output=True, text=True, check=False, timeout=60).stdout


def states(server: EncoderServer) -> set[str]:
    """The states of its threads, "T" for a stopped one: a signal takes a moment to reach all of them."""
    assert server.process is not None
    tasks = Path(f"/proc/{server.process.pid}/task").glob("*/stat")
    return {task.read_text().rpartition(")")[2].split()[0] for task in tasks}


def test_away_words_are_found_by_words_and_made_up_for(home: Home, running: EncoderServer, token: str) -> None:
    home.more = running.settings(token) | {"FUROSHIKI_EMBEDDER": "minilm-fp32"}
    home.vectors = Vectors(home.data, home.start_cold)
    first = home.say("my sister lives by the sea")
    home.vectors.nudge(at_once=True)
    eventually(lambda: home.vectors.query("a relative at the coast", k=1, seconds=5), lambda found: found[:1] != [])
    eventually(home.status, whole)
    assert home.vectors.recall("who lives by the sea", now=NOW, seconds=5)[0][0] == f"turn:{first}"
    assert home.status()["model"] == encoders.identity("minilm-int8")
    maps = Path(f"/proc/{home.status()['pid']}/maps").read_text()
    assert "onnxruntime" not in maps and "tokenizers" not in maps

    running.kill()
    home.say("the dentist is in the old mill")
    home.vectors.nudge()
    with pytest.raises(VectorsAway, match=r"cannot be reached|did not answer"):
        home.vectors.query("teeth", seconds=5)
    eventually(lambda: standing(home.database), bool)
    assert "nothing is found by its meaning" in standing(home.database)[0]
    assert waiting(home.database) == 1
    eventually(lambda: doctor_of(home.data), lambda said: "see whether `furoshiki encoder serve` runs there" in said)
    running.start()
    eventually(lambda: waiting(home.database), lambda left: left == 0)
    eventually(lambda: standing(home.database), lambda left: not left)
    assert home.vectors.query("teeth", k=1, seconds=5)[0][0] == "turn:2"

    assert running.process is not None
    running.process.send_signal(signal.SIGSTOP)  # it hangs: one question waits, the next are told at once
    eventually(lambda: states(running), {"T"}.__eq__)
    for _ in range(3):
        with pytest.raises(VectorsAway):
            home.vectors.query("something new", seconds=5)
    running.process.send_signal(signal.SIGCONT)
    eventually(lambda: home.vectors.query("something new", k=1, seconds=5))

    running.kill()  # another encoder stands there: vectors are made again, and never mixed
    running.start("minilm-fp32")
    other = encoders.identity("minilm-fp32")
    home.say("a third thing is said")
    home.vectors.nudge()
    eventually(
        lambda: home.vectors.query("asked of the new one", k=1, seconds=5) and made_by(home.database), {other}.__eq__
    )
    running.kill()
