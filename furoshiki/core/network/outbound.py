"""Proxies and certificates from the current settings, for all outgoing connections."""

import contextlib
from typing import Any

from furoshiki.core import paths
from furoshiki.core.errors import BadSetting
from furoshiki.core.network.proxies import BYPASS, PROXY, Road
from furoshiki.core.paths import HOST, ROOT, data_dir, host_of, read_env_file


def road() -> Road:
    """Return the proxies and certificates of the environment, overridden by the settings.
    Reads a few small files; called for each new client."""
    data = data_dir()
    host = host_of(data)
    last = data if host is None else host  # in a home of a host the operator's settings apply
    found: dict[str, str] = {}
    for folder in dict.fromkeys((ROOT, data / HOST if host is None else host, last)):
        with contextlib.suppress(BadSetting):  # loading the settings reports it
            found |= {name: value for name, value in read_env_file(folder / ".env").items() if name in (PROXY, BYPASS)}
    return Road.of({**found, **{name: value for name, value in paths.environ().items() if value}})


def client_options(address: str) -> dict[str, Any]:
    """Return the arguments for an httpx2 client of the server at an address. Raises NoRoad."""
    return road().client_options(address)
