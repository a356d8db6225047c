"""Tells Telegram which commands there are, in each language they are described in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.outcomes import Delivered, Outcome

Commands = Sequence[tuple[str, str]]
"""Names (without the slash) and descriptions."""


async def set_commands(client: Client, commands: Mapping[str | None, Commands]) -> Outcome:
    """Set the menu for each language code (None: for everybody else). Returns the first outcome that is no success.

    Lists that are already set are left alone: Telegram counts these calls strictly.
    """
    outcome: Outcome = Delivered(True)
    for language, offered in commands.items():
        wanted = [{"command": name.removeprefix("/"), "description": text[:256]} for name, text in offered]
        known = await client.call("GetMyCommands", language_code=language)
        if isinstance(known, Delivered) and known.result == wanted:
            continue
        outcome = await client.call("SetMyCommands", commands=wanted, language_code=language)
        if not isinstance(outcome, Delivered):
            return outcome
    return outcome
