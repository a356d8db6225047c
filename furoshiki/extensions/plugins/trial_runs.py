"""A plugin tried with sample input: one that is installed, or, on a copy of its files, one nobody has allowed yet."""

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


async def try_entry(world: World, one: Installed, entry: EntryPoint) -> tuple[EntryPoint, Run]:
    """Run it now."""
    target = entry.targets[0] if entry.targets else None
    args = samples.arguments(entry.args_schema) if entry.hook == "callable" else {}
    given = hooks.build_input(world, one, entry, target, samples.EVENTS.get(entry.hook, {}), args)
    return entry, await running.run(world, one, entry, given)


async def try_folder(
    world: World, folder: Path, files: Mapping[str, bytes], manifest: Manifest
) -> list[tuple[EntryPoint, Run]]:
    """Run each entry point of the plugin in a folder once; it is given nothing that its owner has to agree to."""
    with scratch.folder(world.home, "plugin", world.now) as copy:
        installing.write(copy, files)
        if (folder / "packages").is_dir():
            trees.copy(folder / "packages", copy / "packages")
        # under a name that no plugin has: it has nobody's settings, and what it comes to is on nobody's record
        name = f"{manifest.name}?"
        one = Installed(name, copy, replace(manifest, name=name), "enabled", "folder")
        return [_forgiven(*await try_entry(world, one, entry)) for entry in manifest.entry_points]


def _forgiven(entry: EntryPoint, found: Run) -> tuple[EntryPoint, Run]:
    """To be refused what nobody has agreed to yet is no fault of the script."""
    if found.status != "failed" or not (_REFUSED in found.error or asking.NOT_AGREED in found.error):
        return entry, found
    return entry, replace(found, status="ok", error="", output=replace(found.output, log=STOPPED))
