"""Reading of values that another release or another program may have written."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast

T = TypeVar("T")


def build(kind: Callable[..., T], held: Mapping[str, Any]) -> T:
    """Build a dataclass from a mapping of its fields; unknown names are ignored.
    Raises TypeError when a field without a default is missing."""
    return kind(**{field.name: held[field.name] for field in fields(cast("Any", kind)) if field.name in held})


def pick(value: object, *names: str) -> dict[str, Any]:
    """Return these fields of a value, by name."""
    return {name: getattr(value, name) for name in names}


def dict_of(value: object) -> dict[str, Any]:
    """Return the value if it is a dict, else an empty dict."""
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[Any]:
    """Return the value if it is a list, else an empty list."""
    return value if isinstance(value, list) else []


def dicts_of(value: object) -> list[dict[str, Any]]:
    """Return the dicts in the value if it is a list, else an empty list."""
    return [one for one in list_of(value) if isinstance(one, dict)]
