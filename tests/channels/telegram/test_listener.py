"""Messages come in through the poll loop and are stored before they are acknowledged; answers go out."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from furoshiki.channels.telegram.access import STRANGER_LINE, UNPAIRED_LINE, AccessList
from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.listener import Telegram, listen
from furoshiki.channels.telegram.lock import only_listener
from furoshiki.core.database.connection import Database
from furoshiki.core.errors import AlreadyRunning
from furoshiki.messages.store import accounts, inbox, outbox
from furoshiki.messages.values import NewOutgoing
from tests.channels.telegram.conftest import OWNER, Alerts, clock, pair, rows
from tests.emulators.telegram import TelegramEmulator

Make = Callable[..., Telegram]


@contextlib.asynccontextmanager
async def running(bot: Telegram, run: Path, mind: Callable[[], Awaitable[None]] | None = None) -> AsyncIterator[None]:
    stop = asyncio.Event()

    async def idle() -> None:
        await asyncio.Event().wait()

    task = asyncio.create_task(listen(bot, run, mind or idle, stop))
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(task, 5.0)


def kinds(database: Database) -> list[str]:
    return [row["kind"] for row in rows(database, "inbox")]


def texts(database: Database) -> list[str]:
    with database.read() as db:
        found = db.execute("SELECT json_extract(payload, '$.text') FROM inbox ORDER BY id").fetchall()
    return [row[0] for row in found]


async def test_every_kind_of_message_is_stored_and_acknowledged(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    said = telegram.say("hello")
    telegram.voice()
    telegram.photo(caption="look")
    telegram.document(b"abc")
    telegram.sticker("🎉")
    telegram.location()
    telegram.contact()
    telegram.poll()
    telegram.dice()
    telegram.edit(said.id, "hello again")
    stored = asyncio.Event()
    async with running(line(on_stored=stored.set), tmp_path / "run"):
        await asyncio.wait_for(stored.wait(), 3.0)
        await telegram.until(lambda: telegram.pending == 0)
        telegram.react(said.id, "👍")
        await telegram.until(lambda: telegram.pending == 0 and telegram.called("sendChatAction"))
    kinds_seen = kinds(database)
    assert kinds_seen[:4] == ["text", "voice", "photo", "document"]
    assert kinds_seen[4:] == ["sticker", "location", "contact", "poll", "dice", "edit", "reaction"]
    assert [call.args for call in telegram.called("sendChatAction")] == [{"chat_id": "7", "action": "typing"}]


async def test_a_mind_answers_and_hears_when_something_came(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    stored = asyncio.Event()
    bot = line(on_stored=stored.set)

    async def mind() -> None:
        while True:
            await stored.wait()
            stored.clear()
            with database.write() as db:
                while (envelope := inbox.claim(db, clock())) is not None:
                    answer = NewOutgoing("telegram", envelope.chat_id, f"re: {envelope.text}")
                    outbox.put(db, [answer], clock(), None, f"inbox:{envelope.id}")
                    inbox.finish(db, [envelope.id], clock())
            bot.sender.wake()

    async with running(bot, tmp_path / "run", mind):
        for number in range(5):
            telegram.say(f"m{number}")
        await telegram.until(lambda: len(telegram.replies()) == 5)
        assert int((tmp_path / "run" / "listener.alive").read_text()) == os.getpid()
    assert telegram.replies() == [f"re: m{number}" for number in range(5)]
    assert not (tmp_path / "run" / "listener.alive").exists()


async def test_updates_that_come_twice_or_out_of_order_are_stored_once(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    telegram.faults.duplicate_updates(n=None)
    telegram.faults.reorder_updates(n=None)
    for number in range(150):
        telegram.say(f"m{number}")
    async with running(line(), tmp_path / "run"):
        await telegram.until(lambda: telegram.pending == 0)
        telegram.say("last")
        await telegram.until(lambda: telegram.pending == 0)
    assert sorted(texts(database)) == sorted([*(f"m{number}" for number in range(150)), "last"])


async def test_updates_out_of_order_are_taken_as_they_were_made(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    telegram.faults.reorder_updates(n=None)
    for number in range(20):
        telegram.say(f"m{number}")
    async with running(line(), tmp_path / "run"):
        await telegram.until(lambda: telegram.pending == 0)
    assert texts(database) == [f"m{number}" for number in range(20)]


async def test_ids_that_start_over_hide_nothing(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    telegram.restart_update_ids(500)
    telegram.say("before the quiet week")
    async with running(line(), tmp_path / "run"):
        await telegram.until(lambda: telegram.pending == 0)
        telegram.restart_update_ids(495)
        telegram.say("after it")
        await telegram.until(lambda: telegram.pending == 0)
    telegram.restart_update_ids(490)
    telegram.say("while nobody listened")
    async with running(line(), tmp_path / "run"):
        await telegram.until(lambda: telegram.pending == 0)
    assert texts(database) == ["before the quiet week", "after it", "while nobody listened"]


async def test_outages_are_ridden_out(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path, alerts: Alerts
) -> None:
    async with running(line(), tmp_path / "run"):
        telegram.say("one")
        await telegram.until(lambda: telegram.pending == 0)
        telegram.faults.bad_gateway("getUpdates", n=2)
        telegram.faults.too_many("getUpdates", retry_after=0)
        telegram.faults.refuse("getUpdates", n=2)
        telegram.offline()
        await asyncio.sleep(0.1)
        telegram.online()
        telegram.say("two")
        await telegram.until(lambda: telegram.pending == 0)
    assert texts(database) == ["one", "two"]
    assert set(alerts.kinds) <= {"telegram.away"} and len(alerts.said) <= 1
    assert set(alerts.over) >= set(alerts.kinds)


async def test_another_taker_is_told_once(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path, alerts: Alerts
) -> None:
    telegram.faults.conflict(n=3)
    telegram.say("one")
    async with running(line(), tmp_path / "run"):
        await telegram.until(lambda: telegram.pending == 0)
    assert alerts.kinds == ["telegram.conflict"]
    assert "so some never get here: stop it" in alerts.said[0][1]
    assert texts(database) == ["one"]


async def test_what_goes_on_is_told_as_over_when_it_is(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path, alerts: Alerts
) -> None:
    """Two that poll take turns: a poll that got through does not end a conflict, some quiet does."""
    telegram.faults.bad_gateway("getMe", n=3)
    async with running(line(), tmp_path / "run"):
        await telegram.until(lambda: "telegram.away" in alerts.over)
        assert alerts.kinds == ["telegram.away"]
        telegram.faults.conflict(n=1)
        telegram.say("one")
        await telegram.until(lambda: "telegram.conflict" in alerts.kinds)
        before = alerts.over.count("telegram.conflict")
        await telegram.until(lambda: telegram.pending == 0)
        await telegram.until(lambda: alerts.over.count("telegram.conflict") > before)


async def test_a_locked_database_delays_and_loses_nothing(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    other = Database(database.path)
    async with running(line(), tmp_path / "run"):
        await telegram.until(lambda: telegram.called("getUpdates") or telegram.called("getMe"))
        with other.write():
            telegram.say("while it was locked")
            await asyncio.sleep(0.5)
            assert telegram.pending == 1
        await telegram.until(lambda: telegram.pending == 0)
    other.close()
    assert texts(database) == ["while it was locked"]


@pytest.mark.parametrize("code", [401, 403, 404])
async def test_no_refusal_is_taken_as_the_last_word(
    telegram: TelegramEmulator, database: Database, tmp_path: Path, alerts: Alerts, line: Make, code: int
) -> None:
    telegram.faults.refused(code, n=4)
    telegram.faults.refused(code, "getMe", n=2)
    async with running(line(), tmp_path / "run"):
        telegram.say("are you there?")
        await telegram.until(lambda: telegram.pending == 0)
    assert texts(database) == ["are you there?"]


async def test_a_refused_token_is_told_and_asked_with_again(
    telegram: TelegramEmulator, database: Database, tmp_path: Path, alerts: Alerts, line: Make
) -> None:
    right, telegram.state.token = telegram.state.token, "7000000001:another"
    async with running(line(), tmp_path / "run"):
        async with asyncio.timeout(10.0):
            while "telegram.token" not in alerts.kinds:
                await asyncio.sleep(0.01)
        telegram.state.token = right
        telegram.say("are you there?")
        await telegram.until(lambda: telegram.pending == 0)
    assert texts(database) == ["are you there?"]
    assert "copy the token again from @BotFather" in dict(alerts.said)["telegram.token"]
    assert "telegram.token" in alerts.over


@pytest.mark.parametrize("part", ["poller", "sender", "commands", "mind"])
async def test_the_whole_ends_with_any_of_its_parts(
    line: Make, tmp_path: Path, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def breaks(*_: object) -> None:
        await asyncio.sleep(0)
        raise RuntimeError(part)

    bot = line()
    if part in ("poller", "sender"):
        monkeypatch.setattr(getattr(bot, part), "run", breaks)
    elif part == "commands":
        monkeypatch.setattr(bot, "offer_commands", breaks)
    mind = breaks if part == "mind" else asyncio.Event().wait
    with pytest.raises(RuntimeError, match=part):
        await asyncio.wait_for(listen(bot, tmp_path / "run", mind, asyncio.Event()), 10.0)  # type: ignore[arg-type]


async def test_a_second_listener_is_turned_away(line: Make, tmp_path: Path, client: Client) -> None:
    with only_listener(tmp_path / "run", client.id), pytest.raises(AlreadyRunning, match="process"):
        async with running(line(), tmp_path / "run"):
            await asyncio.sleep(0.1)
    with only_listener(tmp_path / "run", client.id):
        assert (tmp_path / "run").stat().st_mode & 0o777 == 0o700


async def test_strangers_hear_one_line_and_leave_no_trace(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    async with running(line(), tmp_path / "run"):
        telegram.say("my secret", chat_id=999)
        telegram.say("/start 123456", chat_id=999)
        pressed = telegram.say("x", chat_id=999)
        telegram.press(pressed.id, "forged", chat_id=999, forged=True)
        telegram.say("hello", chat_id=OWNER)
        await telegram.until(lambda: telegram.pending == 0 and telegram.replies(999))
        await telegram.until(lambda: all(telegram.state.callbacks.values()))
    assert telegram.replies(999) == [STRANGER_LINE]
    assert texts(database) == ["hello"]
    with database.read() as db:
        dump = "\n".join(db.iterdump()) if hasattr(db, "iterdump") else ""
    assert "my secret" not in dump and "hello" in dump


async def test_before_anybody_is_paired_it_says_how_its_owner_gets_in(
    telegram: TelegramEmulator, line: Make, tmp_path: Path
) -> None:
    async with running(line(allowed=AccessList()), tmp_path / "run"):
        telegram.say("hello?")
        telegram.say("anybody there?")
        await telegram.until(lambda: telegram.pending == 0 and telegram.replies())
    assert telegram.replies() == [UNPAIRED_LINE]


async def test_a_code_pairs_once(telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path) -> None:
    with database.write() as db:
        accounts.offer_code(db, "246810", "owner", clock())
    async with running(line(allowed=AccessList()), tmp_path / "run"):
        telegram.say("/start 111111", chat_id=42)
        telegram.say("/start 246810", chat_id=43)
        telegram.say("hi", chat_id=43)
        telegram.say("/start 246810", chat_id=44)
        await telegram.until(lambda: telegram.pending == 0 and telegram.replies(42) and telegram.replies(44))
    assert telegram.replies(42)[0].startswith("That pairing code")
    assert telegram.replies(44) == [STRANGER_LINE]
    assert texts(database) == ["/start", "hi"]
    with database.read() as db:
        found = accounts.owner(db, "telegram")
        assert found is not None and (found.external_id, found.name) == ("43", "Person43")
        assert db.execute("SELECT json_extract(payload, '$.paired_now') FROM inbox").fetchone()[0] == 1


async def test_groups_need_to_be_turned_on_and_addressed(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    pair(database)
    group = -1_000_000_000_123
    telegram.add_to_group(group)

    def talk() -> None:
        telegram.say("among ourselves", chat_id=group, user=OWNER)
        telegram.say("@furoshiki_test_bot hello", chat_id=group, user=OWNER)
        telegram.say("@furoshiki_test_bot who am I", chat_id=group, user=555)

    talk()
    async with running(line(), tmp_path / "run"):
        await telegram.until(lambda: telegram.pending == 0)
    assert texts(database) == []
    talk()
    async with running(line(allowed=AccessList(groups=True)), tmp_path / "run"):
        await telegram.until(lambda: telegram.pending == 0)
    assert texts(database) == ["@furoshiki_test_bot hello"]
    assert telegram.replies(group) == []


async def test_buttons_are_answered_and_stored(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    telegram.say("hi")
    with database.write() as db:
        buttons = {"buttons": [[{"text": "Yes", "data": "yes"}]]}
        outbox.put(db, [NewOutgoing("telegram", "7", "sure?", extra=buttons)], clock(), None, None)
    async with running(line(), tmp_path / "run"):
        await telegram.until(lambda: telegram.replies() == ["sure?"])
        telegram.press(telegram.chat()[-1].id, "yes")
        await telegram.until(lambda: telegram.pending == 0 and all(telegram.state.callbacks.values()))
    with database.read() as db:
        row = db.execute("SELECT payload FROM inbox WHERE kind='callback'").fetchone()
    assert '"data":"yes"' in row[0] and '"message_id"' not in row[0]


async def test_blocking_is_noticed_both_ways(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    pair(database)
    async with running(line(), tmp_path / "run"):
        telegram.block()
        await telegram.until(lambda: telegram.pending == 0)
        with database.read() as db:
            assert accounts.everyone(db)[0].blocked
        telegram.unblock()
        await telegram.until(lambda: telegram.pending == 0)
    with database.read() as db:
        assert not accounts.everyone(db)[0].blocked
    assert kinds(database) == ["blocked", "unblocked"]


async def test_commands_are_set_in_each_language_once(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    commands: dict[str | None, Any] = {None: [("help", "What I can do")], "de": [("help", "Was ich kann")]}
    async with running(line(commands=lambda: commands), tmp_path / "run"):
        await telegram.until(lambda: len(telegram.called("setMyCommands")) == 2)
    async with running(line(commands=lambda: commands), tmp_path / "run"):
        await telegram.until(lambda: len(telegram.called("getMyCommands")) == 4)
    assert len(telegram.called("setMyCommands")) == 2
    assert sorted(language for _, language in telegram.state.commands) == ["", "de"]


async def test_a_failing_mind_ends_the_listener(line: Make, tmp_path: Path) -> None:
    async def mind() -> None:
        raise RuntimeError("lost it")

    with pytest.raises(RuntimeError, match="lost it"):
        async with running(line(), tmp_path / "run", mind):
            await asyncio.sleep(0.2)


async def test_stopping_lets_a_send_under_way_end(
    telegram: TelegramEmulator, database: Database, line: Make, tmp_path: Path
) -> None:
    telegram.faults.slow("sendMessage", 0.4)
    with database.write() as db:
        outbox.put(db, [NewOutgoing("telegram", "7", "slow")], clock(), None, None)
    async with running(line(), tmp_path / "run"):
        await asyncio.sleep(0.2)
    assert telegram.replies() == ["slow"]
    assert [row["state"] for row in rows(database, "outbox")] == ["sent"]
