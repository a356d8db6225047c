"""Read the signals of messages: by the lexicon, and where their vectors are at hand with a second opinion.

memoryd keeps the vectors it makes for this: the recall that follows in the same turn does not make them again.
"""

from __future__ import annotations

from collections.abc import Sequence

from furoshiki.language import signal_head, signals
from furoshiki.language.signals import Signals
from furoshiki.language.testimony import Own
from furoshiki.retrieval.client import VectorsAway
from furoshiki.world import World


def read(world: World, texts: Sequence[Own]) -> list[Signals]:
    """The signals of each text. By the lexicon alone while memoryd is away or has an encoder without a head."""
    found = [signals.read(text, world.lexicon) for text in texts]
    wanted = list(dict.fromkeys(text for text in texts if signal_head.readable(text)))
    if not wanted:
        return found
    try:
        encoder, vectors = world.vectors.said(wanted)
    except VectorsAway:
        return found
    head = world.head(encoder)
    if head is None:
        return found
    shares = {text: head.shares(vector) for text, vector in zip(wanted, vectors, strict=True)}
    return [
        signal_head.second_opinion(text, one, shares[text]) if text in shares else one
        for text, one in zip(texts, found, strict=True)
    ]
