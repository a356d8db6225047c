"""Without what only gut feelings were kept in: their log, their axes, and the means they were measured against

They said so seldom and so little of what went well or badly that they are gone (docs/adr/0061).
"""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

STATEMENTS = tuple(f"DROP TABLE IF EXISTS {name}" for name in ("gut_log", "gut_axes", "centroids"))


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("there is no way back from here: restore the backup made before the upgrade")
