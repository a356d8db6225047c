"""Validation of a callable's argument schema: a subset of JSON Schema."""

from collections.abc import Iterator
from typing import Any

from furoshiki.extensions.plugins.rules.front_matter import Node, unknown

DEEPEST = 4
"""Maximum nesting of objects and lists."""

MOST_ARGUMENTS = 20

_TYPES = ("string", "integer", "number", "boolean", "array", "object")
_KEYS: dict[str, dict[str, Any]] = {
    "": {"type": str, "description": str, "enum": list, "default": object, "examples": list},
    "string": {"minLength": int, "maxLength": int},
    "integer": {"minimum": (int, float), "maximum": (int, float)},
    "number": {"minimum": (int, float), "maximum": (int, float)},
    "boolean": {},
    "array": {"items": dict, "minItems": int, "maxItems": int},
    "object": {"properties": dict, "required": list, "additionalProperties": bool},
}
_WORDS = {
    str: "a text",
    list: "a list",
    int: "a whole number",
    (int, float): "a number",
    dict: "a mapping",
    bool: "true or false",
}


def problems(schema: Node) -> Iterator[tuple[int, str]]:
    """Yield the problems of a schema: the line, and what to write."""
    if not isinstance(schema.value, dict) or schema.plain.get("type") != "object":
        yield schema.line, "args_schema is no object; write `type: object` and `properties:` below it"
        return
    yield from _problems(schema, 1)


def _problems(schema: Node, depth: int) -> Iterator[tuple[int, str]]:
    if not isinstance(schema.value, dict):
        yield schema.line, "a schema is a mapping; write `type: string`, for example"
        return
    if depth > DEEPEST:
        yield schema.line, f"arguments nested more than {DEEPEST} levels deep; write them flatter"
        return
    kind = schema.plain.get("type")
    if kind not in _TYPES:
        yield schema.line, f"a schema needs a type; write `type:` and one of {', '.join(_TYPES)}"
        return
    known: dict[str, Any] = {**_KEYS[""], **_KEYS[kind]}
    for name, node in schema.value.items():
        wanted = known.get(name)
        if wanted is None:
            yield node.line, f"in a schema of type {kind}, {unknown(name, known)}"
        elif not isinstance(node.value, wanted) or (
            wanted is not bool and isinstance(node.value, bool) and wanted is not object
        ):
            yield node.line, f"{name} is no {_WORDS[wanted].removeprefix('a ')}; write {_WORDS[wanted]}"
    if kind == "array":
        if "items" not in schema.value:
            yield schema.line, "a list needs `items:`; write the schema of one of them below it"
        else:
            yield from _problems(schema.value["items"], depth + 1)
    if kind == "object":
        yield from _object(schema, depth)


def _object(schema: Node, depth: int) -> Iterator[tuple[int, str]]:
    named = schema.value.get("properties")
    properties = named.value if named is not None and isinstance(named.value, dict) else {}
    if len(properties) > MOST_ARGUMENTS:
        yield schema.line, f"more than {MOST_ARGUMENTS} arguments; write fewer"
    for node in properties.values():
        yield from _problems(node, depth + 1)
    required = schema.value.get("required")
    for node in required.value if required is not None and isinstance(required.value, list) else ():
        if node.plain not in properties:
            yield node.line, f"{node.plain!r} is required, but no property; write it below `properties:` as well"
