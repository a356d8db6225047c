"""Tasks: what stands on the lists, and what the forms do with it."""

from __future__ import annotations

from datetime import timedelta

from furoshiki.owner.agenda.store import operations, persistent_tasks, tasks
from tests.support.dashboard import House, Signed

HOSTILE = "<script>alert(1)</script>"


def test_what_is_added_is_read_as_in_the_chat(house: House) -> None:
    page = house.post("/tasks", title="call Anika", when="tomorrow at 9")
    assert "call Anika" in page and "tomorrow, Wednesday, 25 March, at 09:00" in page
    house.post("/tasks", title="take out the bins", when="every monday at 18:00")
    house.post("/tasks", title="milk", list="Shopping")
    with house.world.database.read() as db:
        reminders, [milk] = tasks.in_list(db, tasks.REMINDERS), tasks.in_list(db, "shopping")
    assert [(one.title, one.recurrence is None) for one in reminders] == [
        ("call Anika", True),
        ("take out the bins", False),
    ]
    assert milk.due_at is None


def test_a_time_nobody_can_read_comes_back_with_what_was_typed(house: House) -> None:
    answer = house.client.post("/tasks", data={"csrf": house.csrf, "title": "call Anika", "when": "soonish"})
    assert answer.status_code == 422
    assert 'value="call Anika"' in answer.text and "isn&#39;t a time I understand" in answer.text


def test_a_task_is_changed_ticked_off_opened_again_and_taken_away(house: House) -> None:
    house.post("/tasks", title="water the plants", when="every day at 9")
    assert "It comes again on Thursday, 26 March, at 09:00" in house.post("/tasks/1/done")
    house.post("/tasks/1/change", title="water the ferns", when="tomorrow at 10", list="home")
    with house.world.database.read() as db:
        [one] = tasks.in_list(db, "user_home")
    assert (one.title, one.recurrence is not None) == ("water the ferns", True)
    house.post("/tasks", title="milk", list="shopping")
    assert ">Reopen<" in house.post("/tasks/2/done")
    house.post("/tasks/2/open")
    assert "Taken off" in house.post("/tasks/2/remove")
    assert "no longer on any list" in house.post("/tasks/2/remove")


def test_a_change_that_cannot_be_read_comes_back_with_what_was_typed(house: House) -> None:
    house.post("/tasks", title="milk")
    answer = house.client.post(
        "/tasks/1/change", data={"csrf": house.csrf, "title": "oat milk", "when": "soonish", "list": "home"}
    )
    assert answer.status_code == 422 and "isn&#39;t a time I understand" in answer.text
    assert all(f'value="{one}"' in answer.text for one in ("oat milk", "soonish", "home"))
    assert 'name="back" value="/tasks"' in answer.text, "the buttons of the theme lead to a page"


def test_long_tasks_are_begun_and_called_off(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        made = persistent_tasks.propose(db, "Compare tents", "A table of three tents.", "user", world.now).task
    assert "waiting for your yes" in house.page("/tasks")
    assert "It starts within half an hour" in house.post(f"/tasks/long/{made.id}/accept")
    house.post(f"/tasks/long/{made.id}/cancel")
    assert "That cannot be done as it stands" in house.post(f"/tasks/long/{made.id}/pause")


def test_hostile_words_are_shown_as_words_and_a_long_list_in_part(house: House) -> None:
    world = house.world
    with world.database.write() as db:
        for number in range(60):
            tasks.add(db, "shopping", f"thing {number}", world.now)
        tasks.add(db, HOSTILE, HOSTILE, world.now, notes=HOSTILE, due_at=world.now - timedelta(days=1))
        begun = operations.begin(db, "research", HOSTILE, "telegram", "7", world.now)
        operations.end(db, begun, True, HOSTILE, world.now)
    page = house.page("/tasks")
    assert HOSTILE not in page and "&lt;script&gt;" in page and "was due" in page
    assert "thing 29" in page and "thing 30" not in page
    assert "thing 59" in house.page("/tasks/list/shopping")


def test_a_viewer_reads_and_changes_nothing(signed: Signed) -> None:
    viewer = signed("viewer")
    assert "Add something" not in viewer.page("/tasks")
    answer = viewer.client.post("/tasks", data={"csrf": viewer.csrf, "title": "milk"})
    assert answer.status_code == 403
