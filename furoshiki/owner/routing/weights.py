"""The mode router's shipped weights."""

import functools
import json
from pathlib import Path

from furoshiki.owner.routing.rules.weights import Weights, parse_weights
from furoshiki.world import World


def current(world: World) -> Weights:
    """Return the weights. Raises ValueError for an invalid file."""
    return _load(world.config / "mode_router.json")


@functools.cache
def _load(path: Path) -> Weights:
    return parse_weights(json.loads(path.read_text(encoding="utf-8")))
