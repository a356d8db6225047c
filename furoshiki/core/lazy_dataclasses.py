"""The standard `dataclasses`, but for frozen classes: they share their methods, and get `__init__` at their first use.

The standard one writes and compiles six methods for each class. Most of the package's eight hundred classes are needed
neither by a start nor by a message.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, field, fields, make_dataclass, replace
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ("asdict", "dataclass", "field", "fields", "make_dataclass", "replace")

_FIELDS = "__dataclass_fields__"
_Values = Callable[[Any], tuple[Any, ...]]


def _reader(names: list[str]) -> _Values:
    if len(names) < 2:
        return lambda one: tuple(getattr(one, name) for name in names)
    return attrgetter(*names)


@cache
def _compared(cls: type[Any]) -> _Values:
    return _reader([one.name for one in fields(cls) if one.compare])


@cache
def _hashed(cls: type[Any]) -> _Values:
    return _reader([one.name for one in fields(cls) if (one.compare if one.hash is None else one.hash)])


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    values = _compared(self.__class__)
    return values(self) == values(other)


def _hash(self: Any) -> int:
    return hash(_hashed(self.__class__)(self))


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse_to_set(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


_SHARED = {"__repr__": _repr, "__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}


def _make(cls: Any, options: dict[str, bool]) -> Any:
    def make_init(self: Any, /, *given: Any, **named: Any) -> None:
        base = {_FIELDS: getattr(cls, _FIELDS), "__dataclass_params__": cls.__dataclass_params__}
        if hasattr(cls, "__post_init__"):
            base["__post_init__"] = None
        like = type(cls.__name__, (type(cls.__name__, (), base),), {"__doc__": cls.__doc__})
        made: Any = dataclasses.dataclass(frozen=True, repr=False, eq=False)(like)
        cls.__init__ = made.__init__
        cls.__init__(self, *given, **named)

    own = dict(vars(cls))
    cls.__doc__ = cls.__doc__ or cls.__name__  # the standard one would write a signature there
    dataclasses.dataclass(init=False, repr=False, eq=False, **options)(cls)
    cls.__dataclass_params__.frozen = True
    cls.__init__ = make_init
    for name, shared in _SHARED.items():
        if name not in own:
            setattr(cls, name, shared)
    if "__eq__" not in own:
        cls.__eq__ = _eq
    if own.get("__hash__") is None:
        cls.__hash__ = _hash
    return cls


if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, **options: bool) -> Any:
        """As the standard one; that is who makes classes that can change, inherit fields, or have other wishes."""

        def mark(given: type) -> type:
            usual = options.get("frozen") and options.keys() <= {"frozen", "kw_only"} and not hasattr(given, _FIELDS)
            if not usual or "__init__" in vars(given):
                return dataclasses.dataclass(**options)(given)
            return _make(given, {name: value for name, value in options.items() if name != "frozen"})

        return mark if cls is None else mark(cls)
