"""The memoryd of all homes with its encoder on another machine: asked by each for its own, and made up for in each."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from furoshiki.core.database.connection import Database
from furoshiki.core.paths import HOST
from furoshiki.host import homes
from furoshiki.messages.store import turns
from furoshiki.recall.retrieval.client import Vectors, VectorsAway
from tests.support.encoder_server import EncoderServer, server
from tests.support.memoryd_process import Shared, eventually, models, waiting
from tests.support.rows import user_said

__all__ = ["models", "server"]

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 24, 15, tzinfo=UTC)


def test_homes_of_a_host_share_the_way_and_nothing_else(root: Path, server: EncoderServer) -> None:
    databases = {}
    token = server.token("the-host")
    server.start()
    for name, words in (("anna", "the accordion of my sister"), ("bob", "an old bicycle rusts")):
        databases[name] = Database(homes.add(root, name, NOW).data / "memory" / "longmemory.sqlite")
        with databases[name].write() as db:
            turns.add(db, user_said(words))
    settings = server.settings(token)
    (root / HOST / ".env").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    shared = Shared(root)
    try:
        anna, bob = shared.of("anna"), shared.of("bob")
        assert found(anna, "music") == found(bob, "something with wheels") == "turn:1"
        server.kill()
        for name, one in (("anna", anna), ("bob", bob)):
            with databases[name].write() as db:
                turns.add(db, user_said(f"{name} likes rain"))
            one.nudge()
            with pytest.raises(VectorsAway):
                one.query("weather", seconds=5)
        server.start()
        for name, one in (("anna", anna), ("bob", bob)):
            eventually(lambda name=name: waiting(databases[name]), lambda left: left == 0)  # type: ignore[misc]
            assert found(one, "rain") == "turn:2"
        log = (root / HOST / "logs" / "memoryd.log").read_text()
        assert token not in log and "rain" not in log
    finally:
        for process in shared.processes:
            process.kill()
            process.wait(10)


def found(one: Vectors, words: str) -> str:
    one.nudge(at_once=True)
    return eventually(lambda: one.query(words, k=1, seconds=5), bool)[0][0]
