"""What was pressed cannot be pressed again; what it did not settle stays."""

from __future__ import annotations

from typing import Any

import pytest

from furoshiki.conversation.interactions import list_remaining
from furoshiki.messages.store import outbox
from furoshiki.messages.values import NewOutgoing
from furoshiki.world import World
from tests.support.world import Human


def buttons(*rows: str) -> list[list[dict[str, str]]]:
    return [[{"text": data, "data": data} for data in row.split()] for row in rows]


@pytest.mark.parametrize(
    ("shown", "pressed", "stay"),
    [
        (("task.done:5 remind.later:5",), "task.done:5", ()),
        (("doubt.yes:1 doubt.no:1", "doubt.yes:2 doubt.no:2"), "doubt.no:1", ("doubt.yes:2 doubt.no:2",)),
        (("begin.name:first", "begin.name:skip"), "begin.name:skip", ()),
        (("quiet.for:3h quiet.for:tomorrow", "quiet.for:3d quiet.for:week"), "quiet.for:week", ()),
    ],
)
def test_the_row_and_the_other_answers_to_its_question_go(
    shown: tuple[str, ...], pressed: str, stay: tuple[str, ...]
) -> None:
    assert list_remaining(buttons(*shown), pressed) == buttons(*stay)


async def test_a_done_reminder_cannot_be_put_off_by_its_old_button(world: World, human: Human) -> None:
    shown: list[list[dict[str, Any]]] = [[{"text": "Three hours", "data": "quiet.for:3h"}]]
    with world.database.write() as db:
        [row] = outbox.put(
            db, [NewOutgoing("telegram", "7", "how long?", extra={"buttons": shown})], world.now, None, None
        )
        outbox.mark_sent(db, row, "555", world.now)
    pressed = human.writes("", "callback", data="quiet.for:3h", pressed_on=555)
    await human.waits()
    [words, mark] = human.answers(pressed)
    assert "I won't write first" in words.text
    assert (mark.kind, mark.reply_to, mark.extra) == ("buttons", "555", {"buttons": []})
    with world.database.read() as db:
        assert outbox.with_buttons(db, "telegram", "7") == []
