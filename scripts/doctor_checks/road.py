"""What the doctor has from the program itself: its road to the network, and how it cleans what people paste. Files that
stand on nothing but the standard library, and are loaded one by one.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[2]


def road(place: Any) -> Any:
    """How the companion of a place gets out (a `Road` of furoshiki/core/network/proxies.py)."""
    ours = programs("proxies")
    settings = place.shared if place.in_host else place.settings
    named = {name: settings[name] for name in (ours.PROXY, ours.BYPASS) if name in settings}
    return ours.Road.of({**place.environ, **named})


@functools.cache
def programs(name: str) -> Any:
    """The module of furoshiki/core/network/ of this name."""
    known = f"furoshiki_network_{name}"
    spec = importlib.util.spec_from_file_location(known, CHECKOUT / "furoshiki" / "core" / "network" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    sys.modules[known] = made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made
