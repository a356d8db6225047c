"""The client says what became of a call, keeps the token to itself, and costs little to load."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import traceback

import pytest
from hypothesis import given
from hypothesis import strategies as st

from furoshiki.channels.telegram.bot import Client
from furoshiki.channels.telegram.files import FileUnavailable, fetch, fetch_attachment
from furoshiki.channels.telegram.outcomes import (
    Blocked,
    Conflict,
    Delivered,
    NotDelivered,
    Outcome,
    Refused,
    RetryAfter,
    Unauthorized,
    Uncertain,
)
from furoshiki.channels.telegram.session import judge
from furoshiki.core.errors import BadSetting
from furoshiki.core.settings import Settings
from tests.emulators.telegram import TOKEN, TelegramEmulator
from tests.support.telegram import envelope

pytestmark = pytest.mark.slow


def answer(code: int, description: str, **parameters: int) -> str:
    return json.dumps({"ok": False, "error_code": code, "description": description, "parameters": parameters})


@pytest.mark.parametrize(
    ("status", "content", "outcome"),
    [
        (200, '{"ok": true, "result": {"message_id": 5}}', Delivered({"message_id": 5})),
        (400, answer(400, "Bad Request: chat not found"), Refused("Bad Request: chat not found", 400)),
        (400, answer(400, "moved", migrate_to_chat_id=-100), Refused("moved", 400, -100)),
        (401, answer(401, "Unauthorized"), Unauthorized("Unauthorized")),
        (404, answer(404, "Not Found"), Unauthorized("Not Found")),
        (403, answer(403, "Forbidden: bot was blocked"), Blocked("Forbidden: bot was blocked")),
        (409, answer(409, "Conflict"), Conflict("Conflict")),
        (429, answer(429, "Too Many Requests", retry_after=7), RetryAfter(7.0)),
        (429, answer(429, "Too Many Requests"), RetryAfter(5.0)),
        (500, answer(500, "Internal"), Uncertain("500: Internal")),
    ],
)
def test_answers_are_judged_by_what_they_prove(status: int, content: str, outcome: Outcome) -> None:
    assert judge(status, content) == outcome


@given(st.integers(200, 599), st.text(max_size=60) | st.just("[" * 100_000) | st.just("<html>502</html>"))
def test_garbage_is_never_taken_for_an_answer(status: int, content: str) -> None:
    assert not isinstance(judge(status, content), Delivered)


async def test_what_never_reached_telegram_is_told_from_what_may_have(
    telegram: TelegramEmulator, client: Client
) -> None:
    telegram.faults.cut_after("sendMessage")
    assert isinstance(await client.call("SendMessage", chat_id=7, text="cut"), Uncertain)
    telegram.faults.hang("sendMessage", seconds=3)
    assert isinstance(await client.call("SendMessage", chat_id=7, text="slow", timeout_s=0.1), Uncertain)
    telegram.faults.bad_gateway("sendMessage")
    assert isinstance(await client.call("SendMessage", chat_id=7, text="gateway"), Uncertain)
    telegram.offline()
    for url in (telegram.url, "http://no-such-host.invalid"):
        fresh = Client(TOKEN, url)
        assert isinstance(await fresh.call("SendMessage", chat_id=7, text="refused"), NotDelivered)
        await fresh.close()


async def test_parameters_telegram_would_refuse_are_refused_here(client: Client) -> None:
    outcome = await client.call("SendMessage", chat_id=7, text="x", entities=[{"type": "bold"}])
    assert isinstance(outcome, Refused) and "entities" in outcome.description


async def test_the_token_appears_nowhere(telegram: TelegramEmulator, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    seen: list[object] = []
    client = Client(TOKEN, telegram.url, call_seconds=0.2)
    telegram.faults.cut_after("getMe")
    seen += [client, await client.call("GetMe"), await client.call("GetMe")]
    telegram.offline()
    seen += [await client.call("GetMe"), await client.download("x/y", 10), await client.download("http://[bad", 10)]
    await client.close()
    for url in ("http://[half", "ftp://x"):
        with pytest.raises((BadSetting, ValueError)) as caught:
            Client(TOKEN, url)
        seen.append("".join(traceback.format_exception(caught.value)))
    with pytest.raises(BadSetting) as refused:
        Client("no-colon-secret-part")
    assert "no-colon" not in str(refused.value) and refused.value.__suppress_context__
    secret = TOKEN.partition(":")[2]
    assert secret not in repr(seen) + caplog.text
    assert (
        client.hide(f"see https://api.telegram.org/bot{TOKEN}/getMe") == "see https://api.telegram.org/bot<token>/getMe"
    )


async def test_files_are_fetched_up_to_a_limit(telegram: TelegramEmulator) -> None:
    data = b"abc" * 1000
    sent = telegram.document(data)
    file_id = sent.content["document"]["file_id"]
    assert await fetch(telegram.url, TOKEN, file_id, 5000) == data
    with pytest.raises(FileUnavailable, match="3000 bytes"):
        await fetch(telegram.url, TOKEN, file_id, 2999)
    with pytest.raises(FileUnavailable, match="wrong file_id"):
        await fetch(telegram.url, TOKEN, "nothing", 100)
    with pytest.raises(FileUnavailable, match="no file"):
        await fetch_attachment(Settings(telegram_bot_token=TOKEN), envelope())


async def test_a_file_that_lies_about_its_size_is_cut_off(telegram: TelegramEmulator, client: Client) -> None:
    telegram.document(b"x" * 50_000)
    path = next(iter(telegram.state.files.values())).path
    assert isinstance(await client.download(path, 1000), Refused)
    assert await client.download(path, 50_000) == b"x" * 50_000


async def test_a_download_that_stands_still_is_given_up() -> None:
    """One mind answers everybody: a file server that says nothing more must not hold it."""

    async def begin_and_stop(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc")
        await writer.drain()
        await asyncio.sleep(30)

    server = await asyncio.start_server(begin_and_stop, "127.0.0.1", 0)
    client = Client(TOKEN, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    async with asyncio.timeout(10):
        assert not isinstance(await client.download("documents/a.pdf", 5000, stall_s=0.2), bytes)
    await client.close()
    server.close()


LOAD = """
import sys, time
sys.path.insert(0, {root!r})
import furoshiki.channels.telegram, furoshiki.channels.telegram.sender, furoshiki.channels.telegram.listener
assert not {{"aiogram", "pydantic", "telegramify_markdown", "aiohttp"}} & set(sys.modules), "loaded too early"
{before}
began = time.process_time()
from furoshiki.channels.telegram import lazy_aiogram as lazy
aiogram = lazy.load()
spent = time.process_time() - began
loaded = sum(name.partition(".")[0] == "aiogram" for name in sys.modules)
built = [n for n in aiogram.types.__all__ if getattr(getattr(aiogram.types, n), "__pydantic_complete__", False)]
{after}
print(spent, loaded, len(built))
"""


def load(before: str = "", after: str = "") -> tuple[float, int, int]:
    """CPU seconds, its modules and models built by loading aiogram in a process of its own."""
    code = LOAD.format(root=str(sys.path[0]), before=before, after=after)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    spent, loaded, built = done.stdout.split()
    return float(spent), int(loaded), int(built)


EVERY_MODEL = """
for module in (aiogram.types, aiogram.methods):
    for name in module.__all__:
        model = getattr(module, name)
        if hasattr(model, "model_rebuild"):
            model.model_rebuild()
            assert model.__pydantic_complete__, name
"""


def test_of_aiogram_is_loaded_what_a_call_needs() -> None:
    _, loaded, built = load()
    assert loaded < 80
    assert built < 60


@pytest.mark.slow
def test_every_model_can_be_built_on_demand() -> None:
    load(after=EVERY_MODEL)


@pytest.mark.slow
def test_an_unexpected_inside_falls_back_to_the_plain_import() -> None:
    broken = "def broken(): raise ValueError('changed')"
    before = f"import furoshiki.channels.telegram.lazy_aiogram as l\n{broken}\nl._check = broken"
    _, _, built = load(before=before, after=EVERY_MODEL)
    assert built > 300
