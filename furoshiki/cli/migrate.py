"""`furoshiki migrate`: bring the database to the newest schema."""

from __future__ import annotations

import argparse

from furoshiki import settings
from furoshiki.cli import house
from furoshiki.cli.printing import as_json
from furoshiki.mind.keep import upgrading
from furoshiki.storage import migrate


def run(args: argparse.Namespace) -> int:
    """Migrate, and say whether there was anything to do."""
    held = settings.load()
    path = held.database
    changed = upgrading.ensure(held.data, path, house.clock().now)
    if args.json:
        as_json({"database": str(path), "schema": migrate.HEAD, "changed": changed})
    else:
        print(f"{path} is {'now' if changed else 'already'} at schema {migrate.HEAD}.")
    return 0
