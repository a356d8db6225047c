"""Plugins: which are installed and may run, what their runs came to, and plugins the companion wants to write

A plugin's files lie in the data directory; the database says which of them its owner allowed, and what their bytes were
then. A plugin job is the companion's wish for a plugin, from the wish to the owner's word on the proposal.
"""

from __future__ import annotations

from textwrap import dedent

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

STATEMENTS = (
    """
    CREATE TABLE plugins (
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        state TEXT DEFAULT 'disabled' NOT NULL,
        origin TEXT NOT NULL,
        pins TEXT NOT NULL,
        permissions TEXT NOT NULL,
        failures INTEGER DEFAULT '0' NOT NULL,
        reason TEXT,
        installed_at TEXT NOT NULL,
        changed_at TEXT NOT NULL,
        PRIMARY KEY (name),
        CONSTRAINT state_known CHECK (state IN ('enabled', 'disabled', 'failing', 'changed')),
        CONSTRAINT origin_known CHECK (origin IN ('shipped', 'proposal', 'folder'))
    )
    """,
    """
    CREATE TABLE plugin_runs (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        plugin TEXT NOT NULL,
        hook TEXT NOT NULL,
        target TEXT,
        status TEXT NOT NULL,
        ms FLOAT NOT NULL,
        cpu_ms FLOAT NOT NULL,
        cost_usd FLOAT DEFAULT '0' NOT NULL,
        error TEXT,
        log TEXT,
        at TEXT NOT NULL,
        CONSTRAINT status_known CHECK (
            status IN ('ok', 'failed', 'timeout', 'too_much', 'bad_output', 'changed', 'no_sandbox')
        )
    )
    """,
    "CREATE INDEX plugin_runs_by_plugin ON plugin_runs (plugin, id)",
    "CREATE INDEX plugin_runs_by_time ON plugin_runs (at)",
    """
    CREATE TABLE plugin_context (
        plugin TEXT NOT NULL,
        text TEXT NOT NULL,
        at TEXT NOT NULL,
        until TEXT NOT NULL,
        PRIMARY KEY (plugin)
    )
    """,
    """
    CREATE TABLE plugin_jobs (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        wish TEXT NOT NULL,
        source TEXT NOT NULL,
        name TEXT,
        state TEXT DEFAULT 'queued' NOT NULL,
        attempts INTEGER DEFAULT '0' NOT NULL,
        cost_usd FLOAT DEFAULT '0' NOT NULL,
        confidence FLOAT,
        proposal TEXT,
        reason TEXT,
        created_at TEXT NOT NULL,
        changed_at TEXT NOT NULL,
        CONSTRAINT state_known CHECK (
            state IN ('queued', 'written', 'proposed', 'rejected', 'applied', 'declined', 'failed')
        )
    )
    """,
    "CREATE INDEX plugin_jobs_by_state ON plugin_jobs (state, id)",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(dedent(statement).strip())


def downgrade() -> None:
    raise NotImplementedError("there is no way back from here: restore the backup made before the upgrade")
