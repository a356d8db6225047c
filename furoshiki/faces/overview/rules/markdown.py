"""Markdown as a tree of known elements for a template: no other element can result.

Addresses are shown as text, not links: a document that the companion read could have injected one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST = 40_000  # characters parsed as Markdown; longer text is shown unchanged


@dataclass(frozen=True)
class Node:
    """An element or text (`tag` is ""). `start` is an ordered list's first number."""

    tag: str
    text: str = ""
    children: tuple[Node, ...] = ()
    start: int | None = None


# our elements by those of the parser; "h" is a heading inside a message, not of the page
_ELEMENTS = {
    "paragraph": "p",
    "strong": "strong",
    "em": "em",
    "s": "s",
    "blockquote": "blockquote",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "heading": "h",
    "table": "table",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "th": "th",
    "td": "td",
}


def parse(text: str) -> tuple[Node, ...]:
    """Parse a message into nodes for display."""
    if len(text) > LONGEST:
        return (Node("p", children=(Node("", text),)),)
    return _nodes(_parser().parse(text))


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])


def _nodes(tokens: Sequence[Token]) -> tuple[Node, ...]:
    """Build the tree from a flat list of tokens."""
    stack: list[tuple[Token | None, list[Node]]] = [(None, [])]
    for token in tokens:
        if token.nesting == 1:
            stack.append((token, []))
        elif token.nesting == -1:
            opening, children = stack.pop()
            stack[-1][1].extend(_element(opening, children))
        else:
            stack[-1][1].extend(_leaf(token))
    return tuple(stack[0][1])


def _element(opening: Token | None, children: list[Node]) -> Iterable[Node]:
    kind = "" if opening is None else opening.type.removesuffix("_open")
    if opening is not None and opening.hidden:  # the paragraph of a tight list
        return children
    if opening is not None and kind == "link":
        address = str(opening.attrGet("href") or "")
        shown = "".join(map(_plain, children))
        return children if address in (shown, f"mailto:{shown}") else [*children, Node("", f" ({address})")]
    tag = _ELEMENTS.get(kind)
    if tag is None:
        return children
    start = None if opening is None or tag != "ol" else opening.attrGet("start")
    return [Node(tag, children=tuple(children), start=int(start) if start is not None else None)]


def _leaf(token: Token) -> Iterable[Node]:
    if token.type == "inline":
        return _nodes(token.children or [])
    if token.type in ("softbreak", "hardbreak"):
        return [Node("br")]
    if token.type == "hr":
        return [Node("hr")]
    if token.type == "code_inline":
        return [Node("code", children=(Node("", token.content),))]
    if token.type in ("fence", "code_block"):
        return [Node("pre", children=(Node("", token.content.rstrip("\n")),))]
    return [Node("", token.content)] if token.content else []


def _plain(node: Node) -> str:
    return node.text + "".join(map(_plain, node.children))
