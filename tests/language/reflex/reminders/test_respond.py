"""Reminders and lists in talk: asked for, asked about, confirmed with the absolute time, continued."""

from __future__ import annotations

import random

import pytest

from furoshiki.language.reflex.reminders import answers
from furoshiki.language.reflex.respond import respond
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.reflex.values import ToolResult
from tests.support.friend import MORNING, Talk


def met(**changes: object) -> Talk:
    return Talk(name="Noor", last_seen=MORNING, **changes)  # type: ignore[arg-type]


def test_a_reminder_is_confirmed_with_its_absolute_time() -> None:
    talk = met()
    reply = talk.say("remind me to call my mum on Sunday at six")
    assert "call your mum" in reply
    assert "Sunday, 8 March, at 18:00" in reply
    assert talk.reminders[0]["at"] == "2026-03-08T18:00:00+01:00"


def test_a_recurring_reminder_says_how_often_and_when_first() -> None:
    talk = met()
    assert "every Monday at 09:00" in talk.say("remind me every Monday at 9 to water the plants")
    assert "every weekday at 07:30" in talk.say("remind me every weekday at 7:30 to stretch")
    assert "every other Tuesday" in talk.say("remind me every other Tuesday at 10 to take the bins out")
    assert "every 2 hours" in talk.say("remind me every 2 hours to drink water")
    assert "every day at 20:00" in talk.say("remind me every day at 20:00 to read")
    waiting = talk.say("what are my reminders?")
    assert waiting.count("\n- ") == 5
    assert "Stretch" in waiting


def test_a_missing_time_is_asked_for_and_taken_next() -> None:
    talk = met()
    assert "When should I remind you to call the landlord?" in talk.say("remind me to call the landlord")
    assert "tomorrow, Wednesday, 4 March, at 10:00" in talk.say("tomorrow at 10")
    assert talk.reminders[0]["title"] == "call the landlord"


def test_a_missing_matter_is_asked_for_and_taken_next() -> None:
    talk = met()
    assert "What should I remind you of tomorrow" in talk.say("remind me tomorrow at 10")
    assert "tomorrow, Wednesday, 4 March, at 10:00" in talk.say("pay the rent")
    assert talk.reminders[0]["title"] == "pay the rent"


def test_nothing_at_all_is_asked_for_too() -> None:
    talk = met()
    assert "What should I remind you of, and when?" in talk.say("remind me")
    assert "18:00" in talk.say("to call mum at six")


def test_a_time_gone_by_is_asked_about() -> None:
    talk = met()
    assert "already passed" in talk.say("remind me yesterday at 5 to call mum")
    assert talk.reminders == []
    assert "17:00" in talk.say("today at 5pm")


def test_an_answer_that_is_no_time_is_just_talk() -> None:
    talk = met()
    talk.say("remind me to call the landlord")
    talk.say("I had soup for lunch")
    assert talk.reminders == []


def test_a_reminder_is_cancelled_by_its_matter() -> None:
    talk = met()
    talk.say("remind me to call mum on Sunday at six")
    talk.say("remind me to feed the cat at 7pm")
    assert "Which one:" in talk.say("cancel my reminder")
    assert "call mum" in talk.say("cancel the reminder to call mum")
    assert [reminder["title"] for reminder in talk.reminders] == ["feed the cat"]


def test_no_reminders_are_said_to_be_none() -> None:
    assert "no reminders" in met().say("show my reminders").lower()


def test_a_list_from_first_item_to_last() -> None:
    talk = met()
    assert "no lists yet" in talk.say("show me my lists")
    assert "ilk and eggs" in talk.say("add milk and eggs to the shopping list")
    assert "That makes 3." in talk.say("and bread")
    assert talk.say("what's on the list?").endswith("- milk\n- eggs\n- bread")
    assert "Still there: eggs and bread." in talk.say("cross off milk")
    assert "could not find" in talk.say("remove caviar from the shopping list")
    assert "Taken off: eggs" in talk.say("take eggs off the shopping list")
    assert "That was all" in talk.say("done with bread")
    assert "hopping list" in talk.say("what's on the shopping list?")
    assert "Your lists: shopping." in talk.say("show me my lists")


def test_a_need_is_offered_a_place_on_the_list() -> None:
    talk = met()
    assert talk.say("we need milk") == "Shall I put milk on the shopping list?"
    assert talk.lists == {}
    assert "ilk" in talk.say("yes please")
    assert talk.lists == {"shopping": ["milk"]}


@pytest.mark.parametrize("said", ["I need help", "we need to talk", "I need you", "they need milk"])
def test_not_every_need_can_be_bought(said: str) -> None:
    assert "shopping list" not in met().say(said)


def spoken(result: ToolResult) -> str:
    situation = Situation("do it", MORNING, user_name="Noor", last_seen=MORNING, tool_results=(result,))
    return respond(situation, random.Random(1)).text


def test_what_a_skill_could_not_do_is_said_in_words_for_people() -> None:
    failed = ToolResult("schedule", {"action": "create"}, False, {}, "'x' is more than ten years away.")
    assert "could not set that reminder" in spoken(failed)
    assert "ten years" in spoken(failed)
    for_models = ToolResult("schedule", {"action": "create"}, False, {}, "A reminder needs `what`. Ask them.")
    assert spoken(for_models) == "I could not set that reminder."
    assert "couldn't find that reminder" in spoken(ToolResult("schedule", {"action": "cancel"}, False, {}, "nothing"))


def test_results_with_little_in_them_are_spoken_all_the_same() -> None:
    bare = ToolResult("schedule", {"action": "create", "what": "the bins", "when": "never"}, True)
    assert "the bins" in spoken(bare)
    odd = {"title": "x", "at": "2026-03-08T18:00:00+00:00", "recurrence": "RRULE:FREQ=YEARLY;BYMONTH=3"}
    assert "every year at 19:00" in spoken(ToolResult("schedule", {"action": "list"}, True, {"reminders": [odd]}))
    later = {"title": "call mum", "at": "2027-01-01T09:00:00+00:00"}
    assert "1 January 2027" in spoken(ToolResult("schedule", {"action": "create"}, True, {"reminder": later}))


@pytest.mark.parametrize(
    ("what", "asked"),
    [
        ("Parents evening", "of Parents evening"),
        ("Dentist appointment", "of Dentist appointment"),
        ("Book dentist appointment", "to Book dentist appointment"),
        ("Call Tom", "to Call Tom"),
        ("cook dinner", "to cook dinner"),
    ],
)
def test_a_thing_named_after_to_is_asked_about_as_a_thing(what: str, asked: str) -> None:
    assert asked in answers.ask_when(what)
