"""One listener for many homes on one bot: everybody is heard and answered by a companion of their own."""

from __future__ import annotations

import asyncio
import functools
import http.client
import json
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from furoshiki.app import wiring
from furoshiki.app.wiring import SystemClock
from furoshiki.channels.telegram.lazy_aiogram import load
from furoshiki.channels.telegram.timings import Pace
from furoshiki.conversation.commit import OPERATOR_LIMIT
from furoshiki.core import settings
from furoshiki.core.atomic_files import locked
from furoshiki.core.database.connection import Database
from furoshiki.core.process import liveness
from furoshiki.host import homes, listener, update_routing
from furoshiki.host.homes import LOCK
from furoshiki.host.listener import Host
from furoshiki.host.members import MemberFile, Taken
from furoshiki.messages.store import outbox
from furoshiki.models.limits import limit_file
from tests.emulators.llm import LLMEmulator, Request
from tests.emulators.telegram import TelegramEmulator
from tests.support.ports import LOOPBACK, answers, free_port
from tests.support.rows import words

pytestmark = pytest.mark.slow

load()

HURRIED = Pace(
    poll=1, retry_first=0.02, retry_most=0.05, send_most=0.05, conflict=0.1, settle=0.02, settle_start=0.0, look=0.05,
    farewell=1.0,
)  # fmt: skip
PEOPLE = {"anna": 101, "ben": 102, "cleo": 103}
NOW = SystemClock().now()


@pytest.fixture
def telegram() -> Iterator[TelegramEmulator]:
    with TelegramEmulator() as emulator:
        yield emulator


@pytest.fixture
def filled(root: Path, telegram: TelegramEmulator, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A host with one bot for all, three homes, and nobody in them yet."""
    monkeypatch.setattr(wiring, "spawner", lambda _data: None)
    monkeypatch.setattr(listener, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(listener, "HOMES_SECONDS", 0.2)
    for name in PEOPLE:
        homes.add(root, name, NOW)
    (root / ".host" / ".env").write_text(f"TELEGRAM_BOT_TOKEN={telegram.token}\nTELEGRAM_API_URL={telegram.url}\n")
    return root


@asynccontextmanager
async def running(root: Path, idle_s: float = 60.0) -> AsyncIterator[Host]:
    held = settings.load({"FUROSHIKI_DATA": str(root / ".host")})
    host, stop = Host(root, held, SystemClock(), idle_s=idle_s, pace=HURRIED), asyncio.Event()
    task = asyncio.create_task(host.run(stop))
    try:
        yield host
    finally:
        stop.set()
        await task


async def until(met: Callable[[], Any], seconds: float = 10.0) -> None:
    end = asyncio.get_running_loop().time() + seconds
    while not met():
        assert asyncio.get_running_loop().time() < end, "it did not come"
        await asyncio.sleep(0.02)


def settled(root: Path) -> None:
    for name, user in PEOPLE.items():
        MemberFile(root).settle(user, name)


def person(user: int) -> dict[str, Any]:
    return {"id": user, "is_bot": False, "first_name": f"P{user}", "language_code": "en"}


def said_in(root: Path, name: str) -> list[str]:
    database = Database(root / name / "memory" / "longmemory.sqlite")
    with database.read() as db:
        found = [row[0] for row in db.execute("SELECT text FROM turns WHERE speaker='user' ORDER BY id")]
    database.close()
    return found


async def test_everybody_talks_with_a_companion_of_their_own(filled: Path, telegram: TelegramEmulator) -> None:
    settled(filled)
    async with running(filled) as host:
        for user in PEOPLE.values():
            telegram.say(f"My lucky number is {user}.", user=person(user), chat_id=user)
        await until(lambda: all(telegram.replies(user) for user in PEOPLE.values()))
        telegram.say("What is my lucky number?", user=person(102), chat_id=102)
        await until(lambda: len(telegram.replies(102)) > 1)
        assert "102" in telegram.replies(102)[-1] and "101" not in telegram.replies(102)[-1]
        assert set(host.open) == set(PEOPLE)
    for name, user in PEOPLE.items():
        assert all(str(other) not in " ".join(said_in(filled, name)) for other in PEOPLE.values() if other != user)


async def test_it_says_that_it_takes_messages_once_it_does_and_that_it_stops_while_it_stops(
    filled: Path, telegram: TelegramEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    with (filled / ".host" / ".env").open("a") as env:
        env.write(f"FUROSHIKI_HOST_HEALTH={port}\n")

    async def ready() -> dict[str, Any]:
        def asked() -> dict[str, Any]:
            line = http.client.HTTPConnection(LOOPBACK, port, timeout=5)
            line.request("GET", "/readyz")
            answer = line.getresponse()
            return {"status": answer.status, **json.loads(answer.read())}

        return await asyncio.to_thread(asked)

    during: list[dict[str, Any]] = []
    wind_down = Host._wind_down

    async def slowly(host: Host) -> None:
        during.append(await ready())
        await wind_down(host)

    monkeypatch.setattr(Host, "_wind_down", slowly)
    async with running(filled) as host:
        await until(lambda: None in host._bots and host._bots[None].hears)
        while not await asyncio.to_thread(answers, port):
            await asyncio.sleep(0.01)
        assert (await ready())["missing"].keys() == {"brain"}
        with liveness.shown(filled / ".host" / "run" / "brain.alive"):
            assert await ready() == {"status": 200, "ready": True, "missing": {}}
    assert [(one["status"], "draining" in one["missing"]) for one in during] == [(503, True)]


async def test_who_was_invited_comes_in_once_and_nobody_else_does(filled: Path, telegram: TelegramEmulator) -> None:
    code = MemberFile(filled).invite("anna", SystemClock().now())
    async with running(filled):
        telegram.say("Hello?", user=person(666), chat_id=666)
        telegram.say("Hello?", user=person(666), chat_id=666)
        telegram.say("/start nonsense", user=person(667), chat_id=667)
        telegram.say(f"/start {code}", user=person(101), chat_id=101)
        await until(lambda: telegram.replies(101) and telegram.replies(667))
        telegram.say(f"/start {code}", user=person(668), chat_id=668)
        await until(lambda: telegram.replies(668))
    assert telegram.replies(666) == [update_routing.STRANGER_LINE], "once a day"
    assert telegram.replies(667) == telegram.replies(668) == [update_routing.WRONG_INVITE_LINE]
    assert MemberFile(filled).read().people == {101: "anna"}
    with pytest.raises(Taken):
        MemberFile(filled).invite("anna", SystemClock().now())


async def test_an_invitation_ends_after_a_week(filled: Path) -> None:
    members = MemberFile(filled)
    code = members.invite("anna", NOW)
    assert members.enter(1, code, NOW + timedelta(days=7)) is None
    assert members.enter(1, code, NOW + timedelta(days=6)) == "anna"
    assert code not in (filled / ".host" / "members.json").read_text()


async def test_a_home_where_nothing_happens_is_closed_and_wakes_for_a_message_and_for_a_reminder(
    filled: Path, telegram: TelegramEmulator
) -> None:
    settled(filled)
    async with running(filled, idle_s=0.3) as host:
        telegram.say("remind me in 4 seconds to breathe", user=person(101), chat_id=101)
        await until(lambda: telegram.replies(101))
        await until(lambda: not host.open)
        await until(lambda: any("breathe" in words for words in telegram.replies(101)[1:]))
        await until(lambda: not host.open)
        telegram.say("Hello", user=person(101), chat_id=101)
        await until(lambda: len(telegram.replies(101)) == 3)


async def test_words_that_another_process_left_wake_their_home(filled: Path, telegram: TelegramEmulator) -> None:
    settled(filled)
    async with running(filled, idle_s=0.3) as host:
        telegram.say("Hello", user=person(102), chat_id=102)
        await until(lambda: telegram.replies(102) and not host.open)
        database = Database(filled / "ben" / "memory" / "longmemory.sqlite")
        with database.write() as db:
            outbox.put(db, [words("Thinking of you.", "102")], SystemClock().now(), None, None)
        database.close()
        await until(lambda: telegram.replies(102)[-1] == "Thinking of you.")


async def test_words_that_changed_nothing_one_could_see_are_found_all_the_same(
    filled: Path, telegram: TelegramEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two writes within one tick of the kernel's clock leave a file that looks as it did."""
    settled(filled)
    monkeypatch.setattr(listener, "SWEEP_SECONDS", 1.0)
    async with running(filled, idle_s=0.3) as host:
        telegram.say("Hello", user=person(102), chat_id=102)
        await until(lambda: telegram.replies(102) and not host.open)
        monkeypatch.setattr(listener.Known, "database_stamp", lambda _known: "as ever")
        database = Database(filled / "ben" / "memory" / "longmemory.sqlite")
        with database.write() as db:
            outbox.put(db, [words("Thinking of you.", "102")], SystemClock().now(), None, None)
        database.close()
        await until(lambda: telegram.replies(102)[-1] == "Thinking of you.")


async def test_a_home_that_cannot_keep_a_message_delays_nobody_and_gets_it_later(
    filled: Path, telegram: TelegramEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "PATIENCE_SECONDS", 0.3)
    settled(filled)
    database = filled / "ben" / "memory" / "longmemory.sqlite"
    whole = database.read_bytes()
    database.write_bytes(b"damaged" * 5000)
    async with running(filled, idle_s=0.3) as host:
        telegram.say("My cat is called Zephyrine.", user=person(102), chat_id=102)
        telegram.say("Hello", user=person(101), chat_id=101)
        await until(lambda: telegram.replies(101))
        telegram.say("Are you there?", user=person(101), chat_id=101)
        await until(lambda: len(telegram.replies(101)) == 2)
        assert not telegram.replies(102) and (filled / ".host" / "set_aside" / "ben").is_dir()
        database.write_bytes(whole)
        await until(lambda: telegram.replies(102))
        telegram.say("What is my cat called?", user=person(102), chat_id=102)
        await until(lambda: len(telegram.replies(102)) == 2)
        assert "Zephyrine" in telegram.replies(102)[-1]
        assert not list((filled / ".host" / "set_aside" / "ben").iterdir()) and host.known["ben"].trouble is None


async def test_a_home_that_another_host_has_is_left_to_it(filled: Path, telegram: TelegramEmulator) -> None:
    settled(filled)
    async with running(filled) as host:
        with locked(filled / "ben" / "run" / LOCK):
            telegram.say("Hello", user=person(102), chat_id=102)
            await asyncio.sleep(0.5)
            assert "ben" not in host.open and not telegram.replies(102)
        await until(lambda: telegram.replies(102))


async def test_two_hosts_in_one_folder_never_both_answer(filled: Path, telegram: TelegramEmulator) -> None:
    settled(filled)
    async with running(filled), running(filled):
        for said in (1, 2, 3):
            for user in PEOPLE.values():
                telegram.say(f"My lucky number is {said}.", user=person(user), chat_id=user)
            await until(functools.partial(_all_answered, telegram, said), 20.0)
        await asyncio.sleep(0.3)  # what would be said twice
        assert [len(telegram.replies(user)) for user in PEOPLE.values()] == [3, 3, 3]


def _all_answered(telegram: TelegramEmulator, times: int) -> bool:
    return all(len(telegram.replies(user)) >= times for user in PEOPLE.values())


async def test_a_home_that_rests_is_closed_and_one_that_is_new_is_taken_in(
    filled: Path, telegram: TelegramEmulator
) -> None:
    settled(filled)
    async with running(filled) as host:
        telegram.say("Hello", user=person(101), chat_id=101)
        await until(lambda: "anna" in host.open and telegram.replies(101))
        homes.pause(filled, "anna", SystemClock().now())
        await until(lambda: "anna" not in host.open)
        homes.add(filled, "dora", SystemClock().now())
        MemberFile(filled).settle(104, "dora")
        await until(lambda: "dora" in host.known)
        telegram.say("Hello", user=person(104), chat_id=104)
        await until(lambda: telegram.replies(104))


async def test_groups_are_refused_with_a_sentence(filled: Path, telegram: TelegramEmulator) -> None:
    settled(filled)
    async with running(filled):
        telegram.say(f"Hello @{telegram.state.me['username']}", user=person(101), chat_id=-500)
        await until(lambda: telegram.replies(-500))
    assert telegram.replies(-500) == [update_routing.GROUP_LINE] and not said_in(filled, "anna")


async def test_a_model_that_hangs_and_a_flood_in_one_home_delay_no_other(
    filled: Path, telegram: TelegramEmulator
) -> None:
    settled(filled)
    thought = threading.Event()

    def answer(request: Request) -> str:
        if "slowly" in request.words:
            thought.wait(20)
        return "Done."

    with LLMEmulator(answer) as llm:
        with (filled / ".host" / ".env").open("a") as env:
            env.write(f"OPENAI_API_KEY=sk-none-of-ours-0000\nOPENAI_BASE_URL={llm.openai_url}\n")
            env.write("FUROSHIKI_MODEL_CHAT=openai:some-model\n")
        async with running(filled) as host:
            telegram.say("Think slowly.", user=person(101), chat_id=101)
            for number in range(60):
                telegram.say(f"Number {number}", user=person(102), chat_id=102)
            await until(lambda: host.open.keys() >= {"anna", "ben"})
            telegram.say("Hello", user=person(103), chat_id=103)
            await until(lambda: telegram.replies(103))
            assert not telegram.replies(101)
            thought.set()
            await until(lambda: telegram.replies(101))


async def test_a_home_at_its_operators_limit_is_answered_by_the_built_in_mind_and_told_so_once(
    filled: Path, telegram: TelegramEmulator
) -> None:
    settled(filled)
    with LLMEmulator(lambda _request: "Said by a model.") as llm:
        with (filled / ".host" / ".env").open("a") as env:
            env.write(f"ANTHROPIC_API_KEY=sk-none-of-ours-0000\nANTHROPIC_BASE_URL={llm.anthropic_url}\n")
            env.write("FUROSHIKI_HOST_CALLS_AT_ONCE=1\n")
        (filled / "anna" / ".env").write_text("FUROSHIKI_HOST_DAILY_BUDGET_USD=0\nFUROSHIKI_HARD_BUDGET_USD=900\n")
        async with running(filled):

            async def says(user: int, words: str, answers: int) -> list[str]:
                before = len(telegram.replies(user))
                telegram.say(words, user=person(user), chat_id=user)
                await until(lambda: len(telegram.replies(user)) >= before + answers)
                return telegram.replies(user)[before:]

            assert await says(101, "My cat is called Zephyrine.", 1) == ["Said by a model."]
            limit_file.change(filled / ".host", "anna", {"money": 0.0})
            answer, told = await says(101, "Good evening.", 2)
            assert answer != "Said by a model." and told == OPERATOR_LIMIT
            [again] = await says(101, "What is my cat called?", 1)
            assert "Zephyrine" in again and OPERATOR_LIMIT not in telegram.replies(101)[-1:]
            assert await says(102, "Hello", 1) == ["Said by a model."]
            with (filled / ".host" / ".env").open("a") as env:
                env.write("FUROSHIKI_HOST_DAILY_BUDGET_USD=0.0000001\n")
            assert OPERATOR_LIMIT in await says(102, "Good evening.", 2)  # what all have spent, by a model at a price
            limit_file.change(filled / ".host", "anna", {"money": None, "calls": 0})
            assert await says(101, "Are you there?", 1) != ["Said by a model."]
            assert telegram.replies(101).count(OPERATOR_LIMIT) == 1


async def test_what_is_written_to_a_home_that_rests_is_kept_for_it_and_said_so(
    filled: Path, telegram: TelegramEmulator
) -> None:
    settled(filled)
    homes.pause(filled, "ben", SystemClock().now())
    async with running(filled, idle_s=0.3):
        telegram.say("My cat is called Zephyrine.", user=person(102), chat_id=102)
        await until(lambda: telegram.replies(102) == [update_routing.RESTING_LINE])
        assert not said_in(filled, "ben")
        homes.resume(filled, "ben")
        await until(lambda: len(telegram.replies(102)) == 2)
        assert said_in(filled, "ben") == ["My cat is called Zephyrine."]


async def test_what_was_kept_for_a_home_is_put_in_although_nobody_writes_after_a_restart(
    filled: Path, telegram: TelegramEmulator
) -> None:
    settled(filled)
    homes.pause(filled, "ben", SystemClock().now())
    async with running(filled, idle_s=0.3):
        telegram.say("My cat is called Zephyrine.", user=person(102), chat_id=102)
        await until(lambda: telegram.replies(102) == [update_routing.RESTING_LINE])
    homes.resume(filled, "ben")
    async with running(filled, idle_s=0.3):
        await until(lambda: len(telegram.replies(102)) == 2)
        assert said_in(filled, "ben") == ["My cat is called Zephyrine."]


@pytest.mark.parametrize("trouble", ["no room", "damaged file", "no folder"])
async def test_whatever_is_wrong_with_one_home_the_others_are_heard(
    filled: Path, telegram: TelegramEmulator, monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    monkeypatch.setattr(listener, "PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(listener, "TRY_SECONDS", 0.05)
    settled(filled)
    keep, full = listener.deferred_updates.keep, [True]

    def kept(*args: Any) -> None:
        if trouble == "no room" and full and full.pop():
            raise OSError(28, "No space left on device")
        keep(*args)

    monkeypatch.setattr(listener.deferred_updates, "keep", kept)
    if trouble == "damaged file":
        folder = filled / ".host" / "set_aside" / "ben"
        folder.mkdir(parents=True)
        (folder / "1.json").write_text("{")
    elif trouble == "no folder":
        shutil.rmtree(filled / "ben" / "run")
        (filled / "ben" / "run").write_text("")
    else:
        (filled / "ben" / "memory" / "longmemory.sqlite").write_bytes(b"damaged" * 5000)
    async with running(filled):
        telegram.say("Hello", user=person(102), chat_id=102)
        await asyncio.sleep(0.3)
        telegram.say("Hello", user=person(101), chat_id=101)
        await until(lambda: telegram.replies(101))


async def test_members_that_cannot_be_read_for_a_moment_cost_no_message(
    filled: Path, telegram: TelegramEmulator
) -> None:
    settled(filled)
    members = filled / ".host" / "members.json"
    whole = members.read_text()
    async with running(filled):
        members.write_text("{")
        telegram.say("Hello", user=person(101), chat_id=101)
        await asyncio.sleep(0.3)
        members.write_text(whole)
        await until(lambda: telegram.replies(101))
    assert telegram.replies(101) != [update_routing.STRANGER_LINE]
