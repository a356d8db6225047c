"""`furoshiki wanderings`: what came to mind and what became of it can be read, by people and by machines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from furoshiki.conversation.wandering.store import wanderings
from furoshiki.conversation.wandering.values import Active, Wandering
from furoshiki.core.database.connection import Database
from furoshiki.memory.store import concepts, gists
from tests.support.shell import Command


def test_what_its_mind_wandered_to(command: Command, data: Path) -> None:
    database = Database(data / "memory" / "longmemory.sqlite")
    assert command("wanderings").out == "Its mind has not wandered yet.\n"
    at = datetime.now(UTC) - timedelta(hours=2)
    with database.write() as db:
        db.execute(
            "INSERT INTO sessions (session_id, started_at, ended_at, topics, document) VALUES ('s', '', '', '[]', '')"
        )
        sea, boat = concepts.of_session(db, 1, ["sea", "boat"], at)
        came = Wandering("decaying", sea, (Active(boat, "boat", 0.44),), 0.44, "REFLECT", {}, "entry:1", "sea", at)
        gist = gists.add(db, gists.Gist("drift", "reflection", "I have no sea.", at))
        wanderings.add(db, Wandering(**{**came.__dict__, "gist": gist}))
        wanderings.add(db, Wandering("random", boat, (), 0.0, "NOTHING", {}, None, "it brought nothing along", at))
    told = command("wanderings").out
    assert "sea (decaying), then boat" in told and "I have no sea." in told and "went into the journal" in told
    assert "it brought nothing along" in told
    newest, first = command("wanderings", "--json").json
    assert (newest["outcome"], first["thought"], first["brought"]) == (None, "I have no sea.", ["boat"])
    assert len(command("wanderings", "--last", "1", "--json").json) == 1
