"""What can be concluded from memories by counting, where there is no model: themes, and nothing that was not said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from furoshiki.domain.grounding import content_of
from furoshiki.domain.insight import FRAME, Evidence
from furoshiki.domain.reflex.hearing import COMMON

THEMES = 3
LEAST_MEMORIES = 3
"""In how many memories a word must stand to be a theme: twice is chance."""

_SHORTEST = 3
_MOST_CITED = 8


def questions(material: Sequence[Evidence]) -> Mapping[str, Any]:
    """One question for each theme."""
    return {"questions": [f"What do they say about {name}, again and again?" for name, _ in _themes(material)]}


def insights(material: Sequence[Evidence]) -> Mapping[str, Any]:
    """That a theme comes back, with the memories it comes back in: no more than can be counted."""
    return {
        "insights": [
            {"text": f"They come back to this again and again: {name}.", "memories": list(ids[:_MOST_CITED])}
            for name, ids in _themes(material)
        ]
    }


def _themes(material: Sequence[Evidence]) -> list[tuple[str, tuple[int, ...]]]:
    """The words that most memories share, each in its commonest form, with the memories, newest first."""
    held: dict[str, list[int]] = {}
    forms: dict[str, Counter[str]] = {}
    for one in sorted(material, key=lambda evidence: -evidence.id):
        for word in {raw.strip(".,;:!?\"'()\u201c\u201d\u2019") for raw in one.content.split()}:
            stems = content_of(word, FRAME)
            if len(word) < _SHORTEST or not word.isalpha() or word.casefold() in COMMON or len(stems) != 1:
                continue
            stem = next(iter(stems))
            if one.id not in held.setdefault(stem, []):
                held[stem].append(one.id)
            forms.setdefault(stem, Counter())[word] += 1
    often = sorted((-len(ids), stem) for stem, ids in held.items() if len(ids) >= LEAST_MEMORIES)
    return [(min(forms[stem], key=lambda form: (-forms[stem][form], form)), tuple(held[stem])) for _, stem in often][
        :THEMES
    ]


READERS: Mapping[str, Callable[[Any], Mapping[str, Any]]] = {"questions": questions, "insights": insights}
"""The readers by the part of consolidation that asks; what is not here needs a model."""
