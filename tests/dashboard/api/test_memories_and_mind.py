"""The API of Memory and Mind: the same as the pages show, by cursor; writes need an admin."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.agenda.store import mind_queue
from furoshiki.inner_life.store import monologue, self_questions
from furoshiki.inner_life.store.monologue import Passage
from furoshiki.memory.store import memories
from tests.support.commands import learned, said
from tests.support.dashboard import House, Signed
from tests.support.minds import promised, proposed


def test_memories_by_cursor_by_search_and_whole(house: House) -> None:
    turn = said(house.world, "I live in Lyon, near the river")
    ids = [learned(house.world, f"They like river number {i}.", turn) for i in range(5)]
    client = house.client
    seen, cursor = [], ""
    while True:
        page = client.get("/api/v1/memories", params={"limit": 2, "cursor": cursor}).json()
        seen += [one["id"] for one in page["items"]]
        cursor = page["next"]
        if not cursor:
            break
    assert seen == [f"memory:{i}" for i in reversed(ids)]
    found = client.get("/api/v1/memories/search", params={"q": "river"}).json()
    assert found["by_meaning"] is False and {"turn", "memory"} <= {one["kind"] for one in found["items"]}
    answer = client.get(f"/api/v1/memories/{ids[0]}")
    one = answer.json()
    assert one["came"] == "told" and one["turns"][0]["text"] == "I live in Lyon, near the river"
    again = client.get(f"/api/v1/memories/{ids[0]}", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304 and not again.content
    assert client.get("/api/v1/memories/99").json()["error"]["code"] == "not_there"
    assert client.get(f"/api/v1/memories/{10**30}").status_code in (404, 422)


def test_a_memory_is_put_right_pinned_and_forgotten(house: House) -> None:
    fact = learned(house.world, "They live in Lyon.", said(house.world, "I live in Lyon"))
    client, token = house.client, {"X-CSRF-Token": house.csrf}
    new = client.patch(f"/api/v1/memories/{fact}", json={"text": "They live in Nantes.", "pinned": True}, headers=token)
    assert new.json()["text"] == "They live in Nantes." and new.json()["pinned"]
    past = client.patch(f"/api/v1/memories/{fact}", json={"pinned": True}, headers=token)
    assert past.status_code == 422 and "is past" in past.json()["error"]["message"]
    missing = client.patch("/api/v1/memories/99", json={"text": "No."}, headers=token)
    assert missing.status_code == 404 and "/memory lists" in missing.json()["error"]["fix"]
    shown = client.get(f"/api/v1/memories/{fact}/forgetting").json()
    assert [one["text"] for one in shown["turns"]] == ["I live in Lyon"]
    refused = client.delete(f"/api/v1/memories/{fact}", headers=token)
    assert refused.status_code == 409 and "forgetting" in refused.json()["error"]["fix"]
    done = client.delete(f"/api/v1/memories/{fact}", params={"token": shown["token"]}, headers=token)
    assert done.json()["turns"] >= 1
    with house.world.database.read() as db:
        assert memories.get(db, fact) is None


def test_what_is_on_its_mind(house: House) -> None:
    world, client, token = house.world, house.client, {"X-CSRF-Token": house.csrf}
    with world.database.write() as db:
        item = mind_queue.add(db, "thought", "The thesis is due soon", "k1", world.now)
        self_questions.add(db, "Why do they like trains?", "sessions:s1", world.now)
        monologue.add(db, "journal", "2026-03-24", [Passage("Quiet.", (1,))], "local", 0, world.now)
    [waits] = client.get("/api/v1/mind-queue").json()["items"]
    assert waits["text"] == "The thesis is due soon" and waits["why"] and waits["expires_at"]
    assert client.delete(f"/api/v1/mind-queue/{item}", headers=token).status_code == 204
    assert client.delete(f"/api/v1/mind-queue/{item}", headers=token).status_code == 404
    made = promised(world, "I ask less")
    open_ = client.get("/api/v1/questions").json()["items"]
    page = client.get("/api/v1/questions", params={"state": "all", "limit": 1}).json()
    assert len(open_) == 2 and len(page["items"]) == 1 and page["next"] == str(page["items"][0]["id"])
    [promise] = client.get("/api/v1/commitments").json()["items"]
    assert promise["honoured"] == 1 and promise["judgements"][0]["verdict"] == "honoured"
    assert client.delete(f"/api/v1/commitments/{made}", headers=token).status_code == 204
    assert client.get("/api/v1/commitments").json()["items"] == []
    assert len(client.get("/api/v1/commitments", params={"state": "all"}).json()["items"]) == 1
    assert client.get("/api/v1/journal").json() == {
        "items": client.get("/api/v1/journal", params={"day": "2026-03-24"}).json()["items"],
        "next": None,
    }


def test_who_it_is_is_read_and_decided(house: House) -> None:
    client, token = house.client, {"X-CSRF-Token": house.csrf}
    before = client.get("/api/v1/self").json()["text"]
    look = proposed(house.world, before, f"{before}\n\nI like the sea.")
    assert client.get("/api/v1/self").json()["proposed"]["id"] == look
    assert client.post("/api/v1/self/accept", headers=token).json()["state"] == "accepted"
    assert "I like the sea." in client.get("/api/v1/self").json()["text"]
    assert client.post("/api/v1/self/accept", headers=token).json()["error"]["code"] == "cannot"
    assert [one["id"] for one in client.get("/api/v1/self/looks").json()["items"]] == [look]


def test_a_viewer_reads_and_writes_nothing(signed: Signed) -> None:
    viewer = signed("viewer")
    client, token = viewer.client, {"X-CSRF-Token": viewer.csrf}
    with viewer.world.database.write() as db:
        mind_queue.add(db, "thought", "Something", "k1", viewer.world.now, until=viewer.world.now + timedelta(days=1))
    for path in ("memories", "mind-queue", "questions", "commitments", "journal", "self", "self/looks"):
        assert client.get(f"/api/v1/{path}").status_code == 200, path
    for method, path in (
        ("PATCH", "memories/1"),
        ("DELETE", "memories/1"),
        ("DELETE", "mind-queue/1"),
        ("DELETE", "commitments/1"),
        ("POST", "self/accept"),
    ):
        answer = client.request(method, f"/api/v1/{path}", headers=token, json={} if method == "PATCH" else None)
        assert answer.status_code == 403, path
