"""What was said here is found without passing over what was imported, and what is new without the rest"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("turns_live", "turns", ["id", "speaker"], sqlite_where=sa.text("source = 'live'"))
    op.create_index("memories_by_time", "memories", ["created_at"])


def downgrade() -> None:
    raise NotImplementedError("going back means restoring the backup made before the upgrade")
