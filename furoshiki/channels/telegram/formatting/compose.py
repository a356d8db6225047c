"""Turns a Markdown reply into messages: formatted, split, or as a file if it is very long."""

import base64
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from furoshiki.channels.telegram.formatting.entities import format_markdown
from furoshiki.channels.telegram.formatting.spans import Entity
from furoshiki.channels.telegram.formatting.split import LIMIT, Piece, split
from furoshiki.core.catalogue import later, say
from furoshiki.messages.values import Shaped

MOST_PARTS = 5
"""A reply of more messages is sent as a file."""

CAPTION_LIMIT = 1024
"""UTF-16 units of a file's caption."""

_SUMMARY = 700
"""UTF-16 units of the beginning that is sent with the file."""

_HOPELESS = 60_000
"""Characters of Markdown that surely exceed five messages; only their beginning is formatted."""

_FILE_NOTE = later("This got long: the whole answer is in the file.")


@dataclass(frozen=True)
class Part:
    """One message to send. `extra` holds `filename` and `data` (base64) of a document."""

    kind: str
    text: str
    entities: tuple[Entity, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


def compose(markdown: str, allowed_links: Collection[str] = (), limit: int = LIMIT) -> list[Part]:
    """Return the messages of a reply, at most five, in order; none for white space."""
    long = len(markdown) > _HOPELESS
    whole = format_markdown(markdown[:LIMIT] if long else markdown, allowed_links)
    pieces = split(whole.text, whole.entities, limit)
    if long or len(pieces) > MOST_PARTS:
        beginning = (split(whole.text, whole.entities, min(_SUMMARY, limit)) or [Piece("")])[0]
        file = {"filename": "answer.md", "data": base64.b64encode(markdown.encode("utf-8", "replace")).decode()}
        return [Part("document", f"{beginning.text}…\n\n{say(_FILE_NOTE)}", beginning.entities, file)]
    return [Part("text", piece.text, piece.entities) for piece in pieces]


def shape_markdown(markdown: str, allowed_links: Collection[str]) -> list[Shaped]:
    """Return the messages in the common form of all channels."""
    return [Shaped(part.text, part.entities, part.kind, part.extra) for part in compose(markdown, allowed_links)]


def caption(markdown: str, allowed_links: Collection[str] = ()) -> list[Part]:
    """Return the caption of a file, followed by messages with the rest."""
    whole = format_markdown(markdown, allowed_links)
    first, *rest = split(whole.text, whole.entities, CAPTION_LIMIT) or [whole]
    return [Part("document", first.text, first.entities), *(Part("text", p.text, p.entities) for p in rest)]
