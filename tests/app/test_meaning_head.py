"""What a message means to do is judged as its heads were trained: each by itself."""

from __future__ import annotations

from furoshiki.app.wiring import load_meaning_head
from furoshiki.language.signal_head import Head
from furoshiki.recall.embeddings import models


def test_one_meaning_does_not_make_another_less_likely() -> None:
    weights = {"greets": (0.0, 0.0), "tired": (0.0, 0.0)}
    assert Head("any", weights, apart=True).shares([1.0]) == {"greets": 0.5, "tired": 0.5}


def test_what_is_meant_is_judged_apart() -> None:
    head = load_meaning_head(models.identity(models.MULTILINGUAL))
    assert head is not None
    assert head.apart
    assert len(head.hidden) == 128
