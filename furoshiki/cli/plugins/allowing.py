"""`furoshiki plugins apply|enable|disable|remove|rollback|reload`: what may run, asked of the owner in plain words."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from furoshiki.cli import context
from furoshiki.cli.plugins.main import named, one, plain
from furoshiki.core.visible import visible
from furoshiki.plugins import installed, installing, own_settings, package, switching
from furoshiki.plugins import manifest as manifests
from furoshiki.plugins.authoring import deciding
from furoshiki.plugins.rules import names, permissions
from furoshiki.plugins.values import Installed, Manifest, Origin
from furoshiki.terminal.printing import as_json, note
from furoshiki.world import World

CANCELLED = "Nothing was changed."


def run(args: argparse.Namespace) -> int:
    """Do what the verb says."""
    world = context.world()
    match args.verb:
        case "apply":
            return _apply(world, args)
        case "enable":
            return _enable(world, args)
        case "disable":
            if not switching.switch_off(world, one(world, args.name).name):
                return _said(world, args, f"{args.name} was not switched on.")
            return _said(world, args, f"{args.name} is off. `furoshiki plugins enable {args.name}` switches it on.")
        case "remove":
            return _remove(world, args)
        case "rollback":
            return _rollback(world, args)
    count = switching.reload(world)
    as_json({"jobs": count}) if args.json else print(f"Read anew: {count} jobs of plugins are in the schedule.")
    return 0


def _apply(world: World, args: argparse.Namespace) -> int:
    path = Path(args.what).expanduser()
    offered = {each.name: each for each in switching.offered()}
    if names.PLUGIN.fullmatch(args.what) and args.what in offered and not path.is_dir():
        return _install(world, args, package.gathered(offered[args.what].folder), "shipped")
    if deciding.NAME.fullmatch(path.name) is not None:
        return _apply_proposal(world, args)
    if not path.is_dir():
        hint = "`furoshiki plugins list` names those that come with me, `… wishes` the proposals"
        raise context.Misused(f"{args.what} is no folder with a plugin; {hint}")
    return _install(world, args, package.gathered(path), "folder")


def _apply_proposal(world: World, args: argparse.Namespace) -> int:
    """Install exactly the files that stand in a proposal, looked at once more after the yes."""
    asked = deciding.ready(world, args.what)
    if not _agreed(world, args, asked.manifest, installed.one(world, asked.manifest.name)):
        return 1
    now = deciding.ready(world, args.what)
    if now != asked:
        raise deciding.NotApplied(f"{args.what} changed while you were asked: look at it again")
    files = {path: text.encode("utf-8") for path, text in now.files.items()}
    switching.put_in_place(world, files, "proposal")
    deciding.applied(world, now)
    return _enabled(world, args, now.manifest.name)


def _enable(world: World, args: argparse.Namespace) -> int:
    name = named(args.name)
    found = installed.one(world, name)
    if found is None:
        offered = {each.name: each for each in switching.offered()}
        if name not in offered:
            one(world, name)
        return _install(world, args, package.gathered(offered[name].folder), "shipped")
    if switching.comes_newer(found):
        return _install(world, args, package.gathered(switching.shipped(name)), "shipped")
    if found.manifest is None or not switching.untouched(world, found):
        return _install(world, args, package.gathered(found.folder), found.origin)
    if found.state == "enabled":
        return _enabled(world, args, name)
    if not _agreed(world, args, found.manifest, found):
        return 1
    switching.switch_on(world, name)
    return _enabled(world, args, name)


def _install(world: World, args: argparse.Namespace, files: Mapping[str, bytes], origin: Origin) -> int:
    manifest = package.judged(files)
    before = installed.one(world, manifest.name)
    if not _agreed(world, args, manifest, before):
        return 1
    switching.put_in_place(world, files, origin)
    return _enabled(world, args, manifest.name)


def _enabled(world: World, args: argparse.Namespace, name: str) -> int:
    found = one(world, name)
    words = [f"{name} is enabled.", *(f"But {problem}" for problem in found.problems)]
    return _said(world, args, "\n".join(words))


def _remove(world: World, args: argparse.Namespace) -> int:
    found = one(world, args.name)
    if not args.yes and not _asked(f"Remove {found.name}? A copy is kept for going back."):
        note(CANCELLED)
        return 1
    kept = switching.take_away(world, found.name)
    as_json({"removed": found.name, "kept": str(kept)}) if args.json else print(
        f"{found.name} is removed. What it was is in {kept}; `furoshiki plugins rollback {found.name}` brings it back."
    )
    return 0


def _rollback(world: World, args: argparse.Namespace) -> int:
    """Bring the version before back; asked where it runs and may what the present one does not."""
    name = named(args.name)
    there = installed.one(world, name)
    files, row = installing.earlier(world, name)
    if row.state == "enabled" and (switching.allowed_less(world, row) or there is None or there.state != "enabled"):
        about, problems = manifests.read(files)
        if about is None:
            raise package.NotInstalled("\n".join(problems))
        if not _agreed(world, args, about, there):
            return 1
    installing.rollback(world, name, row)
    switching.reload(world)
    return _said(world, args, f"{name} is {row.version} again. Once more, and it is what it was before.")


def _agreed(world: World, args: argparse.Namespace, manifest: Manifest, before: Installed | None = None) -> bool:
    """Show what it does and may, and ask; whether the owner agreed."""
    instead = f" (in place of {before.manifest.version})" if before is not None and before.manifest is not None else ""
    lines = [f"{manifest.name} {manifest.version}{instead}, by {manifest.author}", *permissions.described(manifest)]
    known = before.manifest if before is not None and switching.untouched(world, before) else None
    if found := own_settings.inherited(world.home, manifest, known):
        lines.append(f"It would be given what is already set in .env, perhaps for another plugin: {', '.join(found)}")
    note(visible("\n".join(lines)))
    if args.yes or _asked(f"Let {manifest.name} do that?"):
        return True
    note(CANCELLED)
    return False


def _asked(question: str) -> bool:
    if not sys.stdin.isatty():
        raise context.Misused("this is for you to decide, and asks in a terminal: there, or with --yes")
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")


def _said(world: World, args: argparse.Namespace, words: str) -> int:
    found = installed.one(world, args.name) if hasattr(args, "name") else None
    if args.json:
        as_json({"said": words, **(plain(found) if found is not None else {})})
    else:
        print(visible(words))
    return 0
