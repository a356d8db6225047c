"""The steps of deep consolidation that ask a model, in order."""

from collections.abc import Awaitable, Callable
from typing import Any

from furoshiki.memory import deferred_checks
from furoshiki.memory.weighing import Cycle
from furoshiki.mind.consolidation.synthesis import (
    contextualising,
    insights,
    merging,
    narratives,
    recompression,
    reconsolidation,
    tensions,
)
from furoshiki.world import World

Step = Callable[[World, Cycle], Awaitable[dict[str, Any]]]

# changed insights are judged before new ones are drawn from them
STEPS: tuple[tuple[str, Step], ...] = (
    ("contradictions", deferred_checks.step),
    ("reconsolidation", reconsolidation.step),
    ("insights", insights.step),
    ("merging", merging.step),
    ("narratives", narratives.step),
    ("tensions", tensions.step),
    ("recompression", recompression.step),
    ("contextualising", contextualising.step),
)
