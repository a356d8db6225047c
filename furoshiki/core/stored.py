"""Values that were written down, perhaps by another release."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar, cast

T = TypeVar("T")


def build(kind: Callable[..., T], held: Mapping[str, Any]) -> T:
    """A dataclass out of the plain values of its fields; names it does not have are left out. TypeError where one is
    missing that has no default."""
    return kind(**{one.name: held[one.name] for one in fields(cast("Any", kind)) if one.name in held})
