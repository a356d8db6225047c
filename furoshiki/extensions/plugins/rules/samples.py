"""Sample input for trial runs of plugins."""

from collections.abc import Mapping
from typing import Any

# sample events by hook
EVENTS: Mapping[str, Mapping[str, Any]] = {
    "post_conversation": {
        "session": "s-sample",
        "began": "2026-01-05T18:00:00+00:00",
        "ended": "2026-01-05T18:20:00+00:00",
        "turns": 12,
    },
    "pre_reflection": {},
    "post_reflection": {"text": "Today was a quiet day.", "at": "2026-01-05T22:00:00+00:00"},
}

# a sample of the companion's state
STATE: Mapping[str, Any] = {
    **{"needs": {}, "user_needs": {}, "mood": "calm", "is_dnd": False, "locale": "en"},
    **{"emotional_weight_today": 0.0, "health_score": 1.0},
}

_WORDS = {"string": "sample", "integer": 1, "number": 1.0, "boolean": True}


def arguments(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments for a schema: the required ones, or the first if none is required."""
    properties = schema.get("properties") or {}
    wanted = schema.get("required") or list(properties)[:1]
    return {name: _value(properties.get(name, {})) for name in wanted}


def _value(schema: Mapping[str, Any]) -> Any:
    if schema.get("examples"):
        return schema["examples"][0]
    if "default" in schema:
        return schema["default"]
    if schema.get("enum"):
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return arguments(schema)
        case "array":
            return [_value(schema.get("items") or {})] * max(1, int(schema.get("minItems", 1)))
        case "integer" | "number" as kind:
            return schema.get("minimum", schema.get("maximum", _WORDS[kind]))
        case "boolean":
            return True
    text = str(_WORDS["string"])
    return text.ljust(int(schema.get("minLength", 0)), "x")[: int(schema.get("maxLength", 1000))]
