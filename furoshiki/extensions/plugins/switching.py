"""Enabling and disabling of plugins by their owner, with their jobs in the schedule."""

from collections.abc import Mapping
from pathlib import Path

from furoshiki.core.paths import ROOT
from furoshiki.extensions.plugins import installed, installing, manifest, schedules
from furoshiki.extensions.plugins.rules import names, permissions
from furoshiki.extensions.plugins.store import plugins
from furoshiki.extensions.plugins.store.plugins import Row
from furoshiki.extensions.plugins.values import Installed, Manifest, Origin
from furoshiki.world import World


def list_shipped() -> list[Installed]:
    """Return the bundled plugins as they would be installed."""
    home = ROOT / "plugins"
    folders = sorted(path for path in home.iterdir() if (path / manifest.FILE).is_file()) if home.is_dir() else []
    return [_load_shipped(folder) for folder in folders if names.PLUGIN.fullmatch(folder.name)]


def comes_newer(plugin: Installed) -> str | None:
    """Return the bundled version of an installed plugin if it differs, else None."""
    if plugin.origin != "shipped" or plugin.manifest is None:
        return None
    about, _problems = manifest.read(locate_shipped(plugin.name))
    return about.version if about is not None and about.version != plugin.manifest.version else None


def locate_shipped(name: str) -> Path:
    """Return the folder of a bundled plugin, which may not exist."""
    return ROOT / "plugins" / name


def has_fewer_rights(world: World, row: Row) -> bool:
    """Return whether the installed plugin has fewer permissions than this row."""
    with world.database.read() as db:
        there = plugins.get(db, row.name)
    return there is None or bool(permissions.beyond(row.permissions, there.permissions))


def is_as_allowed(world: World, plugin: Installed) -> bool:
    """Return whether a plugin is as approved, so that enabling it allows nothing new."""
    with world.database.read() as db:
        row = plugins.get(db, plugin.name)
    if row is None or plugin.manifest is None or installed.differences(plugin.folder, plugin.name, row.pins):
        return False
    return not permissions.beyond(plugin.manifest.permissions, row.permissions)


def switch_on(world: World, name: str) -> None:
    """Enable an installed, unchanged plugin."""
    with world.database.write() as db:
        plugins.turn(db, name, "enabled", world.now)
    reload(world)


def switch_off(world: World, name: str) -> bool:
    """Disable a plugin and delete its text; False when it is not installed."""
    with world.database.write() as db:
        done = plugins.turn(db, name, "disabled", world.now)
        plugins.drop_context(db, name)
    reload(world)
    return done


def put_in_place(world: World, files: Mapping[str, bytes], origin: Origin) -> Manifest:
    """Install an approved plugin, enabled, with its jobs."""
    found = installing.install(world, files, origin)
    reload(world)
    return found


def take_away(world: World, name: str) -> Path:
    """Remove a plugin and its jobs; returns its backup."""
    kept = installing.remove(world, name)
    reload(world)
    return kept


def reload(world: World) -> int:
    """Update the schedule to the enabled plugins; returns the number of jobs. Raises BadSetting."""
    return schedules.merge(world.home, installed.list_all(world))


def _load_shipped(folder: Path) -> Installed:
    about, problems = manifest.read(folder)
    return Installed(folder.name, folder, about, "disabled", "shipped", problems)
