"""Plugins and tool servers for the page: their permissions, runs and settings."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from furoshiki.core.catalogue import Sentence, later, say, say_sentence
from furoshiki.core.errors import BadSetting, FuroshikiError
from furoshiki.extensions.plugins import installed, installing, offers, own_settings, switching
from furoshiki.extensions.plugins.offers import ChangedMeanwhile, Offer
from furoshiki.extensions.plugins.rules import names, permissions
from furoshiki.extensions.plugins.store import plugins, runs
from furoshiki.extensions.plugins.store.runs import Sum
from furoshiki.extensions.plugins.values import Installed
from furoshiki.extensions.tool_servers import configured
from furoshiki.extensions.tool_servers import permissions as tool_permissions
from furoshiki.extensions.tool_servers.values import Allowed, Server
from furoshiki.faces.overview.errors import Conflict, NotThere
from furoshiki.maintenance import setting_changes
from furoshiki.world import World

SINCE = timedelta(days=30)  # the period over which runs are summed up

TO_WHERE = later(
    "{setting} is a secret address that secrets are sent to, so it can only be changed on the machine itself."
)

LISTED = later("Check the list for what exists.")

ORIGINS = later(
    {"shipped": "comes with the program", "proposal": "written by the companion", "folder": "installed by you"}
)


@dataclass(frozen=True)
class Plugin:
    """A plugin. `state` is one of STATES; `may` and `runs_when` are in words; `newer` is the
    shipped version if it differs."""

    found: Installed
    state: str
    may: tuple[str, ...]
    runs_when: tuple[str, ...]
    did: Sum | None
    newer: str | None
    problems: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.found.name


def every(world: World) -> list[Plugin]:
    """Return every plugin, installed or shipped."""
    with world.database.read() as db:
        did = runs.sums(db, world.now - SINCE)
    plugins_there = offers.list_all(world)
    return [_plugin(one, "shipped" if shipped else one.state, did.get(one.name)) for one, shipped in plugins_there]


def one(world: World, name: str, before: int | None = None, most: int = 20) -> dict[str, Any]:
    """Return one plugin in full, its files compared with the allowed ones: also the values of its
    settings (`held`), last runs, why it was disabled, the allowed files with their hashes (`pins`),
    and the earlier version. Raises NotThere."""
    plugin, is_there = _find(world, name)
    with world.database.read() as db:
        did, last, row = runs.sums(db, world.now - SINCE), runs.of(db, name, most, before), plugins.get(db, name)
    approved: dict[str, Any] = {"reason": None, "pins": {}}
    if row is not None:
        approved = {"reason": row.reason, "pins": row.pins}
    return {
        "one": _plugin(plugin, plugin.state if is_there else "shipped", did.get(name)),
        "held": _read_settings(world, plugin),
        "called": names.env_name,
        "runs": last,
        **approved,
        "earlier": _earlier(world, name),
    }


def _find(world: World, name: str) -> tuple[Installed, bool]:
    """Return a plugin, and whether it is installed, else shipped. Raises NotThere."""
    there = installed.one(world, _check_name(name), thoroughly=True)
    plugin = there or next((each for each in switching.list_shipped() if each.name == name), None)
    if plugin is None:
        gone = later("It may have been removed: check the list for what's installed.")
        raise NotThere(Sentence("There is no plugin {name!r}.", name=name), gone)
    return plugin, there is not None


def offer(world: World, name: str, what: str) -> Offer:
    """Return what `what` ("enable", "rollback") would allow. Raises NotThere, NotInstalled."""
    name = _check_name(name)
    try:
        return offers.to_go_back(world, name) if what == "rollback" else offers.to_enable(world, name)
    except offers.NoPlugin as error:
        raise NotThere(error.args[0]) from error


def agree(world: World, name: str, what: str, mark: str) -> str:
    """Do what was shown with this mark; return a message. Raises Conflict if it has changed."""
    found = offer(world, name, what)
    if found.mark != mark:
        changed = Sentence("{name} has changed since you saw it, so nothing was done.", name=name)
        raise Conflict(changed, later("Check it again."))
    try:
        return offers.accept(world, found)
    except ChangedMeanwhile as error:
        raise Conflict(error.args[0], later("Check it again.")) from error


def switch_off(world: World, name: str) -> str:
    """Disable a plugin. Raises NotThere."""
    if not switching.switch_off(world, _check_name(name)):
        raise _not_installed(name)
    return say("{name} is off.", name=name)


def remove(world: World, name: str) -> str:
    """Remove a plugin; a copy is kept. Raises NotThere."""
    if installed.one(world, _check_name(name)) is None:
        raise _not_installed(name)
    switching.take_away(world, name)
    return say("{name} is removed. A copy is kept: `furoshiki plugins rollback {name}` brings it back.", name=name)


def put_setting(world: World, name: str, setting: str, value: str | None) -> str:
    """Set one of a plugin's settings (None: unset it). Raises NotThere, BadSetting, Conflict."""
    about = _find(world, name)[0].manifest
    if about is None:
        raise NotThere(Sentence("The manifest of {name} can't be read.", name=name), later("Its page says why."))
    known = next((each for each in about.settings if each.name.upper() == setting.upper()), None)
    if known is not None and own_settings.secrets_travel(world.home, about, known.name):
        if known.secret:
            raise Conflict(Sentence(TO_WHERE, setting=setting), f"`furoshiki plugins set {name} {setting} …`.")
        return setting_changes.ask_for_plugin(world, name, names.env_name(name, known.name), value, known.about)
    called = own_settings.put(world.home, about, setting, value)
    held, free = later("{setting} is set"), later("{setting} is no longer set")
    done = say(free if value is None else held, setting=called)
    return say("{done}; {name} will use it from its next run.", done=done, name=name)


def is_secret(world: World, name: str, setting: str) -> bool:
    """Return whether a plugin's setting is secret. Raises NotThere."""
    about = _find(world, name)[0].manifest
    return about is not None and any(each.secret for each in about.settings if each.name.upper() == setting.upper())


def tools(world: World) -> tuple[list[tuple[Server, list[Allowed]]], str]:
    """Return the configured servers with their allowed tools, and the file's error ("": none)."""
    try:
        servers = configured.servers(world.settings.data)
    except BadSetting as error:
        return [], say_sentence(error)
    with world.database.read() as db:
        held = tool_permissions.read_allowed(db, servers)
    return [(server, [each for each in held if each.server.name == server.name]) for server in servers], ""


def _plugin(plugin: Installed, state: str, did: Sum | None) -> Plugin:
    about = plugin.manifest
    shown = Plugin(found=plugin, state=state, may=(), runs_when=(), did=did, newer=None, problems=())
    if about is not None:
        may, hooks = permissions.in_words(about.permissions), permissions.hooks(about)
        shown = replace(shown, may=tuple(may), runs_when=tuple(hooks))
    if state != "shipped":
        shown = replace(shown, newer=switching.comes_newer(plugin), problems=plugin.problems)
    return shown


def _read_settings(world: World, plugin: Installed) -> dict[str, str]:
    """Return the values of a plugin's settings that are set; "" for a secret one."""
    if plugin.manifest is None:
        return {}
    held = own_settings.set_values(world.home, plugin.manifest)
    return {each.name: "" if each.secret else held[each.name] for each in plugin.manifest.settings if each.name in held}


def _earlier(world: World, name: str) -> str | None:
    try:
        return installing.earlier(world, name)[1].version
    except (FuroshikiError, OSError):
        return None


def _check_name(name: str) -> str:
    if names.PLUGIN.fullmatch(name) is None:
        raise NotThere(Sentence("{name!r} isn't a valid plugin name.", name=name), LISTED)
    return name


def _not_installed(name: str) -> NotThere:
    return NotThere(Sentence("{name} is not installed.", name=name), LISTED)
