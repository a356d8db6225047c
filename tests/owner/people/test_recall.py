"""A member is remembered for by meaning too, with vectors that lie in their own place."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.recall.embeddings import models
from furoshiki.recall.embeddings.models import load_multilingual
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.recall import recall
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import KINDS
from furoshiki.world import World
from tests.support.encoders import WordEncoder
from tests.support.people import SECRET, Somebody
from tests.support.world import NoVectors

ALIKE = {"feline": "cat", "kitten": "cat"}


class Meaning(NoVectors):
    """memoryd as far as a place uses it. Anything it is asked about its own index is remembered."""

    def __init__(self) -> None:
        self.encoder = WordEncoder()
        self.asked: list[str] = []
        self.away = False

    def embed(self, texts: Sequence[str], *_: Any, **__: Any) -> list[list[float]]:
        if self.away:
            raise VectorsAway("not now")
        plain = [" ".join(ALIKE.get(word, word) for word in text.lower().replace("?", "").split()) for text in texts]
        return [list(map(float, row)) for row in self.encoder.encode(plain)]

    def query(self, text: str, *_: Any, **__: Any) -> Any:
        self.asked.append(text)
        raise VectorsAway("not in this test")


@pytest.fixture
def memoryd(worker: Worker, world: World) -> Meaning:
    found = Meaning()
    with world.database.write() as db:
        vectors.model_is(db, found.encoder.id, world.now)
    worker.world = dataclasses.replace(world, vectors=found)
    return found


async def test_what_a_member_said_is_found_by_its_meaning(memoryd: Meaning, owner: Somebody, member: Somebody) -> None:
    await owner.says(f"my cat has {SECRET}")
    for words in ("my cat sleeps a lot", "the weather is grey", "trains are late again"):
        await member.says(words)
    with member.place.database.read() as db:
        assert vectors.list_waiting(db, "turn", 10) == []
    found = recall(member.place, "which feline?", k=2, now=member.world.now)
    assert found[0].text == "my cat sleeps a lot"
    assert all(SECRET not in one.text for one in recall(member.place, f"cat {SECRET}", k=20, now=member.world.now))
    with owner.world.database.read() as db:
        said = [row["text"] for row in db.execute("SELECT text FROM turns WHERE speaker='user'")]
    assert said == [f"my cat has {SECRET}"]


async def test_without_memoryd_words_find_and_vectors_come_later(
    memoryd: Meaning, owner: Somebody, member: Somebody
) -> None:
    memoryd.away = True
    await member.says("my cat sleeps a lot")
    assert recall(member.place, "cat", k=1, now=member.world.now)[0].text == "my cat sleeps a lot"
    memoryd.away = False
    await member.says("good night")
    assert recall(member.place, "kitten", k=1, now=member.world.now)[0].text == "my cat sleeps a lot"


async def test_another_encoder_replaces_all_vectors(memoryd: Meaning, owner: Somebody, member: Somebody) -> None:
    await member.says("my cat sleeps a lot")
    memoryd.encoder = WordEncoder("words.2")
    with owner.world.database.write() as db:
        vectors.model_is(db, "words.2", owner.world.now)
    await member.says("good night")
    with member.place.database.read() as db:
        assert vectors.model(db) == "words.2" and vectors.list_waiting(db, "turn", 10) == []
    assert recall(member.place, "kitten", k=1, now=member.world.now)[0].text == "my cat sleeps a lot"


async def test_the_owners_index_is_never_asked_for_a_member(
    memoryd: Meaning, owner: Somebody, member: Somebody
) -> None:
    await member.says("my cat sleeps a lot")
    place = member.place
    assert place.vectors.query("cat", KINDS, 3)
    for closed in (place.vectors.audit,):
        with pytest.raises(VectorsAway):
            closed()
    place.vectors.rebuild()
    place.vectors.stop()
    assert memoryd.asked == []


class Abroad(Meaning):
    """memoryd with its multilingual encoder, which compares texts of any language."""

    def compare(self, texts: Sequence[str], *_: Any, **__: Any) -> list[list[float]]:
        return [list(map(float, load_multilingual().found_by(text, "passage").whole)) for text in texts]


@pytest.mark.slow
@pytest.mark.skipif(not models.has_multilingual(), reason="it is made by scripts/install.py --multilingual")
async def test_a_guest_is_remembered_for_by_meaning_in_their_own_language(
    worker: Worker, world: World, owner: Somebody, member: Somebody
) -> None:
    """Their place had vectors by the English encoder alone."""
    worker.world = dataclasses.replace(world, vectors=Abroad())
    for words in (
        "Wir haben einen Kater aus dem Tierheim geholt",
        "Ich bin heute mit dem Zug nach Hamburg gefahren",
        "Mein Knie tut weh, seit ich am Montag gelaufen bin",
    ):
        await member.says(words)
    found = recall(member.place, "Welches Haustier lebt bei mir?", k=2, now=member.world.now)
    assert found[0].text == "Wir haben einen Kater aus dem Tierheim geholt"
