"""Live updates in a real browser: told by another process, and to a page that was away."""

from __future__ import annotations

import subprocess
import sys

import pytest

from furoshiki.core.paths import ROOT
from tests.support.browser import Opened, until
from tests.support.commands import said

pytestmark = pytest.mark.e2e

ELSEWHERE = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from furoshiki.core.database.connection import Database
from furoshiki.messages.store import turns
from furoshiki.messages.values import NewTurn
with Database(Path(sys.argv[1])).write() as db:
    turns.add(db, NewTurn("s1", "telegram", "7", "user", "Said elsewhere", datetime.now(UTC)))
"""

HIDE = """hidden => {
  Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_what_another_process_writes_arrives(opened: Opened) -> None:
    world = opened.house.world
    page = opened.window("/")
    page.wait_for_selector("text=Live")
    subprocess.run([sys.executable, "-c", ELSEWHERE, str(world.database.path)], cwd=ROOT, check=True)
    until(page, lambda: "Said elsewhere" in page.inner_text("#messages"))


def test_a_page_that_nobody_looked_at_is_told_what_it_missed(opened: Opened) -> None:
    page = opened.window("/")
    page.wait_for_selector("text=Live")
    watching = opened.house.client.app.state.hub  # type: ignore[attr-defined]
    page.evaluate(HIDE, True)
    until(page, lambda: not watching._watching)
    said(opened.house.world, "While you were away")
    page.evaluate(HIDE, False)
    until(page, lambda: "While you were away" in page.inner_text("#messages"))
