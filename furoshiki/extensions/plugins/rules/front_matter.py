"""Parser of the YAML head of PLUGIN.md that keeps the line number of each value.

A subset of YAML: no anchors, tags, duplicate keys or deep nesting, because people must be able to
read a manifest.
"""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import yaml

FENCE = "---"
DEEPEST = 12  # maximum levels of nesting

LARGEST_BYTES = 64 * 1024

_VALUE = re.compile(r": +(.*)")


class Unreadable(ValueError):
    """An unreadable head: `line` (in the file, from 1) and what to write instead."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Node:
    """A value and its line. `value` is a mapping of nodes, a list of them, or a scalar; `raw` is a
    scalar's source text (a version 1.0 is no number)."""

    line: int
    value: Any
    raw: str = ""

    @property
    def plain(self) -> Any:
        """The value without its lines."""
        if isinstance(self.value, dict):
            return {name: node.plain for name, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain for node in self.value]
        return self.value


def read(content: bytes) -> Node:
    """Parse the front matter of a file, a mapping. Raises Unreadable."""
    if len(content) > LARGEST_BYTES:
        raise Unreadable(1, f"the file is larger than {LARGEST_BYTES // 1024} KB; write less")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Unreadable(line, "this is not UTF-8 text; save the file as UTF-8") from None
    head, *lines = text.splitlines() or [""]
    if head.rstrip() != FENCE:
        raise Unreadable(1, f"the manifest is missing; begin with a line {FENCE}, then `name: …`, then {FENCE} again")
    end = next((number for number, line in enumerate(lines) if line.rstrip() == FENCE), None)
    if end is None:
        raise Unreadable(1, f"the manifest does not end; write a line {FENCE} behind it")
    return _tree("\n".join(["", *lines[:end]]) + "\n")


def unknown(name: str, known: Iterable[str]) -> str:
    """Return the message for an unknown key."""
    names = list(known)
    near = difflib.get_close_matches(name, names, 1, 0.5)
    hint = f"write {near[0]!r}, if you meant that" if near else f"write one of {', '.join(names)}"
    return f"{name!r} is not known here; {hint}"


def _tree(text: str) -> Node:
    try:
        _refuse(text)
        composed = yaml.compose(text, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else 1
        raise Unreadable(line, _in_words(error, text.splitlines()[line - 1 : line])) from None
    except yaml.YAMLError as error:  # an error for an invalid character has no line
        line = text.count("\n", 0, getattr(error, "position", 0)) + 1
        raise Unreadable(line, "there is a control character here; write the line without it") from None
    if composed is None or not isinstance(composed, yaml.MappingNode):
        raise Unreadable(1, "the manifest is no list of `key: value` lines; write `name: …` and what follows")
    return _node(composed)


def _in_words(error: yaml.MarkedYAMLError, lines: list[str]) -> str:
    match = _VALUE.search(lines[0]) if lines else None
    value = match[1].strip() if match else ""
    if value[:1] in ("*", "&", "%", "@", "`", "!"):
        return f'a value that begins with {value[0]} needs quotes; write "{value}"'
    if error.problem and "mapping values are not allowed" in error.problem:
        return 'a value with ": " in it needs quotes; write it as "…"'
    if error.problem and "\\t" in error.problem:
        return "a tab cannot indent; write blanks"
    return f"this is not YAML ({error.problem or error.context}); write `key: value`, indented by blanks"


def _refuse(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise Unreadable(line, "anchors and aliases (& and *) are not taken; write the value out, in quotes")
        if getattr(event, "tag", None) is not None:
            raise Unreadable(line, "tags (!) are not taken; write the plain value")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise Unreadable(line, f"nested more than {DEEPEST} levels deep; write it flatter")


def _node(node: yaml.Node) -> Node:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        return Node(line, list(map(_node, node.value)))
    if isinstance(node, yaml.MappingNode):
        found: dict[str, Node] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise Unreadable(key.start_mark.line + 1, "a key is a word; write `key: value`")
            if key.value in found:
                raise Unreadable(key.start_mark.line + 1, f"{key.value!r} is there twice; write it once")
            found[key.value] = replace(_node(value), line=key.start_mark.line + 1)
        return Node(line, found)
    return Node(line, _scalar(node), node.value)


def _scalar(node: yaml.ScalarNode) -> Any:
    """Return a scalar's value; dates stay text."""
    kind = node.tag.removeprefix("tag:yaml.org,2002:")
    if kind not in ("int", "float", "bool", "null"):
        return node.value
    try:
        return yaml.SafeLoader("").construct_object(node)
    except (ValueError, OverflowError, yaml.YAMLError):
        raise Unreadable(node.start_mark.line + 1, f"{node.value!r} is no number; write it in quotes") from None
