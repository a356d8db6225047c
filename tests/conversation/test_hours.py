"""An hour that may be either half of the day: as written, by what is to be done, or asked with a button for each."""

from __future__ import annotations

import random
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.core.database import kv
from furoshiki.messages.store import outbox
from furoshiki.messages.values import Outgoing
from furoshiki.models.llm.values import ToolCall
from furoshiki.owner.agenda.store import proposals, tasks
from furoshiki.owner.user_model import user
from furoshiki.world import World
from tests.support.world import FrozenClock, Human, Script

NEW_YORK = ZoneInfo("America/New_York")


@pytest.fixture
def reflex(model: Script) -> None:
    """The built-in mind answers everything."""
    mind = ReflexMind(random.Random(7))
    model.lines = [lambda question: mind(question, why="no-model")] * 200


@pytest.fixture(autouse=True)
def lives_in_new_york(world: World) -> None:
    live_in(world, "America/New_York")


def live_in(world: World, zone: str) -> None:
    with world.database.write() as db:
        kv.put(db, user.ZONE_KEY, zone, world.now)


def kept(world: World, zone: ZoneInfo = NEW_YORK) -> list[str]:
    with world.database.read() as db:
        return [
            f"{task.title} {task.due_at.astimezone(zone):%m-%d %H:%M}"
            for task in tasks.in_list(db, tasks.REMINDERS)
            if task.due_at is not None
        ]


def buttons(world: World) -> dict[str, str]:
    """What the buttons of the newest message send, by what stands on them."""
    with world.database.read() as db:
        [newest, *_] = outbox.with_buttons(db, "telegram", "7")
    return {button["text"]: button["data"] for row in newest.extra["buttons"] for button in row}


async def pressed(human: Human, data: str) -> list[str]:
    return await human.says("", "callback", data=data)


@pytest.mark.usefixtures("reflex")
async def test_an_hour_that_may_be_either_is_asked_about_and_a_button_sets_it_once(world: World, human: Human) -> None:
    [asked] = await human.says("remind me tomorrow at 6 to water the plants")
    assert "06:00 or 18:00" in asked
    assert kept(world) == []
    choices = buttons(world)
    assert list(choices) == ["06:00", "18:00"]
    [done] = await pressed(human, choices["06:00"])
    assert "water the plants" in done
    assert kept(world) == ["water the plants 03-25 06:00"]
    for again in choices.values():
        [late] = await pressed(human, again)
        assert "Nothing was done" in late
    assert kept(world) == ["water the plants 03-25 06:00"]


@pytest.mark.usefixtures("reflex")
@pytest.mark.parametrize(
    ("answer", "hour"),
    [
        ("morning", "06"),
        ("in the morning please", "06"),
        ("the evening", "18"),
        ("18", "18"),
        ("18:00", "18"),
        ("6pm", "18"),
        ("am", "06"),
        ("abends", "18"),
        ("morgens um 6", "06"),
        ("por la tarde", "18"),
        ("akşam", "18"),
        ("утром", "06"),
        ("6 вечера", "18"),
    ],
)
@pytest.mark.parametrize(
    "asked", ["remind me tomorrow at 6 to water the plants", "/remind tomorrow at 6 water the plants"]
)
async def test_a_word_answers_as_a_button_does(asked: str, answer: str, hour: str, world: World, human: Human) -> None:
    await human.says("my name is Ines")
    await human.says(asked)
    await human.says(answer)
    assert kept(world) == [f"water the plants 03-25 {hour}:00"]


@pytest.mark.usefixtures("reflex")
async def test_the_question_is_over_when_the_subject_changes(world: World, human: Human) -> None:
    await human.says("remind me tomorrow at 6 to water the plants")
    await human.says("my sister moved to Porto last week")
    await human.says("I had pasta in the evening")
    await human.says("evening")
    assert kept(world) == []


@pytest.mark.usefixtures("reflex")
async def test_no_takes_the_question_back_and_a_plain_yes_says_neither(world: World, human: Human) -> None:
    await human.says("remind me tomorrow at 6 to water the plants")
    await human.says("yes")
    assert kept(world) == []
    await human.says("remind me tomorrow at 6 to feed the cat")
    [left] = await human.says("no")
    assert left == "Left as it is."
    with world.database.read() as db:
        assert [one.args["what"] for one in proposals.list_waiting(db, "telegram", "7", "7", world.now)] != [
            "feed the cat"
        ]


async def test_a_model_asks_with_the_same_buttons(world: World, human: Human, model: Script) -> None:
    call = ToolCall("1", "schedule", {"action": "create", "what": "water the plants", "when": "tomorrow at 6"})
    model.lines = [call, "Six in the morning, or in the evening?"]
    said = await human.says("could you nudge me about the plants tomorrow at 6")
    assert said[0] == "Six in the morning, or in the evening?"
    assert "water the plants: Wednesday, 25 March, 06:00 or Wednesday, 25 March, 18:00?" in said[1]
    assert kept(world) == []
    await pressed(human, buttons(world)["18:00"])
    assert kept(world) == ["water the plants 03-25 18:00"]


@pytest.mark.parametrize(
    ("said", "when", "what", "expected"),
    [
        ("wake me tomorrow at 5:30", "tomorrow at 5:30", "wake up", ["wake up 03-25 05:30"]),
        ("wake me tomorrow at 5:30", "2026-03-25T17:30", "wake up", ["wake up 03-25 05:30"]),
        ("wake me tomorrow at 5", "tomorrow at 5", "wake up", ["wake up 03-25 05:00"]),
        ("get me up tomorrow at 6", "2026-03-25T18:00", "get up", ["get up 03-25 06:00"]),
        ("remind me tomorrow at 6", "2026-03-25T18:00", "water the plants", []),
        ("remind me tomorrow at 6", "2026-03-25T06:00", "water the plants", ["water the plants 03-25 06:00"]),
        ("remind me tomorrow at 6 in the evening", "2026-03-25T18:00", "plants", ["plants 03-25 18:00"]),
        ("when I'm home, say at six tomorrow", "2026-03-25T18:30", "plants", ["plants 03-25 18:30"]),
    ],
)
async def test_a_model_sets_the_hour_that_the_person_said(
    said: str, when: str, what: str, expected: list[str], world: World, human: Human, model: Script
) -> None:
    model.lines = [ToolCall("1", "schedule", {"action": "create", "what": what, "when": when}), "Done."]
    await human.says(said)
    assert kept(world) == expected


@pytest.mark.usefixtures("reflex")
@pytest.mark.parametrize(
    ("first", "then", "expected"),
    [
        ("remind me to call mum on Sunday at six", "move it to seven", "call mum 03-29 19:00"),
        ("remind me to call mum on Sunday at six", "move it to 7:30", "call mum 03-29 19:30"),
        ("remind me to feed the cat tomorrow at 8am", "move it to seven", "feed the cat 03-25 07:00"),
        ("remind me to feed the cat tomorrow at 8am", "move it to 7pm", "feed the cat 03-25 19:00"),
        ("remind me to feed the cat tomorrow at 6pm", "move it from 6 to 7", "feed the cat 03-25 19:00"),
        ("erinnere mich morgen um 18 Uhr an die Wäsche", "verschieb es auf 7", "die Wäsche 03-25 19:00"),
        ("erinnere mich morgen um 18 Uhr an die Wäsche", "verschieb das bitte auf 19:30 Uhr", "die Wäsche 03-25 19:30"),
        ("recuérdame mañana a las 18:00 comprar pan", "muévelo a las 7", "comprar pan 03-25 19:00"),
        ("напомни завтра в 18:00 купить хлеб", "перенеси на 7", "купить хлеб 03-25 19:00"),
        ("yarın saat 18:00'de ekmek almayı hatırlat", "7'ye al", "ekmek almayı 03-25 19:00"),
    ],
)
async def test_another_hour_stays_in_the_half_of_the_day_it_was_in(
    first: str, then: str, expected: str, world: World, human: Human
) -> None:
    await human.says("my name is Ines")
    await human.says(first)
    await human.says(then)
    assert kept(world) == [expected]


@pytest.mark.usefixtures("reflex")
async def test_who_always_writes_at_five_means_the_morning(world: World, human: Human, clock: FrozenClock) -> None:
    live_in(world, "Asia/Kathmandu")
    zone = ZoneInfo("Asia/Kathmandu")
    for day in range(1, 7):
        clock.at = datetime(2026, 4, day, 5, 5, tzinfo=zone)
        await human.says("good morning")
    await human.says("remind me tomorrow at 6 to water the marigolds")
    assert kept(world, zone) == ["water the marigolds 04-07 06:00"]


def newest(world: World) -> Outgoing:
    with world.database.read() as db:
        return outbox.with_buttons(db, "telegram", "7")[0]


def test_a_question_of_two_times_is_never_brought_up_again_as_a_decision(world: World) -> None:
    with world.database.write() as db:
        where = ("telegram", "7", "7")
        asked = proposals.make_proposal("schedule", {"what": "x"}, "x", where, "inbox:1", world.now)
        proposals.propose(db, asked, world.now)
        assert [one.token for one in proposals.every_open(db, world.now)] == [asked.token]
