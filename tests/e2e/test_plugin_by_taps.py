"""A plugin is offered when it would have helped, switched on by a tap, set up in the chat, and used by the program."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from furoshiki.core.paths import read_env_file
from furoshiki.extensions.plugins.sandbox import probing
from tests.e2e.program import Program
from tests.emulators.llm import Answer, Call, LLMEmulator, Request
from tests.emulators.telegram import TelegramEmulator
from tests.emulators.web import Web
from tests.support.taps import Chat, newest

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.fixture
def web() -> Iterator[Web]:
    server = Web()
    yield server
    server.stop()


def mind(request: Request) -> Answer:
    """A model that has what it lacks offered, and searches once it can."""
    found = [turn for turn in request.turns if turn.role == "tool"]
    if found:
        return "Rarely, says example.org." if "example.org" in str(found[-1]) else "I cannot look that up yet."
    search = next((tool for tool in request.tools if "search_web" in tool), None)
    if search is not None:
        return Call(search, {"query": "frost lisbon"})
    return Call("wish_plugin", {"plugin": "web-search"})


def test_it_is_offered_switched_on_by_a_tap_and_used(
    program: Program, telegram: TelegramEmulator, llm: LLMEmulator, web: Web
) -> None:
    if probing.choose_backend("auto").backend is None:
        pytest.skip("nothing here can hold a plugin")
    program.set(FUROSHIKI_PLUGIN_LOCAL_HOSTS=web.host)
    program.data.mkdir(exist_ok=True)
    (program.data / ".env").write_text(f"PLUGIN_WEB_SEARCH_ENGINE=searxng\nPLUGIN_WEB_SEARCH_URL={web.url}\n")
    llm.when(lambda asked: asked.schema is None and bool(asked.tools), mind)
    program.listening()
    chat = Chat(program, telegram)
    asked = chat.says("does it ever freeze in Lisbon?")
    assert telegram.replies()[-2] == "I cannot look that up yet."
    assert asked.startswith("Shall I be able to look things up on the web?") and "html.duckduckgo.com" in asked
    assert chat.taps("Yes") == "The web: it is on, and works. Ask me."
    assert chat.says("and now, does it ever freeze in Lisbon?") == "Rarely, says example.org."
    assert web.count("/search") == 1
    assert chat.says("/plugins").startswith("• The web: on")
    assert chat.taps("The web: switch off").startswith("The web: switched off.")
    assert chat.says("and again?") == "I cannot look that up yet.", "it is not offered twice"

    (program.data / ".env").write_text(f"PLUGIN_WEATHER_URL={web.url}\n")
    chat.says("/plugins")
    chat.taps("The weather: switch on")
    assert chat.taps("Yes").startswith("For which place?")
    before = newest(telegram).id
    telegram.location(38.721234, -9.139)
    telegram.wait_for(lambda: newest(telegram).id > before)
    assert newest(telegram).text == "The weather: it is on, and works. Ask me."
    assert read_env_file(program.data / ".env")["PLUGIN_WEATHER_PLACE"] == "38.72,-9.14"
