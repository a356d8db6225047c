"""Decide between modes that are close: by the small classifier, by a small model where that is worth it, else by score.

The shipped classifier is `config/tie_breaker.json`; one that was trained on the owner's own messages is kept in the
data directory, and read again when it is written.
"""

from __future__ import annotations

import functools
import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from furoshiki.routing import weights
from furoshiki.routing.rules import deciding
from furoshiki.routing.rules.deciding import Judged
from furoshiki.routing.rules.tie_breaker import NO_ENCODER, Head, heads
from furoshiki.routing.values import Route
from furoshiki.world import World

FILE = "tie_breaker.json"

_log = logging.getLogger(__name__)
_held: dict[Path, tuple[tuple[int, int] | None, Mapping[str, Head]]] = {}


def own_file(world: World) -> Path:
    """Where a classifier trained on the owner's messages is kept; it need not be there."""
    return world.home / "memory" / FILE


def current(world: World) -> Mapping[str, Head]:
    """The heads that hold now, by the id of their encoder. A file that cannot be read is told once."""
    path = own_file(world)
    try:
        found = path.stat()
        state: tuple[int, int] | None = (found.st_mtime_ns, found.st_size)
    except OSError:
        state = None
    known = _held.get(path)
    if known is None or known[0] != state:
        known = (state, _shipped(world.config / FILE) if state is None else _read(world, path))
        _held[path] = known
    return known[1]


def decide(world: World, judged: Judged, vector: Sequence[float], encoder: str) -> Route:
    """The route of a message whose modes are close. Without a head for its vector the words and scores decide."""
    known = current(world)
    head = known.get(encoder) if vector else None
    if head is None:
        head, vector = known[NO_ENCODER], ()
    return deciding.broken(judged, head, vector, weights.current(world))


def _read(world: World, path: Path) -> Mapping[str, Head]:
    shipped = _shipped(world.config / FILE)
    try:
        return {**shipped, **heads(json.loads(path.read_text(encoding="utf-8")))}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        _log.warning("%s cannot be used (%s): the classifier that came along decides", path, error)
        return shipped


@functools.cache
def _shipped(path: Path) -> Mapping[str, Head]:
    return heads(json.loads(path.read_text(encoding="utf-8")))
