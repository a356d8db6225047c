"""Values that were written down or sent, perhaps by another release or another program."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast

T = TypeVar("T")


def build(kind: Callable[..., T], held: Mapping[str, Any]) -> T:
    """A dataclass out of the plain values of its fields; names it does not have are left out. TypeError where one is
    missing that has no default."""
    return kind(**{one.name: held[one.name] for one in fields(cast("Any", kind)) if one.name in held})


def dict_of(value: object) -> dict[str, Any]:
    """The value where it is a dict, else an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> list[Any]:
    """The value where it is a list, else an empty one."""
    return value if isinstance(value, list) else []
