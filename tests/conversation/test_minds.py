"""Which mind answers, chosen in the chat: by a button, by a key that was asked for, by one that was not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from furoshiki.channels.local.mailbox import Mailbox
from furoshiki.conversation.worker import Worker
from furoshiki.core.paths import read_env_file
from furoshiki.core.setting_rows import SecretStr
from furoshiki.messages import withheld
from furoshiki.messages.roles import Person
from furoshiki.messages.store import outbox
from furoshiki.models.choosing import model_servers
from furoshiki.models.llm.store import quirks
from furoshiki.world import World
from tests.emulators.llm import LLMEmulator, Say, answers
from tests.emulators.llm.outcome import Fault
from tests.emulators.loopback import Loopback
from tests.faces.setup.local_servers import Ollama, Talker
from tests.support.commands import Commander, command
from tests.support.world import Human

__all__ = ["command"]

CLAUDE = "sk-ant-api03-0123456789abcdefghij"
ROUTER = "sk-or-v1-0123456789abcdefghij"
BARE = "Zk3mPq9Lw2Xv8Rt5Yb7Nc4Hd6Jf1Gs0A"


@pytest.fixture
def llm() -> Iterator[LLMEmulator]:
    with LLMEmulator() as emulator:
        emulator.script = lambda _request: Say("Hello from there.")
        yield emulator


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a busy machine serves is found as well."""
    monkeypatch.setattr(model_servers, "GLANCE_S", 30.0)


@pytest.fixture
def world(world: World, llm: LLMEmulator) -> World:
    """A companion that knows no mind, and whose Anthropic is the emulator."""
    return replace(world, settings=world.settings.model_copy(update={"anthropic_base_url": llm.anthropic_url}))


async def sends(human: Human, key: str) -> str:
    """Send a message as a channel takes it in."""
    world = human.world
    world.withheld.keep(f"update-{101 + human.sent}", key.split()[-1], world.now)
    return "\n".join(await human.says(key))


def env(world: World) -> dict[str, str]:
    return dict(read_env_file(world.settings.data / ".env"))


async def test_a_model_that_runs_here_is_found_and_taken_by_a_tap(world: World) -> None:
    server = Loopback(Ollama({"qwen3.5:4b": 3_400_000_000, "phi4-mini": 2_500_000_000}, Talker(eyes=False)))
    try:
        here = world.settings.model_copy(update={"ollama_base_url": server.url})
        taps = Commander(replace(world, settings=here))
        shown = await taps("/mind")
        assert "Ollama is running on this machine with qwen3.5:4b and phi4-mini: free" in shown.text
        assert shown.extra["buttons"][0] == [{"text": "Ollama: qwen3.5:4b", "data": "mind.with:ollama/qwen3.5:4b"}]
        assert shown.extra["buttons"][1][0]["text"] == "Ollama: phi4-mini"
        said = await taps.press("mind.with:ollama/qwen3.5:4b")
    finally:
        server.stop()
    assert said is not None and "From now on I think with qwen3.5:4b (Ollama)" in said.text
    assert "It only costs electricity." in said.text and "It only reads 4096 tokens at once" in said.text
    assert "It sees no pictures." in said.text and "It can't use tools" not in said.text
    assert env(world)["FUROSHIKI_MODEL_CHAT"] == "ollama:qwen3.5:4b"
    with world.database.read() as db:
        assert quirks.read_quirks(db, world.now)["ollama:qwen3.5:4b"]["window"][0] == 4096


async def test_what_a_model_does_not_do_is_said(world: World) -> None:
    server = Loopback(Ollama({"phi4-mini": 2_500_000_000}, Talker(tools="none")))
    try:
        here = world.settings.model_copy(update={"ollama_base_url": server.url})
        said = await Commander(replace(world, settings=here)).press("mind.with:ollama/phi4-mini")
        gone = await Commander(replace(world, settings=here)).press("mind.with:ollama/another")
    finally:
        server.stop()
    assert said is not None and "It can't use tools" in said.text and gone is None


async def test_a_server_that_has_no_model_yet_says_how_one_comes(world: World) -> None:
    server = Loopback(Ollama())
    try:
        here = world.settings.model_copy(update={"ollama_base_url": server.url})
        shown = await Commander(replace(world, settings=here))("/mind")
    finally:
        server.stop()
    assert "Run `ollama pull qwen3.5:4b` there to get one" in shown.text
    assert shown.extra["buttons"][0][0]["text"] == "I'll send you a key"


async def test_a_key_that_was_asked_for_is_tried_and_kept(world: World, human: Human, command: Commander) -> None:
    asked = await command.press("mind.with:key")
    assert asked is not None and "https://console.anthropic.com/settings/keys" in asked.text
    said = await sends(human, f"here: {CLAUDE}")
    assert "It says: “Hello from there.” From now on I think with claude-sonnet-5-5 (Anthropic)" in said
    assert env(world)["ANTHROPIC_API_KEY"] == CLAUDE
    with world.database.read() as db:
        assert withheld.find_awaited(db, world.now) is None
        assert [row["kind"] for row in db.execute("SELECT kind FROM turns").fetchall()] == []


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (answers.unauthorized(), "Anthropic does not accept that key"),
        (answers.no_credit(), "no credit: add some at https://console.anthropic.com"),
        (answers.bad_gateway(), "Anthropic did not answer properly, so I kept nothing"),
        (None, "I can't reach Anthropic from here right now"),
    ],
)
async def test_a_key_that_does_not_work_is_kept_nowhere_and_told_why(
    fault: Fault | None, words: str, world: World, human: Human, command: Commander, llm: LLMEmulator
) -> None:
    await command.press("mind.with:key")
    llm.offline() if fault is None else llm.break_with(fault, n=None)
    assert words in await sends(human, CLAUDE)
    assert env(world) == {}
    with world.database.read() as db:
        assert withheld.find_awaited(db, world.now) == withheld.KEY, "the next one is tried as well"


async def test_a_key_that_was_not_asked_for_is_offered_and_tried_with_a_yes(
    world: World, human: Human, command: Commander
) -> None:
    said = await sends(human, CLAUDE)
    assert said.startswith("That key is from Anthropic. I deleted the message from this chat.")
    assert "A month costs about $4–8, at 22 messages a day." in said and env(world) == {}
    tried = await command.press("mind.with:held")
    assert tried is not None and "From now on I think with" in tried.text
    assert env(world)["ANTHROPIC_API_KEY"] == CLAUDE


async def test_a_key_nobody_wanted_is_forgotten(world: World, human: Human, command: Commander) -> None:
    await sends(human, ROUTER)
    no = await command.press("mind.with:drop")
    assert no is not None and no.text == "Good, I forgot the key."
    lost = await command.press("mind.with:held")
    assert lost is not None and "I don't have that key" in lost.text and env(world) == {}


async def test_of_a_key_without_a_sign_it_is_asked_whose_it_is(world: World, human: Human, command: Commander) -> None:
    await command.press("mind.with:key")
    assert "Whose key is it?" in await sends(human, BARE)
    said = await command.press("mind.with:of-anthropic")
    assert said is not None and "From now on I think with claude" in said.text
    assert env(world)["ANTHROPIC_API_KEY"] == BARE


async def test_a_key_that_a_restart_took_is_asked_for_once_more(world: World, human: Human) -> None:
    assert "Please send it again." in "\n".join(await human.says(CLAUDE))
    with world.database.read() as db:
        assert withheld.find_awaited(db, world.now) == withheld.KEY


async def test_a_key_typed_where_another_process_answers_is_asked_for_in_telegram(world: World) -> None:
    Mailbox(world.database, "web").say(CLAUDE, "m1", world.now)
    there = Human(world, Worker(world), channel="web")
    await there.waits()
    assert "Send it to me in Telegram" in there.answers(1)[0].text
    with world.database.read() as db:
        assert CLAUDE not in "\n".join(db.iterdump()) and withheld.find_awaited(db, world.now) is None


async def test_a_key_is_held_for_ten_minutes(world: World) -> None:
    world.withheld.keep("a", CLAUDE, world.now)
    assert world.withheld.take("a", world.now + withheld.HELD_FOR * 1.1) is None


async def test_nobody_elses_key_is_taken(world: World) -> None:
    guest = replace(world, who=Person("member", "telegram", "31", "31"))
    friend = Human(guest, Worker(guest), chat_id="31")
    said = await sends(friend, CLAUDE)
    assert said.startswith("That looks like a key. I do not keep any of it") and env(world) == {}


async def test_an_edit_that_brings_a_key_is_one(world: World, human: Human, command: Commander) -> None:
    await command.press("mind.with:key")
    world.withheld.keep(f"update-{101 + human.sent}", CLAUDE, world.now)
    said = "\n".join(await human.says(CLAUDE, "edit", was="text"))
    assert "From now on I think with" in said


async def test_a_mind_that_is_set_where_it_is_started_is_changed_there(
    command: Commander, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FUROSHIKI_MODEL_CHAT", "openai:gpt")
    said = await command.press("mind.with:key")
    assert said is not None and said.text.startswith("FUROSHIKI_MODEL_CHAT is set where I am started")


async def test_the_built_in_mind_alone_is_a_choice(world: World) -> None:
    settings = world.settings.model_copy(update={"anthropic_api_key": SecretStr(CLAUDE)})
    taps = Commander(replace(world, settings=settings))
    shown = await taps("/mind")
    assert shown.text.startswith("I think with claude-sonnet-5-5 (Anthropic). A month costs about $4–8")
    said = await taps.press("mind.with:none")
    assert said is not None and "only the built-in mind answers" in said.text
    assert env(world)["FUROSHIKI_MODEL_CHAT"] == "local:reflex"
    assert await taps.press("mind.with:nobody") is None


async def test_nothing_of_a_key_is_in_the_database(world: World, human: Human) -> None:
    await human.says(f"my long story of a day in the garden with everybody, and {CLAUDE}")
    with world.database.read() as db:
        dumped = "\n".join(db.iterdump())
        assert outbox.in_state(db, "ready")
    assert CLAUDE not in dumped and "my long story" in dumped
