"""Makes the pictures of docs/images: `python -m tests.docs.screenshots` lives three weeks with a scripted person, opens
the dashboard on them, and keeps what a browser shows. `--home DIR` shows a life that was lived before."""

from __future__ import annotations

import argparse
import io
import logging
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from starlette.testclient import TestClient

from bench.simulator import personas
from bench.simulator.clock import VirtualClock
from bench.simulator.simulate import Wanted, simulate
from furoshiki.app.scheduler.store import runs
from furoshiki.app.wiring import build_world
from furoshiki.core import atomic_files
from furoshiki.core.database.connection import Database
from furoshiki.core.logins.ledger import Ledger
from furoshiki.core.paths import ROOT, database_path
from furoshiki.core.settings import Settings
from furoshiki.faces.dashboard.access import cookies
from furoshiki.faces.dashboard.access.guard import Gate
from furoshiki.faces.dashboard.app import create_app
from tests.support.browser import CHROMIUM, DESK, FLAGS, PHONE, listening
from tests.support.dashboard import House

if TYPE_CHECKING:
    from playwright.sync_api import Browser

IMAGES = ROOT / "docs" / "images"
BEGINS = datetime(2026, 10, 31, tzinfo=UTC)
DAYS, SEED = 24, 7
COLOURS = 128
"""Of a picture, which makes it a third as large."""


@dataclass(frozen=True)
class Shot:
    """A picture: of which page, how large the window is and in which theme, and what to have in view (a selector)."""

    name: str
    path: str
    scheme: str = "light"
    size: tuple[int, int] = (DESK["width"], 860)
    at: str = ""


PLAIN = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) walk.currentNode.data = walk.currentNode.data.replace(/\\p{Extended_Pictographic}\\s?/gu, "");
}"""
"""Pictographs go: not every machine has letters for them."""

SHOTS = (
    Shot("dashboard-now", "/"),
    Shot("dashboard-architecture", "/architecture"),
    Shot("dashboard-memory", "/memory/{memory}", scheme="dark", at=".graph"),
    Shot("dashboard-chat", "/chat", size=(PHONE["width"], PHONE["height"])),
)


@contextmanager
def shown(home: Path) -> Iterator[tuple[str, str]]:
    """A dashboard on the life in a data directory, some minutes after it ended: its address, and the secret of somebody
    signed in."""
    settings = Settings(furoshiki_data=home, furoshiki_timezone="Europe/Lisbon", furoshiki_seed=SEED)
    clock = VirtualClock(BEGINS)
    world = build_world(settings, clock, spawn_memoryd=False, minds_when_asked=True)
    with world.database.read() as db:
        last = [run.started_at for run in runs.latest(db, limit=1)]
    clock.to(max([BEGINS, *last]) + timedelta(minutes=4))
    gate = Gate(Ledger(home), settings, clock.now)
    house = House(world, gate, TestClient(create_app(world, gate), base_url="http://localhost"), "")
    (home / "run").mkdir(exist_ok=True)
    with listening(house) as address, ExitStack() as held:
        for name in ("mind", "brain", f"telegram-{SEED}"):  # as if it went on
            held.enter_context(atomic_files.locked(home / "run" / f"{name}.lock"))
        yield address, house.sign_in("admin")
    world.database.close()


def taken(browser: Browser, address: str, secret: str, shot: Shot) -> bytes:
    """The picture as a file, in few colours."""
    width, height = shot.size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=shot.scheme)  # type: ignore[arg-type]
    context.add_cookies([{"name": cookies.plain(Settings()), "value": secret, "url": address}])
    page = context.new_page()
    page.goto(address + shot.path)
    page.wait_for_selector("text=Live")
    page.evaluate(PLAIN)
    if shot.at:
        page.locator(shot.at).first.evaluate("one => one.scrollIntoView({block: 'center'})")
    image = Image.open(io.BytesIO(page.screenshot()))
    context.close()
    file = io.BytesIO()
    image.convert("RGB").quantize(COLOURS).save(file, "PNG", optimize=True)
    return file.getvalue()


def _best_known(home: Path) -> int:
    """The memory that has most to do with others."""
    with Database(database_path(home, None)).read() as db:
        question = (
            "SELECT own.memory_id FROM memory_concepts own JOIN memory_concepts others USING (concept_id) "
            "JOIN memories m ON m.id=own.memory_id WHERE m.status='active' AND m.valid_to IS NULL "
            "AND others.memory_id != own.memory_id GROUP BY own.memory_id ORDER BY count(*) DESC, own.memory_id LIMIT 1"
        )
        return int(db.execute(question).fetchone()[0])


def main() -> None:
    """Write every picture."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path)
    given: Path | None = parser.parse_args().home
    logging.getLogger("furoshiki").setLevel(logging.ERROR)
    random.seed(SEED)
    home = given or Path(tempfile.mkdtemp()) / "home"
    if given is None:
        simulate(Wanted(personas.read("sociable"), DAYS, SEED, BEGINS, "scripted", home, True, {}))
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as driver, shown(home) as (address, secret):
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        for shot in (replace(one, path=one.path.format(memory=_best_known(home))) for one in SHOTS):
            path = IMAGES / f"{shot.name}.png"
            path.write_bytes(taken(browser, address, secret, shot))
            print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1024:.0f} KB")
        browser.close()
    if given is None:
        shutil.rmtree(home.parent)


if __name__ == "__main__":
    main()
