"""What is told of somebody and may not be so: kept apart from what is known, until a word of theirs settles it

A memory in doubt sleeps (`status` is 'dormant'), so that nothing counts on it, and says why. A thought in doubt may come
up in talk, and is never a reason to write.
"""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

STATEMENTS = (
    "ALTER TABLE memories ADD COLUMN unconfirmed TEXT",
    "CREATE INDEX memories_unconfirmed ON memories (created_at) WHERE unconfirmed IS NOT NULL",
    "CREATE INDEX memories_of_their_life ON memories (hit_count, created_at) "
    "WHERE category IN ('addressing', 'family', 'relationship', 'employment', 'location')",
    "ALTER TABLE mind_queue ADD COLUMN unconfirmed INTEGER DEFAULT '0' NOT NULL",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("there is no way back from here: restore the backup made before the upgrade")
