"""Tasks, in a real browser."""

from __future__ import annotations

import pytest

from furoshiki.owner.agenda.store import tasks
from tests.support.browser import PHONE, Opened, until

pytestmark = pytest.mark.e2e


def test_it_shows_the_lists_and_follows_them(opened: Opened) -> None:
    world = opened.house.world
    page = opened.window("/tasks")
    page.wait_for_selector("text=Live")
    with world.database.write() as db:
        tasks.add(db, "shopping", "<b>milk</b>", world.now)
    until(page, lambda: "<b>milk</b>" in page.inner_text("#tasks"))


def test_forms_do_their_work_without_scripts(opened: Opened) -> None:
    page = opened.window("/tasks", scripts=False)
    page.fill("#new-title", "call Anika")
    page.fill("#new-when", "soonish")
    page.click("form.add button")
    assert "isn't a time I understand" in page.inner_text("#add-wrong")
    opened.complaints.clear()  # that the form was answered with 422
    page.fill("#new-when", "tomorrow at 9")
    page.click("form.add button")
    assert "at 09:00" in page.inner_text(".flash")
    page.click("[aria-label='Done: call Anika']")
    with opened.house.world.database.read() as db:
        [done] = tasks.list_completed(db, 5)
    assert done.title == "call Anika"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, scheme: str) -> None:
    world = opened.house.world
    with world.database.write() as db:
        tasks.add(db, tasks.REMINDERS, "call Anika", world.now, due_at=world.now)
        tasks.add(db, "shopping", "milk", world.now, priority=1)
    page = opened.window("/tasks", color_scheme=scheme)
    assert not opened.faults(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert opened.fits(page) and not opened.faults(page)
