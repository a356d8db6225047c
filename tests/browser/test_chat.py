"""The Chat page in a browser: words go, answers grow, what is said in Telegram appears, also in a second window."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from furoshiki.channels.local.live_reply import stage
from furoshiki.conversation.worker import Worker
from furoshiki.messages.store import accounts
from furoshiki.models.llm.values import Answer, Question
from furoshiki.world import World
from tests.support.browser import PHONE, Opened, until
from tests.support.world import Human

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SAID = "Once upon a time there was **a fox**:\n\n1. red\n2. `quick`\n\nhttps://example.org is where <it> lived."


@dataclass
class Mind:
    """Somebody who thinks in a thread: says a beginning, and the rest when it may."""

    go_on: threading.Event = field(default_factory=threading.Event)

    async def __call__(self, question: Question, on_text: Callable[[str], Awaitable[None]] | None = None) -> Answer:
        text = SAID if question.purpose == "turn" else "Mhm."
        if on_text is not None and question.purpose == "turn":
            await on_text("Once upon")
            while not self.go_on.is_set():
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.11)
            await on_text("Once upon a time")
        return Answer(text, "stop", "scripted", "script", question.tier)


@pytest.fixture
def mind(world: World) -> Iterator[Mind]:
    """The mind of this house, awake."""
    made, stop = Mind(), threading.Event()
    thinking = replace(world, ask=made, stage=lambda envelope: stage(world.settings.data / "run", envelope))

    async def run() -> None:
        over = asyncio.Event()
        worker = asyncio.create_task(Worker(thinking).run(over))
        while not stop.is_set():
            await asyncio.sleep(0.02)
        over.set()
        await worker

    with world.database.write() as db:
        accounts.pair(db, "telegram", "7", "7", "owner", world.now)
    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    yield made
    made.go_on.set()
    stop.set()
    thread.join(10)


def messages(page: Page) -> list[str]:
    return [one.strip() for one in page.locator(".bubble").all_inner_texts()]


def test_on_a_phone_the_page_ends_where_one_writes(opened: Opened) -> None:
    page = opened.window("/chat", viewport=PHONE)
    end, main = (page.locator(one).bounding_box() for one in (".besides", "main"))
    assert end and main
    assert main["y"] + main["height"] - end["y"] - end["height"] < 24


def test_the_answer_grows_in_every_window_and_telegram_appears(opened: Opened, mind: Mind, human: Human) -> None:
    page, second = opened.window("/chat"), opened.window("/chat", viewport=PHONE, color_scheme="dark")
    page.get_by_label("Your message").fill("tell me a <b>story</b>")
    page.keyboard.press("Enter")
    for one in (page, second):
        until(one, lambda one=one: messages(one) == ["tell me a <b>story</b>", "Once upon"])
    assert page.get_by_label("Your message").input_value() == ""
    until(page, lambda: page.get_by_role("button", name="Stop").is_visible())
    mind.go_on.set()
    for one in (page, second):
        until(one, lambda one=one: one.locator(".entry:not(.growing) strong").count() == 1)
        assert len(messages(one)) == 2 and "lived" in messages(one)[1]
        assert one.locator(".bubble a").count() == 0, "nothing leads elsewhere"
    human.writes("and from my phone")
    until(page, lambda: len(messages(page)) == 4)
    assert page.locator(".entry").nth(2).locator(".badge").inner_text() == "Telegram"
    for one in (page, second):
        until(one, lambda one=one: len(messages(one)) == 4)
        assert opened.faults(one) == [] and opened.fits(one)


def test_commands_are_offered_taken_by_keys_and_their_buttons_press(opened: Opened, mind: Mind) -> None:
    page = opened.window("/chat")
    text = page.get_by_label("Your message")
    text.press_sequentially("/re")
    assert page.locator("#chat-hints li:visible code").all_inner_texts() == ["/remind", "/readiness", "/repairs"]
    assert opened.faults(page) == []
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    assert text.input_value() == "/remind "
    page.keyboard.type("tomorrow at 9 call Anika")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Take it back").click()
    until(page, lambda: messages(page)[-1] == "Taken back: call Anika.")
    assert page.get_by_role("button", name="Take it back").count() == 0


def test_it_can_be_stopped_and_without_a_script_it_is_a_page(opened: Opened, mind: Mind) -> None:
    plain = opened.window("/chat", scripts=False, color_scheme="dark")
    plain.get_by_label("Your message").fill("a long one, please")
    plain.get_by_role("button", name="Send").click()
    page = opened.window("/chat")
    until(page, lambda: messages(page)[-1:] == ["Once upon"])
    plain.reload()
    plain.get_by_role("button", name="Stop").click()
    mind.go_on.set()
    until(page, lambda: page.locator(".entry:not(.growing).theirs").count() == 1)
    plain.reload()
    assert messages(plain) == messages(page) and messages(plain)[1].startswith("Once upon")
    assert opened.fits(plain)
