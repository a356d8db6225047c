"""What can be concluded from memories by counting, where there is no model: themes, and nothing that was not said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from furoshiki.language.facts.opposition import measure_by_rule
from furoshiki.language.grounding.insights import FRAME, LEAST_CITED, Challenged, Conduct, Evidence
from furoshiki.language.grounding.words import content_of
from furoshiki.language.tables.stop_words import COMMON

THEMES = 3
LEAST_MEMORIES = 3
"""In how many memories a word must stand to be a theme: twice is chance."""

SURELY_OPPOSED = 0.6
"""From here on two statements oppose each other by rule (see `language.facts.opposition`)."""

_SHORTEST = 3
_MOST_TENSIONS = 10
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


def tensions(material: Conduct) -> Mapping[str, Any]:
    """What was done in plain opposition to what is valued, as far as rules know opposites."""
    found = []
    for value in material.values:
        against = [
            (measure_by_rule(value.content, act.content) or 0.0, act.id) for act in material.acts if act.id != value.id
        ]
        sure = [(strength, act_id) for strength, act_id in against if strength >= SURELY_OPPOSED]
        if sure:
            strength = max(strength for strength, _ in sure)
            found.append(
                {"value": value.id, "acts": [act_id for _, act_id in sure][:_MOST_CITED], "strength": strength}
            )
    return {"tensions": found[:_MOST_TENSIONS]}


def rejudgement(material: Challenged) -> Mapping[str, Any]:
    """What speaks against an insight stays beside it, as long as enough of what it rests on is left."""
    return {"verdict": "keep_both" if len(material.remaining) >= LEAST_CITED else "withdraw"}


READERS: Mapping[str, Callable[[Any], Mapping[str, Any]]] = {
    "questions": questions,
    "insights": insights,
    "tensions": tensions,
    "rejudgement": rejudgement,
}
"""The readers by the part of consolidation that asks; what is not here needs a model."""
