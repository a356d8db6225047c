"""What the API says of itself is what it does: resources are there, answers fit, every write needs an admin."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from furoshiki.dashboard.openapi import ERRORS, TAGS
from furoshiki.inner_life.self_model import description
from furoshiki.routing.rules.changes import Move, Pressure
from furoshiki.routing.store import changes
from furoshiki.scheduler.store import runs
from tests.support import extensions
from tests.support.commands import learned, said
from tests.support.dashboard import House, Signed
from tests.support.routing import healthy

CHAPTER = {
    *("status", "emotions", "needs", "mind-queue", "tasks", "memories", "sessions", "schedules", "runs", "costs"),
    *("routing", "plugins", "proposals", "repairs", "operator-settings", "events"),
}
QUERIES = {"/api/v1/memories/search": {"q": "tea"}}
STREAMS = {"/api/v1/events", "/api/v1/messages/{envelope_id}/events", "/metrics"}
"""Answered as they come, or as text."""

EMPTY = {
    f"/api/v1/{name}"
    for name in (
        "commitments",
        "journal",
        "logs",
        "mind-queue",
        "outreach-decisions",
        "questions",
        "tasks",
        "tasks/long",
    )
}
"""Of these there is nothing in the world of this test; rows of theirs are read beside it."""


def described(house: House) -> dict[str, Any]:
    found: dict[str, Any] = house.client.get("/api/v1/openapi.json").json()
    return found


def lived_in(house: House, folder: Path) -> dict[str, str]:
    """A world in which there is something of most; what stands in the addresses for it."""
    world = house.world
    extensions.installed(world, folder)
    extensions.ran(world, 2)
    repair = extensions.broke(world)
    extensions.wrote(world)
    extensions.reconsidered(world, description.text(world))
    memory = learned(world, "Noor drinks tea.", said(world, "I drink tea"))
    with world.database.write() as db:
        healthy(db, world.now)
        changes.add(db, Move("margin_base", 0.2, 0.18, Pressure("tie_break", 0.28, 0.08)), world.now - timedelta(1))
        run = runs.begin(db, "backup", world.now)
        runs.finish(db, run, world.now, 0, summary="done")
    return {"memory_id": str(memory), "job_id": str(repair), "proposal_id": f"repair-{repair}", "decision_id": "1"}


def test_every_answer_is_what_its_schema_says(house: House, tmp_path: Path) -> None:
    found = described(house)
    names, empty = lived_in(house, tmp_path / "source"), set()
    for path in sorted(path for path in found["paths"].keys() - STREAMS if "get" in found["paths"][path]):
        listed = house.client.get(path.partition("/{")[0], params=QUERIES.get(path)).json()
        lists = [listed] if isinstance(listed, list) else [one for one in listed.values() if isinstance(one, list)]
        first = lists[0][0] if lists and lists[0] and isinstance(lists[0][0], dict) else {}
        here = {**names, "session_id": str(first.get("id")), "name": str(first.get("name"))}
        here |= {"name": "dice"} if "/plugins/" in path else {}
        answer = house.client.get(path.format(**here), params=QUERIES.get(path))
        assert answer.status_code == 200, (path, here, answer.text)
        told = answer.json()
        schema = found["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema.validate(told, {**schema, "components": found["components"]})
        if not (told.get("items", True) if isinstance(told, dict) else told):
            empty.add(path)
    assert empty == EMPTY


def test_every_list_is_items_and_next(house: House) -> None:
    found, lists = described(house), 0
    for path in sorted(path for path in found["paths"].keys() - STREAMS if "get" in found["paths"][path]):
        asked = found["paths"][path]["get"]
        schema = asked["responses"]["200"]["content"]["application/json"]["schema"]
        assert "$ref" in schema, (path, "is no list by itself, so that more can be said of it")
        fields = found["components"]["schemas"][schema["$ref"].rpartition("/")[2]]["properties"]
        paged = any(one["name"] == "cursor" for one in asked.get("parameters", ()))
        if paged or "items" in fields:
            lists += 1
            assert {"items", "next"} <= fields.keys() and fields["items"]["type"] == "array", path
            assert fields["next"]["anyOf"] == [{"type": "string"}, {"type": "null"}], path
        assert "next_cursor" not in fields, path
    assert lists > 20


def test_every_resource_of_the_chapter_is_there_and_told_of(house: House) -> None:
    found = described(house)
    assert {path.split("/")[3] for path in found["paths"] if path.startswith("/api/v1/")} >= CHAPTER
    assert set(found["components"]["securitySchemes"]) == {"token", "session", "csrf"}
    assert set(found["components"]["responses"]) == set(ERRORS)
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            assert set(operation["tags"]) <= set(TAGS), (path, operation["tags"])
            told = len(operation["summary"].split()) > 1 and operation["description"] and operation["security"]
            assert told, (path, method)
    assert not [name for name in found["components"]["schemas"] if "__" in name or name.endswith(("Input", "Output"))]


@pytest.mark.parametrize(("role", "status"), [("viewer", 403), (None, 401)])
def test_every_write_needs_an_admin(house: House, signed: Signed, role: str | None, status: int) -> None:
    asking = signed("viewer") if role else house
    if role is None:
        asking.client.cookies.clear()
    for path, operations in described(signed("admin")).get("paths", {}).items():
        for method in operations.keys() - {"get"}:
            address = re.sub(r"{\w+}", "1", path)
            answer = asking.client.request(method, address, json={}, headers={"X-CSRF-Token": asking.csrf})
            assert answer.status_code == status, (method, path, answer.text)
            told = {"error": answer.json()["error"]}
            assert told == answer.json() and set(told["error"]) == {"code", "message", "fix"}
