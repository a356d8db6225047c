"""What Telegram accepts as text, and the words it refuses with.

The error texts and the cleaning of text follow the official Bot API server and TDLib as best known. Two choices where
the public sources are silent: of more than 100 entities the first 100 count and the rest are dropped without a word,
and a reaction outside the standard set is `REACTION_INVALID`.
"""

from __future__ import annotations

from typing import Any

MESSAGE_UNITS = 4096
CAPTION_UNITS = 1024
MAX_ENTITIES = 100
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)
ENTITY_TYPES = frozenset(
    [
        "mention",
        "hashtag",
        "cashtag",
        "bot_command",
        "url",
        "email",
        "phone_number",
        "bold",
        "italic",
        "underline",
        "strikethrough",
        "spoiler",
        "blockquote",
        "expandable_blockquote",
        "code",
        "pre",
        "text_link",
        "text_mention",
        "custom_emoji",
        "date_time",
    ]
)
CHAT_ACTIONS = frozenset(
    [
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    ]
)
REACTIONS = frozenset(
    [
        "❤",
        "👍",
        "👎",
        "🔥",
        "🥰",
        "👏",
        "😁",
        "🤔",
        "🤯",
        "😱",
        "🤬",
        "😢",
        "🎉",
        "🤩",
        "🤮",
        "💩",
        "🙏",
        "👌",
        "🕊",
        "🤡",
        "🥱",
        "🥴",
        "😍",
        "🐳",
        "❤\u200d🔥",
        "🌚",
        "🌭",
        "💯",
        "🤣",
        "⚡",
        "🍌",
        "🏆",
        "💔",
        "🤨",
        "😐",
        "🍓",
        "🍾",
        "💋",
        "🖕",
        "😈",
        "😴",
        "😭",
        "🤓",
        "👻",
        "👨\u200d💻",
        "👀",
        "🎃",
        "🙈",
        "😇",
        "😨",
        "🤝",
        "✍",
        "🤗",
        "🫡",
        "🎅",
        "🎄",
        "☃",
        "💅",
        "🤪",
        "🗿",
        "🆒",
        "💘",
        "🙉",
        "🦄",
        "😘",
        "💊",
        "🙊",
        "😎",
        "👾",
        "🤷\u200d♂",
        "🤷",
        "🤷\u200d♀",
        "😡",
    ]
)
_SPACE = frozenset(map(chr, (*range(10), 11, 12, *range(14, 32), 32)))
_DROPPED = frozenset("\r\u0333\u033f\u030a") | frozenset(map(chr, range(0x2028, 0x202F)))
_INVISIBLE = "".join(
    map(chr, (10, 32, 0xA0, 0x1680, 0x180E, *range(0x2000, 0x2010), *range(0x2028, 0x2030)))
) + "".join(map(chr, (0x205F, 0x2800, 0x3000, 0xFEFF, 0xFFFC)))


class ApiError(Exception):
    """An answer with `ok: false`: the HTTP status, the description, and what goes into `parameters`."""

    def __init__(self, status: int, description: str, **parameters: int) -> None:
        super().__init__(description)
        self.status, self.description, self.parameters = status, description, parameters


def bad(description: str) -> ApiError:
    """A 400 in Telegram's voice."""
    return ApiError(400, f"Bad Request: {description}")


def units(text: str) -> int:
    """The length Telegram counts: UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def accept_text(
    text: str, entities: list[dict[str, Any]], *, limit: int, too_long: str
) -> tuple[str, list[dict[str, Any]]]:
    """The text and entities as Telegram stores them; raises ApiError when it would refuse them.

    An empty text comes back empty: whether that is allowed is the caller's rule.
    """
    if any(0xD800 <= ord(char) <= 0xDFFF for char in text):
        raise bad("strings must be encoded in UTF-8")
    kept = sorted(_wellformed(entities)[:MAX_ENTITIES], key=lambda e: (e["offset"], -e["length"]))
    cleaned, kept = _clean(text, kept)
    stored, kept = _trim(cleaned, kept)
    if units(stored) > limit:
        raise bad(too_long)
    return stored, kept


def blank(text: str) -> bool:
    """Whether nothing visible is left of the text."""
    return not text.strip(_INVISIBLE)


def _wellformed(entities: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for entity in entities:
        if not isinstance(entity, dict):
            raise bad("can't parse entities: expected an Object")
        if entity.get("type") not in ENTITY_TYPES:
            raise bad("can't parse entities: unsupported entity type specified")
        if not isinstance(entity.get("offset"), int) or not isinstance(entity.get("length"), int):
            raise bad('can\'t parse entities: field "offset" must be of type Number')
        if entity["type"] == "text_link" and not entity.get("url"):
            raise bad("can't parse entities: can't find field \"url\"")
        if entity["offset"] < 0 or entity["offset"] > 1_000_000:
            raise bad(f"receive an entity with incorrect offset {entity['offset']}")
        if entity["length"] < 0 or entity["length"] > 1_000_000:
            raise bad(f"receive an entity with incorrect length {entity['length']}")
    return [dict(entity) for entity in entities if entity["length"] > 0]


def _clean(text: str, entities: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """Replaces control characters, drops the forbidden ones, and moves the entities along."""
    new_at: dict[int, int] = {}
    byte_at: dict[int, int] = {}
    kept: list[str] = []
    old = new = size = 0
    for char in text:
        new_at[old], byte_at[old] = new, size
        width = 2 if ord(char) > 0xFFFF else 1
        old += width
        size += len(char.encode())
        if char not in _DROPPED:
            kept.append(" " if char in _SPACE else char)
            new += width
    new_at[old] = new
    for entity in entities:
        begin, end = entity["offset"], entity["offset"] + entity["length"]
        if begin > old or (begin == old and entity["length"]):
            raise bad(f"entity begins after the end of the text at UTF-16 offset {begin}")
        if begin not in new_at:
            raise bad(f"entity begins in a middle of a UTF-16 symbol at byte offset {byte_at.get(begin + 1, size)}")
        if end > old:
            raise bad(
                f"entity beginning at UTF-16 offset {begin} ends after the end of the text at UTF-16 offset {end}"
            )
        if end not in new_at:
            raise bad(
                f"entity beginning at UTF-16 offset {begin} ends in a middle of a UTF-16 symbol "
                f"at byte offset {byte_at.get(end + 1, size)}"
            )
        entity["offset"], entity["length"] = new_at[begin], new_at[end] - new_at[begin]
    return "".join(kept), entities


def _trim(text: str, entities: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """Takes white space off both ends, except in front where an entity holds it; drops entities of white space."""
    raw = text.encode("utf-16-le")
    entities = [e for e in entities if _slice(raw, e).strip(" \n")]
    text = text.rstrip(" \n")
    end = units(text)
    for entity in entities:
        entity["length"] = min(entity["length"], end - entity["offset"])
    lead = len(text) - len(text.lstrip(" \n"))
    lead = min([lead, *(e["offset"] for e in entities)])
    for entity in entities:
        entity["offset"] -= lead
    return text[lead:], [e for e in entities if e["length"] > 0]


def _slice(raw: bytes, entity: dict[str, Any]) -> str:
    return raw[entity["offset"] * 2 : (entity["offset"] + entity["length"]) * 2].decode("utf-16-le")
