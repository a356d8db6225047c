"""What does not work and was put on record where it was met: Telegram, a model, the encoder, the turns."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from doctor_checks import database
from doctor_checks.files import moment
from doctor_checks.findings import Finding, note, well, wrong
from doctor_checks.look import Look

FIX = "the sentence says what to do; see `furoshiki logs`"

PASSING = ("encoder", "index")
"""Without these everything is found by its words: no person has to come for that."""

MODEL = "model "


def check(look: Look) -> Iterator[Finding]:
    """What stands on record. The owner is told where it was met, so never by an alert of the doctor's."""
    if not look.place.database.exists():
        return
    with database.reading(look.place.database) as db:
        row = (
            db.execute("SELECT value FROM kv WHERE key='troubles'").fetchone() if database.has_table(db, "kv") else None
        )
    standing = {what: one for what, one in _object(row).items() if isinstance(one, dict) and _counts(look, what, one)}
    for what, one in standing.items():
        words = str(one.get("words"))[:400]
        key = what if what in PASSING else f"trouble.{what}"
        yield note(key, words, FIX) if what in PASSING else wrong(key, words, FIX, alert="never")
    if not standing:
        yield well("troubles", "nothing that does not work is on record")


def _object(row: Any) -> dict[str, Any]:
    try:
        found = json.loads(row[0])
    except (ValueError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _counts(look: Look, what: str, one: dict[str, Any]) -> bool:
    """Whether it was met with the settings as they are now: a model that was left alone since may be another's."""
    at = moment(one.get("at"))
    if at is None or not what.startswith(MODEL):
        return True
    changed = [
        path.stat().st_mtime
        for path in (look.place.data / ".env", look.place.data / "memory" / "operator_settings.json")
        if path.is_file()
    ]
    return at > datetime.fromtimestamp(max(changed, default=0.0), UTC)
