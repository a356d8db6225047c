"""Without what only gut feelings were kept in, and how sure an answer said it was: nobody noticed either (ADR 0061)"""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

STATEMENTS = (
    *(f"DROP TABLE IF EXISTS {name}" for name in ("gut_log", "gut_axes", "centroids")),
    "ALTER TABLE second_thoughts DROP COLUMN verbalised",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("there is no way back from here: restore the backup made before the upgrade")
