"""An edited message changes what rested on it: facts, quoted words, the reminder that was asked for in it."""

from __future__ import annotations

import pytest

from furoshiki.memory import correction
from furoshiki.memory.store import memories
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.world import FrozenClock, Human, Script


def sent(world: World, row: int) -> None:
    """The reply has arrived: an edit is not answered again."""
    with world.database.write() as db:
        db.execute("UPDATE outbox SET state='sent', external_id='900' WHERE turn_key=?", (f"inbox:{row}",))


def known(world: World, predicate: str) -> list[str | None]:
    with world.database.read() as db:
        return [one.object for one in memories.read_known(db) if one.predicate == predicate]


async def edited(world: World, human: Human, before: str, after: str, arrived: bool = True) -> list[str]:
    """Write, be answered, and correct what was written; returns what is said to the edit."""
    row = human.writes(before)
    await human.waits()
    if arrived:
        sent(world, row)
    return await human.says(after, kind="edit", message_id=str(100 + human.sent))


@pytest.mark.parametrize("arrived", [True, False])
async def test_a_fact_follows_the_new_words(world: World, human: Human, model: Script, arrived: bool) -> None:
    reflexive(model)
    await human.says("hello")
    await edited(world, human, "My cat is called Momo", "My cat is called Mimi", arrived)
    assert known(world, "cat") == ["Mimi"]
    answer = " ".join(await human.says("what is my cat called?"))
    assert ("Mimi" in answer, "Momo" in answer) == (True, False)


async def test_what_the_new_words_no_longer_say_is_taken_back(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await edited(world, human, "I live in Rome and my dog is called Rex", "My dog is called Rex")
    assert (known(world, "lives_in"), known(world, "dog")) == ([], ["Rex"])


async def test_what_was_said_elsewhere_too_stays(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await human.says("I live in Rome")
    await edited(world, human, "as I said, I live in Rome", "as I said, I like soup")
    assert known(world, "lives_in") == ["Rome"]


async def test_somebody_elses_words_make_no_fact_in_an_edit(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    row = human.writes("look at that")
    await human.waits()
    sent(world, row)
    await human.says("I live in Rome", kind="edit", message_id="101", forwarded={"from": "Eve"})
    assert known(world, "lives_in") == []


async def test_a_reminder_moves_with_its_message(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    said = await edited(world, human, "remind me tomorrow at 9 to call Anika", "remind me tomorrow at 11 to call Anika")
    assert said == ["I've changed the reminder: call Anika, tomorrow, 11:00."] or "11:00" in said[0]
    with world.database.read() as db:
        [task] = tasks.in_list(db, tasks.REMINDERS)
    assert task.due_at is not None
    assert task.due_at.hour == 11


async def test_a_fact_put_right_is_quoted_with_its_own_words(
    world: World, human: Human, model: Script, clock: FrozenClock
) -> None:
    reflexive(model)
    await human.says("My sister Anita lives in Porto")
    with world.database.read() as db:
        held = memories.about(db, "Anita", "lives_in")[0]
    clock.pass_(days=1)
    correction.edit(world, held.id, "Anita lives in Faro.", "Faro")
    answer = " ".join(await human.says("where does Anita live?"))
    assert ("Faro" in answer, "Porto" in answer) == (True, False)
