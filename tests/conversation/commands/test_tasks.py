"""Lists and their buttons."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.owner.agenda.store import tasks
from tests.support.commands import Commander


def _add(command: Commander, list_id: str, title: str, hours: float | None = None, rule: str | None = None) -> int:
    world = command.world
    due = None if hours is None else world.now + timedelta(hours=hours)
    with world.database.write() as db:
        return tasks.add(db, list_id, title, world.now, due_at=due, recurrence=rule)


def _state(command: Commander, task_id: int) -> str:
    with command.world.database.read() as db:
        task = tasks.get(db, task_id)
    assert task is not None
    return task.state


async def test_every_open_thing_is_shown_with_a_button(command: Commander) -> None:
    milk = _add(command, "shopping", "milk")
    _add(command, tasks.REMINDERS, "call Anika", hours=3)
    words = await command("/tasks")
    assert "**Shopping**\n- milk" in words.text
    assert "**Reminders**\n- call Anika — today at 18:00" in words.text
    assert [{"text": "Done: milk", "data": f"task.done:{milk}"}] in words.extra["buttons"]


async def test_one_list_can_be_asked_for(command: Commander) -> None:
    _add(command, "shopping", "milk")
    _add(command, "books to read", "Middlemarch")
    text = (await command("/tasks shopping")).text
    assert "milk" in text and "Middlemarch" not in text
    assert "Nothing is open on a list called “films”" in (await command("/tasks films")).text


async def test_done_is_done_and_can_be_taken_back(command: Commander) -> None:
    milk = _add(command, "shopping", "milk")
    words = await command.press(f"task.done:{milk}")
    assert words is not None and words.text == "Done: milk."
    assert _state(command, milk) == "done"
    [[undo]] = words.extra["buttons"]
    await command.press(undo["data"])
    assert _state(command, milk) == "open"


async def test_done_twice_is_done_once(command: Commander) -> None:
    milk = _add(command, "shopping", "milk")
    await command.press(f"task.done:{milk}")
    again = await command.press(f"task.done:{milk}")
    assert again is not None and again.extra == {}


async def test_done_does_not_end_what_comes_again(command: Commander) -> None:
    bins = _add(command, tasks.REMINDERS, "take out the bins", hours=3, rule="FREQ=WEEKLY")
    await command.press(f"task.done:{bins}")
    assert _state(command, bins) == "open"


async def test_what_is_gone_is_said_to_be_gone(command: Commander) -> None:
    words = await command.press("task.done:999")
    assert words is not None and "no longer on any list" in words.text


async def test_a_rhythm_is_shown_in_words(command: Commander) -> None:
    _add(command, tasks.REMINDERS, "take out the bins", hours=3, rule="FREQ=WEEKLY;BYDAY=TU")
    assert "- take out the bins — today at 18:00, every Tuesday at 18:00" in (await command("/tasks")).text


async def test_many_things_are_shown_a_page_at_a_time_each_with_its_button(command: Commander) -> None:
    for number in range(1, 20):
        _add(command, "shopping", f"thing {number}")
    first = await command("/tasks")
    assert "Page 1 of 3." in first.text and "thing 8" in first.text and "thing 9" not in first.text
    *done, [onward] = first.extra["buttons"]
    assert len(done) == 8 and onward["data"] == "task.page:2:"
    second = await command.press(onward["data"])
    assert second is not None and "thing 9" in second.text and "Page 2 of 3." in second.text
    assert [button["text"] for button in second.extra["buttons"][-1]] == ["‹ Before", "Next ›"]
    last = await command("/tasks shopping 99")
    assert "thing 19" in last.text and "Page 3 of 3." in last.text
