"""Base of the providers with an SDK: lazy client, plain requests, batch result files."""

import contextlib
import importlib
import json
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any, ClassVar

from furoshiki.core.network.addresses import without_secrets
from furoshiki.core.network.credentials import unfit
from furoshiki.core.network.providers import ProviderSpec
from furoshiki.models.llm.failures import Failure
from furoshiki.models.llm.partial_answer import Hearing
from furoshiki.models.llm.prices import COST_HEADER, parse_cost

# -- import of an SDK without its thousands of pydantic models --
#
# Measured: `import anthropic` loads 3,300 modules, 74 MB and 1.3 s of CPU, nearly all for pydantic
# models that are not used here; client, errors and stream reader need a tenth. So the SDK is loaded
# again under a private name, with an empty `types` package full of placeholders. The SDK under its
# own name stays unchanged. If a new version does not allow this, it is imported normally and
# `Sdk.slim` is False (a test checks).


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


class KitClient:
    """A provider's client, at its own address or at `base_url`."""

    kit_name: ClassVar[str]
    kit_options: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, spec: ProviderSpec, api_key: str | None, base_url: str | None = None) -> None:
        self.name = spec.name
        self._spec = spec
        self._key = api_key or "none"
        self._base_url = base_url or None
        self._client: Any = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({without_secrets(self._base_url or 'official')})"

    @property
    def _kit(self) -> Sdk:
        return kit(self.kit_name)

    def load(self) -> None:
        """Import the SDK (0.4 s CPU, 27 MB for the first of the two) and build the client."""
        if self._client is not None:
            return
        if (wrong := unfit(self._spec.key_setting, self._key)) is not None:
            raise Failure("key", wrong, reached=False)
        from furoshiki.models.llm import http_client as http_clients

        address = self._base_url or self._spec.address
        self._client = self._kit.client(
            api_key=self._key,
            base_url=address,
            max_retries=0,
            timeout=None,
            http_client=http_clients.client(address),
            **self.kit_options,
        )

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    def _translate_errors(self) -> AbstractContextManager[None]:
        """Turn the SDK's exceptions in this block into a Failure."""
        from furoshiki.models.llm import http_client as http_clients

        return http_clients.kit_errors(self._kit.errors, key_variable=self._spec.key_setting, secret=self._key)

    async def _streaming(self, path: str, body: dict[str, Any], hearing: Hearing) -> Any:
        """Start a streamed answer; records a cost in the response headers."""
        self.load()
        stream = await self._client.post(
            path, cast_to=object, body=body, stream=True, stream_cls=self._kit.stream[object]
        )
        hearing.costs(parse_cost(stream.response.headers.get(COST_HEADER)))
        return stream

    async def _plain(self, verb: str, path: str, *, cast_to: type[Any] = object, **more: Any) -> Any:
        from furoshiki.models.llm import http_client as http_clients

        self.load()
        options = {"timeout": http_clients.PLAIN_S, **more.pop("options", {})}
        with self._translate_errors():
            return await getattr(self._client, verb)(path, cast_to=cast_to, options=options, **more)


def json_lines(text: object) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON Lines text. Raises Failure for anything else."""
    if not isinstance(text, str):
        raise Failure("garbage", "the results of a batch are no text")
    for line in text.splitlines():
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise Failure("garbage", "a line of a batch's results cannot be read") from None
        if isinstance(found, dict):
            yield found


def was_made_since(made_at: object, at: datetime) -> bool:
    """Return whether a batch was created since a time; `made_at` is ISO text or Unix time."""
    with contextlib.suppress(ValueError, OverflowError, OSError):
        if isinstance(made_at, str):
            made = datetime.fromisoformat(made_at)
            return (made if made.tzinfo else made.replace(tzinfo=UTC)) >= at
        if isinstance(made_at, int | float):
            return datetime.fromtimestamp(made_at, UTC) >= at
    return False


def read_name(found: object) -> str:
    """Return the id of a file or batch. Raises Failure when it has none."""
    name = found.get("id") if isinstance(found, dict) else None
    if not isinstance(name, str) or not name:
        raise Failure("garbage", "a file or batch without a name")
    return name
