"""Whatever number stands in a button or behind a command: an answer or none, and never a broken turn."""

from __future__ import annotations

import pytest

from furoshiki.conversation.commands import registry
from tests.support.commands import Commander, command, envelope, said
from tests.support.odd_numbers import ODD

__all__ = ["command"]


@pytest.mark.parametrize("subject", registry.buttons())
async def test_a_button_with_an_odd_number(command: Commander, subject: str) -> None:
    for verb in registry.buttons()[subject].verbs:
        for text in (*ODD, "-1", "0", "9223372036854775807"):
            await command.press(f"{subject}.{verb}:{text}")
            await command.press(f"{subject}.{verb}:{text}:x")


@pytest.mark.parametrize(
    "name", [name for name, _what in registry.list_commands() if name not in ("export", "dashboard")]
)
async def test_a_command_with_an_odd_number(command: Commander, name: str) -> None:
    said(command.world, "the sea is quiet today")
    for text in (*ODD, "-1", "99999999999999999 hours", "²³ days", "in 99999999999999999999 days", "99999-99-99"):
        for args in (text, f"#{text}", f"turn:{text}", f"memory:{text}", f"session:{text}", f"last {text} days"):
            await registry.run(command.world, name, args, envelope())
