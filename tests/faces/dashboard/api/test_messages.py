"""Saying something, for programs."""

from __future__ import annotations

from furoshiki.messages.events import Message
from furoshiki.messages.store import inbox, outbox
from furoshiki.messages.values import NewEnvelope, NewOutgoing
from tests.support.dashboard import House


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
