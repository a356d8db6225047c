"""What a person sees while a turn runs."""

from __future__ import annotations

import asyncio

from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.live_reply import Stages
from furoshiki.world import Stage
from tests.channels.telegram.conftest import BRISK
from tests.emulators.telegram import TelegramEmulator
from tests.support.telegram import envelope


def stages(client: Client, live: bool = True) -> Stages:
    return Stages(client, lambda: live, BRISK)


async def test_typing_is_kept_up_until_the_end(telegram: TelegramEmulator, client: Client) -> None:
    stage: Stage = stages(client).open(envelope())
    await stage.begin()
    await telegram.until(lambda: len(telegram.actions) >= 2)
    await stage.end()
    before = len(telegram.actions)
    await asyncio.sleep(0.4)
    assert len(telegram.actions) == before
    assert telegram.drafts == [] and not stage.shown


async def test_a_slow_answer_streams_formatted_and_can_be_stopped(telegram: TelegramEmulator, client: Client) -> None:
    opened = stages(client)
    stage = opened.open(envelope())
    await stage.begin()
    await stage.show(lambda: "**Once**")
    assert not stage.shown
    await stage.show(lambda: "**Once** upon")
    await telegram.until(lambda: telegram.drafts)
    assert stage.shown
    await stage.show(lambda: "**Once** upon a time")
    await telegram.until(lambda: telegram.drafts[-1].text == "Once upon a time")
    draft = telegram.drafts[-1]
    assert (draft.draft_id, draft.can_stop, draft.keep_on_stop) == (5, True, True)
    assert draft.entities == [{"type": "bold", "offset": 0, "length": 4}]
    opened.stop(7, 5)
    assert stage.stopped
    await stage.end()
    count = len(telegram.drafts)
    await asyncio.sleep(0.15)
    assert len(telegram.drafts) == count


async def test_an_answer_that_is_there_at_once_is_not_streamed(telegram: TelegramEmulator, client: Client) -> None:
    stage = stages(client).open(envelope())
    await stage.begin()
    await stage.show(lambda: "quick")
    await stage.end()
    await asyncio.sleep(0.15)
    assert telegram.drafts == [] and not stage.shown


async def test_a_long_draft_shows_its_newest_part(telegram: TelegramEmulator, client: Client) -> None:
    stage = stages(client).open(envelope())
    await stage.begin()
    await stage.show(lambda: "word " * 2000 + "the end")
    await telegram.until(lambda: telegram.drafts)
    await stage.end()
    assert telegram.drafts[0].text.endswith("the end")


async def test_groups_and_refusals_stay_at_typing(telegram: TelegramEmulator, client: Client) -> None:
    group = -1_000_000_000_123
    telegram.add_to_group(group)
    stage = stages(client).open(envelope(chat=group, private=False))
    await stage.begin()
    await stage.show(lambda: "something long in the making")
    await asyncio.sleep(0.25)
    await stage.end()
    assert telegram.drafts == [] and telegram.actions
    wrongly_private = stages(client).open(envelope(chat=group, private=True))
    await wrongly_private.begin()
    await wrongly_private.show(lambda: "something")
    await telegram.until(lambda: telegram.called("sendMessageDraft"))
    await asyncio.sleep(0.2)
    await wrongly_private.end()
    assert len(telegram.called("sendMessageDraft")) == 1


async def test_shadow_mode_shows_nothing(telegram: TelegramEmulator, client: Client) -> None:
    opened = stages(client, live=False)
    stage = opened.open(envelope())
    opened.ping(7)
    await stage.begin()
    await stage.show(lambda: "secret thoughts")
    await asyncio.sleep(0.25)
    await stage.end()
    assert telegram.calls == []


async def test_a_stage_may_be_used_from_another_loop(telegram: TelegramEmulator, client: Client) -> None:
    opened = stages(client)

    async def turn() -> None:
        stage = opened.open(envelope())
        await stage.begin()
        await stage.show(lambda: "from elsewhere")
        await asyncio.to_thread(telegram.wait_for, lambda: telegram.drafts)
        await stage.end()

    await asyncio.to_thread(asyncio.run, turn())
    assert telegram.drafts[0].text == "from elsewhere"
