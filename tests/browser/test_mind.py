"""Mind, in a real browser."""

from __future__ import annotations

import pytest

from furoshiki.mind.inner_life.journal import pages
from furoshiki.mind.inner_life.self_model import description
from furoshiki.mind.inner_life.store import monologue
from furoshiki.mind.inner_life.store.monologue import Passage
from furoshiki.owner.agenda.store import mind_queue
from tests.support.browser import DESK, PHONE, Opened, until
from tests.support.commands import said
from tests.support.minds import PATHS, promised, proposed

pytestmark = pytest.mark.e2e


def test_a_thought_appears_by_itself_and_is_dismissed_without_a_script(opened: Opened) -> None:
    world = opened.house.world
    page = opened.window("/mind")
    page.wait_for_selector("text=Live")
    with world.database.write() as db:
        mind_queue.add(db, "thought", "The thesis is due soon", "k1", world.now)
    until(page, lambda: "The thesis is due soon" in page.inner_text("#queue"))
    plain = opened.window("/mind", scripts=False)
    plain.click("text=Don't say it")
    assert plain.inner_text(".flash") == "It will not be said."
    with world.database.read() as db:
        assert not mind_queue.unsaid(db, world.now)
    until(page, lambda: "Nothing is waiting to be said" in page.inner_text("#queue"))


def test_it_decides_who_it_is_without_a_script(opened: Opened) -> None:
    world = opened.house.world
    before = description.text(world)
    proposed(world, before, f"{before}\n\nI like the sea.")
    page = opened.window("/mind/self", scripts=False)
    open_ = opened.window("/mind/self")
    open_.wait_for_selector("text=Live")
    page.click("button:has-text('Accept')")
    until(open_, lambda: "I like the sea." in open_.inner_text(".prose"))
    assert "Accepted" in page.inner_text(".flash") and "I like the sea." in page.inner_text(".prose")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, scheme: str) -> None:
    world = opened.house.world
    turn = said(world, "We saw the sea")
    with world.database.write() as db:
        mind_queue.add(db, "thought", "The thesis is due soon", "k1", world.now, priority=1)
        monologue.add(db, "journal", "2026-03-24", [Passage("They spoke of the sea.", (turn,))], "local", 0, world.now)
    promised(world, "I ask less")
    proposed(world, "I am calm. I listen.", "I am calm. I like the sea.")
    drawn = world.settings.data / pages.FOLDER / "2026-03-24.svg"
    drawn.parent.mkdir(parents=True, exist_ok=True)
    styled = '<style>rect{fill:#77c}</style><rect width="560" height="40"/>'
    drawn.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="560" height="40">{styled}</svg>')
    page = opened.window("/mind", color_scheme=scheme)
    for path in (*PATHS, "/mind/journal/2026-03-24", "/mind/self/1"):
        page.set_viewport_size(DESK if scheme == "light" else PHONE)  # type: ignore[arg-type]
        page.goto(opened.address + path)
        assert not opened.faults(page), path
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        assert opened.fits(page), path
