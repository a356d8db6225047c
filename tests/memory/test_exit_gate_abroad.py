"""What is worth remembering is judged in German and Russian as in English: to the encoder for English nearly every
message was near all others, and a shopping list was kept as much as an illness."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.simulator.meaning import VectorsHere, encoder
from furoshiki.memory import exit_gate
from furoshiki.recall.embeddings import models
from furoshiki.world import World
from tests.support.exit_gate import say

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not models.has_multilingual(), reason="it is made by scripts/install.py --multilingual"),
]

SAID = {
    "de": (
        "ich sitz noch im auto vor ihrem haus. hab grad abgeschlossen",
        "hannelore heißt sie. 84. die demenz ist seit drei jahren, seit dem frühjahr ging's allein nicht mehr",
        "muss fahren, um vier geht die frühschicht los",
        "der bus war wieder zu spät und beim bäcker gab es kein brot",
    ),
    "ru": (
        "сижу на полу и ем пельмени из кастрюли, смешно",
        "у мамы нашли рак, операция через неделю, мне очень страшно за неё",
        "запиши в покупки: лампочки, коврик, корм для кошки",
        "автобус опять опоздал, а хлеба в булочной уже не было",
    ),
}


@pytest.mark.parametrize("language", SAID)
async def test_an_illness_matters_more_than_a_bus(world: World, language: str) -> None:
    english = encoder(models.COLBERT, models.locate_models())
    judging = replace(world, vectors=VectorsHere(world.database, english, world.clock.now))
    turns = [say(judging, text) for text in SAID[language]]
    await exit_gate.flush(judging)
    with world.database.read() as db:
        relevance = {row[0]: row[1] for row in db.execute("SELECT turn_id, relevance FROM scratch_buffer")}
    first, ill, *everyday = (relevance[turn] for turn in turns)
    assert ill == max(relevance.values())
    assert all(one < ill - 0.1 for one in (first, *everyday))
    assert all(one < 0.6 for one in everyday), "none of it is at the core of a life"
