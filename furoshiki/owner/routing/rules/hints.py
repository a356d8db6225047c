"""The hint about the route in the prompt: one line, only if it is informative."""

from typing import Literal

from furoshiki.owner.routing.rules.warmth import UNKNOWN_BELOW
from furoshiki.owner.routing.values import Route

Hint = Literal["search", "act", "look_up", "clarify", "acknowledge"]
"""The line's name in `prompts/_parts/route/`."""


def must_search(route: Route) -> bool:
    """Whether memory must be searched before saying that a fact about the user is unknown."""
    return bool(route.signals.get("about_them")) and route.knowing.confidence < UNKNOWN_BELOW


def word(route: Route) -> Hint | None:
    """Return the hint for a route; None for a plain answer, or a decision by score alone."""
    if route.signals.get("cancel") or route.signals.get("empty"):
        return None
    if must_search(route):
        return "search"
    if route.mode == "RESPOND" or route.tie_break == "score":
        return None
    if route.mode == "ACT":
        return "act" if route.signals.get("action_intent") else "look_up"
    if route.mode == "CLARIFY":
        return "clarify"
    if route.mode == "ACKNOWLEDGE" and not route.signals.get("greeting_alone"):  # a greeting deserves one in return
        return "acknowledge"
    return None
