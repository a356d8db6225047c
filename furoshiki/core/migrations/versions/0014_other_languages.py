"""What the encoder for other languages than English makes of what was said, where one of them is spoken

`tokens` beside the English encoder's, and one short vector a text in a table of its own: every question in another
language looks at all of them, and at the tokens of a few.
"""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_VECTORS = """
CREATE TABLE {kind}_multilingual (
    id INTEGER NOT NULL,
    english INTEGER NOT NULL,
    whole BLOB NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(id) REFERENCES {kind}_tokens (id) ON DELETE CASCADE
)
"""

STATEMENTS = tuple(
    statement
    for kind in ("turn", "memory")
    for statement in (f"ALTER TABLE {kind}_tokens ADD COLUMN multilingual BLOB", _VECTORS.format(kind=kind))
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("there is no way back from here: restore the backup made before the upgrade")
