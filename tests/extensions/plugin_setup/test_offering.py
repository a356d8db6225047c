"""Plugins switched on by taps: shown first, asked for what they need, tried at once, offered once in a life."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from furoshiki.conversation.worker import Worker
from furoshiki.core.paths import read_env_file
from furoshiki.extensions.plugin_setup import needs, offering
from furoshiki.extensions.plugins import installed, own_settings, package, switching
from furoshiki.extensions.plugins import manifest as manifests
from furoshiki.extensions.plugins.sandbox import probing
from furoshiki.extensions.plugins.store import plugins
from furoshiki.messages import withheld
from furoshiki.messages.values import Words
from furoshiki.models.llm.values import ToolCall
from furoshiki.world import World
from tests.emulators.web import PLUGINS, Web
from tests.support.commands import Commander, command
from tests.support.world import Human, Script

__all__ = ["command"]

NO_SANDBOX = probing.choose_backend("auto").backend is None
runs = pytest.mark.skipif(NO_SANDBOX, reason="nothing here can hold a plugin")


@pytest.fixture
def web() -> Iterator[Web]:
    server = Web()
    yield server
    server.stop()


@pytest.fixture
def world(world: World, web: Web) -> World:
    """Somebody whose own network has the servers of the plugins."""
    settings = world.settings.model_copy(update={"furoshiki_plugin_local_hosts": web.host})
    return replace(world, settings=settings)


def own_server(world: World, web: Web, name: str = "weather") -> None:
    manifest, _ = manifests.read(PLUGINS / name)
    assert manifest is not None
    own_settings.put(world.home, manifest, "URL", web.url)


def env(world: World) -> dict[str, str]:
    return dict(read_env_file(world.settings.data / ".env"))


async def taps(command: Commander, words: Words | None, text: str) -> Words:
    """Press the button of this text under some words."""
    assert words is not None
    data = next(one["data"] for row in words.extra["buttons"] for one in row if one["text"] == text)
    found = await command.press(data)
    assert found is not None
    return found


def test_each_that_comes_along_is_shown_and_what_it_needs_can_be_asked_for() -> None:
    there = {one.name: one.manifest for one in switching.list_shipped()}
    assert there.keys() == offering.SHOWN.keys()
    required = {(name, one.name) for name, about in there.items() if about for one in about.settings if one.required}
    asked = {(name, setting) for name, steps in needs.NEEDS.items() for setting in steps}
    assert required <= asked
    assert {name for name, _ in required} == {"weather", "calendar", "feeds", "mail"}
    known = {(name, one.name): one.secret for name, about in there.items() if about for one in about.settings}
    for name, setting in asked:
        assert known[name, setting] == bool(needs.NEEDS[name][setting].secret), "what is a secret is asked for as one"
    assert all(len(f"plug.on:{name}.{'0' * 32}") <= 64 for name in there), "Telegram takes 64 bytes"


async def test_all_are_listed_with_a_button_that_switches_each(command: Commander) -> None:
    words = await command("/plugins")
    assert words.text.splitlines()[0] == "• The web: off"
    assert [one["text"] for row in words.extra["buttons"] for one in row][:2] == [
        "The web: switch on",
        "The weather: switch on",
    ]


async def test_what_one_may_reach_is_shown_before_it_is_switched_on(command: Commander, world: World) -> None:
    asked = await taps(command, await command("/plugins"), "The web: switch on")
    assert asked.text.startswith("Shall I be able to look things up on the web?")
    assert "• connect to html.duckduckgo.com" in asked.text and installed.one(world, "web-search") is None
    done = await taps(command, asked, "Yes")
    assert done.text == "The web: it is on, and works. Ask me."
    assert offering.is_on(world, "web-search")
    shown = await command("/plugins")
    assert shown.text.startswith("• The web: on")
    off = await taps(command, shown, "The web: switch off")
    assert off.text.startswith("The web: switched off.") and not offering.is_on(world, "web-search")
    again = await taps(command, await taps(command, await command("/plugins"), "The web: switch on"), "Yes")
    assert "it is on" in again.text


async def test_what_changed_since_it_was_shown_is_shown_again(command: Commander, world: World) -> None:
    asked = await taps(command, await command("/plugins"), "Dice: switch on")
    assert "It may access nothing." in asked.text
    switching.put_in_place(world, package.gather_files(PLUGINS / "dice"), "shipped")
    again = await taps(command, asked, "Yes")
    assert again.text.startswith("It has changed since then; look again.") and again.extra["buttons"]


@runs
async def test_a_place_is_asked_for_and_the_weather_fetched(command: Commander, world: World, web: Web) -> None:
    own_server(world, web)
    human = Human(world, Worker(world))
    asked = await taps(command, await taps(command, await command("/plugins"), "The weather: switch on"), "Yes")
    assert asked.text.startswith("For which place?") and asked.extra["buttons"][0][0]["text"] == "Lisbon"
    await human.says("I want to die")
    assert "PLUGIN_WEATHER_PLACE" not in env(world), "a call for help is no place"
    said = await human.says("", "location", attachment={"latitude": 38.721234, "longitude": -9.139})
    assert said == ["The weather: it is on, and works. Ask me."]
    assert env(world)["PLUGIN_WEATHER_PLACE"] == "38.72,-9.14" and web.count("/v1/forecast") == 1
    with world.database.read() as db:
        found = plugins.get(db, "weather")
    assert found is not None and found.state == "enabled"


@runs
async def test_a_first_try_that_fails_is_told(command: Commander, world: World, web: Web) -> None:
    own_server(world, web)
    web.bodies.clear()
    await taps(command, await taps(command, await command("/plugins"), "The weather: switch on"), "Yes")
    words = await command("/plugins weather PLACE 38.72,-9.14")
    assert words.text.startswith("The weather: it is on, but a first try failed.")


async def test_a_calendars_address_is_kept_as_a_secret_and_nowhere_else(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("furoshiki.extensions.plugins.requirements.install", lambda *_args: None)
    human, address = Human(world, Worker(world)), "https://calendar.example.org/private-7f3a/basic.ics"
    asked = offering.question(world, "calendar")
    assert (
        asked is not None and "• connect to the host in its setting URL" in asked.text and "icalendar==" in asked.text
    )
    on = asked.extra["buttons"][0][0]["data"].partition(":")[2]
    kind = await offering.switch_on(world, on)
    assert kind is not None and kind.text.startswith("How can I reach your calendar?")
    address_asked = await offering.keep_setting(world, "calendar", "KIND", "ics")
    assert address_asked is not None and address_asked.text.startswith("Send me the calendar's address")
    refused = await offering.handle_command(world, f"calendar URL {address}")
    assert refused is not None and refused.text.startswith("That is a secret")
    assert env(world) == {"PLUGIN_CALENDAR_KIND": "ics"}
    world.withheld.keep(f"update-{101 + human.sent}", address, world.now)
    said = "\n".join(await human.says(address))
    assert said.startswith("Your calendar: it is on")
    assert env(world)["PLUGIN_CALENDAR_URL"] == address
    with world.database.read() as db:
        assert address not in "\n".join(db.iterdump()) and withheld.find_awaited(db, world.now) is None


async def test_a_calendar_with_user_and_password_is_set_up_by_taps(
    command: Commander, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("furoshiki.extensions.plugins.requirements.install", lambda *_args: None)
    human = Human(world, Worker(world))
    asked = await taps(command, await taps(command, await command("/plugins"), "Your calendar: switch on"), "Yes")
    await taps(command, asked, "With username and password")
    world.withheld.keep(f"update-{101 + human.sent}", "https://cloud.example.org/dav/ann/", world.now)
    assert "\n".join(await human.says("https://cloud.example.org/dav/ann/")).startswith("What username")
    assert (await human.says("help")) != [], "a call for help is no user name"
    assert "PLUGIN_CALENDAR_USER" not in env(world)
    assert "\n".join(await human.says("ann@example.org")).startswith("Send me its password")
    world.withheld.keep(f"update-{101 + human.sent}", "s3cret-s3cret", world.now)
    row = human.writes("s3cret-s3cret")
    await human.waits()
    [answer] = human.answers(row)
    assert answer.text.startswith("Your calendar: it is on, but a first try failed.")
    assert env(world) == {
        "PLUGIN_CALENDAR_KIND": "caldav",
        "PLUGIN_CALENDAR_URL": "https://cloud.example.org/dav/ann/",
        "PLUGIN_CALENDAR_USER": "ann@example.org",
        "PLUGIN_CALENDAR_PASSWORD": "s3cret-s3cret",
    }
    with world.database.read() as db:
        assert "s3cret" not in "\n".join(db.iterdump())
    again = await command.press(answer.extra["buttons"][0][0]["data"])
    assert again is not None and again.text.startswith("How can I reach your calendar?") and env(world) == {}


async def test_addresses_of_feeds_are_taken_from_one_message(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("furoshiki.extensions.plugins.requirements.install", lambda *_args: None)
    asked = offering.question(world, "feeds")
    assert asked is not None and "• read what I remember about you and our conversations" in asked.text
    await offering.switch_on(world, asked.extra["buttons"][0][0]["data"].partition(":")[2])
    human = Human(world, Worker(world))
    await human.says("https://a.example/feed.xml\nhttps://b.example/rss")
    assert env(world)["PLUGIN_FEEDS_URLS"] == "https://a.example/feed.xml https://b.example/rss"


async def test_a_model_that_lacks_one_has_it_offered_once(human: Human, model: Script, command: Commander) -> None:
    wish = ToolCall("c1", "wish_plugin", {"plugin": "weather"})
    model.lines = [wish, "I cannot see the weather yet."]
    row = human.writes("what will the weather be tomorrow?")
    await human.waits()
    answer, asked = human.answers(row)
    assert answer.text == "I cannot see the weather yet."
    assert asked.text.startswith("Should I be able to tell you the weather?") and "api.open-meteo.com" in asked.text
    [[yes, no]] = asked.extra["buttons"]
    assert yes["data"].startswith("plug.on:weather.")
    left = await command.press(no["data"])
    assert left is not None and left.text == "Good. You can switch it on any time with /plugins."
    model.lines = [replace(wish, id="c2"), "I cannot."]
    row = human.writes("and on friday?")
    await human.waits()
    assert [one.text for one in human.answers(row)] == ["I cannot."]


async def test_a_typed_yes_switches_on_what_was_just_offered(human: Human, model: Script, world: World) -> None:
    model.lines = [ToolCall("c1", "wish_plugin", {"plugin": "weather"}), "I cannot see the weather yet."]
    row = human.writes("what will the weather be tomorrow?")
    await human.waits()
    asked = human.answers(row)[1].text
    hosts = [line for line in asked.splitlines() if "open-meteo" in line]
    assert len(hosts) == len({*hosts}) == 2, "each host is named once"
    [said] = await human.says("oh nice, yes")
    assert said.startswith("For which place?") and installed.one(world, "weather") is not None


async def test_a_yes_to_something_asked_beside_the_offer_switches_nothing_on(
    human: Human, model: Script, world: World
) -> None:
    wish = ToolCall("c1", "wish_plugin", {"plugin": "weather"})
    model.lines = [wish, "I cannot see the weather yet. Is the stall outdoors?", "Then bring a coat."]
    human.writes("what will the weather be tomorrow?")
    await human.waits()
    assert await human.says("yes") == ["Then bring a coat."]
    assert installed.one(world, "weather") is None


async def test_one_that_is_on_is_not_offered(human: Human, model: Script, world: World) -> None:
    switching.put_in_place(world, package.gather_files(PLUGINS / "web-search"), "shipped")
    model.lines = [ToolCall("c1", "wish_plugin", {"plugin": "web-search"}), "Let me see."]
    row = human.writes("who won yesterday?")
    await human.waits()
    assert [one.text for one in human.answers(row)] == ["Let me see."]
