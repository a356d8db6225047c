"""Loads only the parts of aiogram that are used: its session and our calls, 60 of 730 modules.

`import aiogram` imports every type and method of the Bot API and has pydantic build them. Here
each aiogram package that only collects names imports a name on first use, from the module that the
package itself imports it from, and each model is built on first use. If anything differs from the
tested state, the plain import is used, which is slow and always right.
"""

import importlib
import logging
import re
import sys
import typing
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

log = logging.getLogger(__name__)

_PACKAGES = ("aiogram", "aiogram.enums", "aiogram.types", "aiogram.methods")
_IMPORTS = re.compile(r"^from \.(\w[\w.]{0,60}) import (\([^)]{1,4000}\)|[^(\n]{1,400})", re.MULTILINE)
_NAME = re.compile(r"(\w{1,80})(?: as (\w{1,80}))?")

_loaded: ModuleType | None = None


def load() -> ModuleType:
    """Return aiogram; the first call imports it (0.15 s of CPU, 9 MB), later ones are free."""
    global _loaded
    if _loaded is None:
        _loaded = sys.modules.get("aiogram") or _load_lazily() or _load_plainly()
    return _loaded


class _OnDemand(ModuleType):
    """A package that imports a name on first use."""

    _sources: dict[str, tuple[str, str]]  # the module of each name, and the name there

    def __getattr__(self, name: str) -> Any:
        if name not in self._sources:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        module, called = self._sources[name]
        found = getattr(importlib.import_module(f"{self.__name__}.{module}"), called)
        setattr(self, name, found)
        return found


def _load_lazily() -> ModuleType | None:
    """Import aiogram with names imported on demand; None if its internals are not as expected."""
    try:
        for name in _PACKAGES:
            _register(name)
        for name in ("client.session.aiohttp", "client.default", "exceptions"):
            importlib.import_module(f"aiogram.{name}")
        _build_on_demand()
        _check()
    except (AttributeError, ImportError, LookupError, NameError, RuntimeError, TypeError, ValueError) as error:
        log.warning("aiogram cannot be loaded lazily (%s: %s); importing it whole", type(error).__name__, error)
        return None
    return sys.modules["aiogram"]


def _register(name: str) -> None:
    """Register a package without running its imports."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ImportError(f"{name} is missing")
    package = module_from_spec(spec)
    package.__class__ = _OnDemand
    package._sources = {  # type: ignore[attr-defined]
        match[2] or match[1]: (line[1], match[1])
        for line in _IMPORTS.finditer(Path(spec.origin).read_text("utf-8"))
        for match in _NAME.finditer(line[2])
    }
    package.__all__ = [*package._sources]  # type: ignore[attr-defined]
    sys.modules[name] = package
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, package)


def _build_on_demand() -> None:
    """Give aiogram's base classes the names in their annotations, as its own import would."""
    types, methods = sys.modules["aiogram.types"], importlib.import_module("aiogram.methods.base")
    rebuild = methods.TelegramMethod.model_rebuild.__func__
    names: dict[str, Any] = {
        "List": list,
        "Optional": typing.Optional,
        "Union": typing.Union,
        "Literal": typing.Literal,
        "Default": importlib.import_module("aiogram.client.default").Default,
    }

    def build(
        cls: type[Any],
        *,
        force: bool = False,
        raise_errors: bool = True,
        _parent_namespace_depth: int = 2,
        _types_namespace: dict[str, Any] | None = None,
    ) -> bool | None:
        waiting = [cls]
        while waiting:
            for name in _names_in(waiting.pop()):
                if name in types.__all__ and name not in names:
                    names[name] = getattr(types, name)
                    waiting.append(names[name])
        found: bool | None = rebuild(cls, force=force, raise_errors=raise_errors, _types_namespace=names)
        return found

    for owner in (types.TelegramObject, methods.TelegramMethod, methods.Response):
        owner.model_rebuild = classmethod(build)
    methods.TelegramMethod.model_config["defer_build"] = True


def _names_in(value: Any) -> Iterator[str]:
    """Yield the words in the annotations of a model, or in another type as text."""
    fields = getattr(value, "__pydantic_fields__", {}).values()
    for text in [str(field.annotation) for field in fields] or [str(value)]:
        yield from re.findall(r"\w{1,80}", text)


def _check() -> None:
    """Build one call with nested types, as every message needs it; raises if that fails."""
    methods = sys.modules["aiogram.methods"]
    call = methods.SendMessage(
        chat_id=1,
        text="ab",
        entities=[{"type": "bold", "offset": 0, "length": 2}],
        link_preview_options={"is_disabled": True},
        reply_parameters={"message_id": 1},
        reply_markup={"inline_keyboard": [[{"text": "a", "callback_data": "b"}]]},
    )
    if call.model_dump()["entities"][0]["length"] != 2 or type(call.reply_markup).__name__ != "InlineKeyboardMarkup":
        raise ValueError("a call built lazily does not hold what it was given")


def _load_plainly() -> ModuleType:
    """Import aiogram plainly, after removing what a failed lazy import left."""
    for name in [name for name in sys.modules if name == "aiogram" or name.startswith("aiogram.")]:
        del sys.modules[name]
    return importlib.import_module("aiogram")
