"""`furoshiki restore FILE`: replace the present data by a backup; what it replaces is kept."""

import argparse
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from furoshiki.core import settings
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.settings import Settings
from furoshiki.core.timestamps import stamp
from furoshiki.faces.cli import context
from furoshiki.faces.cli.care.backup import make_opener
from furoshiki.faces.terminal.printing import as_json, note
from furoshiki.language.humanize import plural
from furoshiki.maintenance import restore
from furoshiki.maintenance.restore import Restored
from furoshiki.maintenance.trust import BackupChanges


def run(args: argparse.Namespace) -> int:
    """Ask once, restore, and report what was restored."""
    held = settings.load()
    path = Path(args.file)
    if not path.is_file():
        raise FuroshikiError(f"{path} is not there; backups lie in {held.data / 'backups'}")
    if held.database.exists() and not args.yes and not sys.stdin.isatty():
        raise context.Misused(f"{held.database} exists: give --yes to replace it (it is kept)")
    done = restore.restore(
        path,
        held.data,
        held.database,
        context.clock().now(),
        lambda changes: _confirm(changes, held.database, args),
        make_opener(args.identity),
        args.with_secrets,
        lambda staged, made_at: _forgotten_again(held, path, staged, made_at),
    )
    if done is None:
        note("Nothing was changed.")
        return 1
    if args.json:
        as_json(
            {
                "made_at": stamp(done.made_at),
                "holds": done.holds,
                "schema": done.schema,
                "replaced": str(done.replaced),
                "owners": list(done.changes.owners),
                "with_secrets": done.with_secrets,
                "stayed_forgotten": dict(done.forgotten),
                "next": next_step(held.data, done),
            }
        )
    else:
        moment = stamp(done.made_at)[:16].replace("T", " ")
        contents = [f"{count:,} {name}" for name, count in done.holds.items() if count]
        print(f"Restored what was there on {moment} UTC: {', '.join(contents) or 'nothing yet'}.")
        if any(done.forgotten.values()):
            print(describe_forgotten(done.forgotten))
        print(f"What it replaced is kept in {done.replaced}.")
        print("What finds memories by their meaning is built again at the next start.")
        print(comes_along(done))
        print(next_step(held.data, done))
    return 0


def _confirm(changes: BackupChanges, database: Path, args: argparse.Namespace) -> bool:
    """Show the owners and settings of the backup, and return whether to go on. Raises Misused."""
    for line in in_words(changes):
        note(line)
    if changes.new_owners and not args.new_owner and (args.yes or not sys.stdin.isatty()):
        raise context.Misused(
            f"this backup makes {' and '.join(changes.new_owners)} the owner, who is not one here: restore it without "
            "--yes to decide, or give --new-owner if that is right"
        )
    if args.yes or not database.exists():
        return True
    return input(f"Replace {database}? It is kept. [y/N] ").strip().lower() in ("y", "yes")


def in_words(changes: BackupChanges) -> list[str]:
    """Describe what a backup changes besides memories, one line each."""
    lines = [f"Owner in this backup: {', '.join(changes.owners) or 'nobody yet'}."]
    if changes.new_owners:
        lines.append(f"NOT an owner here until now: {', '.join(changes.new_owners)}.")
    if changes.secrets:
        lines.append(f"Tokens and keys in this backup set: {', '.join(changes.secrets)}.")
    return lines + [f"Setting that changes: {name} becomes {value}." for name, value in changes.settings]


def _forgotten_again(held: Settings, path: Path, staged: Path, made_at: datetime) -> dict[str, int]:
    """Forget in the unpacked backup what was forgotten since it was made; return counts."""
    from furoshiki.app.wiring import build_world
    from furoshiki.archive.forgetting import after_restore

    past = after_restore.load_past(held.data, held.database, path.absolute().parent)
    there = held.model_copy(update={"furoshiki_data": staged, "furoshiki_database_url": None})
    world = build_world(there, context.clock(), spawn_memoryd=False, minds_when_asked=True)
    try:
        done = after_restore.forget(world, past, made_at, held.data)
    finally:
        world.database.close()
    return {"turns": done.turns, "memories": done.memories, "traces": sum(done.traces.values())}


def describe_forgotten(forgotten: Mapping[str, int]) -> str:
    """Say how much of a backup was not restored because it was forgotten since."""
    turns, memories = forgotten["turns"], forgotten["memories"]
    parts = [plural(turns, "message")] * bool(turns) + [plural(memories, "memory", "memories")] * bool(memories)
    parts += [] if parts else [plural(forgotten["traces"], "trace")]
    return f"Stayed forgotten: {' and '.join(parts)} that the backup held and you had forgotten since."


def comes_along(done: Restored) -> str:
    """Say what was restored besides memories, and what was not."""
    came = "Who is paired, settings made in the chat, lists, schedules, plugins and other people's places came along"
    if done.with_secrets:
        return f"{came}, and the tokens and keys."
    if done.changes.secrets:
        return f"{came}. The backup holds tokens and keys, too: --with-secrets puts them in place."
    return f"{came}. Tokens and keys (.env) did not: they are not in the backup."


def next_step(data: Path, done: Restored) -> str:
    """Return the next step for a person who moved to this machine or went back in time."""
    given = settings.effective()
    missing = [name for name in ("TELEGRAM_BOT_TOKEN",) if name.lower() not in given]
    if missing and any("(telegram " in owner for owner in done.changes.owners):
        return (
            f"Next: write {missing[0]}=… and the keys of your models into {data / '.env'}, stop the companion on the "
            "machine it comes from (one token serves one machine), then start it here with `furoshiki up`."
        )
    return "Next: start it with `furoshiki up`."
