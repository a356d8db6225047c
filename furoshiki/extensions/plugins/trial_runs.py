"""Trial runs with sample input, of an installed plugin or of files that nobody has allowed."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from furoshiki.core.process import scratch, trees
from furoshiki.core.timestamps import stamp
from furoshiki.extensions.plugins import hooks, installing, running
from furoshiki.extensions.plugins.rules import asking, samples
from furoshiki.extensions.plugins.values import EntryPoint, Installed, Manifest, Run
from furoshiki.world import World

STOPPED = "it came to where it asks for what it may only once you agreed; `apply` and `run` show the rest"
_REFUSED = "furoshiki_plugin.Refused"


async def try_entry(world: World, plugin: Installed, entry: EntryPoint) -> tuple[EntryPoint, Run]:
    """Run an entry point of an installed plugin now with sample input."""
    target, event, args = _sample(entry)
    return entry, await running.run(world, plugin, entry, hooks.build_input(world, plugin, entry, target, event, args))


async def try_files(
    world: World, manifest: Manifest, files: Mapping[str, bytes], packages: Path | None = None
) -> list[tuple[EntryPoint, Run]]:
    """Run each entry point of a plugin's files once, with its `packages` if any, without
    permissions and private data."""
    with scratch.folder(world.home, "plugin", world.now) as copy:
        installing.write(copy, files)
        if packages is not None and packages.is_dir():
            trees.copy(packages, copy / "packages")
        # no plugin has such a name: no settings, and no record
        name = f"{manifest.name}?"
        plugin = Installed(name, copy, replace(manifest, name=name), "enabled", "folder")
        ran = []
        for entry in manifest.entry_points:
            run = await running.run(world, plugin, entry, _build_input(world, manifest, entry))
            ran.append((entry, _forgive(run)))
        return ran


def _sample(entry: EntryPoint) -> tuple[Any, Mapping[str, Any], dict[str, Any]]:
    """Return the target, the event and the arguments of a trial."""
    args = samples.arguments(entry.args_schema) if entry.hook == "callable" else {}
    return entry.targets[0] if entry.targets else None, samples.EVENTS.get(entry.hook, {}), args


def _build_input(world: World, manifest: Manifest, entry: EntryPoint) -> dict[str, Any]:
    """Return a trial's input, without private data."""
    target, event, args = _sample(entry)
    return {
        "hook": entry.hook,
        "target": target,
        "args": args,
        "settings": {setting.name: setting.default for setting in manifest.settings},
        "state": {**samples.STATE, "now": stamp(world.now)},
        "event": dict(event),
    }


def _forgive(run: Run) -> Run:
    """Count a refused request without approval as a success."""
    if run.status != "failed" or not (_REFUSED in run.error or asking.NOT_AGREED in run.error):
        return run
    return replace(run, status="ok", error="", output=replace(run.output, log=STOPPED))
