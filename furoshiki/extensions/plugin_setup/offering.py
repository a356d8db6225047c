"""Bundled plugins in the chat: offered once when useful, enabled by a tap after showing
permissions, asked for their settings, tried at once, and disabled again."""

import asyncio
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from furoshiki.core.catalogue import later, say
from furoshiki.core.database import kv
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import ROOT, read_toml_file
from furoshiki.core.timestamps import parse, stamp
from furoshiki.extensions.plugin_setup import needs
from furoshiki.extensions.plugin_setup.needs import NEEDS
from furoshiki.extensions.plugins import conversation_texts, hooks, installed, offers, own_settings, switching
from furoshiki.extensions.plugins.rules import permissions
from furoshiki.extensions.plugins.rules.mail import REASONS, WRONG_PASSWORD
from furoshiki.extensions.plugins.values import Installed, Manifest
from furoshiki.language.dates import zones
from furoshiki.messages import withheld
from furoshiki.messages.events import Place
from furoshiki.messages.values import Envelope, Words
from furoshiki.owner.user_model import user
from furoshiki.world import World

BUTTON = "plug"

# `kv` key: by plugin the turn in which it was offered. No plugin is offered twice.
_OFFERED = "plugins.offered"

_ASKS = "plugins.asks"  # `kv` key: the setting that is being asked for, and until when

ASKED_FOR = timedelta(hours=1)

MOST_BUTTON = 64  # Telegram's limit of a button's data, in bytes


# by plugin its texts in the chat; English, translated for display
SHOWN: Mapping[str, Any] = read_toml_file(ROOT / "config" / "plugin_setup.toml")


def is_on(world: World, name: str) -> bool:
    """Return whether a plugin runs."""
    plugin = installed.one(world, name)
    return plugin is not None and plugin.runs


def offer(db: sqlite3.Connection, name: str, turn: str, now: datetime) -> bool:
    """Record the offer of a plugin in a turn's answer; False when it was offered before."""
    held = kv.get(db, _OFFERED, {})
    kv.put(db, _OFFERED, {name: turn, **held}, now)
    return bool(held.get(name, turn) == turn)


def find_offer(db: sqlite3.Connection, turn: str) -> str | None:
    """Return the plugin that a turn offered, or None."""
    return next((name for name, key in kv.get(db, _OFFERED, {}).items() if key == turn), None)


def question(world: World, name: str, before: str = "") -> Words | None:
    """Return an offer with purpose, permissions, yes and no; None if not bundled."""
    if name not in SHOWN:
        return None
    found = offers.to_enable(world, name)
    may = _may(world, found.manifest)
    lines = [say(SHOWN[name]["offer"])]
    lines.append("\n".join([say("It may:"), *(f"• {one}" for one in may)]) if may else say("It may access nothing."))
    if found.manifest.requirements:
        fetches = later("It comes with {packages}: they are downloaded into its own folder.")
        lines.append(say(fetches, packages=", ".join(found.manifest.requirements)))
    row = [_button(say("Yes"), "on", f"{name}.{found.mark}"), _button(say("No"), "no", name)]
    return Words("\n\n".join(filter(None, (before, *lines))), {"buttons": [row]})


def describe_all(world: World) -> Words:
    """List the bundled plugins with their state, and a button to switch each."""
    there = {plugin.name: plugin for plugin in installed.list_all(world)}
    lines = [f"• {say(shown['title'])}: {_state(world, there.get(name))}" for name, shown in SHOWN.items()]
    return Words("\n".join(lines), {"buttons": [[_switch(name, there.get(name))] for name in SHOWN]})


async def switch_on(world: World, value: str) -> Words | None:
    """Enable a plugin exactly as shown, ask for its settings, and try it."""
    name, _, mark = value.partition(".")
    if name not in SHOWN:
        return None
    try:
        found = await asyncio.to_thread(offers.to_enable, world, name)
        if found.mark != mark:
            return question(world, name, say("It has changed since then; look again."))
        await asyncio.to_thread(offers.accept, world, found)
    except FuroshikiError as error:
        return Words(say("That did not work. {why}", why=error))
    return await _goes_on(world, name)


def switch_off(world: World, name: str) -> Words | None:
    """Disable a plugin; its data and settings stay."""
    if name not in SHOWN or not switching.switch_off(world, name):
        return None
    _over(world)
    return Words(say("{title}: switched off. /plugins switches it on again.", title=say(SHOWN[name]["title"])))


def decline(world: World, name: str) -> Words | None:
    """Decline an offer or question: nothing more is asked."""
    _over(world)
    return Words(say("Good. You can switch it on any time with /plugins.")) if name in SHOWN else None


async def ask_for_settings(world: World, name: str) -> Words | None:
    """Ask for the missing settings of an enabled plugin."""
    return await _goes_on(world, name) if name in SHOWN else None


async def keep_setting(world: World, name: str, setting: str, value: str) -> Words | None:
    """Store a setting and continue with the next question; None for an unknown setting."""
    plugin = installed.one(world, name)
    wanted = (
        next((each for each in plugin.manifest.settings if each.name == setting), None)
        if plugin and plugin.manifest
        else None
    )
    if plugin is None or plugin.manifest is None or wanted is None:
        return None
    need = NEEDS.get(name, {}).get(setting)
    if need is not None and (why := need.refuses(value)) is not None:
        return Words(say(why))
    known = {each.name for each in plugin.manifest.settings}
    brought = {} if need is None else need.brings(value)
    for each, kept in {setting: value, **brought}.items():
        if each in known:
            own_settings.put(world.home, plugin.manifest, each, kept)
    _over(world)
    return await _goes_on(world, name)


async def set_up_again(world: World, name: str) -> Words | None:
    """Ask for all settings again, because the earlier ones were wrong."""
    plugin = installed.one(world, name)
    if plugin is None or plugin.manifest is None or name not in NEEDS:
        return None
    for setting in NEEDS[name]:
        own_settings.put(world.home, plugin.manifest, setting, None)
    return await _goes_on(world, name)


async def handle_command(world: World, args: str) -> Words | None:
    """Handle `/plugins NAME SETTING VALUE`, except for secrets; None for other arguments."""
    name, setting, value = ([*args.split(None, 2), "", "", ""])[:3]
    plugin = installed.one(world, name.lower())
    about = plugin.manifest if plugin is not None else None
    wanted = next((each for each in about.settings if each.name == setting.upper()), None) if about else None
    if about is None or wanted is None or not value:
        return None
    if wanted.secret:
        return Words(say("That is a secret, and was not set: {how}", how=f"`furoshiki plugins set {name} {setting}`"))
    return await keep_setting(world, about.name, wanted.name, value.strip())


async def take_answer(world: World, envelope: Envelope) -> Words | None:
    """Handle a message that answers the open question for a setting; None for any other."""
    message = envelope.message
    if message is None or not envelope.private or message.passed_on:
        return None
    with world.database.read() as db:
        held = kv.get(db, _ASKS)
    if held is None or world.now > parse(held["until"]):
        return None
    name, setting = held["plugin"], held["setting"]
    if isinstance(message.attachment, Place) and setting == "PLACE":
        where = message.attachment
        return await keep_setting(world, name, setting, f"{where.latitude:.2f},{where.longitude:.2f}")
    value = NEEDS[name][setting].reads(envelope.text) if message.typed else None
    return None if value is None else await keep_setting(world, name, setting, value)


async def take_secret(world: World, envelope: Envelope) -> Words:
    """Handle a requested secret that came in a message."""
    value = world.withheld.take(envelope.external_id, world.now)
    with world.database.read() as db:
        held = kv.get(db, _ASKS)
    if value is None or held is None:
        return Words(say("I don't have it any more: I only keep such a message for ten minutes. Please send it again."))
    with world.database.write() as db:
        withheld.over(db)
    bare = "".join(value.split())  # app passwords may be shown in groups; the blanks are optional
    return await keep_setting(world, held["plugin"], held["setting"], bare) or Words(say(_GONE))


async def _goes_on(world: World, name: str, before: str = "") -> Words:
    """Ask for the next setting, after the text `before`; when all are set, try the plugin."""
    plugin = installed.one(world, name)
    if plugin is None or plugin.manifest is None:
        return Words(say(_GONE))
    values = own_settings.set_values(world.home, plugin.manifest)
    setting = needs.find_next(name, values)
    if setting is None:
        return await _try_out(world, plugin)
    need = NEEDS[name][setting]
    with world.database.write() as db:
        kv.put(db, _ASKS, {"plugin": name, "setting": setting, "until": stamp(world.now + ASKED_FOR)}, world.now)
        withheld.over(db)
        if need.secret:
            withheld.ask(db, world.now, need.secret)
        city = str(user.zone(world, db)).rpartition("/")[2].replace("_", " ")
    choices = SHOWN[name].get("choices", {}).get(setting, {})
    shown = {value: say(text) for value, text in choices.items()}
    guess = city if setting == "PLACE" and zones.of_place(city) is not None else need.guess(values)
    shown |= {guess: guess} if guess else {}
    rows = [[_button(text, "set", f"{name}.{setting}.{value}")] for value, text in shown.items()]
    fitting = [row for row in rows if len(row[0]["data"].encode()) <= MOST_BUTTON]
    question = say(SHOWN[name]["asks"][setting], **values)
    buttons = [*fitting, [_button(say("Not now"), "no", name)]]
    return Words("\n\n".join(filter(None, (before, question))), {"buttons": buttons})


async def _try_out(world: World, plugin: Installed) -> Words:
    """Run a scheduled plugin, or one callable without arguments, once, to show whether it works."""
    title = say(SHOWN[plugin.name]["title"])
    about = plugin.manifest
    entries = about.entry_points if about is not None else ()
    entry_point = next(
        (each for each in entries if each.hook == "callable" and not each.args_schema.get("required")), None
    )
    if entry_point is not None and about is not None and NEEDS.get(plugin.name):
        from furoshiki.extensions.plugins import running

        run = await running.run(world, plugin, entry_point, hooks.build_input(world, plugin, entry_point))
        why = run.error if not run.ok else run.fault
        if why == WRONG_PASSWORD:
            own_settings.put(world.home, about, own_settings.PASSWORD, None)
            return await _goes_on(world, plugin.name, say(WRONG_PASSWORD))
        if why is not None:
            return _tell_failed(plugin.name, say(why) if why in REASONS else why)
    cron = next((number for number, each in enumerate(entries, 1) if each.hook == "cron"), None)
    if cron is not None:
        report = await hooks.run_scheduled(world, plugin.name, str(cron))
        if not report.did:
            return _tell_failed(plugin.name, report.summary)
        await conversation_texts.refresh(world)
    return Words(say("{title}: it is on, and works. Ask me.", title=title))


def _tell_failed(name: str, why: str) -> Words:
    """Report a failed trial, with a button to set up the plugin again."""
    words = say("{title}: it is on, but a first try failed. {why}", title=say(SHOWN[name]["title"]), why=why)
    return Words(words, {"buttons": [[_button(say("Set it up again"), "again", name)]]} if name in NEEDS else {})


def _over(world: World) -> None:
    with world.database.write() as db:
        if kv.drop(db, _ASKS):
            withheld.over(db)


def _may(world: World, about: Manifest) -> list[str]:
    """Return the permissions in words; hosts in settings by name where known."""
    known = own_settings.values(world.home, about)
    needed_ = {one.name for one in about.settings if one.required}
    shown = []
    for host in about.permissions.network:
        setting = host.removeprefix("setting:")
        if setting == host or setting in needed_ - known.keys():
            shown.append(host)
        elif setting in known:
            shown += [urlsplit(word).netloc or word for word in known[setting].split()]
    return permissions.in_words(replace(about.permissions, network=tuple(shown)))


def _state(world: World, plugin: Installed | None) -> str:
    if plugin is None or plugin.state == "disabled":
        return say("off")
    if plugin.runs:
        return say("on")
    if plugin.manifest is not None and own_settings.describe_missing(world.home, plugin.manifest):
        return say("on, waiting for what it needs")
    return say("does not run: {problem}", problem=plugin.problems[0] if plugin.problems else plugin.state)


def _switch(name: str, plugin: Installed | None) -> dict[str, str]:
    title = say(SHOWN[name]["title"])
    if plugin is None or plugin.state != "enabled":
        return _button(say("{title}: switch on", title=title), "ask", name)
    if plugin.runs:
        return _button(say("{title}: switch off", title=title), "off", name)
    return _button(say("{title}: set up", title=title), "needs", name)


def _button(text: str, verb: str, value: str) -> dict[str, str]:
    return {"text": text, "data": f"{BUTTON}.{verb}:{value}"}


_GONE = later("That plugin no longer exists. /plugins shows the ones there are.")
