"""Whatever number stands in a button or behind a command: an answer or none, and never a broken turn."""

from __future__ import annotations

import pytest

from furoshiki.conversation.commands import registry
from tests.support.commands import Commander, command, envelope, said
from tests.support.odd_numbers import ODD

__all__ = ["command"]

VERBS = {
    "task": ("done", "open", "page"), "remind": ("undo", "later"), "undo": ("turn",), "zone": ("set", "keep"),
    "forget": ("yes", "no", "pick"), "self": ("accept", "decline"), "do": ("yes", "no", "first", "second"),
    "count": ("yes", "no"), "doubt": ("yes", "no"),
    "outreach": ("later", "less"), "promise": ("drop", "keep"), "plugin": ("show", "decline"),
    "longtask": ("accept", "decline", "pause", "resume", "cancel", "show"), "setting": ("yes", "no"), "quiet": ("for",),
}  # fmt: skip


def test_every_button_is_tried_here() -> None:
    assert set(VERBS) == set(registry._PRESSES)


@pytest.mark.parametrize("subject", VERBS)
async def test_a_button_with_an_odd_number(command: Commander, subject: str) -> None:
    for verb in VERBS[subject]:
        for text in (*ODD, "-1", "0", "9223372036854775807"):
            await command.press(f"{subject}.{verb}:{text}")
            await command.press(f"{subject}.{verb}:{text}:x")


@pytest.mark.parametrize("name", [name for name, _what in registry.COMMANDS if name not in ("export", "dashboard")])
async def test_a_command_with_an_odd_number(command: Commander, name: str) -> None:
    said(command.world, "the sea is quiet today")
    for text in (*ODD, "-1", "99999999999999999 hours", "²³ days", "in 99999999999999999999 days", "99999-99-99"):
        for args in (text, f"#{text}", f"turn:{text}", f"memory:{text}", f"session:{text}", f"last {text} days"):
            await registry.run(command.world, name, args, envelope())
