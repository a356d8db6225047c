"""Columns of routing and topics that earlier releases wrote, and nothing reads, are dropped."""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

UNREAD = {
    "routing_decisions": ("previous_mode", "tie_confidence", "weights_version"),
    "turn_topics": ("similarity", "newma", "surprise", "acc", "bound"),
}


def upgrade() -> None:
    op.get_bind().exec_driver_sql("DROP TABLE router_changes")
    for table, columns in UNREAD.items():
        for column in columns:
            op.get_bind().exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {column}")


def downgrade() -> None:
    raise NotImplementedError("what was dropped is gone: restore a backup")
