"""What becomes of a turn when its message is edited, its answer stopped, or the storage goes away in the middle."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from furoshiki.core.errors import StorageUnavailable
from furoshiki.models.llm.values import Answer, Question, ToolCall
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import World
from tests.support.turns import said
from tests.support.world import Human, Script, Watched


async def test_an_edit_whose_answer_was_cut_off_is_still_answered(world: World, human: Human, model: Script) -> None:
    """The old reply is withdrawn before the new one is there: a crash in between must not leave the human with none."""
    model.lines = ["Five it is.", asyncio.CancelledError(), "Six it is."]
    human.writes("see you at five")
    await human.waits()
    second = human.writes("see you at six", kind="edit", message_id="101")
    with pytest.raises(asyncio.CancelledError):
        await human.waits()
    await human.waits()
    assert [(one.text, one.state) for one in human.answers(second)] == [("Six it is.", "ready")]


async def test_an_edit_in_a_burst_leaves_the_answer_to_the_others_alone(
    world: World, human: Human, model: Script
) -> None:
    async def think() -> None:
        if len(model.questions) == 1:
            human.writes("and bring the map")
            await asyncio.sleep(0.3)

    model.pause, model.lines = think, ["At five, with the map."]
    first = human.writes("see you at five")
    await human.waits()
    human.writes("see you at six", kind="edit", message_id="101")
    await human.waits()
    assert [(one.text, one.state) for one in human.answers(first)] == [("At five, with the map.", "ready")]
    current = said(world, "speaker='user' AND replaced_by IS NULL")
    assert sorted(text for _, _, text in current) == ["and bring the map", "see you at six"]


async def test_an_edited_caption_stays_a_photo(world: World, human: Human, model: Script) -> None:
    await human.says("the old harbour", kind="dice", attachment={"emoji": "🎲", "value": 4})
    human.writes("my lucky number", kind="edit", was="dice", message_id="101", attachment={"emoji": "🎲", "value": 4})
    await human.waits()
    assert said(world, "speaker='user' AND replaced_by IS NULL")[0][2] == "[threw 🎲: 4]\nmy lucky number"


async def test_the_edit_of_an_older_message_does_not_join_another_turn(
    world: World, human: Human, model: Script
) -> None:
    first = human.writes("see you at five")
    await human.waits()
    with world.database.write() as db:
        db.execute("UPDATE outbox SET state='sent', external_id='900' WHERE turn_key=?", (f"inbox:{first}",))

    async def think() -> None:
        if len(model.questions) == 2:
            human.writes("see you at six", kind="edit", message_id="101")
            await asyncio.sleep(0.3)

    model.pause = think
    await human.says("bring the map")
    assert [text for _, _, text in said(world, "speaker='user' AND replaced_by IS NULL")] == [
        "bring the map",
        "see you at six",
    ]


async def test_a_stop_keeps_what_was_said(world: World, human: Human, model: Script, stage: Watched) -> None:
    async def endless(question: Question, on_text: Any = None) -> Answer:
        await on_text("Once upon a time")
        stage.stopped = True
        await asyncio.sleep(30)
        raise AssertionError("nobody stopped the model")

    human.worker.world = replace(world, ask=endless)
    assert await human.says("tell me a story") == ["Once upon a time"]


async def test_after_a_stop_nothing_more_is_done(world: World, human: Human, model: Script, stage: Watched) -> None:
    def asks(question: Question) -> Answer:
        stage.stopped = True
        calls = tuple(ToolCall(name, "list", {"action": "add", "items": [name]}) for name in ("milk", "eggs"))
        return Answer("I add them.", "tools", "scripted", "script", question.tier, calls)

    model.lines = [asks]
    assert await human.says("put milk and eggs on the list") == ["I add them."]
    with world.database.read() as db:
        assert tasks.in_list(db, "shopping") == [] and len(model.questions) == 1


async def test_a_message_is_not_left_lying_when_the_storage_was_away(
    world: World, human: Human, model: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("furoshiki.conversation.worker.STORAGE_PAUSE_SECONDS", 0.01)
    model.lines = [StorageUnavailable("locked"), "Here I am."]
    row = human.writes("hello")
    await human.waits()
    assert [one.text for one in human.answers(row)] == ["Here I am."]
    assert human.envelope(row)["attempts"] == 0


async def test_models_that_failed_are_not_asked_again_after_a_skill(world: World, human: Human, model: Script) -> None:
    """The built-in mind uses skills, too: each round would otherwise wait for every dead provider once more."""
    call = ToolCall("1", "list", {"action": "view", "list": "shopping"})
    model.lines = [
        Answer("", "tools", "local", "reflex", "chat", (call,), fallbacks=("openai:x: 500 server error",)),
        "Nothing on it.",
    ]
    assert await human.says("what is on my shopping list?") == ["Nothing on it."]
    assert [question.given_up for question in model.questions] == [(), ("openai:x: 500 server error",)]


async def test_a_reminder_is_made_once_when_its_turn_is_cut_off(
    world: World, human: Human, model: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The skill has run and the process dies before that is on record: the turn begins again."""

    def dies(*_: Any) -> None:
        monkeypatch.undo()
        raise asyncio.CancelledError

    call = ToolCall("1", "schedule", {"action": "create", "what": "call Anika", "when": "in ten minutes"})
    model.lines = [call, call, "In ten minutes, then."]
    human.writes("remind me in ten minutes to call Anika")
    monkeypatch.setattr("furoshiki.conversation.skills.registry.skill_runs.add", dies)
    with pytest.raises(asyncio.CancelledError):
        await human.waits()
    await human.waits()
    with world.database.read() as db:
        assert [task.title for task in tasks.in_list(db, tasks.REMINDERS)] == ["call Anika"]


async def test_a_message_does_not_join_a_turn_that_has_already_acted(world: World, human: Human, model: Script) -> None:
    async def think() -> None:
        if len(model.questions) == 2:
            human.writes("and about the cat")
            await asyncio.sleep(0.3)

    call = ToolCall("1", "schedule", {"action": "create", "what": "call Anika", "when": "in ten minutes"})
    model.pause, model.lines = think, [call, "In ten minutes.", "About the cat, yes."]
    first = human.writes("remind me in ten minutes to call Anika")
    await human.waits()
    assert [one.text for one in human.answers(first)] == ["In ten minutes."]
    assert len(model.questions) == 3
    with world.database.read() as db:
        assert len(tasks.in_list(db, tasks.REMINDERS)) == 1


@pytest.mark.slow
async def test_a_flood_is_answered_in_portions(world: World, human: Human, model: Script) -> None:
    """Sixty messages wait, as after an outage: no turn takes them all, and none is left out."""
    rows = [human.writes(f"line {number}: {'and so on ' * 50}") for number in range(60)]
    model.pause = lambda: asyncio.sleep(0.25)
    await human.waits()
    assert all(human.envelope(row)["state"] == "done" for row in rows)
    assert len(said(world, "speaker='user'")) == 60
    assert 2 < len(said(world, "speaker='companion'")) < 30
    assert max(len(question.messages[-1].text) for question in model.questions) < 20_000


async def test_an_endless_message_is_kept_whole_and_read_in_part(world: World, human: Human, model: Script) -> None:
    text = "all work and no play " * 5000
    await human.says(text)
    assert said(world, "speaker='user'")[0][2] == text.strip()
    assert len(model.last_words) < 40_000
