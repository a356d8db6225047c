"""Write a journal entry by rule from topics and moods, without inventing anything."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from furoshiki.language.grounding.words import stems_of
from furoshiki.language.humanize import join_in_english
from furoshiki.language.lexicon import Lexicon
from furoshiki.language.reflex.reading import read_session
from furoshiki.language.testimony import Utterance

_MOST_TOPICS = 3
_MOST_CITED = 8


@dataclass(frozen=True)
class Stretch:
    """The material of an entry: all messages, and the companion's moods, oldest first."""

    said: tuple[Utterance, ...]
    moods: tuple[str, ...]


def journal(stretch: Stretch, lexicon: Lexicon | None = None) -> Mapping[str, Any]:
    """Return the entry in the model's format: the user's own words, citing their messages."""
    own = [utterance for utterance in stretch.said if utterance.speaker == "user"]
    read = read_session(own, lexicon)
    entry = []
    topics = [topic for topic in read["topics"] if topic][:_MOST_TOPICS]
    if topics:
        entry.append({"text": f"They spoke of {join_in_english(topics)}.", "messages": _where(topics, own)})
    elif own:
        entry.append({"text": "They said a few words.", "messages": [utterance.id for utterance in own][:_MOST_CITED]})
    felt = str(read["user_state"]).rstrip(".")
    if felt and own:
        entry.append(
            {"text": f"They sounded {felt.lower()}.", "messages": [utterance.id for utterance in own][-_MOST_CITED:]}
        )
    mood = _mostly(stretch.moods)
    if mood:
        entry.append({"text": f"I was mostly {mood}.", "messages": []})
    return {"entry": entry}


def _where(topics: Sequence[str], own: Sequence[Utterance]) -> list[int]:
    wanted = stems_of(" ".join(topics))
    return [utterance.id for utterance in own if wanted & stems_of(utterance.text)][:_MOST_CITED]


def _mostly(moods: Sequence[str]) -> str | None:
    """Return the most frequent mood; the later of equals."""
    counts = Counter(moods)
    return max(
        counts, key=lambda mood: (counts[mood], max(i for i, one in enumerate(moods) if one == mood)), default=None
    )
