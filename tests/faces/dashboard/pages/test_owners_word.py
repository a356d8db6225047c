"""Who is obeyed and where keys go: a page asks, the owner's button in Telegram changes it, once or never."""

from __future__ import annotations

import contextlib
import html
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.conversation.commands import registry
from furoshiki.core import settings
from furoshiki.core.network.providers import over_the_net
from furoshiki.core.paths import read_env_file
from furoshiki.core.setting_rows import SecretStr
from furoshiki.core.settings import PAGES, Settings
from furoshiki.maintenance import setting_changes
from furoshiki.maintenance.setting_changes import LATE, OTHERS
from furoshiki.messages.events import Press
from furoshiki.messages.store import accounts, outbox
from furoshiki.messages.values import Envelope, Outgoing
from furoshiki.models.llm.values import Block, Message, Question
from furoshiki.world import World
from tests.emulators.llm import LLMEmulator
from tests.support import extensions
from tests.support.dashboard import House, save

EVIL = "https://evil.example/v1"
OWNER, CHAT = "7", "7"
TOKEN = "123456:" + "A" * 35


@pytest.fixture(autouse=True)
def nothing_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "ROOT", tmp_path / "checkout")
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def world(world: World) -> World:
    """A companion whose owner is paired on Telegram."""
    held = world.settings.model_copy(update={"telegram_bot_token": SecretStr(TOKEN)})
    with world.database.write() as db:
        accounts.pair(db, "telegram", OWNER, CHAT, "owner", world.now)
    return replace(world, settings=held)


def put(house: House, name: str, value: object) -> tuple[int, str]:
    return save(house.client, house.csrf, name, value)


def asked(world: World) -> list[Outgoing]:
    with world.database.read() as db:
        return outbox.read_waiting(db, "telegram")


def buttons(question: Outgoing) -> list[str]:
    return [str(button["data"]) for row in question.extra["buttons"] for button in row]


async def press(
    world: World, data: str, *, by: str = OWNER, channel: str = "telegram", chat: str = CHAT, row: int = 1
) -> str | None:
    event = Press(chat_id=chat, data=data, private=True)
    envelope = Envelope(channel, "p", by, event, id=row, attempts=0, enqueued_at=world.now)
    words = await registry.press(world, data, envelope)
    return None if words is None else words.text


def stands(world: World, name: str) -> str | None:
    return read_env_file(world.settings.data / ".env").get(name)


HELD = {
    "TELEGRAM_OWNER_ID": (666, "666"),
    **{spec.address_setting: (EVIL, EVIL) for spec in over_the_net() if spec.door == "openai"},
    "FUROSHIKI_DASHBOARD_HOST": ("0.0.0.0", "0.0.0.0"),
    "FUROSHIKI_DASHBOARD_PORT": (8331, "8331"),
    "FUROSHIKI_DASHBOARD_URL": ("https://evil.example", "https://evil.example"),
    "FUROSHIKI_DASHBOARD": (True, "True"),
    "FUROSHIKI_EMBEDDER": ("someone/model", "someone/model"),
    "FUROSHIKI_VOICE_MODEL": ("/tmp/whisper", "/tmp/whisper"),
    "FUROSHIKI_SPEECH_VOICE": ("/tmp/voices", "/tmp/voices"),
}
"""All of tier 1 that is not a page's, with what is sent and what would stand in `.env`."""


def test_all_that_a_page_has_to_ask_for_is_tried_here() -> None:
    rows = {name.upper(): settings.describe(name) for name in Settings.model_fields}
    assert set(HELD) == {
        name for name, row in rows.items() if row["whose"] != "page" and row["tier"] == 1 and not row["secret"]
    }


@pytest.mark.parametrize("name", HELD)
async def test_it_is_asked_in_telegram_and_changed_with_a_yes(house: House, name: str) -> None:
    value, text = HELD[name]
    for _ in range(2):
        assert "The owner is asked about" in put(house, name, value)[1]
    [question] = asked(house.world)
    assert f"{name}: `{text}`" in question.text and "If that wasn't you" in question.text
    assert stands(house.world, name) is None and not (house.world.settings.data / PAGES).exists()
    yes, no = buttons(question)
    assert f"{name} has been changed." in str(await press(house.world, yes))
    assert stands(house.world, name) == text
    assert await press(house.world, no, row=2) == LATE, "answered once"
    assert stands(house.world, name) == text


async def test_a_no_a_stranger_another_channel_and_a_day_change_nothing(house: House) -> None:
    put(house, "TELEGRAM_OWNER_ID", 666)
    yes, no = buttons(asked(house.world)[0])
    assert await press(house.world, yes, by="666") == OTHERS
    assert await press(house.world, yes, channel="web", chat="web") == OTHERS
    assert await press(house.world, yes, chat="-100") == OTHERS
    late = replace(house.world, clock=Later(house.world))
    assert await press(late, yes) == LATE
    assert await press(house.world, no) == "Left as it is: nothing was changed."
    assert await press(house.world, yes, row=2) == LATE
    assert await press(house.world, "setting.yes:nonsense") == LATE
    assert stands(house.world, "TELEGRAM_OWNER_ID") is None


class Later:
    """A day and an hour after."""

    def __init__(self, world: World) -> None:
        self._now = world.now + timedelta(hours=25)

    def now(self):  # type: ignore[no-untyped-def]
        return self._now


async def test_the_same_press_read_again_after_a_death_is_answered_the_same(house: House) -> None:
    put(house, "OPENAI_BASE_URL", EVIL)
    yes, _no = buttons(asked(house.world)[0])
    first = await press(house.world, yes)
    assert await press(house.world, yes) == first == "OPENAI_BASE_URL has been changed."


async def test_what_was_changed_meanwhile_is_not_changed_by_an_older_yes(house: House) -> None:
    put(house, "OPENAI_BASE_URL", EVIL)
    (house.world.settings.data / ".env").write_text("OPENAI_BASE_URL=http://localhost:11434/v1\n")
    assert "was changed in the meantime" in str(await press(house.world, buttons(asked(house.world)[0])[0]))
    assert stands(house.world, "OPENAI_BASE_URL") == "http://localhost:11434/v1"


def test_it_does_not_flood_its_owner_and_shows_no_password(house: House) -> None:
    for number in range(6):
        put(house, "OPENAI_BASE_URL", f"https://evil.example/{number}")
    assert len(asked(house.world)) == 3
    for value in ("https://me:hunter2@evil.example", "https://evil.example/?key=hunter2"):
        status, words = put(house, "OPENAI_BASE_URL", value)
        assert status == 409 and "furoshiki config set OPENAI_BASE_URL" in words
    assert "hunter2" not in "".join(one.text for one in asked(house.world))


def test_where_nobody_is_paired_it_is_said_how_it_is_done(signed: Callable[..., House], world: World) -> None:
    with world.database.write() as db:
        db.execute("DELETE FROM accounts")
    status, words = put(signed("admin"), "TELEGRAM_OWNER_ID", 666)
    assert status == 409 and "nobody is paired" in words and "furoshiki config set TELEGRAM_OWNER_ID" in words


async def test_going_back_to_the_default_is_asked_too(house: House) -> None:
    (house.world.settings.data / ".env").write_text(f"OPENAI_BASE_URL={EVIL}\n")
    page = house.page("/settings?q=OPENAI_BASE_URL")
    seen = re.search(r'action="/settings/OPENAI_BASE_URL".*?name="seen" value="(\w+)"', page, re.S)
    assert seen is not None and "need the owner" in page
    page = house.post("/settings/OPENAI_BASE_URL", do="default", seen=seen[1])
    assert "The owner is asked about" in page and stands(house.world, "OPENAI_BASE_URL") == EVIL
    await press(house.world, buttons(asked(house.world)[0])[0])
    assert stands(house.world, "OPENAI_BASE_URL") is None


MORE = """permissions:
  network: ["setting:url"]
settings:
  - name: url
    about: the server
  - name: key
    about: its key
    secret: true
"""


async def test_an_address_of_a_plugin_whose_secrets_travel_there_is_asked_for(house: House, tmp_path: Path) -> None:
    extensions.installed(house.world, tmp_path / "made", more=MORE)
    at = "/extensions/plugins/dice/settings"
    assert "is set" in house.post(f"{at}/url", value="https://mine.example"), "no secret is there to travel"
    house.post(f"{at}/key", value="canary")
    assert "The owner is asked about" in house.post(f"{at}/url", value=EVIL)
    [question] = asked(house.world)
    assert stands(house.world, "PLUGIN_DICE_URL") == "https://mine.example" and "canary" not in question.text
    assert "has been changed" in str(await press(house.world, buttons(question)[0]))
    assert stands(house.world, "PLUGIN_DICE_URL") == EVIL


@pytest.mark.slow
async def test_no_key_reaches_a_server_that_a_page_named(house: House, migrated: Callable[[Path], Path]) -> None:
    """Through the page, a real gateway, and servers on loopback: the key goes there after the yes, and not before."""
    data = house.world.settings.data
    migrated(data / "memory" / "longmemory.sqlite")
    with LLMEmulator() as mine, LLMEmulator() as theirs:
        base = f"OPENAI_API_KEY=owners-key\nOPENAI_BASE_URL={mine.openai_url}\nFUROSHIKI_MODEL_CHAT=openai:test-model\n"
        (data / ".env").write_text(base)
        assert "The owner is asked about" in put(house, "OPENAI_BASE_URL", theirs.openai_url)[1]
        (data / PAGES).write_text(f'{{"OPENAI_BASE_URL": "{theirs.openai_url}"}}')
        await ask(data)
        assert [one.key for one in mine.requests] == ["owners-key"] and not theirs.requests
        (data / ".env").write_text("OPENAI_API_KEY=owners-key\nFUROSHIKI_MODEL_CHAT=openai:test-model\n")
        await ask(data)
        assert not theirs.requests
        (data / PAGES).unlink()
        (data / ".env").write_text(base)
        await press(house.world, buttons(asked(house.world)[0])[0])
        await ask(data)
        assert [one.key for one in theirs.requests] == ["owners-key"]


async def ask(data: Path) -> None:
    """Ask the model as the companion that lives there does; what it cannot do is no matter here."""
    world = build_world(settings.load({"FUROSHIKI_DATA": str(data)}), SystemClock(), spawn_memoryd=False)
    words = (Message("user", "hello"),)
    with contextlib.suppress(Exception):
        await world.ask(Question("chat", "turn", (Block("You are Furo."),), words, timeout_s=5))
    world.database.close()


def enter(house: House, name: str, value: str, do: str = "save") -> str:
    """Enter a secret on its page; the page that follows."""
    fields = {"csrf": house.csrf, "seen": "x", "value": value, "do": do}
    return html.unescape(house.client.post(f"/settings/{name}", data=fields, follow_redirects=True).text)


def traces(world: World, secret: str) -> list[str]:
    """The files below the data directory in which a secret stands."""
    data = world.settings.data
    return sorted(
        str(path.relative_to(data))
        for path in data.rglob("*")
        if path.is_file() and secret.encode() in path.read_bytes()
    )


SECRETS = [name.upper() for name in Settings.model_fields if settings.describe(name)["secret"]]
ENTERED = "sk-entered-6d1f0b7c93e84a52"


@pytest.mark.parametrize("name", [one for one in SECRETS if settings.whose(one.lower()) == "owner"])
async def test_a_secret_is_entered_with_a_yes_and_stands_nowhere_but_in_env(house: House, name: str) -> None:
    value = "654321:" + "B" * 35 if name == "TELEGRAM_BOT_TOKEN" else ENTERED
    assert "The owner is asked about" in enter(house, name, f" {value} ")
    assert traces(house.world, value) == ["run/entered-secrets.json"]
    assert (house.world.settings.data / "run" / "entered-secrets.json").stat().st_mode & 0o777 == 0o600
    enter(house, name, value.replace("5", "6"))
    [question] = asked(house.world)
    assert name in question.text and value not in question.text
    assert f"{name} has been changed." in str(await press(house.world, buttons(question)[0]))
    assert traces(house.world, value) == [".env"] and stands(house.world, name) == value
    page = house.page(f"/settings?q={name}")
    assert value not in page and ">Remove<" in page
    assert await press(house.world, buttons(question)[1], row=2) == LATE


async def test_an_entered_secret_goes_with_a_no_and_with_a_day(house: House) -> None:
    enter(house, "OPENAI_API_KEY", ENTERED)
    await press(house.world, buttons(asked(house.world)[0])[1])
    assert traces(house.world, ENTERED) == [] and stands(house.world, "OPENAI_API_KEY") is None
    setting_changes.keep(house.world.settings.data, "old", ENTERED, house.world.now)
    setting_changes.drop(house.world.settings.data, "another", house.world.now + timedelta(hours=25))
    assert traces(house.world, ENTERED) == []


async def test_a_secret_is_taken_out_with_a_yes(house: House) -> None:
    (house.world.settings.data / ".env").write_text(f"OPENAI_API_KEY={ENTERED}\n")
    assert "is asked" in enter(house, "OPENAI_API_KEY", "", do="default")
    assert stands(house.world, "OPENAI_API_KEY") == ENTERED
    await press(house.world, buttons(asked(house.world)[0])[0])
    assert stands(house.world, "OPENAI_API_KEY") is None


def test_where_nobody_is_paired_a_secret_is_written_at_once(signed: Callable[..., House], world: World) -> None:
    with world.database.write() as db:
        db.execute("DELETE FROM accounts")
    assert "OPENAI_API_KEY has been changed." in enter(signed("admin"), "OPENAI_API_KEY", ENTERED)
    assert traces(world, ENTERED) == [".env"]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("TELEGRAM_BOT_TOKEN", "canary-no-token", "TELEGRAM_BOT_TOKEN"),
        ("OPENAI_API_KEY", "canary\u0007", "control characters"),
        ("OPENAI_API_KEY", "  ", "Nothing was entered"),
        *(
            (one, "canary-of-the-operator", "is a secret")
            for one in SECRETS
            if settings.whose(one.lower()) == "operator"
        ),
    ],
)
def test_what_is_no_such_secret_is_refused_and_not_sent_back(house: House, name: str, value: str, words: str) -> None:
    page = enter(house, name, value)
    assert words in page and "canary" not in page and not asked(house.world)
    assert traces(house.world, "canary") == []


def far(house: House) -> TestClient:
    """The same browser, over a plain line from another machine."""
    found = TestClient(house.client.app, base_url="http://localhost", client=("192.168.1.20", 50000))
    found.cookies = house.client.cookies
    return found


def test_over_a_line_that_others_can_read_no_secret_is_taken(house: House) -> None:
    house.client = far(house)
    assert "your connection is not encrypted" in enter(house, "OPENAI_API_KEY", ENTERED)
    assert traces(house.world, ENTERED) == []


def test_nor_a_plugins(house: House, tmp_path: Path) -> None:
    extensions.installed(house.world, tmp_path / "made", more=MORE)
    house.client = far(house)
    assert "your connection is not encrypted" in html.unescape(
        house.post("/extensions/plugins/dice/settings/key", value="c")
    )
    assert stands(house.world, "PLUGIN_DICE_KEY") is None


def test_a_viewer_enters_nothing(signed: Callable[..., House], world: World) -> None:
    viewer = signed("viewer")
    assert 'type="password"' not in viewer.page("/settings/keys")
    enter(viewer, "OPENAI_API_KEY", ENTERED)
    assert traces(world, ENTERED) == []
