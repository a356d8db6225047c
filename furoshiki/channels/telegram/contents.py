"""The content of a Telegram message besides its text: kind, file, and a description in words.

Unknown content becomes an `Attachment` with Telegram's name for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from furoshiki.core import numbers
from furoshiki.core.json_values import list_of
from furoshiki.core.paths import read_toml_file
from furoshiki.messages.events import Attachment, Contact, Dice, File, Place, Poll, Sticker

Json = Mapping[str, Any]

# order matters: Telegram repeats an animation as a document
_FILES = ("voice", "audio", "video_note", "video", "animation", "document")

_KIND = {"animation": "video"}

_NAMES = {
    "voice": "a voice note",
    "audio": "a piece of audio",
    "video": "a video",
    "video_note": "a round video note",
    "animation": "an animation",
    "live_photo": "a moving photo",
    "document": "a file",
}
_DEFAULT_TYPES = {"voice": "audio/ogg", "video_note": "video/mp4", "animation": "video/mp4"}

_FIELDS = read_toml_file(Path(__file__).with_name("message_fields.toml"))
# Telegram's own notices about a chat, not messages of a person
_SERVICE = frozenset(_FIELDS["service"].split())

# fields about a message; any other field is its content
_ABOUT = frozenset(_FIELDS["about"].split())


@dataclass(frozen=True)
class Content:
    """A message's kind, attachment and description; the latter are None for plain text.

    `text` are the words of a message that has them outside its text field, `quoted` the ranges
    [start, end) of quotations in it.
    """

    kind: str
    attachment: Attachment | None = None
    described: str | None = None
    text: str | None = None
    quoted: tuple[tuple[int, int], ...] = ()


def contents(message: Json) -> Content | None:
    """Return the content of a message; None if no person said anything."""
    for field in _FILES:
        if isinstance(message.get(field), Mapping):
            return Content(_KIND.get(field, field), *_file(field, message[field]))
    for field, reader in (
        ("photo", _photo),
        ("sticker", _sticker),
        ("venue", _venue),
        ("location", _location),
        ("contact", _contact),
        ("poll", _poll),
        ("dice", _dice),
    ):
        if message.get(field):
            kind = "location" if field == "venue" else field
            return Content(kind, *reader(message[field]))
    if message.get("text"):
        return Content("text")
    if isinstance(message.get("checklist"), Mapping):
        return Content("text", text=checklist(message["checklist"]))
    if isinstance(message.get("rich_message"), Mapping):
        text, quoted = read_blocks(message["rich_message"])
        return Content("text", text=text, quoted=tuple(quoted))
    if isinstance(message.get("live_photo"), Mapping):
        moving = message["live_photo"]
        if moving.get("photo"):
            return Content("photo", *_photo(moving["photo"]))
        return Content("video", *_file("live_photo", moving))
    if _SERVICE & message.keys():
        return None
    unknown = sorted(message.keys() - _ABOUT)
    if not unknown:
        return None
    return Content("other", Attachment(name=unknown[0]), f'something Telegram calls "{unknown[0]}"')


def _build_file(file: Json, media_type: str | None, name: str | None = None) -> dict[str, Any]:
    return {
        "file_id": str(file["file_id"]),
        "media_type": media_type,
        "size": file.get("file_size"),
        "name": name,
        "duration": file.get("duration"),
        "width": file.get("width") or file.get("length"),
        "height": file.get("height") or file.get("length"),
    }


def _file(field: str, file: Json) -> tuple[File, str]:
    media_type = file.get("mime_type") or _DEFAULT_TYPES.get(field)
    described = _NAMES[field]
    name = file.get("file_name") or file.get("title")
    if name:
        described += f" “{name}”"
    if file.get("performer"):
        described += f" by {file['performer']}"
    if file.get("duration"):
        described += f" of {file['duration']} s"
    return File(**_build_file(file, media_type, name)), described


def _photo(sizes: Any) -> tuple[File, str]:
    largest = max(
        sizes, key=lambda size: (numbers.row(size.get("width")) or 0) * (numbers.row(size.get("height")) or 0)
    )
    return File(**_build_file(largest, "image/jpeg")), "a photo"


def _sticker(sticker: Json) -> tuple[Sticker, str]:
    emoji = str(sticker.get("emoji") or "")
    moving = sticker.get("is_animated") or sticker.get("is_video")
    file = {} if moving else _build_file(sticker, "image/webp")
    return Sticker(**file, emoji=emoji), f"a sticker {emoji}".strip()


def _location(place: Json) -> tuple[Place, str]:
    latitude, longitude = (numbers.decimal(place[name], -180, 180) or 0.0 for name in ("latitude", "longitude"))
    live = True if place.get("live_period") else None
    described = f"a {'live ' if live else ''}location: {latitude:.5f}, {longitude:.5f}"
    return Place(latitude=latitude, longitude=longitude, live=live), described


def _venue(venue: Json) -> tuple[Place, str]:
    where, _ = _location(venue["location"])
    title, address = str(venue.get("title") or ""), str(venue.get("address") or "")
    return replace(where, title=title, address=address), f"a place: {title}, {address}".rstrip(", ")


def _contact(contact: Json) -> tuple[Contact, str]:
    name = " ".join(str(contact[part]) for part in ("first_name", "last_name") if contact.get(part))
    phone = contact.get("phone_number")
    return Contact(name=name, phone=phone), f"a contact: {name}, {phone or 'no number'}"


def _poll(poll: Json) -> tuple[Poll, str]:
    options = tuple(str(option.get("text")) for option in poll.get("options") or [])
    quiz = poll.get("type") == "quiz"
    question = str(poll.get("question") or "")
    described = f"a {'quiz' if quiz else 'poll'}: {question} ({' / '.join(options)})"
    return Poll(question=question, options=options), described


def _dice(dice: Json) -> tuple[Dice, str]:
    emoji, value = dice.get("emoji") or "🎲", dice.get("value")
    return Dice(emoji=emoji, value=value), f"a thrown {emoji} that shows {value}"


# -- rich messages and checklists, as text with quoted ranges --
#
# A rich message is a tree of blocks (paragraphs, lists, tables, quotations, media) whose texts are
# strings, lists, or objects with a text. Pure. Unknown blocks yield the texts inside.


DEEPEST = 30  # blocks nested deeper are left out

_QUOTATIONS = frozenset({"blockquote", "expandable_blockquote", "pullquote", "pre"})
_OWN_LINES = frozenset({"paragraph", "heading", "footer", "details", "list", "table", "collage", "slideshow"})
# fields of a block with its content, in display order
_INSIDE = ("summary", "text", "expression", "alternative_text", "blocks", "items", "cells", "caption", "credit")

_MEDIA = {
    "photo": "a photo",
    "video": "a video",
    "animation": "an animation",
    "audio": "a piece of audio",
    "voice_note": "a voice note",
    "document": "a file",
    "map": "a map",
}


class _Page:
    """The text so far and its quotations, as ranges [start, end)."""

    def __init__(self) -> None:
        self.text = ""
        self.quoted: list[tuple[int, int]] = []
        self._after_label = False

    def label(self, words: str) -> None:
        """Begin a list item: what follows is on its label's line."""
        self.text += f"{words} "
        self._after_label = True

    def line(self) -> None:
        """Begin a new line."""
        if self._after_label:
            self._after_label = False
        elif self.text and not self.text.endswith("\n"):
            self.text += "\n"

    def quote(self, start: int) -> None:
        """Mark everything from `start` on as a quotation."""
        while start < len(self.text) and self.text[start] == "\n":
            start += 1
        end = len(self.text.rstrip("\n"))
        if start < end:
            self.quoted.append((start, end))


def read_blocks(message: Json) -> tuple[str, list[tuple[int, int]]]:
    """Return the text of a rich message, and its ranges [start, end) of quotations or media."""
    page = _Page()
    _add(page, message.get("blocks"), DEEPEST)
    return page.text.rstrip(), page.quoted


def checklist(message: Json) -> str:
    """Format a checklist: its title, then each task with a box, ticked if done."""
    lines = [str(message.get("title") or "")]
    for task in message.get("tasks") or []:
        done = task.get("completion_date") or task.get("completed_by_user") or task.get("completed_by_chat")
        lines.append(f"{'☑' if done else '☐'} {task.get('text') or ''}")
    return "\n".join(lines).strip()


def _add(page: _Page, part: Any, depth: int) -> None:
    if depth == 0:
        return
    if isinstance(part, str):
        page.text += part
    elif isinstance(part, list | tuple):
        for one in part:
            _add(page, one, depth - 1)
    elif isinstance(part, Mapping):
        _add_block(page, part, depth - 1)


def _add_block(page: _Page, block: Json, depth: int) -> None:
    kind = str(block.get("type") or "")
    # whether a block has lines of its own, instead of being inline
    starts_line = kind in _OWN_LINES or kind in _QUOTATIONS or kind in _MEDIA or "label" in block or "blocks" in block
    if starts_line:
        page.line()
    start = len(page.text)
    if kind in _MEDIA and kind in block or kind == "map":
        page.text += f"[{_MEDIA[kind]}]"
        page.quote(start)
        page.line()
    if "label" in block:
        page.label(f"{_box(block)}{block['label']}")
    for name in _INSIDE:
        if name not in block:
            continue
        if name == "cells":
            _add_rows(page, block[name], depth)
        else:
            _add(page, block[name], depth)
            if starts_line and name != "blocks":
                page.line()
    if kind in _QUOTATIONS:
        page.quote(start)


def _add_rows(page: _Page, rows: Any, depth: int) -> None:
    for row in list_of(rows):
        page.line()
        for number, cell in enumerate(list_of(row)):
            page.text += " | " if number else ""
            _add(page, cell.get("text") if isinstance(cell, Mapping) else cell, depth)


def _box(item: Json) -> str:
    if not item.get("has_checkbox"):
        return ""
    return "☑ " if item.get("is_checked") else "☐ "
