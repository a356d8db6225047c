"""Import of a provider's SDK without its thousands of pydantic models.

Measured: `import anthropic` loads 3,300 modules, 74 MB and 1.3 s of CPU, nearly all for pydantic
models that are not used here; client, errors and stream reader need a tenth. So the SDK is loaded
again under a private name, with an empty `types` package full of placeholders. The SDK under its
own name stays unchanged. If a new version does not allow this, it is imported normally and
`Sdk.slim` is False (a test checks).
"""

import importlib
import sys
import threading
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from furoshiki.models.llm.failures import Failure

_PREFIX = "_furoshiki_"
_CLIENTS = {"anthropic": "AsyncAnthropic", "openai": "AsyncOpenAI"}

_kits: "dict[str, Sdk]" = {}
_loading = threading.Lock()


@dataclass(frozen=True)
class Sdk:
    """The used parts of an SDK: client class, stream class, and module of errors."""

    client: Any
    stream: Any
    errors: Any
    slim: bool


def kit(name: str) -> Sdk:
    """Return the SDK "anthropic" or "openai", loaded once. Raises Failure if not installed."""
    with _loading:
        if name not in _kits:
            _kits[name] = _load(name)
        return _kits[name]


def _load(name: str) -> Sdk:
    spec = find_spec(name)
    if spec is None or spec.submodule_search_locations is None:
        raise Failure("missing", f"the package {name} is not installed: run scripts/run.sh again", reached=False)
    alias = _PREFIX + name
    finder = _EmptyTypes(f"{alias}.types")
    shell = ModuleType(alias)
    shell.__path__ = list(spec.submodule_search_locations)
    sys.modules[alias] = shell
    sys.meta_path.insert(0, finder)
    try:
        return _core(alias, name, slim=True)
    except (ImportError, AttributeError, TypeError, NameError):
        sys.meta_path.remove(finder)
        for loaded in [module for module in sys.modules if module == alias or module.startswith(f"{alias}.")]:
            del sys.modules[loaded]
        return _core(name, name, slim=False)


def _core(package: str, name: str, *, slim: bool) -> Sdk:
    return Sdk(
        client=getattr(importlib.import_module(f"{package}._client"), _CLIENTS[name]),
        stream=importlib.import_module(f"{package}._streaming").AsyncStream,
        errors=importlib.import_module(f"{package}._exceptions"),
        slim=slim,
    )


class _EmptyTypes(MetaPathFinder, Loader):
    """Finds and loads placeholder modules for one package and everything below it."""

    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if fullname == self._package or fullname.startswith(f"{self._package}."):
            return ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Placeholders(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        pass


class _Placeholders(ModuleType):
    """A module in which every public name is an empty class."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})
