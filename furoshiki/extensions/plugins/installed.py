"""The plugins of a data directory: folders and database rows, combined."""

import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from furoshiki.core.atomic_files import locked
from furoshiki.extensions.plugins import installing, own_settings, pins
from furoshiki.extensions.plugins import manifest as manifests
from furoshiki.extensions.plugins.rules import names, permissions
from furoshiki.extensions.plugins.store import plugins
from furoshiki.extensions.plugins.store.plugins import Row
from furoshiki.extensions.plugins.values import Installed
from furoshiki.world import World


def list_all(world: World, *, thoroughly: bool = False) -> list[Installed]:
    """Return all plugins with a folder or row, by name. `thoroughly` verifies the files' hashes."""
    if installing.is_unsettled(world):  # an installation is running or was interrupted
        with locked(installing.lock_file(world), wait=False) as mine:
            if mine:
                installing.settle(world)
    with world.database.read() as db:
        rows = plugins.read_all(db)
    return _together(world, rows, thoroughly)


def list_running(world: World, db: sqlite3.Connection) -> list[Installed]:
    """Return the running plugins by name, for a caller with an open database connection."""
    rows = plugins.read_all(db)
    return [plugin for plugin in _together(world, rows, thoroughly=False) if plugin.runs]


def _together(world: World, rows: Mapping[str, Row], thoroughly: bool) -> list[Installed]:
    home = world.home / installing.FOLDER
    try:
        there = {path.name for path in home.iterdir() if names.PLUGIN.fullmatch(path.name)}
    except FileNotFoundError:
        there = set()
    found = [_one(home / name, rows.get(name), thoroughly) for name in sorted(there | rows.keys())]
    found = [_without_settings(world, plugin) for plugin in found]
    return [_without_clashes(plugin, found) for plugin in found]


def one(world: World, name: str, *, thoroughly: bool = False) -> Installed | None:
    """Return the plugin with this name; None without folder and row."""
    return next((plugin for plugin in list_all(world, thoroughly=thoroughly) if plugin.name == name), None)


def _one(folder: Path, row: Row | None, thoroughly: bool) -> Installed:
    name = folder.name
    if folder.is_symlink() or not folder.is_dir():
        problem = f"{folder} is no folder: put it back from a backup, or `furoshiki plugins remove {name}`"
        return Installed(
            name, folder, None, row.state if row else "disabled", row.origin if row else "folder", (problem,)
        )
    manifest, problems = manifests.read(folder)
    found = list(problems)
    if manifest is not None and manifest.name != name:
        found.append(f"PLUGIN.md says that it is {manifest.name!r}: call the folder so, or write `name: {name}`")
    if row is None:
        found.append(f"its files are not allowed yet: `furoshiki plugins enable {name}` shows what it may do, and asks")
        return Installed(name, folder, manifest, "disabled", "folder", tuple(found))
    if manifest is not None and (more := permissions.beyond(manifest.permissions, row.permissions)):
        words = "; ".join(more)
        found.append(f"it wants more than you allowed ({words}): `furoshiki plugins enable {name}` asks again")
    if thoroughly:
        found += differences(folder, name, row.pins)
    return Installed(name, folder, manifest, row.state, row.origin, tuple(found))


def differences(folder: Path, name: str, pinned: Mapping[str, str]) -> list[str]:
    """Return how the files differ from the approved ones, with advice; empty if equal."""
    found = pins.differ(folder, pinned)
    if not found:
        return []
    shown = ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")
    return [f"{shown} since you allowed it: look at it, then `furoshiki plugins enable {name}`, or `… rollback {name}`"]


def _without_settings(world: World, plugin: Installed) -> Installed:
    missing = own_settings.describe_missing(world.home, plugin.manifest) if plugin.manifest is not None else []
    return replace(plugin, problems=(*plugin.problems, *missing)) if missing else plugin


def _without_clashes(plugin: Installed, every: list[Installed]) -> Installed:
    """Report a clash of setting names with another plugin, whose secret the plugin would get, or a
    possible clash with a plugin whose PLUGIN.md is unreadable."""
    mine = _list_env_names(plugin)
    for other in every:
        if other.name == plugin.name:
            continue
        if both := mine & _list_env_names(other):
            words = f"its setting {min(both)} is also one of {other.name}: call it differently in PLUGIN.md"
            return replace(plugin, problems=(*plugin.problems, words))
        theirs = names.env_name(other.name, "")
        if other.manifest is None and (both := {name for name in mine if name.startswith(theirs)}):
            words = f"its setting {min(both)} may be one of {other.name}: mend or remove {other.name} first"
            return replace(plugin, problems=(*plugin.problems, words))
    return plugin


def _list_env_names(plugin: Installed) -> set[str]:
    return {names.env_name(plugin.name, each.name) for each in plugin.manifest.settings} if plugin.manifest else set()
