"""What may be done because a model says so, and what the owner must say themselves.

Anyone who gets words in front of the model (in a document, a forward, an old message that is
recalled) can ask it to act. So what changes something is done at once only on the owner's own
words; otherwise it is shown, and waits for their yes. What the companion comes upon by itself (a
drifting thought, a hunch) it may at most propose, and only when it is sure enough of it: a hundred
vague proposals are pressed away unread.
"""

import re
from collections.abc import Sequence
from typing import Literal

from furoshiki.language.grounding.words import collect_words, content_of, mostly_said
from furoshiki.language.inflection import Said
from furoshiki.language.testimony import Own

Leave = Literal["given", "ask", "unsure"]

Asks = Literal["exactly", "perhaps", "no"]
"""How far a message asks for a call, by its words alone: for this very one, for something of its kind, for none."""

_UNSPACED = re.compile("[\u2e80-\u9fff\u0e00-\u0eff]")

USER = "user"
"""The source of what the owner asks for themselves. Others: "drift", "consolidation", "schedule", "plugin"."""

LEAST_CONFIDENCE = 0.6
"""From this confidence in its source on, what does not come from the owner is worth a proposal."""


def leave(
    named: Sequence[str],
    own: Own,
    *,
    foreign_now: bool,
    foreign_in_view: bool,
    asks: Asks = "perhaps",
    source_tag: str = USER,
    source_confidence: float = 1.0,
) -> Leave:
    """Whether a call that changes something may be made at once, is to be asked for, or is too vague even for that.

    What does not come from the owner is never done at once. `named` is what the call names (a title, items), `own` what
    the owner says themselves in this message, `asks` what that asks for. What they ask for exactly is done, whatever
    else lies before the mind. Else, when others' words came with the message, they are asked. When such words are only
    in view (said before, or remembered), the owner must have named it in their own, and may have asked for it.
    """
    if source_tag != USER:
        return "ask" if source_confidence >= LEAST_CONFIDENCE else "unsure"
    if asks == "exactly" or not (foreign_now or foreign_in_view):
        return "given"
    return "given" if not foreign_now and asks == "perhaps" and within(named, own) else "ask"


def within(named: Sequence[str], said: str) -> bool:
    """Whether all that a call names was named in these words, in whatever form their language gives it."""
    held = collect_words([said], " ".join(named))
    return bool(named) and all(bool(content_of(one)) and _is_named(one, said, held) for one in named)


def _is_named(one: str, said: str, held: Said) -> bool:
    # where no blanks stand between words, as in Chinese, what was named is a stretch of what was said
    return mostly_said(one, held, 1.0) or (_UNSPACED.search(one) is not None and one in said)
