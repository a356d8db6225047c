"""Trial runs with sample input, of an installed plugin or a copy of an unapproved one."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from furoshiki.core.process import scratch, trees
from furoshiki.extensions.plugins import hooks, installing, running
from furoshiki.extensions.plugins.rules import asking, samples
from furoshiki.extensions.plugins.values import EntryPoint, Installed, Manifest, Run
from furoshiki.world import World

STOPPED = "it came to where it asks for what it may only once you agreed; `apply` and `run` show the rest"
_REFUSED = "furoshiki_plugin.Refused"


async def try_entry(world: World, plugin: Installed, entry: EntryPoint) -> tuple[EntryPoint, Run]:
    """Run an entry point now with sample input."""
    target = entry.targets[0] if entry.targets else None
    args = samples.arguments(entry.args_schema) if entry.hook == "callable" else {}
    given = hooks.build_input(world, plugin, entry, target, samples.EVENTS.get(entry.hook, {}), args)
    return entry, await running.run(world, plugin, entry, given)


async def try_folder(
    world: World, folder: Path, files: Mapping[str, bytes], manifest: Manifest
) -> list[tuple[EntryPoint, Run]]:
    """Run each entry point of a plugin in a folder once, without any permissions."""
    with scratch.folder(world.home, "plugin", world.now) as copy:
        installing.write(copy, files)
        if (folder / "packages").is_dir():
            trees.copy(folder / "packages", copy / "packages")
        # no plugin has such a name: no settings, and no record
        name = f"{manifest.name}?"
        plugin = Installed(name, copy, replace(manifest, name=name), "enabled", "folder")
        return [_forgiven(*await try_entry(world, plugin, entry)) for entry in manifest.entry_points]


def _forgiven(entry: EntryPoint, run: Run) -> tuple[EntryPoint, Run]:
    """Count a refused request without approval as a success."""
    if run.status != "failed" or not (_REFUSED in run.error or asking.NOT_AGREED in run.error):
        return entry, run
    return entry, replace(run, status="ok", error="", output=replace(run.output, log=STOPPED))
