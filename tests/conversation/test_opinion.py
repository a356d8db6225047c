"""A plain line with a telling word moves nothing: words and vector are read together, through the whole turn."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from furoshiki.recall.embeddings.models import load
from furoshiki.recall.retrieval.memoryd.service import CachedEncoder
from furoshiki.world import World
from tests.support.world import Human, NoVectors

FELT = ("joy", "contentment", "excitement", "affection", "worry", "pride", "anger")
"""What signals of feeling move; a new subject rouses curiosity, whatever is felt."""

PLAIN = "put the bike in the cellar for winter"


class Said(NoVectors):
    """A memoryd that only makes vectors, with the real encoder or under another one's name."""

    def __init__(self, encoder: Any, name: str | None = None) -> None:
        self.encoder, self.name, self.asked = encoder, name or encoder.id, 0
        self.expected: list[str] = []

    def expect(self, text: str) -> None:
        self.expected.append(text)

    def said(self, texts: Sequence[str], *_: Any, **__: Any) -> tuple[str, list[list[float]]]:
        self.asked += 1
        assert self.expected in ([], list(texts))
        return self.name, [self.encoder.encode([text])[0].tolist() for text in texts]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load("colbert-small", tmp_path_factory.mktemp("models"))


async def moved(human: Human, vectors: NoVectors, words: str) -> dict[str, float]:
    world: World = dataclasses.replace(human.world, vectors=vectors)
    human.world = human.worker.world = world
    before = world.state.heartbeat().emotions.as_mapping()
    await human.says(words)
    after = world.state.heartbeat().emotions.as_mapping()
    return {name: after[name] - before[name] for name in before}


@pytest.mark.slow
@pytest.mark.parametrize("words", ["the worst joke ever lol", "the killer feature of this phone is the battery"])
async def test_where_words_mislead_the_sentence_is_listened_to(human: Human, encoder: Any, words: str) -> None:
    plain = await moved(human, NoVectors(), PLAIN)
    together = await moved(human, Said(encoder), words)
    assert max(abs(together[name] - plain[name]) for name in FELT) < 0.005


@pytest.mark.slow
@pytest.mark.parametrize("vectors", ["away", "there"])
async def test_a_mad_amount_of_tomatoes_moves_no_feeling(human: Human, encoder: Any, vectors: str) -> None:
    at_hand = NoVectors() if vectors == "away" else Said(encoder)
    plain = await moved(human, NoVectors(), PLAIN)
    tomatoes = await moved(human, at_hand, "bought a mad amount of tomatoes")
    assert max(abs(tomatoes[name] - plain[name]) for name in FELT) < 0.005
    state = json.loads((human.world.settings.data / "memory" / "heartbeat-state.json").read_text(encoding="utf-8"))
    assert state["emotions"]["anger"] == pytest.approx(human.world.state.heartbeat().emotions.anger)


@pytest.mark.slow
async def test_without_vectors_the_words_have_the_last_word(human: Human) -> None:
    plain = await moved(human, NoVectors(), PLAIN)
    alone = await moved(human, NoVectors(), "the worst joke ever lol")
    assert alone["worry"] > plain["worry"] + 0.01


@pytest.mark.slow
async def test_what_is_felt_still_moves_it(human: Human, encoder: Any) -> None:
    plain = await moved(human, NoVectors(), PLAIN)
    felt = await moved(human, Said(encoder), "I'm so worried about mum, I can't sleep")
    assert felt["worry"] > plain["worry"] + 0.01


@pytest.mark.slow
async def test_vectors_of_another_encoder_are_not_listened_to(human: Human, encoder: Any) -> None:
    plain = await moved(human, NoVectors(), PLAIN)
    other = await moved(human, Said(encoder, "somebody-else.1"), "the worst joke ever lol")
    assert other["worry"] > plain["worry"] + 0.01


async def test_a_message_is_asked_about_once_a_turn(human: Human) -> None:
    class Small:
        id = "small.1"

        def encode(self, texts: Sequence[str]) -> Any:
            import numpy as np

            return np.zeros((len(texts), 2))

    vectors = Said(Small())
    await moved(human, vectors, PLAIN)
    assert (vectors.asked, vectors.expected) == (1, [PLAIN])


@pytest.mark.parametrize("words", ["das Rad steht im Keller", "42", "/status", "and so on " * 200])
async def test_only_what_will_be_asked_for_is_begun_early(human: Human, words: str) -> None:
    vectors = Said(None, "none.1")
    await moved(human, vectors, words)
    assert vectors.expected == []


def test_the_same_words_are_encoded_once_for_feeling_and_recall() -> None:
    class Counting:
        id = "counting.1"
        read: list[str] = []

        def encode_tokens(self, text: str) -> Any:
            self.read.append(text)
            return [len(text)], [[0.0]]

        def pieces(self, text: str) -> list[str]:
            return text.split()

    counting: Any = Counting()
    lately = CachedEncoder(lambda: counting)
    assert lately.encode_tokens("a b") == lately.encode_tokens("a b")
    assert (counting.read, lately.id, lately.pieces("a b")) == (["a b"], "counting.1", ["a", "b"])
    for number in range(9):
        lately.encode_tokens(str(number))
    lately.encode_tokens("a b")
    assert counting.read.count("a b") == 2


def test_what_is_being_read_is_waited_for_and_not_read_again() -> None:
    begun, go_on, read = threading.Event(), threading.Event(), list[str]()

    class Slow:
        def encode_tokens(self, text: str) -> Any:
            read.append(text)
            begun.set()
            go_on.wait(10)
            return [1.0], [[0.0]]

    slow: Any = Slow()
    lately = CachedEncoder(lambda: slow)
    early = threading.Thread(target=lately.encode_tokens, args=("hello",))
    early.start()
    begun.wait(10)
    later = threading.Thread(target=lately.encode_tokens, args=("hello",))
    later.start()
    later.join(0.1)
    assert later.is_alive()
    go_on.set()
    early.join(10)
    later.join(10)
    assert read == ["hello"]
