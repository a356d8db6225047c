"""What a mind claimed and the words did not carry: kept to be looked at, and used for nothing."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from furoshiki.core.database.rows import from_row


@dataclass(frozen=True)
class Rejection:
    """One claim: of which kind ("fact", "user_need" …), its words, the turns it cited, and why it was not believed."""

    id: int
    kind: str
    content: str
    cited: tuple[int, ...]
    reason: str
    at: datetime


def newest(db: sqlite3.Connection, limit: int, kind: str | None = None) -> list[Rejection]:
    """The newest claims that were refused, newest first; all kinds or one."""
    rows = db.execute(
        "SELECT * FROM rejected_extractions WHERE kind=coalesce(?, kind) ORDER BY id DESC LIMIT ?", (kind, limit)
    )
    return [from_row(Rejection, row) for row in rows]
