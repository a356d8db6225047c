"""`furoshiki plugins set`: a plugin's own setting in `.env`; secrets are read without echo."""

import argparse
import getpass
import sys

from furoshiki.extensions.plugins import installed, own_settings, switching
from furoshiki.extensions.plugins.values import Manifest
from furoshiki.faces.cli import context
from furoshiki.faces.cli.plugins.main import one
from furoshiki.faces.terminal.printing import answer
from furoshiki.world import World


def run(args: argparse.Namespace) -> int:
    """Set it, or remove it with --unset."""
    world = context.world()
    manifest = _manifest(world, args.name)
    value = None if args.unset else args.value if args.value is not None else _read_value(args.setting)
    called = own_settings.put(world.home, manifest, args.setting, value)
    return answer(
        args.json,
        {"name": called, "set": value is not None},
        f"{called} is {'set' if value is not None else 'no longer set'}; the next run of {manifest.name} has it.",
    )


def _manifest(world: World, name: str) -> Manifest:
    offered = next((each for each in switching.list_shipped() if each.name == name), None)
    plugin = installed.one(world, name) or offered or one(world, name)
    if plugin.manifest is None:
        raise context.Misused(f"{name} has no manifest that can be read: `furoshiki plugins info {name}` says why")
    return plugin.manifest


def _read_value(setting: str) -> str:
    """Read the value from the terminal or stdin, not from shell history. Raises Misused."""
    value = getpass.getpass(f"{setting}: ") if sys.stdin.isatty() else sys.stdin.readline()
    if not value.strip():
        raise context.Misused(f"{setting} needs a value: type it after the name, or --unset")
    return value.strip()
