"""Claude's export: `conversations.json`, a list of conversations with their messages in order.

`sender` is human or assistant. The text is in `content` (only pieces of type "text") and, in older
exports, in `text`. With parent and leaf ids, only the path to the conversation's leaf counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from furoshiki.archive.import_export.formats import values
from furoshiki.archive.import_export.formats.streams import conversations
from furoshiki.core.json_values import dicts_of
from furoshiki.core.timestamps import parse_foreign
from furoshiki.language.testimony import Piece, Told, build_typed, join, together
from furoshiki.messages.values import USER

_PARENT = "parent_message_uuid"
_SENDERS = {"human": USER, "assistant": values.ASSISTANT}


def read(file: values.File, _reading: values.Reading) -> Iterator[values.Found]:
    """Yield the messages of each conversation, in order."""
    return conversations(file, _conversation)


def _conversation(number: int, conversation: Any) -> Iterator[values.Found]:
    if not isinstance(conversation, dict) or not isinstance(conversation.get("chat_messages"), list):
        yield values.Bad(f"conversation {number}", "not a conversation: it has no chat_messages")
        return
    title = str(conversation.get("name") or "untitled")
    place = f"conversation {number} (“{title[:60]}”)"
    name = conversation.get("uuid")
    if not name:
        yield values.Bad(place, "uuid missing")
        return
    for at, message in enumerate(
        _path(conversation["chat_messages"], conversation.get("current_leaf_message_uuid")), 1
    ):
        yield _parse_message(message, str(name), title, f"{place}, message {at}")


def _path(messages: Sequence[Any], leaf: Any) -> Sequence[Any]:
    """Return the messages of the branch to the leaf, or to the newest message without a leaf.

    Alternatives to messages on that branch, and replies to them, were abandoned. A message with a
    missing parent stays.
    """
    known = {
        message["uuid"]: message
        for message in messages
        if isinstance(message, dict) and isinstance(message.get("uuid"), str)
    }
    if leaf not in known:
        leaf = max(known, key=lambda uuid: str(known[uuid].get("created_at") or ""), default=None)
    branch: set[Any] = set()
    while leaf in known and leaf not in branch:
        branch.add(leaf)
        leaf = known[leaf].get(_PARENT)
    left: set[Any] = set()
    chosen = {known[uuid].get(_PARENT) for uuid in branch} - {None}
    for uuid, one in known.items():
        parent = one.get(_PARENT)
        if uuid not in branch and (parent in chosen or parent in left):
            left.add(uuid)
    return [message for message in messages if not (isinstance(message, dict) and message.get("uuid") in left)]


def _parse_message(message: Any, session: str, title: str, place: str) -> values.Found:
    if not isinstance(message, dict):
        return values.Bad(place, "not a message")
    sender = message.get("sender")
    if sender not in _SENDERS:
        return values.Bad(place, f"written by an unknown author: {str(sender)[:40]!r}")
    told = _words(message)
    if not told.text:
        return values.SkippedKind("messages without words")
    if not message.get("uuid"):
        return values.Bad(place, "uuid missing")
    try:
        at: datetime = parse_foreign(str(message.get("created_at")))
    except ValueError:
        return values.Bad(place, f"created_at is not a time: {str(message.get('created_at'))[:40]!r}")
    return values.ImportedMessage(
        str(message["uuid"]), session, title, _SENDERS[str(sender)], told.text, at, foreign=told.foreign
    )


def _words(message: Mapping[str, Any]) -> Told:
    brought = []
    for field in ("attachments", "files"):
        for one in dicts_of(message.get(field)):
            if one.get("file_name"):
                brought.append(Piece(f"[a document, {one['file_name']}]", "document", str(one["file_name"])))
    pieces = [piece for piece in dicts_of(message.get("content")) if piece.get("type") == "text"]
    said = [str(piece["text"]).strip() for piece in pieces if piece.get("text")]
    words = said or [str(message.get("text") or "").strip()]
    return join(together(brought), build_typed("\n".join(one for one in words if one)))
