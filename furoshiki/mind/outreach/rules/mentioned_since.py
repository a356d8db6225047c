"""Detect whether the owner has mentioned a matter since it was queued, so that it can be dropped.

Only words are compared: one message, or two in a row, must state enough of the thought. Questions,
wishes and plans do not count.
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
"""Kinds about facts only the owner can tell. News and requests of the companion stay open."""

LEAST_ASKED = 2
"""Minimum number of distinct words of a question: speaking of any cat does not answer a question
about the owner's cat."""

_OFFERED = stems_of("kind word encouragement encouraging support company cheer comfort patience")
"""Words for what the companion offers; they say nothing about the topic."""

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_NOT_YET = re.compile(
    r"\b(?:will|'ll|going to|gonna|want(?:s)? to|hope to|have to|need to|must|should|might|could|would|if|when|before|"
    r"until|tomorrow|next (?:week|month|year)|remind me)\b",
    re.IGNORECASE,
)
"""Marks of the future: a sentence with one of them states no fact."""

_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def extract_stems(message: str) -> frozenset[str]:
    """Return the stems of a message's statements, computed once for all thoughts."""
    return frozenset(stems_of(" ".join(_list_statements(message))))


def was_mentioned(thought: Waiting, said: Sequence[frozenset[str]]) -> bool:
    """Return whether the owner's messages cover the thought: `said` holds the stems of each message
    since, from `extract_stems`, oldest first."""
    if thought.kind not in THEIRS or refs.is_of(thought.source, "needs"):
        return False
    its = about(replace(thought, summary=thought.summary.rpartition(": ")[2])) - _OFFERED
    if thought.kind in ASKING and len(its) < LEAST_ASKED:
        return False
    return any(enough(its, one) for one in said) or any(
        enough(its, first | second) and its & first and its & second for first, second in pairwise(said)
    )


def since(thought: Waiting) -> datetime:
    """Return from when on messages count: when the thought was queued, or may be said."""
    return max(thought.created_at or _LONG_AGO, thought.not_before or _LONG_AGO)


def _list_statements(message: str) -> list[str]:
    found = (one.strip() for one in _SENTENCE.findall(message))
    return [one for one in found if not ends_asking(one) and not _NOT_YET.search(one)]
