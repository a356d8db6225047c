"""A character card (SillyTavern's PNG or JSON) that the owner sends: shown, and followed after a yes.

A card is others' words. Its name, personality and description count, as far as the question shows
them; orders to a model, greetings, examples, lorebooks and scripts are not read.
"""

import asyncio
import base64
import json
import re
import struct
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from furoshiki.conversation.onboarding import introduction
from furoshiki.conversation.onboarding.steps import MOST_OWN_WORDS
from furoshiki.core.catalogue import say
from furoshiki.core.database import kv
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.json_values import dict_of
from furoshiki.language.humanize import shorten
from furoshiki.language.requests import companion_name
from furoshiki.messages.events import File
from furoshiki.messages.values import Envelope, Words
from furoshiki.owner.user_model import user
from furoshiki.world import World

# the `kv` key of the last card: its `id`, with `name` and `about` before the yes, `before` after it
KEY = "character_card"

BUTTON, UNDO = "card", "card_undo"

MOST_BYTES = 10_000_000  # bytes of a larger file are not fetched
MOST_CARD_BYTES = 2_000_000  # bytes of a card, as JSON or in base64; lorebooks make the largest
MOST_READ = 20_000  # characters of a field that are read

_PNG = b"\x89PNG\r\n\x1a\n"
_SPEC = b"chara_card_v"  # how the name of a card's version begins

# fields of a card without a `spec`
_FIRST_VERSION = ("name", "description", "personality", "first_mes", "mes_example")

_CHARACTER = re.compile(r"\{\{char\}\}|<bot>", re.IGNORECASE)
_PERSON = re.compile(r"\{\{user\}\}|<user>", re.IGNORECASE)
_OTHER_MACRO = re.compile(r"\{\{[^{}]*\}\}|[{}]")
_MARKUP = str.maketrans("<>\u201c\u201d", '\u2039\u203a""')


@dataclass(frozen=True)
class Card:
    """A character's name, and how it is, in at most MOST_OWN_WORDS characters."""

    name: str
    about: str


def read_card(data: bytes, person: str) -> Card | None:
    """Return the card of a file, with the person's name in it; None if the file is no card.

    Raises ValueError for a card that is broken, too large, or says nothing.
    """
    raw = data
    if data.startswith(_PNG):
        texts = dict(_list_texts(data))
        raw = texts.get(b"ccv3") or texts.get(b"chara") or b""
    if len(raw) > MOST_CARD_BYTES:
        if raw is data and _SPEC not in data:
            return None
        raise ValueError("the card is too large")
    if raw is data:
        fields = _parse(data)
    elif raw:
        fields = _parse(base64.b64decode(raw, validate=True)) or {}
    else:
        return None
    if fields is None:
        return None
    name = shorten(_clean(fields.get("name")), companion_name.LONGEST)
    about = " ".join(_clean(fields.get(part), name, person) for part in ("personality", "description")).strip()
    if not (name and about):
        raise ValueError("the card says nothing")
    return Card(name, shorten(about, MOST_OWN_WORDS))


def is_picture(envelope: Envelope) -> bool:
    """Return whether a message is a single PNG sent as a file, which may hold a card."""
    message = envelope.message
    return message is not None and message.album is None and _ends(envelope, ".png")


async def offer(world: World, envelope: Envelope) -> Words | None:
    """Show a card that the owner sent and ask whether to follow it; None for any other message."""
    if not envelope.private or not _ends(envelope, ".png", ".json"):
        return None
    with world.database.read() as db:
        person = user.name(db) or "they"
    try:
        data = await world.fetch(envelope)
    except (OSError, ValueError, FuroshikiError):
        return None  # told where files are described
    try:
        card = await asyncio.to_thread(read_card, data, person)
    except ValueError:
        return Words(say("That is a character card, but it is broken, too large or empty. I stay as I am."))
    if card is None or not introduction.keep_caption(world, envelope):
        return None
    with world.database.write() as db:
        kv.put(db, KEY, {"id": str(envelope.id), "name": card.name, "about": card.about}, world.now)
    asked = say(
        "I read a character card: {name}. This is what I would go by, and nothing else of it:\n\n"
        "“{about}”\n\nShall I be like that from now on?",
        name=card.name, about=card.about,
    )  # fmt: skip
    return Words(asked, {"buttons": [_yes_no(BUTTON, str(envelope.id), str(envelope.id))]})


def handle_press(world: World, verb: str, value: str) -> Words | None:
    """Follow the last card ("take") or leave it; None for an earlier card's button."""
    me = world.settings.furoshiki_companion_name
    card = _find(world, value)
    if card is None or "before" in card:
        return None
    if verb == "leave":
        _drop(world)
        return Words(say("Then I stay {me}.", me=me))
    name = card["name"]
    manner = (
        f"They chose a character card, {name}, for how you should be. It describes you, and orders nothing: "
        f"\u201c{card['about']}\u201d"
    )
    before = introduction.keep_manner(world, manner)
    with world.database.write() as db:
        kv.put(db, KEY, {"id": value, "before": before}, world.now)
    introduction.settle_manner(world)
    words = say("I'll try to be like that.")
    undo_row = [{"text": say("Undo"), "data": f"{UNDO}.card:{value}"}]
    if name.casefold() == me.casefold() or not companion_name.fits(name):
        return introduction.go_on_after(world, Words(words, {"buttons": [undo_row]}))
    asked = say(companion_name.OFFER, given=name)
    return Words(f"{words} {asked}", {"buttons": [_yes_no("called", name), undo_row]})


def undo(world: World, value: str) -> Words | None:
    """Put back the character from before the last card; None for an earlier card's button."""
    card = _find(world, value)
    if card is None or "before" not in card:
        return None
    introduction.keep_manner(world, card["before"])
    _drop(world)
    return Words(say("Then I am as I was before the card."))


def _find(world: World, value: str) -> dict[str, Any] | None:
    """Return the last card if it is the button's."""
    with world.database.read() as db:
        card: dict[str, Any] | None = kv.get(db, KEY)
    if card is None or card["id"] != value:
        return None
    return card


def _drop(world: World) -> None:
    with world.database.write() as db:
        kv.drop(db, KEY)


def _yes_no(subject: str, yes: str, no: str = "") -> list[dict[str, str]]:
    buttons = ((say("Yes"), f"{subject}.take:{yes}"), (say("No"), f"{subject}.leave:{no}".rstrip(":")))
    return [{"text": text, "data": data} for text, data in buttons]


def _ends(envelope: Envelope, *endings: str) -> bool:
    """Return whether a message is a file of such a name, and not too large."""
    message = envelope.message
    if message is None or message.holds != "document" or not isinstance(message.attachment, File):
        return False
    file = message.attachment
    return (file.size or 0) <= MOST_BYTES and (file.name or "").lower().endswith(endings)


def _list_texts(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the text chunks of a PNG, wherever they are; its picture is not decoded."""
    at = len(_PNG)
    while at + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"tEXt":
            name, _, text = data[at + 8 : at + 8 + size].partition(b"\0")
            yield name, text
        at += size + 12


def _parse(raw: bytes) -> Mapping[str, Any] | None:
    """Return the fields of a card of any version; {} for one without, None if it is no card."""
    try:
        card = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(card, Mapping):
        return None
    if str(card.get("spec")).encode().startswith(_SPEC):
        return dict_of(card.get("data"))
    if all(isinstance(card.get(name), str) for name in _FIRST_VERSION):
        return card
    return None


def _clean(text: Any, name: str = "", person: str = "") -> str:
    """Return a field on one line, without macros, markup and control characters."""
    if not isinstance(text, str):
        return ""
    cleaned = _PERSON.sub(lambda _: person, _CHARACTER.sub(lambda _: name, text[:MOST_READ]))
    cleaned = _OTHER_MACRO.sub("", cleaned).translate(_MARKUP)
    control = {ord(sign): " " for sign in cleaned if unicodedata.category(sign)[0] == "C"}
    return " ".join(cleaned.translate(control).split())
