"""Writing first: every decision about it, and how each kind of it is received

A thought keeps its draft while it is being put into words, so that a crash pays for no second one. A decision holds no
words of anybody: kinds, figures, and the names of rows.
"""

from __future__ import annotations

from textwrap import dedent

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER TABLE mind_queue ADD COLUMN draft TEXT",
    "ALTER TABLE mind_queue ADD COLUMN sent_at TEXT",
    """
    CREATE TABLE outreach_decisions (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        last_at TEXT NOT NULL,
        passes INTEGER DEFAULT '1' NOT NULL,
        item_id INTEGER,
        source TEXT,
        kind TEXT NOT NULL,
        priority INTEGER NOT NULL,
        verdict TEXT NOT NULL,
        gate TEXT,
        reason TEXT NOT NULL,
        gates TEXT NOT NULL,
        turn_id INTEGER,
        outcome TEXT,
        outcome_at TEXT,
        CONSTRAINT verdict_known CHECK (verdict IN ('sent', 'held', 'dropped', 'failed')),
        CONSTRAINT outcome_known CHECK (outcome IN ('answered', 'welcomed', 'ignored', 'disliked'))
    )
    """,
    "CREATE INDEX outreach_decisions_of_item ON outreach_decisions (item_id, id)",
    "CREATE INDEX outreach_decisions_sent ON outreach_decisions (verdict, at)",
    "CREATE INDEX outreach_decisions_of_turn ON outreach_decisions (turn_id)",
    """
    CREATE TABLE outreach_kinds (
        kind TEXT NOT NULL,
        weight FLOAT NOT NULL,
        answered INTEGER DEFAULT '0' NOT NULL,
        welcomed INTEGER DEFAULT '0' NOT NULL,
        ignored INTEGER DEFAULT '0' NOT NULL,
        disliked INTEGER DEFAULT '0' NOT NULL,
        changed_at TEXT NOT NULL,
        PRIMARY KEY (kind)
    )
    """,
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(dedent(statement).strip())


def downgrade() -> None:
    raise NotImplementedError("there is no way back from here: restore the backup made before the upgrade")
