"""Keeping itself healthy: what to repair, and questions that are answered overnight

A repair job is an error that came back: what is known of it, and what was proposed or done. A batch keeps only which
question was handed in where, so that a run that is killed asks for its answer and does not pay twice; it holds no words.
"""

from __future__ import annotations

from textwrap import dedent

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE TABLE repair_jobs (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        signature TEXT NOT NULL,
        source TEXT NOT NULL,
        kind TEXT NOT NULL,
        message TEXT NOT NULL,
        evidence TEXT NOT NULL,
        times INTEGER NOT NULL,
        state TEXT DEFAULT 'queued' NOT NULL,
        verdict TEXT,
        file TEXT,
        result TEXT,
        attempts INTEGER DEFAULT '0' NOT NULL,
        cost_usd FLOAT DEFAULT '0' NOT NULL,
        first_at TEXT NOT NULL,
        last_at TEXT NOT NULL,
        created_at TEXT NOT NULL,
        changed_at TEXT NOT NULL,
        CONSTRAINT state_known CHECK (
            state IN ('queued', 'proposed', 'applied', 'rolled_back', 'accepted', 'declined', 'closed')
        )
    )
    """,
    "CREATE UNIQUE INDEX repair_jobs_open ON repair_jobs (signature) WHERE state IN ('queued', 'proposed')",
    "CREATE INDEX repair_jobs_by_state ON repair_jobs (state, id)",
    """
    CREATE TABLE llm_batches (
        key TEXT NOT NULL,
        provider TEXT NOT NULL,
        model TEXT NOT NULL,
        purpose TEXT NOT NULL,
        external_id TEXT NOT NULL,
        state TEXT DEFAULT 'submitted' NOT NULL,
        submitted_at TEXT NOT NULL,
        finished_at TEXT,
        PRIMARY KEY (key),
        CONSTRAINT state_known CHECK (state IN ('submitted', 'done', 'failed', 'given_up'))
    )
    """,
    "ALTER TABLE llm_calls ADD COLUMN batch INTEGER DEFAULT '0' NOT NULL",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(dedent(statement).strip())


def downgrade() -> None:
    raise NotImplementedError("there is no way back from here: restore the backup made before the upgrade")
