"""`furoshiki plugins check|run|logs`: test a plugin before allowing it, run it, show its runs."""

import argparse
import asyncio
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from furoshiki.core.framing import visible
from furoshiki.extensions.plugins import package, trial_runs
from furoshiki.extensions.plugins.rules import permissions
from furoshiki.extensions.plugins.store import runs
from furoshiki.extensions.plugins.values import EntryPoint, Run
from furoshiki.faces.cli import context
from furoshiki.faces.cli.plugins.main import one
from furoshiki.faces.terminal.printing import as_json, show_list
from furoshiki.language.humanize import clock, shorten
from furoshiki.owner.user_model import user
from furoshiki.world import World

FAILED = 1


def run(args: argparse.Namespace) -> int:
    """Run the verb; exit 1 if a run failed."""
    world = context.world()
    match args.verb:
        case "check":
            return _check(world, args)
        case "logs":
            return _logs(world, args)
    plugin = one(world, args.name)
    if plugin.manifest is None:
        raise context.Misused("\n".join(plugin.problems))
    entries = [each for each in plugin.manifest.entry_points if args.hook in (None, each.hook)]
    if not entries:
        raise context.Misused(
            f"{plugin.name} has no {args.hook} hook: `furoshiki plugins info {plugin.name}` names its own"
        )
    if not plugin.runs:
        why = plugin.problems or (f"it is off: `furoshiki plugins enable {plugin.name}`",)
        raise context.Misused(f"{plugin.name} does not run: {why[0]}")
    done = [asyncio.run(trial_runs.try_entry(world, plugin, entry)) for entry in entries]
    return _print_runs(args.json, done)


def _check(world: World, args: argparse.Namespace) -> int:
    folder = Path(args.folder).expanduser()
    files = package.gather_files(folder)
    manifest = package.judge_files(files)
    done = asyncio.run(trial_runs.try_files(world, manifest, files, folder / "packages"))
    if not args.json:
        lines = [f"{manifest.name} {manifest.version}: PLUGIN.md is right.", *permissions.describe_plugin(manifest), ""]
        print(visible("\n".join(lines)))
        for setting in manifest.settings:
            if setting.required and not setting.default:
                print(f"Tried without a setting: it needs {setting.name} ({setting.about})")
    return _print_runs(args.json, done)


def _print_runs(machine: bool, done: list[tuple[EntryPoint, Run]]) -> int:
    if machine:
        as_json([{"script": entry.script, **asdict(each)} for entry, each in done])
    else:
        for entry, each in done:
            print(visible("\n".join(_lines(entry, each))))
    return 0 if all(each.ok for _entry, each in done) else FAILED


def _lines(entry: EntryPoint, found: Run) -> Iterator[str]:
    what = f"{entry.hook} ({entry.script})"
    if not found.ok:
        yield f"{what}: {found.status}: {found.error}"
        return
    yield f"{what}: ok, {found.ms:.0f} ms"
    said: list[tuple[str, Any]] = [("log", found.output.log), ("data", found.output.data)]
    said += [("thought", thought.get("summary")) for thought in found.output.thoughts]
    for name, value in [("says", found.output.context), *said]:
        if value:
            yield f"  {name}: {value}"


def _logs(world: World, args: argparse.Namespace) -> int:
    name = one(world, args.name).name
    with world.database.read() as db:
        zone, found = user.zone(world, db), runs.of(db, name, args.lines)
    rows = []
    for each in found:
        words = shorten(" ".join(str(each["error"] or each["log"] or "").split()), 300)
        rows.append((clock(each["at"], zone, world.now), each["hook"], each["status"], f"{each['ms']:.0f} ms", words))
    nothing = f"{name} has not run yet. `furoshiki plugins run {name}` runs it now."
    return show_list(args.json, found, ("when", "hook", "", "took", "what it said"), rows, nothing)
