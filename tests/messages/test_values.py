"""What travels through a turn: sessions, and what an envelope knows of itself."""

from __future__ import annotations

from datetime import timedelta

import pytest

from furoshiki.messages import events
from furoshiki.messages.values import Envelope, session_for
from tests.support.laws import NOON


def arrived(**payload: object) -> Envelope:
    return Envelope("telegram", "u1", "7", events.read("text", payload), id=1, attempts=0, enqueued_at=NOON)


def test_an_envelope_names_its_chat_and_its_message_as_text() -> None:
    assert (arrived(chat_id=7, message_id=101).chat_id, arrived(chat_id=7, message_id=101).message_id) == ("7", "101")


def test_what_is_no_message_has_no_id() -> None:
    assert (arrived().chat_id, arrived().message_id) == ("", None)


@pytest.mark.parametrize(
    ("minutes", "same"), [(0, True), (19.9, True), (20, False), (600, False), (-5, True), (-600, False)]
)
def test_a_session_ends_with_twenty_quiet_minutes(minutes: float, same: bool) -> None:
    found = session_for(NOON + timedelta(minutes=minutes), ("then", NOON))
    assert (found == "then") is same


def test_the_first_session_is_named_by_its_beginning() -> None:
    assert session_for(NOON, None) == "20260303-120000"
