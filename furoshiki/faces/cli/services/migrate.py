"""`furoshiki migrate`: upgrade the database to the newest schema."""

import argparse

from furoshiki.core import settings
from furoshiki.core.database import migrate
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import answer
from furoshiki.maintenance import upgrading


def run(args: argparse.Namespace) -> int:
    """Migrate, and print whether there was anything to do."""
    held = settings.load()
    path = held.database
    changed = upgrading.ensure(held.data, path, context.clock().now, held.backup_recipients)
    return answer(
        args.json,
        {"database": str(path), "schema": migrate.HEAD, "changed": changed},
        f"{path} is {'now' if changed else 'already'} at schema {migrate.HEAD}.",
    )
