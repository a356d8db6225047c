"""Validation against JSON Schemas from untrusted sources.

Nothing is fetched, `pattern` is ignored (matching could take years), and a schema with too many
references is given up. The library is imported on first use, which takes 0.1 s.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

MOST_REFERENCES = 500
MOST_PROBLEMS = 5
LONGEST_PROBLEM = 200

_TOP = ("type", "properties", "required", "additionalProperties", "$defs", "description")
_PROPERTY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


def normalize(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Reduce a schema to the top-level keys that every provider accepts for tool arguments."""
    return {"type": "object", "properties": {}} | {key: schema[key] for key in _TOP if key in schema}


def unfit(schema: Mapping[str, Any]) -> str | None:
    """Return why no model can be offered a tool with this schema; None when it can."""
    from jsonschema import Draft202012Validator, SchemaError

    if schema.get("type", "object") != "object" or not isinstance(schema.get("properties", {}), Mapping):
        return "its arguments are no object"
    for name in schema.get("properties", {}):
        if not _PROPERTY.fullmatch(name):
            return f"an argument is called {name[:64]!r}"
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return f"the schema of its arguments is none: {error.message[:LONGEST_PROBLEM]}"
    except RecursionError:
        return "the schema of its arguments is nested too deeply"
    return None


def problems(schema: Mapping[str, Any], value: object) -> list[str]:
    """Return how a value violates the schema, as sentences that name the place (at most 5)."""
    try:
        return [_in_words(error) for error, _ in zip(_errors(schema, value), range(MOST_PROBLEMS), strict=False)]
    except (_TooMany, RecursionError):
        return ["arguments: the schema refers to itself too often to be checked"]
    except Exception as error:  # anything a foreign schema breaks, such as an unresolvable reference
        return [f"arguments: they cannot be checked ({type(error).__name__})"]


class _TooMany(Exception):
    """More references were followed than MOST_REFERENCES."""


def _errors(schema: Mapping[str, Any], value: object) -> Iterator[Any]:
    from jsonschema import Draft202012Validator, validators
    from referencing import Registry

    left = MOST_REFERENCES
    follow = Draft202012Validator.VALIDATORS["$ref"]

    def counted(validator: Any, reference: Any, instance: Any, whole: Any) -> Iterator[Any]:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooMany
        yield from follow(validator, reference, instance, whole)

    def unread(*_: object) -> Iterator[Any]:
        return iter(())

    rules: dict[str, Any] = {"$ref": counted, "$dynamicRef": counted, "pattern": unread, "patternProperties": unread}
    checking: Any = validators.extend(Draft202012Validator, rules)
    yield from checking(schema, registry=Registry()).iter_errors(value)


def _in_words(error: Any) -> str:
    where = ".".join(map(str, error.absolute_path)) or "arguments"
    return f"{where}: {error.message[:LONGEST_PROBLEM]}"
