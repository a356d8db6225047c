"""`furoshiki config`: which settings hold and where they come from, whether they are right, and what there is."""

from __future__ import annotations

import argparse
from typing import Any

from furoshiki import settings
from furoshiki.cli.printing import as_json, markdown, table
from furoshiki.domain.addresses import without_secrets
from furoshiki.errors import BadSetting
from furoshiki.settings import Settings


def run(args: argparse.Namespace) -> int:
    """Show, check or document the settings."""
    if args.verb == "docs":
        markdown(settings.docs())
        return 0
    given = settings.effective()
    held = settings.load()
    if args.verb == "check":
        return _check(held, args.json)
    rows = [_row(name, getattr(held, name), given.get(name)) for name in Settings.model_fields]
    if args.json:
        as_json({row["name"]: row for row in rows})
    else:
        table(["setting", "value", "from"], [[row["name"], row["value"], row["source"]] for row in rows])
    return 0


def _check(held: Settings, json: bool) -> int:
    """Everything that can be said without asking anybody: settings load, the models they name can be used, and the
    numbers of the inner life make sense."""
    from furoshiki.mind.commands.status import plans
    from furoshiki.wiring import inner_life

    notes = list(plans(held).notes)
    try:
        inner_life(held.data)
    except BadSetting as error:
        notes.append(str(error))
    if json:
        as_json({"ok": not notes, "notes": notes})
    else:
        print("\n".join(notes) if notes else f"All settings are right. Data: {held.data}")
    return 1 if notes else 0


def _row(name: str, value: Any, given: tuple[Any, str] | None) -> dict[str, Any]:
    shown = None if value is None else "••••••" if name in _secrets() else without_secrets(str(value))
    return {"name": name.upper(), "value": shown, "source": given[1] if given else "default"}


def _secrets() -> frozenset[str]:
    return frozenset(
        name
        for name, field in Settings.model_fields.items()
        if isinstance(field.json_schema_extra, dict) and field.json_schema_extra["secret"]
    )
