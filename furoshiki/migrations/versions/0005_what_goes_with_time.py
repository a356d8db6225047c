"""What goes with time: calls of models can be summed, and files that have arrived leave the outbox"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(sa.text("ALTER TABLE llm_calls ADD COLUMN calls INTEGER DEFAULT '1' NOT NULL"))
    op.execute(
        sa.text(
            "UPDATE outbox SET extra=json_remove(extra, '$.data') "
            "WHERE state IN ('sent', 'failed') AND extra LIKE '%\"data\"%'"
        )
    )


def downgrade() -> None:
    raise NotImplementedError("going back means restoring the backup made before the upgrade")
