"""The outcome of a loop for a step of a long task."""

import re
from typing import Literal

from furoshiki.conversation.acting.rules.stopping import Stopped

Outcome = Literal["done", "failed", "away"]
"""A result, no result, or no model available (undecided)."""

_CANNOT = re.compile(r"[\W_]*CANNOT\b")
"""How a model reports an impossible step, as prompts/acting/step.md.j2 requests."""


def of(stopped: Stopped, text: str, *, changed: bool, asks: bool) -> Outcome:
    """Return the outcome from the stop reason, the text, and whether anything changed or waits for
    consent: then the owner decides, and a retry would only ask again."""
    if stopped == "nobody":
        return "away"
    if asks:
        return "done"
    if _CANNOT.match(text) or not text.strip():
        return "failed"
    return "done" if stopped == "finished" or changed else "failed"
