"""Sessions, what was said in them, and saying something: for programs."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.messages.events import Message
from furoshiki.messages.store import inbox, outbox, turns
from furoshiki.messages.values import NewEnvelope, NewOutgoing, NewTurn
from tests.support.dashboard import House


def test_sessions_are_listed_from_the_newest_and_read_in_order(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        for number in range(5):
            for speaker, channel in (("user", "telegram"), ("companion", "web")):
                at = world.now + timedelta(hours=number)
                turns.add(db, NewTurn(f"s{number}", channel, channel, speaker, f"{speaker} {number}", at))
        old = turns.add(db, NewTurn("s4", "web", "web", "user", "tpyo", world.now))
        turns.replace(db, old, NewTurn("s4", "web", "web", "user", "typo", world.now))
    found = house.client.get("/api/v1/sessions?limit=2").json()
    assert [one["id"] for one in found["items"]] == ["s4", "s3"]
    assert found["items"][1] == {
        "id": "s3",
        "started_at": "2026-03-24T18:00:00Z",
        "ended_at": "2026-03-24T18:00:00Z",
        "turns": 2,
        "channels": ["telegram", "web"],
        "topics": [],
    }
    rest = house.client.get(f"/api/v1/sessions?limit=9&cursor={found['next']}").json()
    assert [one["id"] for one in rest["items"]] == ["s2", "s1", "s0"] and rest["next"] is None
    read = house.client.get("/api/v1/sessions/s4/turns?limit=2").json()
    assert [one["text"] for one in read["items"]] == ["user 4", "companion 4"]
    read = house.client.get(f"/api/v1/sessions/s4/turns?cursor={read['next']}").json()
    assert [one["text"] for one in read["items"]] == ["typo"] and read["next"] is None
    assert house.client.get("/api/v1/sessions/nowhere/turns").json()["error"]["code"] == "not_there"


def test_a_program_says_something_once(house: House) -> None:
    headers = {"x-csrf-token": house.csrf}
    sent = [
        house.client.post("/api/v1/messages", json={"text": "hello", "once": "my-message-1"}, headers=headers)
        for _ in range(2)
    ]
    assert [one.status_code for one in sent] == [202, 202] and sent[0].json() == sent[1].json()
    number = sent[0].json()["id"]
    assert sent[0].json()["events"] == f"/api/v1/messages/{number}/events"
    assert house.client.post("/api/v1/messages", json={"text": " "}, headers=headers).status_code == 400
    named = house.client.post("/api/v1/messages", json={"text": "hello", "once": "short"}, headers=headers)
    assert named.status_code == 422, "a name that could not be kept is refused, not ignored"


def test_what_others_wrote_cannot_be_watched(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        theirs = Message(chat_id="8", private=True, at=world.now, message_id="1", text="a secret")
        [number] = inbox.store(db, [NewEnvelope("telegram", "1", "8", theirs)], world.now)
        db.execute("UPDATE inbox SET state='dead', error='secret' WHERE id=?", (number,))
        outbox.put(db, [NewOutgoing("telegram", "8", "(“a secret”)")], world.now, None, f"dead:{number}")
    assert "secret" not in house.client.get(f"/api/v1/messages/{number}/events").text
