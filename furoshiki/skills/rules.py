"""What may be done because a model says so, and what the owner must say themselves.

Whoever can put words before the model (in a document, a forward, an old message that comes to mind) can ask it to act.
So what changes something is done at once only on the owner's own words; otherwise it is shown, and waits for their yes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.testimony import Own

Leave = Literal["given", "ask"]


def leave(named: Sequence[str], own: Own, *, foreign_now: bool, foreign_in_view: bool) -> Leave:
    """Whether a call that changes something may be made at once.

    `named` is what the call names (a title, items), `own` what the owner says themselves in this message. When others'
    words came with the message they are asked. When such words are only in view (said before, or remembered), the owner
    must have named it in their own.
    """
    if foreign_now:
        return "ask"
    if not foreign_in_view:
        return "given"
    said = stems_of(own)
    wanted = [content_of(one) for one in named]
    return "given" if wanted and all(one and one <= said for one in wanted) else "ask"
