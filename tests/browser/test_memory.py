"""Memory, in a real browser."""

from __future__ import annotations

import pytest

from furoshiki.memory.store import concepts, links
from tests.support.browser import DESK, PHONE, Opened, until
from tests.support.commands import learned, said

pytestmark = pytest.mark.e2e


def linked(opened: Opened, around: int = 6) -> int:
    """A memory in the middle of others."""
    world = opened.house.world
    turn = said(world, "I live in Lyon now, near the river Saône, in a flat with a very small kitchen")
    fact = learned(world, "They live in Lyon, near the river Saône, in a flat with a very small kitchen.", turn)
    others = [learned(world, f"The user likes place number {i} in Lyon, which is near.", turn) for i in range(around)]
    with world.database.write() as db:
        for i, other in enumerate(others):
            if i % 2:
                concepts.see(db, other, [f"river {i}"], world.now)
            else:
                links.link(db, other, fact, "informed_by", 0.9, world.now)
        concepts.see(db, fact, [f"river {i}" for i in range(around)], world.now)
    return fact


def test_a_new_memory_appears_by_itself(opened: Opened) -> None:
    page = opened.window("/memory")
    page.wait_for_selector("text=Live")
    assert "Nothing remembered yet" in page.inner_text("#memories")
    learned(opened.house.world, "They play the cello.", said(opened.house.world, "I play the cello"))
    until(page, lambda: "You play the cello." in page.inner_text("#memories"))
    page.click("text=You play the cello.")
    assert page.inner_text("blockquote") == "I play the cello"


def test_it_is_put_right_and_forgotten_without_a_script(opened: Opened) -> None:
    fact = learned(opened.house.world, "They play the cello.", said(opened.house.world, "I play the cello"))
    page = opened.window(f"/memory/{fact}", scripts=False)
    page.click("text=Correct it")
    page.fill("#text", "They play the viola.")
    page.click("button:has-text('Correct it')")
    assert "This replaces" in page.inner_text(".flash >> nth=0")
    page.click("button:has-text('Forget it')")
    assert "This would be gone for good" in page.inner_text("main")
    page.click("button:has-text('Forget it')")
    assert page.inner_text(".flash").startswith("Forgotten: ")
    assert "Nothing remembered yet" in page.inner_text("#memories")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(opened: Opened, scheme: str) -> None:
    fact = linked(opened)
    page = opened.window("/memory?q=river", color_scheme=scheme)
    for path in ("/memory?q=river", f"/memory/{fact}", "/memory/forget", "/memory/you", "/memory/standing-out"):
        page.set_viewport_size(DESK if scheme == "light" else PHONE)  # type: ignore[arg-type]
        page.goto(opened.address + path)
        assert not opened.faults(page), path
        page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        assert opened.fits(page), path
    page.goto(f"{opened.address}/memory/{fact}")
    for size in (PHONE, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert page.locator(".graph a, .graph .centre").count() > 6
        over = page.evaluate(
            """() => { const all = [...document.querySelectorAll('.graph a, .graph .centre')]
              .map(box => ({box, r: box.getBoundingClientRect()}));
            return all.some((a, i) => all.some((b, j) => i < j && a.r.left < b.r.right && b.r.left < a.r.right
              && a.r.top < b.r.bottom && b.r.top < a.r.bottom))
              || all.some(({box, r}) => [...box.querySelectorAll('.note, .cut')].map(t => t.getBoundingClientRect())
                .some(t => t.right > r.right + 1 || t.bottom > r.bottom + 1)); }"""
        )
        assert not over, "no box lies on another, no words outside of theirs"
