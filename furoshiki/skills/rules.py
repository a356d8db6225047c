"""What may be done because a model says so, and what the owner must say themselves.

Whoever can put words before the model (in a document, a forward, an old message that comes to mind) can ask it to act.
So what changes something is done at once only on the owner's own words; otherwise it is shown, and waits for their yes.
What the companion comes upon by itself (a drifting thought, a hunch) it may at most propose, and only when it is sure
enough of it: a hundred vague proposals are pressed away unread.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.testimony import Own

Leave = Literal["given", "ask", "unsure"]

USER = "user"
"""The source of what the owner asks for themselves. Others: "drift", "consolidation", "gut", "schedule", "plugin"."""

LEAST_CONFIDENCE = 0.6
"""From this confidence in its source on, what does not come from the owner is worth a proposal."""


def leave(
    named: Sequence[str],
    own: Own,
    *,
    foreign_now: bool,
    foreign_in_view: bool,
    source_tag: str = USER,
    source_confidence: float = 1.0,
) -> Leave:
    """Whether a call that changes something may be made at once, is to be asked for, or is too vague even for that.

    What does not come from the owner is never done at once. `named` is what the call names (a title, items), `own` what
    the owner says themselves in this message. When others' words came with the message they are asked. When such words
    are only in view (said before, or remembered), the owner must have named it in their own.
    """
    if source_tag != USER:
        return "ask" if source_confidence >= LEAST_CONFIDENCE else "unsure"
    if foreign_now:
        return "ask"
    if not foreign_in_view:
        return "given"
    said = stems_of(own)
    wanted = [content_of(one) for one in named]
    return "given" if wanted and all(one and one <= said for one in wanted) else "ask"
