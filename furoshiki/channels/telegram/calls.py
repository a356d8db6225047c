"""The calls for one outbox row: sending it, and editing a message to the identical content."""

import base64
import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.formatting.spans import Piece, split, units
from furoshiki.channels.telegram.outcomes import Outcome, Refused
from furoshiki.core import numbers
from furoshiki.messages.channels import chat_and_topic
from furoshiki.messages.values import MARKS, REMOVAL, Outgoing

FILES = frozenset({"document", "photo", "voice"})  # kinds whose words are a caption

# for every message: Telegram would fetch a preview and so tell a third party about the topic
NO_PREVIEW = {"is_disabled": True}


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


# -- messages refused with a plain 400: sent again with fewer extras --
#
# Possible reasons are removed one by one, first the one Telegram names, until the bare words are
# left. A picture is sent as a document where photos are refused, and else only its words. Nothing is
# sent here.


Ornament = Literal["entities", "reply_to", "preview", "buttons", "topic"]
# the extras of a message, in the order in which they are removed
ORNAMENTS: tuple[Ornament, ...] = ("entities", "reply_to", "preview", "buttons", "topic")

BARE = "without"  # the key in a row's `extra` for the removed extras

# words still too long for Telegram at this length (UTF-16 units) have another problem
LEAST_UNITS = 64

_NAMED: tuple[tuple[str, Ornament], ...] = (
    ("thread", "topic"),
    ("topic", "topic"),
    ("repl", "reply_to"),
    ("entit", "entities"),
    ("button", "buttons"),
    ("markup", "buttons"),
    ("keyboard", "buttons"),
    ("link_preview", "preview"),
    ("webpage", "preview"),
)
_TOO_LONG = ("too long", "too_long")
_NO_VOICES = ("voice_messages_forbidden", "send_voices_forbidden", "rights to send voice")
_PICTURE = "picture"  # the key in a document's `extra` that marks a picture refused as a photo

_OF_A_FILE = ("data", "filename", "seconds", _PICTURE)
_NOBODY = ("chat not found", "user not found", "peer_id_invalid", "chat_id_invalid", "group chat was", "chat_write_")


def plainer(row: Outgoing, said: str) -> Outgoing | None:
    """Return the row to send next after this refusal; None if nothing is left to remove."""
    reason = said.casefold()
    if row.kind not in ("text", "document", "photo") or nobody(said):
        return None
    if any(words in reason for words in _TOO_LONG) and (shorter := _shorter(row)) is not None:
        return shorter
    around = _around(row)
    named = [ornament for words, ornament in _NAMED if words in reason and ornament in around]
    if not named and row.kind == "photo":
        return dataclasses.replace(row, kind="document", extra={**row.extra, _PICTURE: True})
    if not named and row.extra.get(_PICTURE):
        return unspoken(row)
    return _without(row, (named or around)[0]) if around else None


def nobody(said: str) -> bool:
    """Return whether a refusal is about the recipient: no form of the message would arrive."""
    return any(words in said.casefold() for words in _NOBODY)


def no_voices(said: str) -> bool:
    """Return whether a refusal means that the chat accepts no voice messages."""
    return any(words in said.casefold() for words in _NO_VOICES)


def unspoken(row: Outgoing) -> Outgoing | None:
    """Return the words of a voice message or picture as a text message; None without words."""
    if not row.text.strip():
        return None
    return dataclasses.replace(
        row, kind="text", extra={name: value for name, value in row.extra.items() if name not in _OF_A_FILE}
    )


def _around(row: Outgoing) -> list[Ornament]:
    """List the ornaments of a message that can still be dropped."""
    left_out = row.extra.get(BARE) or ()
    there: dict[Ornament, bool] = {
        "entities": bool(row.entities),
        "reply_to": row.reply_to is not None,
        "preview": row.kind == "text",
        "buttons": bool(row.extra.get("buttons")),
        "topic": chat_and_topic(row.chat_id)[1] is not None,
    }
    return [ornament for ornament in ORNAMENTS if there[ornament] and ornament not in left_out]


def _without(row: Outgoing, ornament: Ornament) -> Outgoing:
    extra = {**row.extra, BARE: [*(row.extra.get(BARE) or ()), ornament]}
    if ornament == "entities":
        return dataclasses.replace(row, entities=(), extra=extra)
    if ornament == "reply_to":
        return dataclasses.replace(row, reply_to=None, extra=extra)
    if ornament == "buttons":
        extra.pop("buttons")
    return dataclasses.replace(row, extra=extra)


def _shorter(row: Outgoing) -> Outgoing | None:
    """Split the row in two; the rest waits in `extra["rest"]`. The words of a file follow it."""
    head, *rest = _cut(row)
    if not rest:
        return None
    extra = dict(row.extra)
    buttons = extra.pop("buttons", None)
    following: list[dict[str, Any]] = [{"text": piece.text, "entities": list(piece.entities)} for piece in rest]
    following += extra.pop("rest", None) or []
    if buttons:
        following[len(rest) - 1]["extra"] = {"buttons": buttons}
    return dataclasses.replace(row, text=head.text, entities=head.entities, extra={**extra, "rest": following})


def _cut(row: Outgoing) -> list[Piece]:
    entities = row.entities or ()
    if row.kind in ("document", "photo"):
        return [Piece(""), *split(row.text, entities)]
    if units(row.text) <= LEAST_UNITS:
        return [Piece(row.text)]
    return split(row.text, entities, max(LEAST_UNITS, (units(row.text) + 1) // 2))
