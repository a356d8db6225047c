"""One list from three tables: in the order of the conversation, nothing twice, buttons where a press counts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from furoshiki.faces.overview.rules.conversation import Button, Entry, Sent, Unanswered, list_entries
from furoshiki.messages.values import Turn
from tests.support.stored_turns import make_turn

AT = datetime(2026, 3, 24, 15, 0, tzinfo=UTC)
YES = Button("Do it", "do.yes:1")


def said(number: int, speaker: str, text: str, key: str | None, channel: str = "web", kind: str = "text") -> Turn:
    turn = make_turn(number, text, AT + timedelta(minutes=number), speaker, channel=channel)
    return replace(turn, kind=kind, turn_key=key)


def sent(number: int, text: str, *, turn: int | None = None, key: str | None = None, **more: Any) -> Sent:
    found = {"channel": "web", "kind": "text", "formatted": False, "buttons": (), "file": None, "error": None}
    at = AT + timedelta(minutes=more.pop("minute", number))
    return Sent(number, turn, key, text=text, at=at, **{**found, **more})


def texts(entries: list[Entry]) -> list[str]:
    return [one.text for one in entries]


def test_an_answer_in_bubbles_is_one_entry_with_its_buttons() -> None:
    turn = said(2, "companion", "**Noted**: [milk](http://x.y).\n\nAnything else?", "inbox:1")
    parts = [
        sent(1, "Noted: milk.", turn=2, key="inbox:1", formatted=True),
        sent(2, "Anything else?", turn=2, key="inbox:1", buttons=(YES,)),
    ]
    [entry] = list_entries([turn], parts, [], frozenset())
    assert entry.markdown and entry.buttons == (YES,)
    assert list_entries([turn], parts, [], frozenset({YES.data}))[0].buttons == (), "pressed"


def test_a_question_beside_the_answer_stands_below_it_and_is_answered_where_it_was_asked() -> None:
    turn = said(2, "companion", "That needs your yes.", "inbox:1", channel="telegram")
    question = sent(1, "delete list shopping\n\nDo it?", turn=2, key="inbox:1", channel="telegram", buttons=(YES,))
    entries = list_entries([turn], [question], [], frozenset())
    assert texts(entries) == ["That needs your yes.", "delete list shopping\n\nDo it?"]
    assert [one.buttons for one in entries] == [(), ()], "its button is in Telegram"


def test_what_is_no_turn_stands_where_it_was_said() -> None:
    turns = [
        said(1, "user", "/tasks", "inbox:1", kind="command"),
        said(3, "user", "hi", "inbox:2"),
        said(4, "companion", "", "inbox:2", kind="silence"),
    ]
    beside = [
        sent(10, "No lists.", key="inbox:1", minute=1),
        sent(11, "Taken back.", key="inbox:9", minute=2),
        sent(12, "Set aside.", key="dead:7", minute=5),
        sent(13, "withdrawn", key="inbox:8", minute=2, error="withdrawn: the message was edited"),
        sent(14, "👍", key="inbox:2", kind="reaction"),
    ]
    waiting = [
        Unanswered(20, "and now?", "pending", AT + timedelta(minutes=2)),
        Unanswered(7, "broken", "dead", AT + timedelta(minutes=2)),
    ]
    entries = list_entries(turns, beside, waiting, frozenset())
    assert texts(entries) == ["/tasks", "No lists.", "Taken back.", "broken", "hi", "", "Set aside.", "and now?"]
    assert [one.state for one in entries if one.state] == ["aside", "waiting"], "what waits is the newest there is"
