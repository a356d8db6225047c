"""Alembic's entry: one SQLite connection handed over by `furoshiki.core.database.migrate`, one transaction per run."""

from __future__ import annotations

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
