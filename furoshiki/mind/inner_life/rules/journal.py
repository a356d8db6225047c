"""A journal entry by rule: what was talked about, how it felt, and nothing that would have to be made up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.language.grounding.words import stems_of
from furoshiki.language.humanize import join_items
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.reflex.reading import read_session
from furoshiki.language.reflex.values import Utterance

_MOST_TOPICS = 3
_MOST_CITED = 8


@dataclass(frozen=True)
class Stretch:
    """What there is to write about: everything said, and the moods the companion was in, oldest first."""

    said: tuple[Utterance, ...]
    moods: tuple[str, ...]


def journal(stretch: Stretch, lexicon: Lexicon | None = None) -> Mapping[str, Any]:
    """The entry, in the shape a model is asked for: words they used themselves, with the messages they stand in."""
    own = [one for one in stretch.said if one.speaker == "user"]
    read = read_session(own, lexicon)
    entry = []
    topics = [topic for topic in read["topics"] if topic][:_MOST_TOPICS]
    if topics:
        entry.append({"text": f"They spoke of {join_items(topics)}.", "messages": _where(topics, own)})
    elif own:
        entry.append({"text": "They said a few words.", "messages": [one.id for one in own][:_MOST_CITED]})
    felt = str(read["user_state"]).rstrip(".")
    if felt and own:
        entry.append({"text": f"They sounded {felt.lower()}.", "messages": [one.id for one in own][-_MOST_CITED:]})
    mood = _mostly(stretch.moods)
    if mood:
        entry.append({"text": f"I was mostly {mood}.", "messages": []})
    return {"entry": entry}


def _where(topics: Sequence[str], own: Sequence[Utterance]) -> list[int]:
    wanted = stems_of(" ".join(topics))
    return [one.id for one in own if wanted & stems_of(one.text)][:_MOST_CITED]


def _mostly(moods: Sequence[str]) -> str | None:
    """The mood that was there most often; the later one of two."""
    counts = Counter(moods)
    return max(
        counts, key=lambda mood: (counts[mood], max(i for i, one in enumerate(moods) if one == mood)), default=None
    )
