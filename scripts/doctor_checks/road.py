"""What the doctor has from the program itself: its road to the network, how it cleans what people paste, and what makes
two errors the same one. Files that stand on nothing but the standard library, and are loaded one by one. Where they are
gone or spoiled the doctor goes out directly, and takes values as they are: it works when nothing else does.
"""

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
    """How the companion of a place gets out (a `Road` of furoshiki/core/network/proxies.py)."""
    ours = programs("proxies")
    settings = place.shared if place.in_host else place.settings
    named = {name: settings[name] for name in (ours.PROXY, ours.BYPASS) if name in settings}
    return ours.Road.of({**place.environ, **named})


class Direct:
    """The way out without the program's own."""

    @classmethod
    def of(cls, _environ: Mapping[str, str]) -> Direct:
        """The only one."""
        return cls()

    def proxy(self, _address: str) -> None:
        """None stands before anything."""
        return

    def connect(self, address: str, timeout: float) -> socket.socket:
        """A connection to a server."""
        there = urlsplit(address)
        port = there.port or (443 if there.scheme == "https" else 80)
        return socket.create_connection((there.hostname or "", port), timeout)

    def certificates(self) -> ssl.SSLContext:
        """Those of the system."""
        return ssl.create_default_context()

    def opened(self, request: urllib.request.Request, timeout: float) -> Any:
        """An answer."""
        return urllib.request.urlopen(request, timeout=timeout)


class Plain:
    """What stands in for a file of the program's that cannot be loaded."""

    PROXY, BYPASS = "FUROSHIKI_PROXY", "FUROSHIKI_NO_PROXY"
    Road = Direct

    @staticmethod
    def clean(text: str) -> str:
        """The value without blanks around it."""
        return text.strip()

    @staticmethod
    def over_the_net() -> tuple[Any, ...]:
        """Nobody's models are known."""
        return ()

    @staticmethod
    def unfit(_name: str, _value: str) -> str | None:
        """Nobody can tell."""
        return None


def programs(name: str) -> Any:
    """The module of furoshiki/core/network/ of this name; `Plain` where it cannot be loaded."""
    return loaded(f"core/network/{name}.py") or Plain


@functools.cache
def loaded(path: str) -> Any:
    """A file of the program's, by its path below furoshiki/; None where it cannot be loaded."""
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
