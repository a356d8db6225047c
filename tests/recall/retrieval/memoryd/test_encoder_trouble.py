"""An encoder that cannot be loaded is on record, with what that means, until one can."""

from __future__ import annotations

import random

import pytest

from furoshiki.core.database import troubles
from furoshiki.core.errors import BadSetting
from furoshiki.recall.embeddings.encoder import Encoder
from furoshiki.recall.retrieval.memoryd.service import UNREADABLE, Service
from tests.recall.retrieval.memoryd.conftest import Memoryd


@pytest.mark.parametrize(
    ("fault", "words"),
    [(BadSetting("no such encoder"), "no such encoder"), (RuntimeError("protobuf parsing failed"), UNREADABLE)],
)
def test_it_is_on_record_until_one_can_be_loaded(memoryd: Memoryd, fault: Exception, words: str) -> None:
    def load() -> Encoder:
        if broken:
            raise fault
        return memoryd.encoder

    broken = True
    memoryd.service = Service(memoryd.data, memoryd.database, load, lambda: memoryd.now, random.Random(1))
    assert memoryd.service.answer({"op": "embed", "texts": ["tea"]}) == {"ok": False, "error": words}
    with memoryd.database.read() as db:
        [found] = troubles.read_all(db)
    assert found.words == f"nothing is found by its meaning, only by its words: {words}"
    broken = False
    assert memoryd.service.answer({"op": "embed", "texts": ["tea"]})["ok"]
    with memoryd.database.read() as db:
        assert troubles.read_all(db) == []
