"""A home's owner names a server of their own on the pages of their home: no key of the operator's reaches it."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import HOST
from furoshiki.host import homes
from furoshiki.host.open_home import settings_of
from furoshiki.messages.events import Press
from furoshiki.messages.store import accounts, outbox
from furoshiki.messages.values import Envelope
from furoshiki.models.llm.values import Block, Message, Question
from tests.emulators.llm import LLMEmulator
from tests.support.dashboard import save
from tests.support.roof import TOKEN, Roof

OPERATORS_KEY, OWN = "operators-key", "annas-key"


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
async def test_the_keepers_key_is_not_sent_to_a_homes_server(roof: Roof, provider: str) -> None:
    data = roof.root / "anna"
    address, key = f"{provider.upper()}_BASE_URL", f"{provider.upper()}_API_KEY"
    with LLMEmulator() as operators, LLMEmulator() as hers:
        shared = f"TELEGRAM_BOT_TOKEN={TOKEN}\nFUROSHIKI_MODEL_CHAT={provider}:test-model\n{key}={OPERATORS_KEY}\n"
        (roof.root / HOST / ".env").write_text(f"{shared}{address}={url(operators, provider)}\n")
        await ask(data)
        assert {one.key for one in operators.requests} == {OPERATORS_KEY}, (
            "what the operator set up together goes together"
        )
        if provider == "openai":
            await set_on_the_page(roof, address, url(hers, provider))
        else:
            (data / ".env").write_text(f"{address}={url(hers, provider)}\n")
        await ask(data)
        assert OPERATORS_KEY not in {one.key for one in hers.requests}
        with (data / ".env").open("a") as env:
            env.write(f"{key}={OWN}\n")
        await ask(data)
        assert hers.requests[-1].key == OWN


async def set_on_the_page(roof: Roof, name: str, value: str) -> None:
    """Say it on the page, and yes in Telegram."""
    with contextlib.closing(Database(roof.root / "anna" / "memory" / "longmemory.sqlite")) as database:
        with database.write() as db:
            accounts.pair(db, "telegram", "7", "7", "owner", roof.now())
        _status, answer = save(roof.of("anna"), roof.csrf("anna"), name, value)
        assert "The owner is asked about" in answer
        with database.read() as db:
            [question] = outbox.read_waiting(db, "telegram")
        world = build_world(settings_of(homes.get_home(roof.root, "anna")), SystemClock(), spawn_memoryd=False)
        from furoshiki.conversation.commands import registry

        yes = str(question.extra["buttons"][0][0]["data"])
        pressed = Press(chat_id="7", data=yes, private=True)
        at = world.now
        envelope = Envelope("telegram", "p", "7", pressed, id=1, attempts=0, enqueued_at=at)
        words = await registry.press(world, yes, envelope)
        assert words is not None and "has been changed" in words.text
        world.database.close()


def url(server: LLMEmulator, provider: str) -> str:
    return server.openai_url if provider == "openai" else server.anthropic_url


async def ask(data: Path) -> None:
    """Ask the model as the home does; what a server refuses is no matter here."""
    home = homes.get_home(data.parent, data.name)
    world = build_world(settings_of(home), SystemClock(), spawn_memoryd=False)
    with contextlib.suppress(Exception):
        await world.ask(Question("chat", "turn", (Block("You are Furo."),), (Message("user", "hi"),), timeout_s=5))
    world.database.close()


def test_what_is_the_keepers_is_shown_and_not_changed_in_a_home(roof: Roof) -> None:
    for name in ("FUROSHIKI_DASHBOARD_URL", "FUROSHIKI_DASHBOARD_HOST", "FUROSHIKI_EMBEDDER"):
        status, answer = save(roof.of("anna"), roof.csrf("anna"), name, "https://e.example")
        assert status == 409 and "the machine's operator" in answer
