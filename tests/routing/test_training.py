"""The tie-breaker learns from what was said of the owner's own messages, and never for the worse."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.retrieval.client import VectorsAway
from furoshiki.routing import tie_breaker, training
from furoshiki.routing.rules.tie_breaker import packed
from furoshiki.routing.store import decisions
from furoshiki.world import World
from tests.support.encoders import WordEncoder
from tests.support.forgetting import forget
from tests.support.world import FrozenClock, Human, Script


class Near:
    """memoryd's encoder alone."""

    def __init__(self) -> None:
        self.encoder = WordEncoder()

    def embed(self, texts: list[str]) -> list[list[float]]:
        return [list(map(float, row)) for row in self.encoder.encode(texts)]

    def said(self, texts: list[str]) -> tuple[str, list[list[float]]]:
        return self.encoder.id, self.embed(texts)

    def __getattr__(self, name: str) -> Any:
        raise VectorsAway("only vectors here")


async def lived(world: World, human: Human, count: int, feedback: str, text: str = "mañana the usual, {0}") -> None:
    """One message is routed for real; the others are like it, in words of their own, and judged one after the other."""
    await human.says(text.format(0))
    with world.database.write() as db:
        [first] = decisions.in_chat(db, "telegram", "7", 1)
        [row] = db.execute("SELECT * FROM routing_decisions WHERE id=?", (first.id,)).fetchall()
        each, long_ago = feedback.split(), world.now - timedelta(days=30)
        for number in range(count):
            key, said = f"inbox:{1000 * count + number}", text.format(number)
            turns.add(db, NewTurn("old", "telegram", "8", USER, said, long_ago, turn_key=key))
            kept = dict(row) | {"turn_key": key, "feedback": each[number % len(each)], "feedback_from": "message"}
            del kept["id"]
            names = ", ".join(kept)
            marks = ", ".join("?" * len(kept))
            db.execute(f"INSERT INTO routing_decisions ({names}) VALUES ({marks})", tuple(kept.values()))


@pytest.mark.parametrize("trained", [True, False])
async def test_it_is_trained_on_what_was_said_and_decides_from_the_next_message_on(
    world: World, human: Human, model: Script, trained: bool
) -> None:
    """They liked being asked back when they said no more than that. Then the mind is told to, and else it is not."""
    await lived(world, human, 30, "correct_route", "can you?")
    if trained:
        near = replace(world, vectors=Near())
        done = training.train(near)
        assert done.written and done.labelled == 30 and (done.after or 0) >= (done.before or 0)
        held = json.loads(tie_breaker.own_file(world).read_text())
        assert set(held["weights"]) == {"", near.vectors.said(["x"])[0]}
    await human.says("can you?")
    assert ("ask one short question back" in model.last_words) is trained


async def test_too_few_messages_train_nothing_and_memoryd_away_leaves_it(world: World, human: Human) -> None:
    await lived(world, human, 3, "missed_act")
    few = training.train(replace(world, vectors=Near()))
    assert not few.written and "20 messages of yours" in few.reason
    await lived(world, human, 30, "missed_act", "and {0} so on")
    away = training.train(world)
    assert not away.written and "memoryd" in away.reason
    assert not tie_breaker.own_file(world).is_file()


@pytest.mark.parametrize(
    ("what", "goes"), [("camellias", True), ("everything", True), ("harbour", False), ("nothing of the kind", False)]
)
async def test_it_goes_with_what_it_was_trained_on(
    world: World, human: Human, clock: FrozenClock, what: str, goes: bool
) -> None:
    await human.says("My camellias bloom")
    await human.says("thanks, that helped")
    clock.pass_(hours=9)
    await human.says("The harbour is full of boats")
    tie_breaker.own_file(world).write_text("{}")
    done = forget(world, what)
    assert tie_breaker.own_file(world).exists() is not goes
    assert ("memory/tie_breaker.json" in done.files) is goes


async def test_what_is_forgotten_while_it_is_trained_is_not_in_it(world: World, human: Human) -> None:
    class Meanwhile(Near):
        def embed(self, texts: list[str]) -> list[list[float]]:
            forget(world, "zebra")
            return super().embed(texts)

    await lived(world, human, 30, "correct_route", "can you, zebra {0}?")
    done = training.train(replace(world, vectors=Meanwhile()))
    assert not done.written and "forgotten meanwhile" in done.reason
    assert not tie_breaker.own_file(world).exists()


async def test_a_worse_one_is_not_put_in_place(world: World, human: Human, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that knows these very messages by heart does better on them than a new one on what it has not seen."""
    await lived(world, human, 24, "missed_clarify missed_act", "thanks, {0}")
    near = replace(world, vectors=Near())
    told = training._own(near)
    with monkeypatch.context() as patched:
        patched.setattr(training, "VECTOR_RIDGE", 1e-4)
        by_heart = training.fit(told, training._embedded(near, told))
    path = tie_breaker.own_file(world)
    encoder = near.vectors.said(["x"])[0]
    path.write_text(before := training.as_file({encoder: packed(by_heart)}))
    done = training.train(near)
    assert not done.written and (done.after or 0) < 0.9 < (done.before or 0) and "does worse" in done.reason, done
    assert path.read_text() == before


async def test_a_broken_classifier_is_told_and_the_shipped_one_decides(
    world: World, human: Human, caplog: pytest.LogCaptureFixture
) -> None:
    tie_breaker.own_file(world).write_text("{}")
    await human.says("thanks!")
    await human.says("thanks again!")
    told = [one.getMessage() for one in caplog.records if "tie_breaker.json" in one.getMessage()]
    assert len(told) == 1 and "came along decides" in told[0]
