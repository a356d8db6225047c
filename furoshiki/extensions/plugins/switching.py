"""Plugins switched on and off by their owner, with their jobs in the schedule."""

from collections.abc import Mapping
from pathlib import Path

from furoshiki.core.paths import ROOT
from furoshiki.extensions.plugins import installed, installing, manifest, schedules
from furoshiki.extensions.plugins.rules import names, permissions
from furoshiki.extensions.plugins.store import contexts, plugins
from furoshiki.extensions.plugins.store.plugins import Row
from furoshiki.extensions.plugins.values import Installed, Manifest, Origin
from furoshiki.world import World


def list_shipped() -> list[Installed]:
    """The plugins that come with the program, as they would be installed."""
    home = ROOT / "plugins"
    folders = sorted(path for path in home.iterdir() if (path / manifest.FILE).is_file()) if home.is_dir() else []
    return [_load_shipped(folder) for folder in folders if names.PLUGIN.fullmatch(folder.name)]


def comes_newer(one: Installed) -> str | None:
    """The version of an installed plugin that comes with the program now, where it is another than the one in place."""
    if one.origin != "shipped" or one.manifest is None:
        return None
    about, _problems = manifest.read(locate_shipped(one.name))
    return about.version if about is not None and about.version != one.manifest.version else None


def locate_shipped(name: str) -> Path:
    """Where a plugin that comes with the program lies, if there is one of that name."""
    return ROOT / "plugins" / name


def has_fewer_rights(world: World, row: Row) -> bool:
    """Whether the plugin that is in place may less than this row allows."""
    with world.database.read() as db:
        there = plugins.get(db, row.name)
    return there is None or bool(permissions.beyond(row.permissions, there.permissions))


def is_as_allowed(world: World, one: Installed) -> bool:
    """Whether a plugin is as its owner allowed it, so that switching it on allows nothing new."""
    with world.database.read() as db:
        row = plugins.get(db, one.name)
    if row is None or one.manifest is None or installed.differences(one.folder, one.name, row.pins):
        return False
    return not permissions.beyond(one.manifest.permissions, row.permissions)


def switch_on(world: World, name: str) -> None:
    """Let a plugin run that is installed and untouched."""
    with world.database.write() as db:
        plugins.turn(db, name, "enabled", world.now)
    reload(world)


def switch_off(world: World, name: str) -> bool:
    """Let a plugin not run any more; False when it is not installed. What it had to say is gone."""
    with world.database.write() as db:
        done = plugins.turn(db, name, "disabled", world.now)
        contexts.drop(db, name)
    reload(world)
    return done


def put_in_place(world: World, files: Mapping[str, bytes], origin: Origin) -> Manifest:
    """Install what the owner agreed to, enabled, with its jobs."""
    found = installing.install(world, files, origin)
    reload(world)
    return found


def take_away(world: World, name: str) -> Path:
    """Remove a plugin and its jobs; where it is kept."""
    kept = installing.remove(world, name)
    reload(world)
    return kept


def reload(world: World) -> int:
    """Bring the schedule up to what is enabled; how many jobs of plugins there are. Raises BadSetting."""
    return schedules.merge(world.home, installed.list_all(world))


def _load_shipped(folder: Path) -> Installed:
    about, problems = manifest.read(folder)
    return Installed(folder.name, folder, about, "disabled", "shipped", problems)
