"""Methods about the bot itself, its chats and its files."""

from __future__ import annotations

import json
import re
from typing import Any

from .params import Params
from .rules import bad
from .state import State

DOWNLOAD_BYTES = 20_000_000
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_MAX_COMMANDS = 100


def get_me(state: State, p: Params) -> dict[str, Any]:
    return state.me


def get_chat(state: State, p: Params) -> dict[str, Any]:
    gifts = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
    return state.chat(p.text("chat_id")).wire | {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(gifts, True),
    }


def get_chat_member(state: State, p: Params) -> dict[str, Any]:
    chat = state.chat(p.text("chat_id"))
    person = p.integer("user_id")
    if person == state.me["id"]:
        return {"status": "member" if chat.member else "left", "user": state.me}
    for message in chat.messages:
        if message.sender["id"] == person:
            return {"status": "member", "user": message.sender}
    raise bad("user not found")


def get_file(state: State, p: Params) -> dict[str, Any]:
    stored = state.files.get(p.text("file_id"))
    if stored is None:
        raise bad("wrong file_id or the file is temporarily unavailable")
    if len(stored.data) > DOWNLOAD_BYTES:
        raise bad("file is too big")
    return {
        "file_id": stored.file_id,
        "file_unique_id": stored.file_id + "-u",
        "file_size": len(stored.data),
        "file_path": stored.path,
    }


def set_my_commands(state: State, p: Params) -> bool:
    commands = p.nested("commands", [])
    if len(commands) > _MAX_COMMANDS:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not _COMMAND.fullmatch(str(command.get("command", "")).removeprefix("/")):
            raise bad("BOT_COMMAND_INVALID")
        if not 1 <= len(str(command.get("description", ""))) <= 256:
            raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
    state.commands[_scope(p)] = [
        {"command": str(c["command"]).removeprefix("/"), "description": c["description"]} for c in commands
    ]
    return True


def get_my_commands(state: State, p: Params) -> list[dict[str, str]]:
    return state.commands.get(_scope(p), [])


def delete_my_commands(state: State, p: Params) -> bool:
    state.commands.pop(_scope(p), None)
    return True


def set_my_description(state: State, p: Params) -> bool:
    return _set_profile(state, p, "description", 512)


def set_my_short_description(state: State, p: Params) -> bool:
    return _set_profile(state, p, "short_description", 120)


def set_my_name(state: State, p: Params) -> bool:
    return _set_profile(state, p, "name", 64)


def get_my_description(state: State, p: Params) -> dict[str, str]:
    return {"description": state.profile.get(("description", p.text("language_code")), "")}


def get_my_short_description(state: State, p: Params) -> dict[str, str]:
    return {"short_description": state.profile.get(("short_description", p.text("language_code")), "")}


def get_my_name(state: State, p: Params) -> dict[str, str]:
    return {"name": state.profile.get(("name", p.text("language_code")), str(state.me["first_name"]))}


def delete_webhook(state: State, p: Params) -> bool:
    if p.flag("drop_pending_updates"):
        state.updates.pending.clear()
    state.webhook = ""
    return True


def get_webhook_info(state: State, p: Params) -> dict[str, Any]:
    return {"url": state.webhook, "has_custom_certificate": False, "pending_update_count": len(state.updates.pending)}


def leave(state: State, p: Params) -> bool:
    """logOut and close: accepted, nothing changes here."""
    return True


def _scope(p: Params) -> tuple[str, str]:
    scope = p.nested("scope") or {"type": "default"}
    return json.dumps({k: v for k, v in scope.items() if v is not None}, sort_keys=True), p.text("language_code")


def _set_profile(state: State, p: Params, what: str, limit: int) -> bool:
    if len(p.text(what)) > limit:
        raise bad(f"{what} is too long")
    state.profile[what, p.text("language_code")] = p.text(what)
    return True
