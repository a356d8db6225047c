"""Read the signals of messages: by the lexicon, and where their vectors are at hand with a second opinion.

memoryd keeps the vectors it makes for this: the recall that follows in the same turn does not make them again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from furoshiki.language import danger_head, signal_head, signals
from furoshiki.language.danger_head import WORDS_ALONE, Bounds
from furoshiki.language.signals import Signals
from furoshiki.language.testimony import Own
from furoshiki.perception import languages
from furoshiki.retrieval.client import VectorsAway
from furoshiki.world import World

ENGLISH = "en"
ABROAD = frozenset({"de", "es", "fr", "it", "pt", "ru", "tr", "zh"})
"""The other languages in which a head can tell danger."""


@dataclass(frozen=True)
class Read:
    """The signals of each text, and the vectors that were asked for on the way: by text, made by `encoder` (its id)."""

    signals: list[Signals]
    encoder: str = ""
    vectors: Mapping[Own, Sequence[float]] = field(default_factory=dict)
    danger: Mapping[str, float] = field(default_factory=dict)
    bounds: Bounds | None = None


def read(world: World, texts: Sequence[Own]) -> Read:
    """The signals of each text, and how likely somebody is in danger by any of them. By words alone while memoryd is
    away or has an encoder without a head."""
    found = _signals(world, texts)
    told = {text: _code(world, text) for text in dict.fromkeys(texts)}
    abroad = _abroad(world, [text for text, code in told.items() if code in ABROAD])
    seen: list[tuple[Mapping[str, float], Bounds]] = []
    for text in [text for text, code in told.items() if code == ENGLISH or code in ABROAD]:
        own = (found.encoder, found.vectors[text]) if text in found.vectors and told[text] == ENGLISH else ("", ())
        encoder, vector = abroad.get(text, own)
        head = world.danger_head(encoder) or world.danger_head(WORDS_ALONE)
        if head is not None:
            vector = vector if head.directions else ()
            seen += [(head.shares(part, vector), head.bounds) for part in danger_head.pieces(text)]
    if not seen:
        return found
    shares, bounds = max(seen, key=lambda one: danger_head.danger(one[0]) / one[1].sure)
    return replace(found, danger=shares, bounds=bounds)


def _code(world: World, text: Own) -> str:
    told = languages.known(world.config).of(text)
    return ENGLISH if told is None else told.code


def _abroad(world: World, texts: Sequence[Own]) -> Mapping[Own, tuple[str, Sequence[float]]]:
    """The vectors of short texts in other languages than English, where the encoder for those is there."""
    wanted = [text for text in texts if signal_head.short(text)]
    if not wanted:
        return {}
    try:
        encoder, vectors = world.vectors.said(wanted, multilingual=True)
    except VectorsAway:
        return {}
    return {text: (encoder, vector) for text, vector in zip(wanted, vectors, strict=True)}


def _signals(world: World, texts: Sequence[Own]) -> Read:
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
