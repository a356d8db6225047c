"""`furoshiki restore FILE`: put a backup in place of what is there; what it replaces is kept."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from furoshiki import settings
from furoshiki.cli import house
from furoshiki.cli.printing import as_json, note
from furoshiki.domain.when import stamp
from furoshiki.errors import FuroshikiError
from furoshiki.mind.keep import restore


def run(args: argparse.Namespace) -> int:
    """Ask once, restore, and say what was brought back."""
    held = settings.load()
    path = Path(args.file)
    if not path.is_file():
        raise FuroshikiError(f"{path} is not there; backups lie in {held.data / 'backups'}")
    if not args.yes and not _agreed(held.database):
        note("Nothing was changed.")
        return 1
    done = restore.restore(path, held.data, held.database, house.clock().now())
    if args.json:
        as_json(
            {
                "made_at": stamp(done.made_at),
                "holds": done.holds,
                "schema": done.schema,
                "replaced": str(done.replaced),
            }
        )
    else:
        print(f"Restored what was there on {stamp(done.made_at)[:16].replace('T', ' ')} UTC: {_held(done.holds)}.")
        print(f"What it replaced is kept in {done.replaced}. The index is built anew at the next start.")
    return 0


def _agreed(database: Path) -> bool:
    """Whether it may go on: nothing is there to be replaced, or the person says yes."""
    if not database.exists():
        return True
    if not sys.stdin.isatty():
        raise house.Misused(f"{database} exists: give --yes to replace it (it is kept)")
    return input(f"Replace {database}? It is kept. [y/N] ").strip().lower() in ("y", "yes")


def _held(holds: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in holds.items() if count) or "nothing yet"
