"""The first release: every table there is, as `first_release.sql` describes them."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from alembic import op

revision = "0014"
down_revision = None
branch_labels = None
depends_on = None

TABLES = Path(__file__).parents[1] / "first_release.sql"


def upgrade() -> None:
    connection = op.get_bind()
    for statement in statements(TABLES.read_text(encoding="utf-8")):
        connection.exec_driver_sql(statement)


def statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: Python's `executescript` would end the transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def downgrade() -> None:
    raise NotImplementedError("the first schema has nothing to go back to: restore a backup")
