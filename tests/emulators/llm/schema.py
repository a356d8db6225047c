"""The smallest sensible value that fits a JSON schema: what the default answer consists of when one is asked for."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

_FORMATS = {
    "date-time": "2026-01-01T00:00:00Z",
    "date": "2026-01-01",
    "time": "00:00:00Z",
    "duration": "PT1H",
    "email": "someone@example.org",
    "uri": "https://example.org/",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "ipv4": "127.0.0.1",
    "hostname": "example.org",
}
_DEEPEST = 40


def instance(schema: Mapping[str, Any], words: str) -> Any:
    """A value of the schema: required fields only, empty lists, null where allowed, `words` where any text will do.

    Raises ValueError for a schema no value can fit in reasonable depth.
    """
    return _value(schema, schema, words, 0)


def _value(schema: Any, root: Mapping[str, Any], words: str, depth: int) -> Any:
    if depth > _DEEPEST:
        raise ValueError("the schema asks for itself without end")
    if schema is True or schema == {}:
        return None
    if "$ref" in schema:
        beside = {k: v for k, v in schema.items() if k != "$ref"}
        return _value({**_resolved(str(schema["$ref"]), root), **beside}, root, words, depth + 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "allOf" in schema:
        return _value(_merged(schema, root), root, words, depth + 1)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            options = schema[key]
            if any(option.get("type") == "null" for option in options):
                return None
            return _value({**options[0], **{k: v for k, v in schema.items() if k != key}}, root, words, depth + 1)
    kind = schema.get("type") or _implied(schema)
    if isinstance(kind, list):
        if "null" in kind:
            return None
        kind = kind[0]
    return _of_kind(kind, schema, root, words, depth)


def _of_kind(kind: str, schema: Mapping[str, Any], root: Mapping[str, Any], words: str, depth: int) -> Any:
    match kind:
        case "object":
            properties = schema.get("properties", {})
            wanted = schema.get("required", [])
            return {name: _value(properties.get(name, True), root, words, depth + 1) for name in wanted}
        case "array":
            first = schema.get("prefixItems", [])
            least = max(schema.get("minItems", 0), len(first))
            items = [*first, *[schema.get("items", True)] * (least - len(first))]
            return [_value(item, root, words, depth + 1) for item in items]
        case "string":
            return _text(schema, words)
        case "integer" | "number":
            return _number(schema, whole=kind == "integer")
        case "boolean":
            return False
        case _:
            return None


def _text(schema: Mapping[str, Any], words: str) -> str:
    if "pattern" in schema:
        return _matching(str(schema["pattern"]))
    text = _FORMATS.get(str(schema.get("format")), words)
    text = text.ljust(int(schema.get("minLength", 0)), "x")
    return text[: int(schema.get("maxLength", len(text)))]


def _number(schema: Mapping[str, Any], *, whole: bool) -> int | float:
    step = schema.get("multipleOf") or (1 if whole else 0)
    low = schema.get("minimum", -math.inf)
    above = schema.get("exclusiveMinimum")
    if above is not None:
        low = max(low, above + (step or 1e-6 + abs(above) * 1e-9))
    high = schema.get("maximum", math.inf)
    below = schema.get("exclusiveMaximum")
    if below is not None:
        high = min(high, below - (step or 1e-6))
    value = min(max(0, low), high)
    if step:
        value = math.ceil(value / step) * step
    return int(value) if whole else value


def _implied(schema: Mapping[str, Any]) -> str:
    if "properties" in schema or "required" in schema:
        return "object"
    return "array" if "items" in schema else "null"


def _resolved(ref: str, root: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Any = root
    for step in ref.removeprefix("#").strip("/").split("/"):
        if step:
            found = found[step.replace("~1", "/").replace("~0", "~")]
    return dict(found)


def _merged(schema: Mapping[str, Any], root: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {k: v for k, v in schema.items() if k != "allOf"}
    for part in schema["allOf"]:
        whole = {**_resolved(part["$ref"], root), **part} if "$ref" in part else part
        for key, value in whole.items():
            if key == "properties":
                out[key] = {**out.get(key, {}), **value}
            elif key == "required":
                out[key] = [*out.get(key, []), *value]
            elif key != "$ref":
                out[key] = value
    return out


def _matching(pattern: str) -> str:
    """A text the pattern matches, for patterns of everyday shape."""
    from re import _parser  # type: ignore[attr-defined]

    text = "".join(map(_least, _parser.parse(pattern)))
    if not re.search(pattern, text):
        raise ValueError(f"no text was found for the pattern {pattern!r}")
    return text


def _least(node: tuple[Any, Any]) -> str:
    name, value = str(node[0]), node[1]
    match name:
        case "LITERAL":
            return chr(int(value))
        case "NOT_LITERAL":
            return "a" if value != ord("a") else "b"
        case "ANY":
            return "a"
        case "IN":
            return _one_of(value)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            least, _, inner = value
            return "".join(map(_least, inner)) * int(least)
        case "SUBPATTERN":
            return "".join(map(_least, value[3]))
        case "BRANCH":
            return "".join(map(_least, value[1][0]))
        case _:
            return ""  # anchors and looking around take no room


def _one_of(choices: list[tuple[Any, Any]]) -> str:
    kind, value = str(choices[0][0]), choices[0][1]
    if kind == "NEGATE":
        taken = {v for k, v in choices[1:] if str(k) == "LITERAL"}
        return next(c for c in "a0 _-" if ord(c) not in taken)
    if kind == "RANGE":
        return chr(int(value[0]))
    if kind == "CATEGORY":
        return {"CATEGORY_DIGIT": "0", "CATEGORY_SPACE": " "}.get(str(value), "a")
    return chr(int(value))
