"""Alembic's entry: one SQLite connection handed over by `furoshiki.core.database.migrate`, one transaction per run."""

from __future__ import annotations

from alembic import context

from furoshiki.core.database.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=True,
    include_object=lambda _thing, name, kind, _reflected, _other: not (kind == "table" and "_fts" in (name or "")),
)
with context.begin_transaction():
    context.run_migrations()
