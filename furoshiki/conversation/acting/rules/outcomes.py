"""What a loop came to for the step of a long task that it worked on."""

import re
from typing import Literal

from furoshiki.conversation.acting.rules.stopping import Stopped

Outcome = Literal["done", "failed", "away"]
"""There is a result; there is none; nobody was there to think, so that nothing is decided."""

_CANNOT = re.compile(r"[\W_]*CANNOT\b")
"""How a mind says that a step cannot be done, as prompts/acting/step.md.j2 asks it to."""


def of(stopped: Stopped, text: str, *, changed: bool, asks: bool) -> Outcome:
    """What came of it, by why the loop ended, its words, whether it changed anything, and whether anything of it waits
    for a yes: then the rest of it is its owner's to decide, and trying it again would only ask them again."""
    if stopped == "nobody":
        return "away"
    if asks:
        return "done"
    if _CANNOT.match(text) or not text.strip():
        return "failed"
    return "done" if stopped == "finished" or changed else "failed"
