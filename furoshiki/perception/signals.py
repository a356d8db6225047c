"""Read the signals of messages: by the lexicon, and where their vectors are at hand with a second opinion.

memoryd keeps the vectors it makes for this: the recall that follows in the same turn does not make them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from furoshiki.language import signal_head, signals
from furoshiki.language.signals import Signals
from furoshiki.language.testimony import Own
from furoshiki.retrieval.client import VectorsAway
from furoshiki.world import World


@dataclass(frozen=True)
class Read:
    """The signals of each text, and the vectors that were asked for on the way: by text, made by `encoder` (its id)."""

    signals: list[Signals]
    encoder: str = ""
    vectors: Mapping[Own, Sequence[float]] = field(default_factory=dict)


def read(world: World, texts: Sequence[Own]) -> Read:
    """The signals of each text. By the lexicon alone while memoryd is away or has an encoder without a head."""
    found = [signals.read(text, world.lexicon) for text in texts]
    wanted = list(dict.fromkeys(text for text in texts if signal_head.readable(text)))
    if not wanted:
        return Read(found)
    try:
        encoder, vectors = world.vectors.said(wanted)
    except VectorsAway:
        return Read(found)
    made = dict(zip(wanted, vectors, strict=True))
    head = world.head(encoder)
    if head is None:
        return Read(found, encoder, made)
    shares = {text: head.shares(vector) for text, vector in made.items()}
    heard = [
        signal_head.second_opinion(text, one, shares[text]) if text in shares else one
        for text, one in zip(texts, found, strict=True)
    ]
    return Read(heard, encoder, made)
