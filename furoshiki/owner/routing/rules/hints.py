"""What the mind that answers is told of the route: one line, and only where it says something."""

from typing import Literal

from furoshiki.owner.routing.rules.warmth import UNKNOWN_BELOW
from furoshiki.owner.routing.values import Route

Hint = Literal["search", "act", "look_up", "clarify", "acknowledge"]
"""The line's name in `prompts/_parts/route/`."""


def must_search(route: Route) -> bool:
    """Whether memory is to be searched before it may be said that something about the user is not known."""
    return bool(route.signals.get("about_them")) and route.knowing.confidence < UNKNOWN_BELOW


def word(route: Route) -> Hint | None:
    """The hint for a route; none to answer plainly, and none where only the higher score decided."""
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
    if route.mode == "ACKNOWLEDGE" and not route.signals.get("greeting_alone"):  # a greeting is worth one in return
        return "acknowledge"
    return None
