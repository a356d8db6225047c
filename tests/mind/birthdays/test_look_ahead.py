"""A birthday that was told once comes to mind when it is near: told to the companion, and seen in its next prompt."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from furoshiki.mind.birthdays import due
from furoshiki.mind.birthdays.look_ahead import look_ahead
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.rows import waits
from tests.support.world import FrozenClock, Human, Script


def on_its_mind(world: World) -> list[tuple[str, str]]:
    with world.database.read() as db:
        rows = db.execute("SELECT summary, state FROM mind_queue WHERE dedupe_key LIKE 'birthday:%' ORDER BY id")
        return [tuple(row) for row in rows]


def reason(world: World) -> str | None:
    with world.database.read() as db:
        return due.look_ahead(db, world.now)


async def test_it_comes_to_mind_the_day_before_once_and_goes_when_it_is_over(
    human: Human, world: World, clock: FrozenClock, model: Script
) -> None:
    reflexive(model)
    await human.says("my sister Anika's birthday is on May 3rd")
    assert reason(world) is None
    assert not look_ahead(world).did

    clock.at = datetime(2026, 5, 2, 9, tzinfo=UTC)
    assert reason(world) == "a birthday comes near"
    assert look_ahead(world).did
    assert reason(world) is None
    assert not look_ahead(world).did
    await human.says("good morning")
    assert "Anika's birthday is on Sunday, 3 May" in model.last_words

    clock.at = datetime(2026, 5, 4, 9, tzinfo=UTC)
    assert reason(world) in (None, "a birthday is over")  # nothing waits any more when it was brought up
    look_ahead(world)
    assert reason(world) is None
    assert all(state != "pending" for _, state in on_its_mind(world))

    clock.at = datetime(2027, 5, 2, 9, tzinfo=UTC)
    assert look_ahead(world).did
    assert [words for words, _ in on_its_mind(world)] == [
        "Anika's birthday is on Sunday, 3 May; a word in time may help",
        "Anika's birthday is on Monday, 3 May; a word in time may help",
    ]


@pytest.mark.parametrize(
    "told",
    [
        "mein Geburtstag ist am 3. Mai", "mi cumpleaños es el 3 de mayo", "mon anniversaire est le 3 mai",
        "il mio compleanno è il 3 maggio", "meu aniversário é 3 de maio", "мой день рождения 3 мая",
        "doğum günüm 3 Mayıs", "我的生日是5月3日",
    ],
)  # fmt: skip
async def test_one_that_was_told_in_another_language_comes_to_mind(
    told: str, human: Human, world: World, clock: FrozenClock, model: Script
) -> None:
    reflexive(model)
    await human.says(told)
    clock.at = datetime(2026, 5, 3, 9, tzinfo=UTC)
    assert look_ahead(world).did
    assert on_its_mind(world) == [("Sunday, 3 May is their birthday", "pending")]


async def test_two_on_one_day_both_come_to_mind(human: Human, world: World, clock: FrozenClock, model: Script) -> None:
    reflexive(model)
    await human.says("my sister Anika's birthday is on May 3rd")
    await human.says("my brother Jonas's birthday is on May 3rd")
    clock.at = datetime(2026, 5, 2, 9, tzinfo=UTC)
    look_ahead(world)
    assert [words.partition("'")[0] for words, _ in on_its_mind(world)] == ["Anika", "Jonas"]


async def test_their_own_comes_on_the_day_by_their_own_calendar(
    human: Human, world: World, clock: FrozenClock, model: Script
) -> None:
    reflexive(model)
    await human.says("I was born on 12 May 1985")
    clock.at = datetime(2026, 5, 11, 22, 30, tzinfo=UTC)  # half an hour before midnight in Lisbon
    assert not look_ahead(world).did
    clock.pass_(hours=1)
    assert look_ahead(world).did
    assert [words for words, _ in on_its_mind(world)] == ["Tuesday, 12 May is their birthday: they turn 41"]


async def test_what_was_put_right_does_not_come_to_mind(
    human: Human, world: World, clock: FrozenClock, model: Script
) -> None:
    reflexive(model)
    await human.says("my sister Anika's birthday is on May 3rd")
    clock.at = datetime(2026, 5, 2, 9, tzinfo=UTC)
    look_ahead(world)
    await human.says("my sister Anika's birthday is on June 3rd")
    with world.database.read() as db:
        assert waits(db, clock.at) == []
    clock.at = datetime(2026, 6, 2, 9, tzinfo=UTC)
    look_ahead(world)
    assert [words for words, _ in on_its_mind(world)][-1].startswith("Anika's birthday is on Wednesday, 3 June")


async def test_what_was_forgotten_goes_from_its_mind_and_does_not_come_back(
    human: Human, world: World, clock: FrozenClock, model: Script
) -> None:
    reflexive(model)
    await human.says("my sister Anika's birthday is on May 3rd")
    clock.at = datetime(2026, 5, 2, 9, tzinfo=UTC)
    look_ahead(world)
    assert len(on_its_mind(world)) == 1
    await human.says("/forget Anika")
    await human.says("yes")
    assert on_its_mind(world) == []
    assert reason(world) is None
    assert not look_ahead(world).did
