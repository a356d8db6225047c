"""Code shared with the program: its way to the network, the cleaning of pasted values, and the rule
for equal errors. These files need only the standard library and are loaded one by one. If they are
missing or broken, the doctor connects directly and takes values unchanged: it must work when
nothing else does."""

from __future__ import annotations

import functools
import importlib.util
import socket
import ssl
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

CHECKOUT = Path(__file__).resolve().parents[2]


def road(place: Any) -> Any:
    """Return a companion's way to the network (a `Road` of furoshiki/core/network/proxies.py)."""
    ours = programs("proxies")
    settings = place.shared if place.in_host else place.settings
    named = {name: settings[name] for name in (ours.PROXY, ours.BYPASS) if name in settings}
    return ours.Road.of({**place.environ, **named})


class Direct:
    """The direct way, without the program's code."""

    @classmethod
    def of(cls, _environ: Mapping[str, str]) -> Direct:
        """Return a direct way."""
        return cls()

    def proxy(self, _address: str) -> None:
        """Return None: there is no proxy."""
        return

    def connect(self, address: str, timeout: float) -> socket.socket:
        """Connect to a server."""
        there = urlsplit(address)
        port = there.port or (443 if there.scheme == "https" else 80)
        return socket.create_connection((there.hostname or "", port), timeout)

    def certificates(self) -> ssl.SSLContext:
        """Return the system's certificates."""
        return ssl.create_default_context()

    def opened(self, request: urllib.request.Request, timeout: float) -> Any:
        """Open a request."""
        return urllib.request.urlopen(request, timeout=timeout)


class Plain:
    """The substitute for a file of the program that cannot be loaded."""

    PROXY, BYPASS = "FUROSHIKI_PROXY", "FUROSHIKI_NO_PROXY"
    Road = Direct

    @staticmethod
    def clean(text: str) -> str:
        """Strip the value."""
        return text.strip()

    @staticmethod
    def over_the_net() -> tuple[Any, ...]:
        """Return no providers: none is known."""
        return ()

    @staticmethod
    def unfit(_name: str, _value: str) -> str | None:
        """Return None: unknown."""
        return None


def programs(name: str) -> Any:
    """Return this module of furoshiki/core/network/; `Plain` if it cannot be loaded."""
    return loaded(f"core/network/{name}.py") or Plain


@functools.cache
def loaded(path: str) -> Any:
    """Load a file of the program by its path below furoshiki/; None if that fails."""
    name = f"furoshiki_{path.removesuffix('.py').replace('/', '_')}"
    spec = importlib.util.spec_from_file_location(name, CHECKOUT / "furoshiki" / path)
    assert spec is not None and spec.loader is not None
    sys.modules[name] = made = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(made)
    except Exception:  # the edge: whatever is wrong with the program, its doctor goes on
        del sys.modules[name]
        return None
    return made
