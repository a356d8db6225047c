"""The calls for one outbox row: sending it, and editing a message to the identical content."""

import base64
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.outcomes import Outcome, Refused
from furoshiki.channels.telegram.refusals import BARE
from furoshiki.core import numbers
from furoshiki.messages.channels import chat_and_topic
from furoshiki.messages.values import MARKS, REMOVAL, Outgoing

FILES = frozenset({"document", "photo", "voice"})
"""Kinds whose words are a caption."""

NO_PREVIEW = {"is_disabled": True}
"""For every message: Telegram would fetch a preview and so tell a third party about the topic."""


def prepare_send(client: Client, row: Outgoing) -> Callable[[], Awaitable[Outcome]]:
    """Return a function that sends a shaped row. Raises ValueError for an invalid row.

    A group that became a supergroup is followed.
    """
    method, params = _request(client, row)
    to = address(row.chat_id)
    if row.kind in MARKS or "topic" in (row.extra.get(BARE) or ()):
        to.pop("message_thread_id", None)

    async def send() -> Outcome:
        outcome = await client.call(method, **to, **params)
        if isinstance(outcome, Refused) and outcome.migrate_to is not None:
            return await client.call(method, chat_id=outcome.migrate_to, **params)
        return outcome

    return send


def address(conversation: str) -> dict[str, Any]:
    """Return the chat and topic of a conversation as parameters. Raises ValueError."""
    chat, topic = chat_and_topic(conversation)
    return {"chat_id": numbers.require_int(chat), **({} if topic is None else {"message_thread_id": topic})}


def _request(client: Client, row: Outgoing) -> tuple[str, dict[str, Any]]:
    """Return the method and its parameters without the chat."""
    target = {"message_id": numbers.row(row.reply_to) or 0}
    if row.kind == "reaction":
        emoji = str(row.extra.get("emoji") or row.text)
        chosen = [{"type": "emoji", "emoji": emoji}] if emoji else []
        return "SetMessageReaction", {**target, "reaction": chosen}
    if row.kind == "buttons":
        return "EditMessageReplyMarkup", {**target, "reply_markup": keyboard(row)}
    if row.kind == REMOVAL:
        return "DeleteMessage", target
    if row.kind == "edit":
        return "EditMessageText", {**target, "text": row.text}
    params: dict[str, Any] = {"reply_markup": keyboard(row)}
    if row.reply_to is not None:
        params["reply_parameters"] = {"message_id": numbers.row(row.reply_to), "allow_sending_without_reply": True}
    entities = list(row.entities or ()) or None
    if row.kind in FILES:
        name = "voice.ogg" if row.kind == "voice" else str(row.extra.get("filename") or "file")
        file = client.file(base64.b64decode(str(row.extra["data"])), name)
        params |= {row.kind: file, "caption": row.text or None, "caption_entities": entities}
        if row.kind == "voice":
            params["duration"] = numbers.row(row.extra.get("seconds")) or None
        return f"Send{row.kind.capitalize()}", {**params, "timeout_s": client.call_seconds * 2}
    return "SendMessage", {**params, "text": row.text, "entities": entities, **_preview(row)}


async def edit(client: Client, row: Outgoing, message_id: int) -> Outcome:
    """Edit a message that may already be this row to the row's content."""
    to = {"chat_id": address(row.chat_id)["chat_id"], "message_id": message_id}
    entities = list(row.entities or ()) or None
    method, content = "EditMessageText", {"text": row.text, "entities": entities, **_preview(row)}
    if row.kind in FILES:
        method, content = "EditMessageCaption", {"caption": row.text or None, "caption_entities": entities}
    return await client.call(method, **to, **content, reply_markup=keyboard(row))


def _preview(row: Outgoing) -> dict[str, Any]:
    """Return the option against previews, unless it was refused before."""
    return {} if "preview" in (row.extra.get(BARE) or ()) else {"link_preview_options": NO_PREVIEW}


def keyboard(row: Outgoing) -> dict[str, Any] | None:
    """Return the inline keyboard of `extra["buttons"]`, rows of {text} with data to return (cut to
    64 bytes), a url, or the https address of a page within Telegram (web_app); None without one."""
    rows = row.extra.get("buttons")
    return {"inline_keyboard": [[_button(button) for button in line] for line in rows]} if rows else None


def _button(button: Mapping[str, Any]) -> dict[str, Any]:
    text = {"text": str(button["text"])}
    if "web_app" in button:
        return {**text, "web_app": {"url": str(button["web_app"])}}
    if "url" in button:
        return {**text, "url": str(button["url"])}
    return {**text, "callback_data": str(button["data"]).encode()[:64].decode("utf-8", "ignore")}
