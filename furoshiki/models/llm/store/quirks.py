"""Learned restrictions of models in the database: one `kv` entry for each model."""

import sqlite3
from collections.abc import Collection
from datetime import datetime

from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.language.humanize import plural
from furoshiki.models.llm.quirks import KEPT, Found
from furoshiki.models.llm.rules.refusals import Quirk, in_words

_QUIRKS = "model quirks "  # prefix in `kv` before a model


def read_quirks(db: sqlite3.Connection, now: datetime) -> Found:
    """Return all quirks found within the last 30 days."""
    return {key.removeprefix(_QUIRKS): row for key in kv.keys(db, _QUIRKS) if (row := _fresh(db, key, now))}


def keep(db: sqlite3.Connection, model: str, quirk: Quirk, now: datetime) -> None:
    """Store a quirk ("provider:model"), and delete expired ones of every model."""
    held = _fresh(db, _QUIRKS + model, now) | {quirk.name: (quirk.value, now)}
    kv.put(db, _QUIRKS + model, {name: [value, stamp(at)] for name, (value, at) in held.items()}, now)
    for key in kv.keys(db, _QUIRKS):
        if not _fresh(db, key, now):
            kv.drop(db, key)


def forget(db: sqlite3.Connection, model: str) -> None:
    """Delete the quirks of a model, which is tried again."""
    kv.drop(db, _QUIRKS + model)


def describe_quirks(found: Found, now: datetime, models: Collection[str]) -> list[str]:
    """Describe the quirks of these models, a line each, and when they are tried again."""
    lines = []
    for model in sorted(found.keys() & set(models)):
        oldest = min(at for _value, at in found[model].values())
        words = in_words({name: value for name, (value, _at) in found[model].items()})
        if words:
            lines.append(f"{model} {words} (tried again in {plural((oldest + KEPT - now).days, 'day')})")
    return lines


def _fresh(db: sqlite3.Connection, key: str, now: datetime) -> dict[str, tuple[int, datetime]]:
    rows = {name: (int(value), parse(at)) for name, (value, at) in kv.get(db, key, {}).items()}
    return {name: (value, at) for name, (value, at) in rows.items() if now - at < KEPT}
