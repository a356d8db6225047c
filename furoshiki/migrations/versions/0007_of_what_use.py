"""Of what use memories were is known from the answers on record; when a concept was seen last is written no more"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        sa.text(
            "UPDATE memories SET utility=of_use.share FROM (SELECT CAST(substr(item, 8) AS INTEGER) AS id, "
            "avg(used) AS share FROM retrievals WHERE item GLOB 'memory:*' AND injected=1 GROUP BY item) AS of_use "
            "WHERE of_use.id=memories.id"
        )
    )
    op.execute(sa.text("ALTER TABLE concepts DROP COLUMN last_seen_at"))


def downgrade() -> None:
    raise NotImplementedError("going back means restoring the backup made before the upgrade")
