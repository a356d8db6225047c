"""Handles messages that Telegram refuses with a plain 400: they are sent again with fewer extras.

Possible reasons are removed one by one, first the one Telegram names, until the bare words are
left. A picture is sent as a document where photos are refused, and else only its words. Nothing is
sent here.
"""

import dataclasses
from typing import Any, Literal

from furoshiki.channels.telegram.formatting.spans import Piece, split, units
from furoshiki.messages.channels import chat_and_topic
from furoshiki.messages.values import Outgoing

Ornament = Literal["entities", "reply_to", "preview", "buttons", "topic"]
ORNAMENTS: tuple[Ornament, ...] = ("entities", "reply_to", "preview", "buttons", "topic")
"""The extras of a message, in the order in which they are removed."""

BARE = "without"
"""The key in a row's `extra` for the removed extras."""

LEAST_UNITS = 64
"""Words still too long for Telegram at this length (UTF-16 units) have another problem."""

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
_PICTURE = "picture"
"""The key in a document's `extra` that marks a picture refused as a photo."""

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
