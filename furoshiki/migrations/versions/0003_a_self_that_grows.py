"""A self that grows: feelings of conversations, style, patterns and commitments, the drift log, design documents"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "behavioral_patterns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("gist", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="watched", nullable=False),
        sa.Column("looked_at", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.CheckConstraint("state IN ('watched', 'committed', 'closed')", name="state_known"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "design_docs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("heading", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("embedding", sa.LargeBinary(), nullable=True),
        sa.Column("embed_model", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.Text(), nullable=True),
        sa.Column("index_state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("made_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("source", "part", name="design_docs_once"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("design_docs", schema=None) as batch_op:
        batch_op.create_index("design_docs_unindexed", ["index_state"], unique=False)

    op.create_table(
        "emotional_weights",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("feelings", sa.Text(), nullable=False),
        sa.Column("valence", sa.Float(), nullable=False),
        sa.Column("intensity", sa.Float(), nullable=False),
        sa.Column("connection_quality", sa.Float(), nullable=False),
        sa.Column("warmth", sa.Float(), nullable=False),
        sa.Column("note", sa.Text(), server_default="", nullable=False),
        sa.Column("turn_ids", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("session_id"),
    )
    with op.batch_alter_table("emotional_weights", schema=None) as batch_op:
        batch_op.create_index("emotional_weights_by_time", ["at"], unique=False)

    op.create_table(
        "personality_drift_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("diff", sa.Text(), nullable=False),
        sa.Column("similarity", sa.Float(), nullable=False),
        sa.Column("changed_share", sa.Float(), nullable=False),
        sa.Column("themes", sa.Text(), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("seen_entry", sa.Integer(), server_default="0", nullable=False),
        sa.Column("filed_at", sa.Text(), nullable=True),
        sa.Column("decided_at", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('applied', 'proposed', 'accepted', 'declined')", name="state_known"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("personality_drift_log", schema=None) as batch_op:
        batch_op.create_index("personality_drift_by_time", ["at"], unique=False)

    op.create_table(
        "style_dimensions",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("baseline", sa.Float(), nullable=False),
        sa.Column("observations", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.Text(), nullable=False),
        sa.Column("shifted_since", sa.Text(), nullable=True),
        sa.Column("shifted_cycles", sa.Integer(), server_default="0", nullable=False),
        sa.Column("told_at", sa.Text(), nullable=True),
        sa.Column("forked_at", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "style_preferences",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("strength", sa.Float(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=True),
        sa.Column("updated_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "commitments",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("pattern_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sign", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="active", nullable=False),
        sa.Column("honoured", sa.Integer(), server_default="0", nullable=False),
        sa.Column("failures_in_row", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.Text(), nullable=False),
        sa.CheckConstraint("state IN ('active', 'retired', 'dropped')", name="state_known"),
        sa.ForeignKeyConstraint(["pattern_id"], ["behavioral_patterns.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("commitments", schema=None) as batch_op:
        batch_op.create_index("commitments_by_state", ["state", "id"], unique=False)

    op.create_table(
        "commitment_judgements",
        sa.Column("commitment_id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("turn_ids", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.CheckConstraint("verdict IN ('honoured', 'broken')", name="verdict_known"),
        sa.ForeignKeyConstraint(["commitment_id"], ["commitments.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("commitment_id", "session_id"),
    )
    op.create_table(
        "pattern_questions",
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("pattern_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["pattern_id"], ["behavioral_patterns.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["question_id"], ["self_questions.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("question_id"),
    )
    with op.batch_alter_table("pattern_questions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_pattern_questions_pattern_id"), ["pattern_id"], unique=False)


def downgrade() -> None:
    raise NotImplementedError("going back means restoring the backup made before the upgrade")
