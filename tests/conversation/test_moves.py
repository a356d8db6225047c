"""The prompt that answers a feeling holds a mood that fits it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.moves import Encoders, Line, lines, shares, words
from furoshiki.recall.embeddings import models
from furoshiki.world import World

PLAIN = (
    Line("sadness", "en", "my cat died"),
    Line("anger", "en", "I'm furious"),
    Line("worry", "en", "my dad is in hospital and I am scared"),
    Line("excitement", "en", "we got the flat!!"),
    Line("-", "en", "the meeting moved to thursday"),
    Line("-", "en", "what was the name of that book again?"),
    Line("-", "en", "thanks"),
)


async def test_words_alone_move_it(world: World) -> None:
    found = await words(world, [one.text for one in PLAIN])
    wrong = [(line, pair) for line, each in zip(PLAIN, found, strict=True) for pair in each if not line.fits(*pair)]
    assert not wrong


@pytest.mark.slow
@pytest.mark.skipif(not models.has_multilingual(), reason="the encoder for other languages is not installed")
async def test_in_six_languages(world: World) -> None:
    said = lines("held_out")[::4]
    found = await words(replace(world, vectors=Encoders()), [one.text for one in said])
    _name, felt, _judged, calm, _left = next(shares(said, found))
    assert felt >= 0.9 and calm >= 0.95
