"""Recorded troubles: Telegram, a model, the encoder, turns."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from doctor_checks import database
from doctor_checks.files import moment
from doctor_checks.findings import Finding, note, well, wrong
from doctor_checks.look import Look

FIX = "the sentence says what to do; see `furoshiki logs`"

PASSING = ("encoder", "index")  # without these, search works by words: no person is needed

MODEL = "model "


def check(look: Look) -> Iterator[Finding]:
    """Report recorded troubles. The program has told the owner, so the doctor sends no alert."""
    if not look.place.database.exists():
        return
    with database.reading(look.place.database) as db:
        row = (
            db.execute("SELECT value FROM kv WHERE key='troubles'").fetchone() if database.has_table(db, "kv") else None
        )
    standing = {what: one for what, one in _object(row).items() if isinstance(one, dict) and _counts(look, what, one)}
    for what, one in standing.items():
        words = _in_words(one.get("words"))[:400]
        key = what if what in PASSING else f"trouble.{what}"
        yield note(key, words, FIX) if what in PASSING else wrong(key, words, FIX, alert="never")
    if not standing:
        yield well("troubles", "nothing that does not work is on record")


def _in_words(kept: Any) -> str:
    """Return a sentence as it was stored: a text, or a template with its values."""
    if not isinstance(kept, dict):
        return str(kept)
    values = kept.get("values")
    filled = values if isinstance(values, dict) else {}
    try:
        shown = {name: _in_words(one) if isinstance(one, dict) else one for name, one in filled.items()}
        return str(kept.get("template")).format(**shown)
    except (LookupError, ValueError, TypeError, RecursionError):
        return str(kept.get("template"))


def _object(row: Any) -> dict[str, Any]:
    try:
        found = json.loads(row[0])
    except (ValueError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _counts(look: Look, what: str, one: dict[str, Any]) -> bool:
    """Return whether the trouble is newer than the settings, which may name another model now."""
    at = moment(one.get("at"))
    if at is None or not what.startswith(MODEL):
        return True
    changed = [
        path.stat().st_mtime
        for path in (look.place.data / ".env", look.place.data / "memory" / "operator_settings.json")
        if path.is_file()
    ]
    return at > datetime.fromtimestamp(max(changed, default=0.0), UTC)
