"""Has the owner spoken of a matter since it came to mind? Then there is no need to bring it up any more.

Read are the words alone: that enough of what a thought is about was told, in one message or in two in a row. What is
only asked, wished or planned tells nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

from furoshiki.core import refs
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.words import ends_asking
from furoshiki.owner.agenda.rules.mind_queue import ASKING, Waiting, about, enough

THEIRS = frozenset({"question", "curiosity", "follow_up", "anticipation", "thought", "need", "reminder"})
"""Kinds that are about what only the owner can tell. What the companion has to tell or to ask leave for stays open."""

LEAST_ASKED = 2
"""Words of its own that a question must have: that somebody speaks of a cat answers nothing about theirs. What is known
by then closes it."""

_OFFERED = stems_of("kind word encouragement encouraging support company cheer comfort patience")
"""What the companion thinks it could give says nothing of what it is about."""

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_NOT_YET = re.compile(
    r"\b(?:will|'ll|going to|gonna|want(?:s)? to|hope to|have to|need to|must|should|might|could|would|if|when|before|"
    r"until|tomorrow|next (?:week|month|year)|remind me)\b",
    re.IGNORECASE,
)
"""What is still to come is nothing told."""

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def extract_stems(message: str) -> frozenset[str]:
    """What a message tells, as stems: read once for all thoughts it is compared with."""
    return frozenset(stems_of(" ".join(_list_statements(message))))


def was_mentioned(thought: Waiting, said: Sequence[frozenset[str]]) -> bool:
    """Whether what was `said` since speaks of its matter: the owner's own words, as `extract_stems` reads them, a
    message each, oldest first."""
    if thought.kind not in THEIRS or refs.is_of(thought.source, "needs"):
        return False
    its = about(replace(thought, summary=thought.summary.rpartition(": ")[2])) - _OFFERED
    if thought.kind in ASKING and len(its) < LEAST_ASKED:
        return False
    return any(enough(its, one) for one in said) or any(
        enough(its, first | second) and its & first and its & second for first, second in pairwise(said)
    )


def since(thought: Waiting) -> datetime:
    """Return from when on messages count: when the thought came up, or may be said."""
    return max(thought.created_at or _LONG_AGO, thought.not_before or _LONG_AGO)


def _list_statements(message: str) -> list[str]:
    found = (one.strip() for one in _SENTENCE.findall(message))
    return [one for one in found if not ends_asking(one) and not _NOT_YET.search(one)]
