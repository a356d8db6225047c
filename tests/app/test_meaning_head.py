"""What a message means to do is judged as its heads were trained: each by itself."""

from __future__ import annotations

import pytest

from furoshiki.app.wiring import load_meaning_head, signal_head
from furoshiki.language.intents import is_meant
from furoshiki.language.signal_head import ABROAD, Head
from furoshiki.recall.embeddings import models
from tests.support.meaning import Meant


def test_one_meaning_does_not_make_another_less_likely() -> None:
    weights = {"greets": (0.0, 0.0), "tired": (0.0, 0.0)}
    assert Head("any", weights, apart=True).shares([1.0]) == {"greets": 0.5, "tired": 0.5}


def test_what_is_meant_is_judged_apart() -> None:
    head = load_meaning_head(models.identity(models.MULTILINGUAL))
    assert head is not None
    assert head.apart
    assert len(head.hidden) == 128


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("你最近咋样", True),
        ("我爸怎么了？", False),
        ("O que aconteceu hoje no mundo?", False),
        ("Wie geht es meiner Mutter?", False),
        ("¿cómo está mi hermana?", False),
        ("как мой племянник?", False),
    ],
)
def test_who_asks_after_somebody_else_does_not_ask_how_the_companion_is(said: str, asks: bool) -> None:
    encoder, [vector] = Meant().said([said], multilingual=True)
    head = load_meaning_head(encoder)
    assert head is not None
    assert is_meant(head.shares(vector, said), "asks_how") is asks


@pytest.mark.parametrize(
    ("said", "felt"),
    [("气死我了", "anger"), ("我好孤单", "sadness"), ("累死了", "frustration"), ("太开心了", "excitement")],
)
def test_a_short_exclamation_is_felt(said: str, felt: str) -> None:
    encoder, [vector] = Meant().said([said], multilingual=True)
    head = signal_head(encoder)
    assert head is not None
    shares = head.shares(vector, said)
    assert max(shares, key=shares.__getitem__) == felt
    assert shares[felt] >= ABROAD.adds
