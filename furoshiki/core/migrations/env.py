"""Alembic's entry point: migrates a given SQLite connection, one transaction per migration."""

from alembic import context

context.configure(
    connection=context.config.attributes["connection"],
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
