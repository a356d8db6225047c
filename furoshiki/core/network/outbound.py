"""The road to the network as the settings have it now, for every part of the program that goes out."""

import contextlib
from typing import Any

from furoshiki.core import paths
from furoshiki.core.errors import BadSetting
from furoshiki.core.network.proxies import BYPASS, PROXY, Road
from furoshiki.core.paths import HOST, ROOT, data_dir, host_of, read_env_file


def road() -> Road:
    """Return the proxies and certificates of the environment, overridden by our settings. Reads a
    few small files; built with each client."""
    data = data_dir()
    host = host_of(data)
    last = data if host is None else host  # of a home the road is its operator's
    found: dict[str, str] = {}
    for folder in dict.fromkeys((ROOT, data / HOST if host is None else host, last)):
        with contextlib.suppress(BadSetting):  # loading the settings reports it
            found |= {name: value for name, value in read_env_file(folder / ".env").items() if name in (PROXY, BYPASS)}
    return Road.of({**found, **{name: value for name, value in paths.environ().items() if value}})


def client_options(address: str) -> dict[str, Any]:
    """What an httpx2 client of the server at an address is made with. Raises NoRoad."""
    return road().client_options(address)
