"""`parse_mode`: HTML becomes entities. Markdown modes are refused, nothing here sends them."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from .rules import bad, units

_TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "blockquote": "blockquote",
    "code": "code",
    "pre": "pre",
    "a": "text_link",
}


def parse(text: str, mode: str, entities: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """Text and entities after `mode` was applied; a mode takes precedence over entities, as on Telegram."""
    if not mode:
        return text, entities
    if mode.lower() != "html":
        raise bad("unsupported parse_mode")
    parser = _Html()
    parser.feed(text)
    parser.close()
    if parser.open:
        raise bad(f"can't parse entities: can't find end tag corresponding to start tag \"{parser.open[-1][0]}\"")
    return parser.text, [e for e in parser.entities if e["length"]]


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.entities: list[dict[str, Any]] = []
        self.open: list[tuple[str, dict[str, Any]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _TAGS:
            raise bad(f'can\'t parse entities: unsupported start tag "{tag}" at byte offset {self.getpos()[1]}')
        entity: dict[str, Any] = {"type": _TAGS[tag], "offset": units(self.text), "length": 0}
        given = dict(attrs)
        if tag == "a" and given.get("href"):
            entity["url"] = given["href"]
        if tag == "code" and self.open and self.open[-1][0] == "pre" and given.get("class"):
            self.open[-1][1]["language"] = str(given["class"]).removeprefix("language-")
        self.open.append((tag, entity))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1][0] != tag:
            raise bad(f"can't parse entities: unmatched end tag at byte offset {self.getpos()[1]}")
        _, entity = self.open.pop()
        entity["length"] = units(self.text) - entity["offset"]
        if not (tag == "code" and self.open and self.open[-1][0] == "pre"):
            self.entities.append(entity)

    def handle_data(self, data: str) -> None:
        self.text += data
