"""The mode router's numbers as they stand now: the shipped ones, with what was learned laid over them.

The generated file is read again whenever it has been written: the next message is routed by it.
"""

from __future__ import annotations

import functools
import json
import logging
from pathlib import Path

from furoshiki.routing.rules.weights import RouterLaws, Weights, overlaid, shipped
from furoshiki.world import World

FILE = "mode_router.json"

_log = logging.getLogger(__name__)
_held: dict[Path, tuple[tuple[int, int] | None, Weights]] = {}


def laws(world: World) -> RouterLaws:
    """The shipped numbers with their bounds. Raises ValueError for a file that is not as it was shipped."""
    return _shipped(world.config / FILE)


def generated_file(world: World) -> Path:
    """Where what was learned is kept; it need not be there."""
    return world.home / "memory" / FILE


def heeded(world: World) -> bool:
    """Whether anything is done otherwise for the way a message is judged: the mind is told of it, or it decides."""
    return world.settings.furoshiki_router_hints or world.settings.furoshiki_user_path == "router"


def current(world: World) -> Weights:
    """The numbers that hold now. A generated file that cannot be read is told once, and the shipped ones hold."""
    path = generated_file(world)
    try:
        found = path.stat()
        state: tuple[int, int] | None = (found.st_mtime_ns, found.st_size)
    except OSError:
        state = None
    known = _held.get(path)
    if known is not None and known[0] == state:
        return known[1]
    weights = laws(world).weights if state is None else _read(world, path)
    _held[path] = (state, weights)
    return weights


def _read(world: World, path: Path) -> Weights:
    ours = laws(world)
    try:
        return overlaid(ours, json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        _log.warning(
            "%s cannot be used (%s): messages are routed by the shipped weights; delete it, or put back a copy "
            "from a backup",
            path,
            error,
        )
        return ours.weights


@functools.cache
def _shipped(path: Path) -> RouterLaws:
    return shipped(json.loads(path.read_text(encoding="utf-8")))
