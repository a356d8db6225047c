"""`/api/v1/tasks`, as a program uses it."""

from __future__ import annotations

from furoshiki.agenda.store import persistent_tasks
from tests.support.dashboard import House


def test_a_program_adds_changes_ticks_off_and_takes_away(house: House) -> None:
    ask = house.client
    ask.headers["X-CSRF-Token"] = house.csrf
    made = ask.post("/api/v1/tasks", json={"title": "call Anika", "when": "tomorrow at 9"}).json()
    assert (made["list"], made["due_at"]) == ("user_reminders", "2026-03-25T09:00:00.000000+00:00")
    moved = ask.patch("/api/v1/tasks/1", json={"title": "call Bea", "list": "work"}).json()
    assert (moved["title"], moved["list"], moved["due_at"]) == ("call Bea", "user_work", made["due_at"])
    assert ask.patch("/api/v1/tasks/1", json={"state": "done"}).json()["state"] == "done"
    assert ask.patch("/api/v1/tasks/1", json={"state": "open"}).json()["state"] == "open"
    assert ask.delete("/api/v1/tasks/1").status_code == 204
    assert ask.delete("/api/v1/tasks/1").json()["error"]["code"] == "not_there"
    refused = ask.post("/api/v1/tasks", json={"title": "x", "when": "soonish"})
    assert refused.status_code == 422 and "no time I can read" in refused.json()["error"]["message"]


def test_pages_follow_each_other(house: House) -> None:
    ask = house.client
    ask.headers["X-CSRF-Token"] = house.csrf
    for number in range(5):
        ask.post("/api/v1/tasks", json={"title": f"thing {number}", "list": "shopping"})
    first = ask.get("/api/v1/tasks?limit=3&list=shopping").json()
    rest = ask.get("/api/v1/tasks", params={"limit": 3, "cursor": first["next"]}).json()
    assert [one["title"][-1] for one in (*first["items"], *rest["items"])] == list("43210")
    assert rest["next"] is None


def test_long_tasks_are_told_and_decided(house: House) -> None:
    world = house.world
    house.client.headers["X-CSRF-Token"] = house.csrf
    with world.database.write() as db:
        persistent_tasks.propose(db, "Compare tents", "A table of three tents.", "user", world.now)
    assert house.client.post("/api/v1/tasks/long/1", json={"do": "accept"}).status_code == 204
    assert house.client.post("/api/v1/tasks/long/1", json={"do": "accept"}).status_code == 409
    [told] = house.client.get("/api/v1/tasks/long").json()["items"]
    assert (told["state"], told["steps"]) == ("accepted", [])
    with world.database.write() as db:
        for number in range(4):
            persistent_tasks.propose(db, f"Thing {number}", "Something of its own.", "user", world.now)
    seen, cursor = [], ""
    while cursor is not None:
        page = house.client.get("/api/v1/tasks/long", params={"limit": 2, "cursor": cursor}).json()
        assert len(page["items"]) <= 2
        seen, cursor = seen + [one["id"] for one in page["items"]], page["next"]
    with world.database.read() as db:
        assert seen == [one.id for one in persistent_tasks.matching(db, "")] and len(seen) > 2
