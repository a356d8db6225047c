"""ChatGPT's export: `conversations.json`, a list of conversations, each a tree of messages.

Repeated questions and answers are abandoned branches; only the path to `current_node` counts.
System prompts, hidden messages, tool calls and their results are left out.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from furoshiki.archive.import_export.formats import values
from furoshiki.archive.import_export.formats.streams import conversations
from furoshiki.core.json_values import dict_of, dicts_of
from furoshiki.core.timestamps import of_seconds, parse_foreign
from furoshiki.language.testimony import Piece, Told, build_typed, join, together
from furoshiki.messages.values import USER

_ROLES = {"user": USER, "assistant": values.ASSISTANT}
# content types that the user did not see as messages
_THOUGHTS = frozenset(
    {
        "thoughts",
        "reasoning_recap",
        "user_editable_context",
        "model_editable_context",
        "execution_output",
        "tether_quote",
        "tether_browsing_display",
        "tether_browsing_code",
        "system_error",
    }
)

_PICTURED = {
    "image_asset_pointer": "[a picture]",
    "video_container_asset_pointer": "[a video]",
    "real_time_user_audio_video_asset_pointer": "[a voice message]",
}

_BETWEEN = "\ue202"
_MARK = re.compile("\ue200([^\ue200\ue201]{0,2000})\ue201")
_SOURCE = re.compile(r"[ \t]?【\d[^【】\n]{0,200}†[^【】\n]{0,200}】")
# ChatGPT's source marks: in private-use characters, or brackets such as 【12†source】
_STRAY = re.compile("[\ue200-\ue20f]")


def read(file: values.File, _reading: values.Reading) -> Iterator[values.Found]:
    """Yield the messages on the current path of each conversation, in order."""
    return conversations(file, _conversation)


def _conversation(number: int, conversation: Any) -> Iterator[values.Found]:
    if not isinstance(conversation, dict) or not isinstance(conversation.get("mapping"), dict):
        yield values.Bad(f"conversation {number}", "not a conversation: it has no mapping")
        return
    title = str(conversation.get("title") or "untitled")
    place = f"conversation {number} (“{title[:60]}”)"
    name = conversation.get("conversation_id") or conversation.get("id")
    if not name:
        yield values.Bad(place, "conversation_id missing")
        return
    try:
        path = _path(conversation["mapping"], conversation.get("current_node"))
        last = _time(conversation.get("create_time"))
    except ValueError as error:
        yield values.Bad(place, str(error))
        return
    for message in path:
        found = _parse_message(message, str(name), title, place, last)
        if isinstance(found, values.ImportedMessage):
            last = found.at
        yield found


def _path(mapping: Mapping[str, Any], current: Any) -> list[Mapping[str, Any]]:
    """Return the messages from the root to the current one. Raises ValueError if invalid."""
    node = current if current in mapping else _newest_leaf(mapping)
    path: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    while isinstance(node, str) and node in mapping:
        if node in seen:
            raise ValueError("its messages answer each other in a circle")
        seen.add(node)
        held = mapping[node]
        if not isinstance(held, dict):
            raise ValueError(f"node {node[:40]!r} is not an object")
        if isinstance(held.get("message"), dict):
            path.append(held["message"])
        node = held.get("parent")
    return path[::-1]


def _newest_leaf(mapping: Mapping[str, Any]) -> str | None:
    """Return the newest leaf, for conversations without a current node."""

    def written(node: str) -> float:
        message = mapping[node].get("message")
        at = message.get("create_time") if isinstance(message, dict) else None
        return float(at) if isinstance(at, int | float | Decimal) else 0.0

    leaves = [node for node, held in mapping.items() if isinstance(held, dict) and not held.get("children")]
    return max(leaves, key=written, default=None)


def _parse_message(
    message: Mapping[str, Any], session: str, title: str, place: str, last: datetime | None
) -> values.Found:
    author, metadata = message.get("author"), message.get("metadata")
    role = author.get("role") if isinstance(author, dict) else None
    hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation")
    if hidden or role == "system":
        return values.SkippedKind("hidden and system messages")
    if role == "tool" or (role == "assistant" and message.get("recipient") not in {None, "all"}):
        return values.SkippedKind("calls of tools and their results")
    place = f"{place}, message {message.get('id')}"
    if role not in _ROLES:
        return values.Bad(place, f"written by an unknown author: {str(role)[:40]!r}")
    content = message.get("content")
    if not isinstance(content, dict):
        return values.Bad(place, "content missing")
    if content.get("content_type") in _THOUGHTS:
        return values.SkippedKind("thoughts and context of the model")
    try:
        at = _time(message.get("create_time")) or last
        told = _words(content, dict_of(metadata))
    except ValueError as error:
        return values.Bad(place, str(error))
    if not told.text:
        return values.SkippedKind("messages without words")
    if not message.get("id") or at is None:
        return values.Bad(place, "id missing" if at else "create_time missing")
    return values.ImportedMessage(
        str(message["id"]), session, title, _ROLES[str(role)], told.text, at, foreign=told.foreign
    )


def _words(content: Mapping[str, Any], metadata: Mapping[str, Any]) -> Told:
    brought = []
    for one in dicts_of(metadata.get("attachments")):
        if one.get("name") and not str(one.get("mime_type")).startswith("image/"):
            brought.append(Piece(f"[a document, {one['name']}]", "document", str(one["name"])))
    parts = content.get("parts")
    if parts is None:
        parts = [content.get("text") or content.get("result") or ""]
    if not isinstance(parts, list):
        raise ValueError("content has no list of parts")
    brought += [Piece(_picture(part), "note") for part in parts]
    said = "\n".join(words for part in parts if (words := _part(part)))
    return join(together(brought), build_typed(said))


def _part(part: Any) -> str:
    if isinstance(part, str):
        return _without_marks(part).strip()
    if not isinstance(part, dict) or _picture(part):
        return ""
    return _without_marks(str(part.get("text") or "")).strip()


def _without_marks(text: str) -> str:
    """Remove ChatGPT's source marks; names and links in them stay."""
    return _STRAY.sub("", _SOURCE.sub("", _MARK.sub(_render_mark, text)))


def _render_mark(mark: re.Match[str]) -> str:
    kind, _, rest = mark.group(1).partition(_BETWEEN)
    if kind == "url":
        return rest.partition(_BETWEEN)[0]
    if kind == "entity":
        try:
            named = json.loads(rest)
        except ValueError:
            return ""
        return str(named[1]) if isinstance(named, list) and len(named) > 1 else ""
    return ""


def _picture(part: Any) -> str:
    return _PICTURED.get(str(part.get("content_type")), "") if isinstance(part, dict) else ""


def _time(value: Any) -> datetime | None:
    """Parse a Unix timestamp or ISO text; None for None. Raises ValueError."""
    if value is None:
        return None
    try:
        if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
            return of_seconds(float(value))
        return parse_foreign(str(value))
    except (ValueError, OverflowError):
        raise ValueError(f"create_time is not a time: {str(value)[:40]!r}") from None
