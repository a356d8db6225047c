"""Pictures that were asked for, painted and sent."""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

PICTURES = """
CREATE TABLE pictures (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    turn_key TEXT NOT NULL UNIQUE,
    channel TEXT NOT NULL,
    chat_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    caption TEXT NOT NULL,
    own INTEGER DEFAULT '0' NOT NULL,
    state TEXT DEFAULT 'ordered' NOT NULL,
    model TEXT,
    usd FLOAT,
    reason TEXT,
    created_at TEXT NOT NULL,
    finished_at TEXT,
    CONSTRAINT state_known CHECK (state IN ('ordered', 'painting', 'sent', 'failed'))
)
"""


def upgrade() -> None:
    op.get_bind().exec_driver_sql(PICTURES)
    op.get_bind().exec_driver_sql("CREATE INDEX pictures_by_state ON pictures (state)")


def downgrade() -> None:
    raise NotImplementedError("what was painted would be lost: restore a backup")
