"""`furoshiki config`: which settings hold and where they come from, whether they are right, and what there is."""

from __future__ import annotations

import argparse
import os
from typing import Any

from furoshiki.cli.terminal.printing import as_json, markdown, table
from furoshiki.core import settings
from furoshiki.core.addresses import without_secrets
from furoshiki.core.errors import BadSetting
from furoshiki.core.settings import Settings


def run(args: argparse.Namespace) -> int:
    """Show, check or document the settings."""
    if args.verb == "docs":
        markdown(settings.docs())
        return 0
    given = settings.effective()
    held = settings.load()
    if args.verb == "check":
        return _check(held, args)
    rows = [_row(name, getattr(held, name), given.get(name)) for name in Settings.model_fields]
    if args.json:
        as_json({row["name"]: row for row in rows})
    else:
        table(["setting", "value", "from"], [[row["name"], row["value"], row["source"]] for row in rows])
    return 0


def _check(held: Settings, args: argparse.Namespace) -> int:
    """Everything that can be said before the start: settings load, what they name is there and can be used, the
    servers answer (unless --offline), and the numbers of the inner life and the schedules make sense."""
    from furoshiki.app.wiring import inner_life
    from furoshiki.cli import servers
    from furoshiki.conversation.commands.status import LOCKS, lock_held, plans
    from furoshiki.maintenance import setup_check
    from furoshiki.scheduler import schedule_file

    chosen = plans(held)
    notes = [*chosen.notes, *setup_check.faults(held, chosen), *setup_check.oddities(held), *_out_of_reach(held)]
    for look in (lambda: inner_life(held.data), lambda: schedule_file.read(held.data / "memory" / "schedules.json")):
        try:
            look()
        except BadSetting as error:
            notes.append(str(error))
    if not args.offline:
        listening = any(map(lock_held, (held.data / "run").glob(LOCKS["listener"])))
        notes += [found.words for found in servers.asked(held, chosen, listening=listening)]
    if args.json:
        as_json({"ok": not notes, "notes": notes})
    else:
        print("\n".join(notes) if notes else f"All settings are right. Data: {held.data}")
    return 1 if notes else 0


def _out_of_reach(held: Settings) -> list[str]:
    """The data directory when it is not there and cannot be made either."""
    above = next(folder for folder in (held.data, *held.data.parents) if folder.exists())
    if above == held.data or (above.is_dir() and os.access(above, os.W_OK | os.X_OK)):
        return []
    return [f"FUROSHIKI_DATA: {held.data} cannot be made: {above} cannot be written; choose another folder"]


def _row(name: str, value: Any, given: tuple[Any, str] | None) -> dict[str, Any]:
    shown = None if value is None else "••••••" if name in _secrets() else without_secrets(str(value))
    return {"name": name.upper(), "value": shown, "source": given[1] if given else "default"}


def _secrets() -> frozenset[str]:
    return frozenset(
        name
        for name, field in Settings.model_fields.items()
        if isinstance(field.json_schema_extra, dict) and field.json_schema_extra["secret"]
    )
