"""Loads aiogram without building its 600 pydantic models, which costs seconds of CPU and 100 MB.

aiogram asks pydantic to build every type on import. Here this request is suppressed during the
import and each model is built on first use. The two patched places of pydantic are restored at
once; if anything differs from the tested state, the plain import is used, which is slow and always
right.
"""

import importlib
import logging
import sys
import typing
from types import ModuleType
from typing import Any

log = logging.getLogger(__name__)

_loaded: ModuleType | None = None


def load() -> ModuleType:
    """Return aiogram; the first call imports it (about 1 s of CPU, 55 MB), later ones are free."""
    global _loaded
    if _loaded is None:
        _loaded = sys.modules.get("aiogram") or _load_lazily() or _load_plainly()
    return _loaded


def _load_lazily() -> ModuleType | None:
    """Import aiogram with models built on demand; None if its internals are not as expected."""
    import pydantic

    base: Any = pydantic.BaseModel
    rebuild = base.__dict__.get("model_rebuild")
    config = base.__dict__.get("model_config")
    if not isinstance(rebuild, classmethod) or not isinstance(config, dict):
        return None
    base.model_rebuild = classmethod(lambda cls, **_: None)
    base.model_config = {**config, "defer_build": True}
    try:
        aiogram = importlib.import_module("aiogram")
        importlib.import_module("aiogram.client.session.aiohttp")
    finally:
        base.model_rebuild = rebuild
        base.model_config = config
    try:
        _build_on_demand(rebuild.__func__)
        _check()
    except (AttributeError, ImportError, TypeError, ValueError, KeyError, pydantic.errors.PydanticUserError) as error:
        log.warning("aiogram cannot be built lazily (%s: %s); importing it whole", type(error).__name__, error)
        return None
    return aiogram


def _build_on_demand(rebuild: typing.Callable[..., bool | None]) -> None:
    """Give aiogram's base classes the names in their annotations, as its own import would."""
    types = importlib.import_module("aiogram.types")
    default = importlib.import_module("aiogram.client.default").Default
    methods = importlib.import_module("aiogram.methods.base")
    names: dict[str, Any] = {name: getattr(types, name) for name in types.__all__}
    names |= {
        "List": list,
        "Optional": typing.Optional,
        "Union": typing.Union,
        "Literal": typing.Literal,
        "Default": default,
    }

    def build(
        cls: type[Any],
        *,
        force: bool = False,
        raise_errors: bool = True,
        _parent_namespace_depth: int = 2,
        _types_namespace: dict[str, Any] | None = None,
    ) -> bool | None:
        return rebuild(cls, force=force, raise_errors=raise_errors, _types_namespace=_types_namespace or names)

    for owner in (types.TelegramObject, methods.TelegramMethod, methods.Response):
        owner.model_rebuild = classmethod(build)


def _check() -> None:
    """Build one call with nested types, as every message needs it; raises if that fails."""
    methods = importlib.import_module("aiogram.methods")
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
