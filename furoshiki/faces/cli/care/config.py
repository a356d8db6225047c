"""`furoshiki config`: shows settings and their sources, checks and changes them."""

import argparse
import os
from typing import Any

from furoshiki.core import settings
from furoshiki.core.errors import BadSetting
from furoshiki.core.settings import Settings
from furoshiki.faces.cli.context import Misused
from furoshiki.faces.overview.rules import setting_words
from furoshiki.faces.terminal.printing import as_json, markdown, note, table
from furoshiki.maintenance import operator_settings


def run(args: argparse.Namespace) -> int:
    """Show, check, change or document the settings."""
    _check_arguments(args)
    if args.verb == "docs":
        markdown(settings.docs())
        return 0
    given = settings.effective()
    held = settings.load()
    if args.verb == "check":
        return _check(held, args)
    if args.verb in ("set", "unset"):
        return _change(held, args)
    if args.name is not None:
        return _one(operator_settings.describe(args.name, held, given), args)
    rows = [operator_settings.describe(name, held, given) for name in Settings.model_fields]
    if args.json:
        as_json({row["name"]: row for row in rows})
        return 0
    for key, subject in settings.load_subjects().items():
        there = [row for row in rows if row["subject"] == key and (row["value"] or row["source"] != "default")]
        if not there:
            continue
        markdown(f"\n**{subject.title}**: {subject.about}")
        table(
            ["setting", "value", "from", "what for"],
            [[row["name"], _as_typed(row["value"]), row["source"], row["help"].partition(". ")[0]] for row in there],
        )
    note("Settings without a value are left out; `furoshiki config docs` explains every one.")
    return 0


def _check_arguments(args: argparse.Namespace) -> None:
    """Raise Misused for too few or too many words, or for an unknown setting."""
    words = [one for one in (args.name, args.value) if one is not None]
    least, most = {"set": (2, 2), "unset": (1, 1), "show": (0, 1)}.get(args.verb, (0, 0))
    if not least <= len(words) <= most:
        forms = "`config show [NAME]`, `config set NAME VALUE`, `config unset NAME`, `config check`, `config docs`"
        raise Misused(f"use one of these: {forms}")
    if args.name is not None:
        try:
            settings.check_known(args.name, "the command")
        except BadSetting as error:
            raise Misused(str(error)) from None
        args.name = args.name.lower()


def _change(held: Settings, args: argparse.Namespace) -> int:
    changed = operator_settings.change(held.data, args.name, args.value, agreed=True)
    row = operator_settings.describe(args.name, settings.load(), settings.effective())
    if args.json:
        as_json({"changed": changed, **row})
        return 0
    print(f"{row['name']} is {'now' if changed else 'already'} {_as_typed(row['value'])} ({row['source']}).")
    if changed and row["restart"]:
        note(f"It takes effect once {row['restarts']} {_is(row)} restarted.")
    return 0


def _one(row: dict[str, Any], args: argparse.Namespace) -> int:
    if args.json:
        as_json(row)
        return 0
    limits = " or ".join(map(str, row["range"].get("one_of", ()))) or setting_words.limits(row["range"])
    print(f"{row['name']} = {_as_typed(row['value'])}   (from: {row['source']})\n{row['help']}")
    allowed = "true or false" if row["type"] == "boolean" else ", ".join(filter(None, (row["type"], limits)))
    print(f"Allowed: {allowed}; default: {_as_typed(row['default'])}")
    print(row["locked"] or f"Change it: `furoshiki config set {row['name']} VALUE`")
    if row["restart"]:
        print(f"A change takes effect once {row['restarts']} {_is(row)} restarted.")
    return 0


def _as_typed(value: Any) -> Any:
    """Return a value as it is typed: `true` and `false` in small letters, "none" for no value."""
    return {"True": "true", "False": "false", "None": "none"}.get(str(value), value)


def _is(row: dict[str, Any]) -> str:
    return "are" if " and " in row["restarts"] else "is"


def _check(held: Settings, args: argparse.Namespace) -> int:
    """Check what can be checked before the start: the settings load, what they name exists and
    works, the servers answer (unless --offline), and the owner's own files are valid."""
    from furoshiki import own_files
    from furoshiki.app.scheduler import schedule_file
    from furoshiki.core.process.locks import LOCKS, lock_held
    from furoshiki.faces.cli import servers
    from furoshiki.maintenance import setup_check
    from furoshiki.models.llm.plans import plans_of

    chosen = plans_of(held)
    notes = [*chosen.notes, *setup_check.faults(held, chosen), *setup_check.oddities(held), *_out_of_reach(held)]
    strange = [*settings.list_held_back(held.data), *own_files.list_faults(held.data)]
    try:
        schedule_file.read(held.data / "memory" / "schedules.json")
    except BadSetting as error:
        strange.append(str(error))
    notes += [words for words in dict.fromkeys(strange) if words not in notes]
    if not args.offline:
        listening = any(map(lock_held, (held.data / "run").glob(LOCKS["listener"])))
        notes += [finding.words for finding in servers.check_all(held, chosen, listening=listening)]
    if args.json:
        as_json({"ok": not notes, "notes": notes, "passed_over": strange})
    else:
        print("\n".join(notes) if notes else f"All settings are right. Data: {held.data}")
    return 1 if notes else 0


def _out_of_reach(held: Settings) -> list[str]:
    """Report the data directory when it does not exist and cannot be created."""
    above = next(folder for folder in (held.data, *held.data.parents) if folder.exists())
    if above == held.data or (above.is_dir() and os.access(above, os.W_OK | os.X_OK)):
        return []
    return [f"FUROSHIKI_DATA: {held.data} cannot be made: {above} cannot be written; choose another folder"]
