"""`furoshiki plugins new`: creates a first plugin, which passes `check` and prints a line."""

import argparse
from pathlib import Path

from furoshiki.extensions.plugin_setup import scaffolding
from furoshiki.faces.cli import context
from furoshiki.faces.cli.plugins.main import check_name
from furoshiki.faces.terminal.printing import as_json


def run(args: argparse.Namespace) -> int:
    """Write the plugin's files; nothing is overwritten. Raises Misused."""
    folder = Path(args.to or ".").expanduser() / check_name(args.name)
    if folder.exists():
        raise context.Misused(f"{folder} is there already: choose another name, or --to another folder")
    files = scaffolding.write(folder)
    if args.json:
        as_json({"folder": str(folder), "files": files})
    else:
        print(f"{folder} is there: PLUGIN.md says what it is, scripts/main.py does it, tests/ tries it.")
        print(f"Next: `furoshiki plugins check {folder}`, then `furoshiki plugins apply {folder}`.")
    return 0
