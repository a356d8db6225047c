"""Queries to model servers, here or at the owner's address: models, sizes, context windows. All
calls are free and short; a model is downloaded only on request."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from furoshiki.core.catalogue import say
from furoshiki.core.network import outbound, providers
from furoshiki.core.network.providers import ProviderSpec

GLANCE_S = 1.0
PATIENCE_S = 8.0
# seconds without progress before a download fails; Ollama verifies files silently
PULL_STALL_S = 120.0

# Tokens. A first message needs 3,000; with skills, memories and a conversation twice that.
LEAST_WINDOW = 8192

MOST_LISTED = 20  # models of an Ollama server whose details are queried

_MOST_BYTES = 20_000_000
# parts of the names of models that cannot chat
_NO_TALKERS = ("embed", "bge-", "minilm", "rerank", "whisper")

_NUM_CTX = re.compile(r"^num_ctx\s+(\d{2,9})$", re.MULTILINE)
# errors when a server is missing or of another kind than expected
_NOT_SO = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError)


class NotPulled(Exception):
    """A model could not be fetched; the message says why."""


@dataclass(frozen=True)
class Model:
    """A model of a server: `size` in bytes, the context `window` in tokens as running, `most` as
    trained (0: unknown); `elsewhere` names another machine that runs it."""

    name: str
    size: int = 0
    window: int = 0
    most: int = 0
    elsewhere: str = ""

    @property
    def about(self) -> str:
        """A description in half a sentence, in the user's language."""
        if self.elsewhere:
            return say("runs at {place}: what you say leaves this machine", place=self.elsewhere)
        reads = say("reads {window} tokens at once", window=self.window) if self.window else ""
        made = say("made for {most} tokens at once", most=self.most) if self.most > self.window else ""
        return ", ".join(filter(None, (f"{self.size / 1e9:.1f} GB" if self.size else "", reads, made)))


@dataclass(frozen=True)
class Server:
    """A server at `address`, with its chat models, largest first."""

    spec: ProviderSpec
    address: str
    models: tuple[Model, ...] = ()

    @property
    def root(self) -> str:
        """The base URL of the server's own API, next to the OpenAI-compatible one."""
        return self.address.removesuffix("/v1")

    def window(self, name: str) -> int:
        """Return a model's current context window in tokens; 0 when unknown."""
        server = look(self.spec, self.address, patience_s=PATIENCE_S)
        return next((model.window for model in server.models if model.name == name), 0) if server else 0


def here(values: Mapping[str, str | None]) -> list[Server]:
    """Return the servers on this machine, or at the addresses in the settings' `values`."""
    specs = [providers.find(name) for name in _READERS]
    with ThreadPoolExecutor(len(specs)) as pool:
        found = pool.map(lambda spec: look(spec, spec.answers_at(values), values.get(spec.key_setting)), specs)
        return [server for server in found if server is not None]


def at(address: str, key: str | None = None) -> Server:
    """Return the server at an address with its models; of an unknown kind: "compatible"."""
    for name in _READERS:
        server = look(providers.find(name), address, key)
        if server is not None:
            return server
    spec, root = providers.find("compatible"), address.rstrip("/")
    for place in (root, f"{root}/v1"):
        try:
            listed = _json(spec.list_of_models(place), spec.headers(key), PATIENCE_S)["data"]
            return Server(spec, place, tuple(Model(name) for name in sorted(str(one["id"]) for one in listed)))
        except _NOT_SO:
            continue
    return Server(spec, address)


def look(spec: ProviderSpec, address: str, key: str | None = None, patience_s: float | None = None) -> Server | None:
    """Return the server of this kind at an address (with or without "/v1"), or None."""
    root = address.rstrip("/").removesuffix("/v1")
    if spec.name not in _READERS:
        return None
    try:
        models = _READERS[spec.name](root, spec.headers(key), patience_s or GLANCE_S)
    except _NOT_SO:
        return None
    talkers = [model for model in models if not any(part in model.name.lower() for part in _NO_TALKERS)]
    return Server(spec, f"{root}/v1", tuple(sorted(talkers, key=lambda one: (-one.size, one.name))))


def pull(root: str, name: str) -> Iterator[tuple[str, int, int]]:
    """Have Ollama download a model; yields state, bytes done and total. Raises NotPulled."""
    done: dict[str, tuple[int, int]] = {}
    state = ""
    try:
        with _fetch(f"{root}/api/pull", {}, PULL_STALL_S, {"model": name}) as lines:
            for line in lines:
                told = json.loads(line)
                if told.get("error"):
                    raise NotPulled(str(told["error"])[:300])
                state = str(told.get("status", ""))
                if told.get("total"):
                    done[str(told.get("digest", ""))] = (int(told.get("completed") or 0), int(told["total"]))
                yield state, sum(one for one, _ in done.values()), sum(total for _, total in done.values())
    except urllib.error.HTTPError as error:
        raise NotPulled(f"{error.code}: {error.read(300).decode('utf-8', 'replace')}") from None
    except _NOT_SO as error:
        raise NotPulled(f"it broke off ({type(error).__name__}); what is there stays, and is gone on from") from None
    if state != "success":
        raise NotPulled("it ended before everything was there; what is there stays, and is gone on from")


def _ollama(root: str, headers: Mapping[str, str], patience_s: float) -> list[Model]:
    listed = [
        Model(
            str(one["name"]), int(one.get("size") or 0), elsewhere=urlsplit(one.get("remote_host") or "").hostname or ""
        )
        for one in _json(f"{root}/api/tags", headers, patience_s)["models"]
    ]
    running = {
        str(one.get("name")): int(one.get("context_length") or 0)
        for one in _json(f"{root}/api/ps", headers, patience_s)["models"]
    }
    return [_add_window(root, headers, model, running.get(model.name, 0)) for model in listed[:MOST_LISTED]] + listed[
        MOST_LISTED:
    ]


def _add_window(root: str, headers: Mapping[str, str], model: Model, running: int) -> Model:
    """Add the context window; for a model that is not loaded, the configured one, if any."""
    try:
        found = _json(f"{root}/api/show", headers, PATIENCE_S, {"model": model.name})
        made = [int(value) for name, value in found["model_info"].items() if name.endswith(".context_length")]
        fixed = _NUM_CTX.search(str(found.get("parameters") or ""))
    except _NOT_SO:
        return replace(model, window=running)
    return replace(model, window=running or (int(fixed[1]) if fixed else 0), most=max(made, default=0))


def _llamacpp(root: str, headers: Mapping[str, str], patience_s: float) -> list[Model]:
    window = int(_json(f"{root}/props", headers, patience_s)["default_generation_settings"]["n_ctx"])
    listed = _json(f"{root}/v1/models", headers, patience_s)["data"]
    metas = [(str(one["id"]), one.get("meta") or {}) for one in listed]
    return [
        Model(name, int(meta.get("size") or 0), int(meta.get("n_ctx") or window), int(meta.get("n_ctx_train") or 0))
        for name, meta in metas
    ]


def _lmstudio(root: str, headers: Mapping[str, str], patience_s: float) -> list[Model]:
    listed = _json(f"{root}/api/v0/models", headers, patience_s)["data"]
    return [
        Model(
            str(one["id"]),
            window=int(one.get("loaded_context_length") or 0),
            most=int(one.get("max_context_length") or 0),
        )
        for one in listed
        if one["type"] in ("llm", "vlm")
    ]


def _vllm(root: str, headers: Mapping[str, str], patience_s: float) -> list[Model]:
    listed = _json(f"{root}/v1/models", headers, patience_s)["data"]
    return [Model(str(one["id"]), window=int(one["max_model_len"])) for one in listed]


_Reader = Callable[[str, Mapping[str, str], float], list[Model]]
# readers of model lists by kind of server; they also identify the kind
_READERS: Mapping[str, _Reader] = {"ollama": _ollama, "lmstudio": _lmstudio, "llamacpp": _llamacpp, "vllm": _vllm}


def _json(address: str, headers: Mapping[str, str], patience_s: float, body: object = None) -> Any:
    with _fetch(address, headers, patience_s, body) as answer:
        return json.loads(answer.read(_MOST_BYTES))


def _fetch(address: str, headers: Mapping[str, str], patience_s: float, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    kind = {"Content-Type": "application/json"} if data else {}
    request = urllib.request.Request(address, data, {"User-Agent": "furoshiki", **kind, **headers})
    return outbound.road().opened(request, timeout=patience_s)
