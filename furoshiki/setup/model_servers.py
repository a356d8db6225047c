"""Which models a server has that speaks OpenAI's interface, and whether an Ollama runs on this machine. Free calls."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from furoshiki.core.network import outbound, providers

OLLAMA = providers.find("ollama").address.removesuffix("/v1")
"""Where an Ollama listens; nothing but this machine is looked at."""

GLANCE_S = 1.0
PATIENCE_S = 8.0
_MOST_BYTES = 20_000_000
_NO_TALKERS = ("embed", "bge-", "minilm", "rerank", "whisper")
"""What the names of models have in them that cannot talk."""


@dataclass(frozen=True)
class LocalModel:
    """A model of an Ollama; its size in bytes."""

    name: str
    size: int


def ollama() -> list[LocalModel] | None:
    """The models of the Ollama on this machine that can talk, the largest first; None when none runs."""
    try:
        found = _json(f"{OLLAMA}/api/tags", {}, GLANCE_S)
        models = [LocalModel(str(one["name"]), int(one.get("size") or 0)) for one in found["models"]]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    talkers = [one for one in models if not any(part in one.name.lower() for part in _NO_TALKERS)]
    return sorted(talkers, key=lambda one: (-one.size, one.name))


def models(base_url: str, key: str | None) -> list[str]:
    """The names of a server's models; none when it does not tell."""
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    try:
        found = _json(f"{base_url.rstrip('/')}/models", headers, PATIENCE_S)
        return sorted(str(one["id"]) for one in found["data"])
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _json(address: str, headers: dict[str, str], patience_s: float) -> Any:
    request = urllib.request.Request(address, headers={"User-Agent": "furoshiki", **headers})
    with outbound.road().opened(request, timeout=patience_s) as answer:
        return json.loads(answer.read(_MOST_BYTES))
