"""Whose words are whose: which places in what was said are not the speaker's own

What was kept before is marked by how it came: a forward whole, a document up to the last end that was written after it
(its author may have written one too, and the caption follows), an audio file, a contact, a poll or a place whole.
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ENDING = "[end of document]"
WHOLE = {"audio": "audio", "contact": "contact", "poll": "poll", "location": "place"}


def upgrade() -> None:
    op.execute(sa.text("ALTER TABLE turns ADD COLUMN foreign_words TEXT"))
    connection = op.get_bind()
    rows = connection.execute(
        sa.text(
            "SELECT id, kind, text, attachments FROM turns WHERE speaker='user' AND source='live' AND text!='' "
            "AND (kind IN ('document', 'audio', 'contact', 'poll', 'location') OR attachments LIKE '%\"forwarded\"%')"
        )
    ).fetchall()
    for number, kind, text, attachments in rows:
        found = _foreign(kind, text, json.loads(attachments) if attachments else {})
        if found:
            connection.execute(
                sa.text("UPDATE turns SET foreign_words=:found WHERE id=:id"),
                {"found": json.dumps(found, ensure_ascii=False, separators=(",", ":")), "id": number},
            )


def _foreign(kind: str, text: str, attachments: Any) -> list[dict[str, Any]]:
    attachments = attachments if isinstance(attachments, dict) else {}
    forwarded = attachments.get("forwarded")
    name = str(attachments.get("name") or "")[:80] or None
    end = len(text)
    if forwarded:
        who = forwarded.get("from") if isinstance(forwarded, dict) else None
        kind, name = "forward", str(who)[:80] if who else None
    elif kind == "document":
        ends = text.rfind(ENDING)
        end = end if ends < 0 else ends + len(ENDING)
    elif kind in WHOLE:
        kind = WHOLE[kind]
    else:
        return []
    return [{"kind": kind, "start": 0, "end": end, **({"name": name} if name else {})}]


def downgrade() -> None:
    raise NotImplementedError("going back means restoring the backup made before the upgrade")
