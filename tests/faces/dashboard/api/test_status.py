"""What programs read of how it is now: the same as the shell tells, sent once."""

from __future__ import annotations

from furoshiki.conversation.commands import status
from tests.support.commands import said
from tests.support.dashboard import House


def test_the_status_is_that_of_the_shell(house: House) -> None:
    said(house.world, "Hello")
    answer, told = house.client.get("/api/v1/status"), status.gather(house.world)
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(told)
    for name in ("mood", "emotions", "needs", "need_marks", "user_needs", "memory", "health", "pending"):
        assert found[name] == told[name], name


def test_what_has_not_changed_is_not_sent_twice(house: House) -> None:
    first = house.client.get("/api/v1/status")
    again = house.client.get("/api/v1/status", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
