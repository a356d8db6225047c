"""`furoshiki plugins`: lists the plugins and what each may do."""

import argparse
from dataclasses import asdict
from typing import Any

from furoshiki.core.framing import visible
from furoshiki.extensions.plugins import installed, switching
from furoshiki.extensions.plugins.offers import STATES, list_all
from furoshiki.extensions.plugins.rules import names, permissions
from furoshiki.extensions.plugins.values import Installed
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, show_list
from furoshiki.language.humanize import shorten
from furoshiki.world import World

NONE = "There are no plugins yet. `furoshiki plugins new NAME` begins one; docs/plugins.md shows how."

LISTED = "`furoshiki plugins` lists them all"


def run(args: argparse.Namespace) -> int:
    """List the plugins, or describe one."""
    world = context.world()
    if args.verb == "info":
        return _info(world, check_name(args.name), args.json)
    found = [(one, "shipped" if shipped else one.state) for one, shipped in list_all(world, thoroughly=True)]
    data = [{**plain(one), "state": state} for one, state in found]
    rows = [_row(one, STATES[state]) for one, state in found]
    return show_list(args.json, data, ("plugin", "version", "state", "what it does"), rows, NONE)


def check_name(typed: str) -> str:
    """Return the typed name. Raises Misused for an invalid plugin name."""
    if names.PLUGIN.fullmatch(typed) is None:
        raise context.Misused(f"{typed!r} cannot be a plugin's name: write it like web-search; {LISTED}")
    return typed


def one(world: World, name: str, *, thoroughly: bool = False) -> Installed:
    """Return the plugin with this name. Raises Misused when there is none."""
    plugin = installed.one(world, check_name(name), thoroughly=thoroughly)
    if plugin is None:
        if name in {each.name for each in switching.list_shipped()}:
            raise context.Misused(f"{name} is switched off: `furoshiki plugins enable {name}` switches it on")
        raise context.Misused(f"there is no plugin {name!r}: {LISTED}")
    return plugin


def plain(plugin: Installed) -> dict[str, Any]:
    """Return a plugin as data for `--json`."""
    about = {} if plugin.manifest is None else asdict(plugin.manifest)
    return {
        "name": plugin.name,
        "state": plugin.state,
        "origin": plugin.origin,
        "runs": plugin.runs,
        "problems": list(plugin.problems),
        "folder": str(plugin.folder),
        **{name: value for name, value in about.items() if name != "name"},
    }


def _info(world: World, name: str, machine: bool) -> int:
    offered = {each.name: each for each in switching.list_shipped()}
    there = installed.one(world, name, thoroughly=True)
    plugin = there or offered.get(name) or one(world, name)
    state = plugin.state if there else "shipped"
    if machine:
        as_json({**plain(plugin), "state": state})
        return 0
    about = plugin.manifest
    lines = [f"{name} {about.version if about else ''}".rstrip() + f" ({STATES[state]})"]
    if about is not None:
        lines += [*permissions.describe_plugin(about), f"By {about.author}, {about.licence}."]
    lines += [_newer(plugin)] if there and switching.comes_newer(plugin) else []
    from furoshiki.conversation.skills import registry  # slow to load, and only needed here

    too_long = registry.describe_left_out(world, f"the plugin {name}")
    lines += [f"Its files: {plugin.folder}", *(f"! {problem}" for problem in (*plugin.problems, *too_long))]
    print(visible("\n".join(lines)))
    return 0


def _newer(found: Installed) -> str:
    return f"{switching.comes_newer(found)} comes with me: `furoshiki plugins enable {found.name}`"


def _row(plugin: Installed, state: str) -> tuple[str, ...]:
    about = plugin.manifest
    newer = _newer(plugin) if state != STATES["shipped"] and switching.comes_newer(plugin) else ""
    words = plugin.problems[0] if plugin.problems else newer or (about.description if about else "")
    broken = plugin.problems and plugin.state == "enabled"
    return plugin.name, about.version if about else "", "does not run" if broken else state, shorten(words, 160)
