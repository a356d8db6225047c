"""What is corrected in words is put right and stays so: the answer, the memory, what it's based on, what is quoted."""

from __future__ import annotations

import pytest

from furoshiki.conversation.commands.look import why
from furoshiki.memory.store import memories
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.reflexes import reflexive
from tests.support.rows import never_true
from tests.support.world import FrozenClock, Human, Script


def known(world: World, predicate: str) -> list[str | None]:
    with world.database.read() as db:
        return [one.object for one in memories.read_known(db) if one.predicate == predicate]


async def says(human: Human, *messages: str) -> str:
    """The answer to the last of these messages."""
    answer = ""
    for text in messages:
        answer = " ".join(await human.says(text))
    return answer


SAID = (
    ("My sister is called Anna", "it's not Anna, it's Hannah", "sister", ["Hannah"]),
    ("My sister is called Anna", "it's Hannah, not Anna", "sister", ["Hannah"]),
    ("My sister is called Anna", "sorry, I meant Hannah", "sister", ["Hannah"]),
    ("My sister is called Anita", "sorry, her name's Anika", "sister", ["Anika"]),
    ("My daughter is 13", "no, 14", "age", ["14"]),
    ("My sister is called Anita", "no, my sister is called Anika, not Anita", "sister", ["Anika"]),
    ("I live in Porto", "Correction: Faro", "lives_in", ["Faro"]),
    ("I am 41 years old", "sorry, 42 not 41", "age", ["42"]),
)


@pytest.mark.parametrize(("told", "corrects", "predicate", "held"), SAID)
async def test_a_fact_is_put_right(
    world: World, human: Human, model: Script, told: str, corrects: str, predicate: str, held: list[str]
) -> None:
    reflexive(model)
    answer = await says(human, "hello", told, corrects)
    assert known(world, predicate) == held
    assert held[0] in answer
    with world.database.read() as db:
        subject = "daughter" if "daughter" in told else "user"
        [wrong] = never_true(db, subject, predicate)
        assert memories.once_known(db) == [], "what was never true is not told as past"
        [right] = memories.about(db, subject, predicate)
    assert wrong.object in told
    assert right.turn_ids, "it rests on the message that put it right"
    assert known(world, "name") == []


async def test_who_somebody_is_is_put_right(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    answer = await says(human, "hello", "My cat is called Pixel", "that's wrong, Pixel is a dog")
    assert answer == "Put right: your dog is called Pixel, not your cat."
    assert (known(world, "dog"), known(world, "cat")) == (["Pixel"], [])
    with world.database.read() as db:
        assert never_true(db, "user", "cat")


async def test_what_is_right_may_be_held_beside_it(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await says(human, "hello", "My sister is called Anna", "My sister is called Hannah", "it's not Anna, it's Hannah")
    assert known(world, "sister") == ["Hannah"]


@pytest.mark.parametrize("corrects", ["it's not Anna, it's Hannah", "Hannah, not Anna"])
async def test_what_is_known_of_somebody_is_known_under_the_right_name(
    world: World, human: Human, model: Script, corrects: str
) -> None:
    reflexive(model)
    await says(human, "hello", "My sister Anna lives in Porto", corrects)
    answer = await says(human, "where does Hannah live?")
    assert "Porto" in answer
    with world.database.read() as db:
        assert memories.of_subjects(db, ["Anna"]) == {"Anna": []}


async def test_any_mind_learns_a_correction(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await says(human, "hello", "My sister is called Anna")
    model.lines = ["Hannah, of course."]
    await says(human, "it's not Anna, it's Hannah")
    assert known(world, "sister") == ["Hannah"]


async def test_the_question_why_shows_what_was_put_right(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await says(human, "hello", "My sister is called Anna", "it's not Anna, it's Hannah")
    shown = why.in_words(world, why.last_answer(world))
    assert "My sister is called Anna" in shown


async def test_what_is_only_denied_is_held_no_longer_and_nothing_is_invented(
    world: World, human: Human, model: Script
) -> None:
    reflexive(model)
    answer = await says(human, "hello", "My sister is called Anna", "what is my sister called?", "no, that's wrong")
    assert "no longer hold that your sister is called Anna" in answer
    assert answer.rstrip().endswith("?")
    assert known(world, "sister") == []
    answer = await says(human, "it's Hannah")
    assert "Hannah" in answer
    assert known(world, "sister") == ["Hannah"]
    assert known(world, "name") == [], "it is not the user who is called so"
    answer = await says(human, "what is my sister called?")
    assert ("Hannah" in answer, "Anna." in answer) == (True, False)


async def test_words_that_were_put_right_are_quoted_with_what_did_it(
    human: Human, model: Script, clock: FrozenClock
) -> None:
    reflexive(model)
    answer = await says(human, "hello", "The barbecue at Bram's place starts on Saturday", "Correction: Sunday")
    assert "Sunday, not Saturday" in answer
    for _ in range(2):
        clock.pass_(days=1)
        answer = await says(human, "when does the barbecue at Bram's place start?")
        assert "As you corrected it" in answer
        assert "starts on Sunday”. That is on Sunday, 29 March." in answer


async def test_words_that_were_only_denied_are_asked_for_again(human: Human, model: Script) -> None:
    reflexive(model)
    answer = await says(human, "hello", "The wifi password is tulip42", "no, that's wrong")
    assert "tulip42" in answer
    assert answer.endswith("What is right?")
    assert "tulip43, not tulip42" in await says(human, "it's tulip43")
    answer = await says(human, "what's the wifi password?")
    assert answer == "As you corrected it today: “The wifi password is tulip43”."


async def test_a_reminder_is_moved_and_no_fact_touched(world: World, human: Human, model: Script) -> None:
    reflexive(model)
    await says(human, "hello", "I have the dentist on Friday", "remind me on Friday at 9 to call Anika", "no, Sunday")
    with world.database.read() as db:
        [task] = tasks.in_list(db, tasks.REMINDERS)
        assert not never_true(db, "user", "plans")
    assert task.due_at is not None
    assert task.due_at.strftime("%A") == "Sunday"


@pytest.mark.parametrize("said", ["it's not you, it's me", "not bad, good actually", "it's not rain, it's snow"])
async def test_what_corrects_nothing_changes_nothing(world: World, human: Human, model: Script, said: str) -> None:
    reflexive(model)
    answer = await says(human, "hello", "My sister is called Anna", said)
    assert "put" not in answer.lower()
    assert known(world, "sister") == ["Anna"]


@pytest.mark.parametrize(
    ("asked", "corrects", "day"),
    [
        ("remind me on monday at 9 to pay the rent", "wait no, tuesday", "2026-03-31"),
        ("erinnere mich am Montag um 9 an die Miete", "warte, am Dienstag", "2026-03-31"),
        ("rappelle-moi lundi à 9h de payer le loyer", "en fait, mercredi", "2026-03-25"),
    ],
)
async def test_a_reminder_goes_to_the_next_weekday_of_that_name(
    world: World, human: Human, model: Script, asked: str, corrects: str, day: str
) -> None:
    reflexive(model)
    await says(human, asked, corrects)
    with world.database.read() as db:
        [task] = tasks.in_list(db, tasks.REMINDERS)
    assert str(task.due_at).startswith(day)


@pytest.mark.parametrize(
    ("asked", "corrects", "item"),
    [
        ("add milk to my shopping list", "not milk, butter", "butter"),
        ("setz Milch auf die Einkaufsliste", "nicht Milch, Butter", "Butter"),
        ("alışveriş listesine süt ekle", "süt değil, tereyağı", "tereyağı"),
    ],
)
async def test_a_thing_on_a_list_is_put_right_there(
    world: World, human: Human, model: Script, asked: str, corrects: str, item: str
) -> None:
    reflexive(model)
    await says(human, asked, corrects)
    with world.database.read() as db:
        assert [one.title for one in tasks.list_every_open(db, 9)] == [item]


async def test_another_relation_is_put_right_in_whole_words(human: Human, model: Script) -> None:
    reflexive(model)
    answer = await says(human, "hello", "my daughter Ffion swims on Saturday", "not my daughter, my niece")
    assert answer == "Put right: your niece is called Ffion, not your daughter."
