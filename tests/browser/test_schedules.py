"""Schedules, in a real browser, with a real job."""

from __future__ import annotations

import pytest

from furoshiki.app.scheduler.store import runs
from tests.support.browser import PHONE, Opened, until

pytestmark = pytest.mark.e2e


def test_a_job_that_is_run_now_tells_its_end(opened: Opened) -> None:
    world = opened.house.world
    page = opened.window("/schedules/flush_scratch")
    page.wait_for_selector("text=Live")
    page.click("text=Run now")
    assert "flush_scratch has started" in page.inner_text(".flash")
    until(page, lambda: page.locator("#job table.runs tbody tr").count() == 1, 30)
    with world.database.read() as db:
        [run] = runs.latest(db, "flush_scratch")
    assert run.exit_code == 0 and run.cpu_s and run.summary
    assert run.summary in page.inner_text("#job")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, scheme: str) -> None:
    world = opened.house.world
    with world.database.write() as db:
        runs.finish(db, runs.begin(db, "backup", world.now), world.now, 1, summary="no room", output="x" * 500)
    page = opened.window("/schedules", color_scheme=scheme)
    assert not opened.faults(page)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert opened.fits(page) and not opened.faults(page)


def test_a_job_is_switched_off_without_scripts(opened: Opened) -> None:
    page = opened.window("/schedules/backup", scripts=False)
    page.click("text=Switch off")
    assert "switched off" in page.inner_text("main")
