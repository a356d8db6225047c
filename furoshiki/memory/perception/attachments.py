"""Convert attachments to words for the model.

Photos are passed as they are, documents are read up to a limit, voice is transcribed if an engine
is installed; anything else becomes an honest sentence in brackets. As the origin of words is known
here, this module also decides which are the sender's own (`furoshiki.language.testimony`).
"""

import asyncio
import logging
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from furoshiki.core.errors import FuroshikiError
from furoshiki.core.errors import in_words as in_sentence
from furoshiki.language import testimony
from furoshiki.language.testimony import Passage, Piece, Told
from furoshiki.memory.perception import authorship, documents, speech_to_text
from furoshiki.messages import events
from furoshiki.messages.events import Attachment, Contact, Dice, File, Message, Place, Poll, Sticker
from furoshiki.messages.values import Envelope
from furoshiki.models.llm.values import Image
from furoshiki.world import World

log = logging.getLogger(__name__)

DOCUMENT_CHARACTERS = 12_000  # characters of a document that are read
DOCUMENT_BYTES = 5_000_000  # larger documents are not downloaded

# the key, in a message's stored facts, of the original sender of a forwarded message
FORWARDED = "forwarded"

_OF_OTHERS: Mapping[str, testimony.Kind] = {"contact": "contact", "poll": "poll", "location": "place"}
# kinds of message described only in the program's own words; kinds neither here nor in `_OF_OTHERS`
# count as other people's words
_NOTED = frozenset({"sticker", "dice", "video"})

# media types of recordings for which Telegram gives none
_SOUND = {"voice": "audio/ogg", "audio": "audio/mpeg", "video_note": "video/mp4"}

LONGEST_SIGN = 16  # characters of an emoji; a family of four takes eleven

_JOINS = "\u200d\ufe0f"  # the zero-width joiner and the colour variation selector of emojis

READABLE = (".txt", ".md", ".csv", ".tsv", ".json", ".log", ".rst", *documents.READERS)


@dataclass(frozen=True)
class Described:
    """A message in words with its attachment, its stored facts, and pictures.

    `foreign` are the passages that are not the sender's own words.
    """

    text: str
    facts: Mapping[str, Any] | None = None
    images: list[Image] = field(default_factory=list)
    foreign: tuple[Passage, ...] = ()


async def in_words(world: World, envelope: Envelope) -> Described:
    """Return a message as words. Unreadable attachments are described; never raises."""
    message = envelope.message
    if message is None:
        return Described("")
    described = await _describe(world, envelope, message)
    if message.forwarded is not None:
        facts = {**(described.facts or {}), FORWARDED: events.as_json(message.forwarded)}
        foreign = testimony.whole(described.text, "forward", message.forwarded.who)
        return replace(described, facts=facts, foreign=foreign)
    if message.via:
        return replace(described, foreign=testimony.whole(described.text, "bot", message.via))
    return described


async def _describe(world: World, envelope: Envelope, message: Message) -> Described:
    caption = authorship.attribute(world, envelope, message)
    attachment, kind = message.attachment, message.holds
    if attachment is None:
        return Described(caption.text, foreign=caption.foreign)
    facts = events.facts(attachment)
    images: list[Image] = []
    if kind == "photo":
        words, images = await _photo(world, envelope, attachment)
        described = testimony.together([Piece(words, "note")])
    elif kind in ("voice", "audio", "video_note"):
        described = await _voice(world, envelope, attachment, kind)
    elif kind == "document":
        words = await _document(world, envelope, attachment)
        described = testimony.together([Piece(words, "document", attachment.name or "")])
    else:
        described = testimony.together(
            [Piece(_plain(kind, attachment), "note" if kind in _NOTED else _OF_OTHERS.get(kind, "unknown"))]
        )
        if isinstance(attachment, Place) and message.forwarded is None:
            facts["zone"] = zone_at(attachment)
    whole = testimony.join(described, caption)
    return Described(whole.text, facts, images, testimony.convert_notes(whole.foreign) if images else whole.foreign)


async def _photo(world: World, envelope: Envelope, attachment: Attachment) -> tuple[str, list[Image]]:
    try:
        data = await world.fetch(envelope)
    except (OSError, ValueError, FuroshikiError) as error:
        return f"[a photo that could not be fetched: {_why(error)}]", []
    media_type = attachment.media_type if isinstance(attachment, File) else None
    return "[a photo]", [Image(data, media_type or "image/jpeg")]


async def _voice(world: World, envelope: Envelope, attachment: Attachment, kind: str) -> Told:
    """Transcribe a recording: the sender's own words, except for audio files."""
    note, heard = await _transcribe(world, envelope, attachment, kind)
    if kind == "audio":
        return testimony.together([Piece(f"{note} {heard}", "audio", attachment.name or "")])
    return testimony.together([Piece(note, "note"), Piece(heard)], " ")


async def _transcribe(world: World, envelope: Envelope, attachment: Attachment, kind: str) -> tuple[str, str]:
    """Return a note on the recording, and its words."""
    seconds = attachment.duration if isinstance(attachment, File) else None
    length = f" of {seconds} s" if seconds else ""
    if not speech_to_text.hears(world):
        return f"[a voice message{length}; I cannot listen yet: /voice tells what would hear it]", ""
    try:
        data = await world.fetch(envelope)
        media_type = (attachment.media_type if isinstance(attachment, File) else None) or _SOUND[kind]
        heard = await speech_to_text.hear(world, envelope.id, data, media_type, seconds)
    except (OSError, ValueError, RuntimeError, FuroshikiError) as error:
        return f"[a voice message{length} that could not be understood: {_why(error)}]", ""
    return (f"[voice message{length}]", heard) if heard else (f"[a voice message{length} without words]", "")


async def _document(world: World, envelope: Envelope, attachment: Attachment) -> str:
    name = attachment.name or "a document"
    if not name.lower().endswith(READABLE):
        return f"[a document, {name}; I can read {', '.join(ending[1:] for ending in READABLE)}]"
    if isinstance(attachment, File) and (attachment.size or 0) > DOCUMENT_BYTES:
        return f"[a document, {name}, too large to read (over {DOCUMENT_BYTES // 1_000_000} MB)]"
    if (full := await asyncio.to_thread(world.no_room)) is not None:
        return f"[a document, {name}, that was not taken in: {full}]"
    try:
        data = await world.fetch(envelope)
        text = await asyncio.to_thread(_read, name, data)
    except (OSError, ValueError, FuroshikiError) as error:
        return f"[a document, {name}, that could not be read: {_why(error)}]"
    cut = len(text) > DOCUMENT_CHARACTERS
    end = "\n[… the rest was left out]" if cut else ""
    return f"[document {name}]\n{text[:DOCUMENT_CHARACTERS].strip()}{end}"


def _why(error: Exception) -> str:
    """Describe why a file failed; details of speech engine errors go to the log alone."""
    if isinstance(error, OSError) and error.errno is not None:
        return in_sentence(error)
    if isinstance(error, RuntimeError) and not isinstance(error, FuroshikiError):
        log.warning("an attachment could not be used: %s", error)
        return "no words came of it"
    return str(error)


def _read(name: str, data: bytes) -> str:
    if documents.get_ending(name) not in documents.READERS:
        return data.decode("utf-8", "replace")
    return documents.text_of(name, data, DOCUMENT_CHARACTERS + 1)


def zone_at(place: Place) -> str | None:
    """Return the time zone of a shared location (at sea the nautical one), None if invalid."""
    from tzfpy import get_tz

    if place.latitude is None or place.longitude is None:
        return None
    try:
        return str(get_tz(place.longitude, place.latitude)) or None
    except (TypeError, ValueError):
        return None


def _sign(emoji: str | None) -> str:
    """Strip all but emoji characters, to keep other people's text out of the program's own."""
    shown = (emoji or "")[:LONGEST_SIGN]
    return "".join(one for one in shown if unicodedata.category(one) in ("So", "Sk") or one in _JOINS)


def _plain(kind: str, attachment: Attachment) -> str:
    match attachment:
        case Sticker():
            return f"[a sticker: {_sign(attachment.emoji) or 'no emoji'}]"
        case Place():
            return f"[a location: {attachment.latitude}, {attachment.longitude}]"
        case Contact():
            return f"[a contact: {attachment.name or ''} {attachment.phone or ''}".rstrip() + "]"
        case Poll():
            return f"[a poll: {attachment.question or attachment.name or ''} ({', '.join(attachment.options)})]"
        case Dice():
            return f"[threw {_sign(attachment.emoji) or 'a die'}: {attachment.value}]"
        case _ if kind == "video":
            return "[a video; I cannot watch videos yet]"
        case _:
            return f"[{attachment.name or kind}, a kind of message I do not understand yet]"
