"""A draft becomes a reply."""

from __future__ import annotations

from typing import Any, cast

from furoshiki.domain.speech import Part
from furoshiki.mind.turn.speak import speak
from furoshiki.mind.turn.values import Context, Draft, Percept
from furoshiki.storage.operations import Operation
from tests.mind.conftest import START


def work(id_: int, state: str) -> Operation:
    return Operation(id_, "look", "it", "telegram", "7", state, None, START)


def context(**more: Any) -> Context:
    found: dict[str, Any] = {
        "percept": cast(Percept, None),
        "stable": (),
        "history": (),
        "window_start": 12,
        "now_text": "",
        "memories": (),
        "facts": (),
        "operations": (),
        "user_name": None,
        "last_seen": None,
        "first_meeting": False,
        "median_gap": 0.0,
        "session_block": {"text": "stable"},
    }
    return Context(**found | more)


def test_words_go_where_the_draft_says_and_the_window_is_kept() -> None:
    draft = Draft("Here.\n\n[[send_to:console]] There.", "p", "m", "chat")
    reply = speak(context(), draft, ("console",))
    assert reply.speech.parts == (Part("Here."), Part("There.", "console"))
    assert (reply.window_start, reply.session_block, reply.draft) == (12, {"text": "stable"}, draft)


def test_work_that_has_ended_counts_as_seen() -> None:
    seen = context(operations=(work(1, "pending"), work(2, "completed"), work(3, "failed")))
    assert speak(seen, Draft("NO_REPLY", "p", "m", "chat"), ()).operations == (2, 3)
