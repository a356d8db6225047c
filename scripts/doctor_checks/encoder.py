"""The encoder, without which everything is found by its words alone: what memoryd put on record of it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from doctor_checks import database
from doctor_checks.findings import Finding, note, well
from doctor_checks.look import Look

FIX = "the sentence says what to do; see `furoshiki logs memoryd`"


def check(look: Look) -> Iterator[Finding]:
    """Whether it could be used, or reached where it stands on another machine, when it was last wanted."""
    path = look.place.database
    if not path.exists():
        return
    with database.reading(path) as db:
        row = (
            db.execute("SELECT value FROM kv WHERE key='troubles'").fetchone() if database.has_table(db, "kv") else None
        )
    try:
        words = json.loads(row[0])["encoder"]["words"]
    except (ValueError, TypeError, KeyError):
        yield well("encoder", "the encoder is as it should be")
        return
    yield note("encoder", str(words)[:400], FIX)  # whoever met it tells the owner
