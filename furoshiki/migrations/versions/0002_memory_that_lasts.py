"""Memory that lasts: weights, provenance between memories, accesses, concepts, the scratch buffer, token vectors"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

BOUNDARY = (50, 1)
"""Alpha and beta of a memory that nothing may change."""


def upgrade() -> None:
    op.create_table(
        "centroids",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "concepts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seen", sa.Integer(), server_default="1", nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("last_seen_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "conversation_summaries",
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("chat_id", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("first_turn", sa.Integer(), nullable=False),
        sa.Column("last_turn", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("channel", "chat_id"),
    )
    op.create_table(
        "gut_axes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("share", sa.Float(), nullable=False),
        sa.Column("correlation", sa.Float(), nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("at", "number", name="gut_axes_once"),
    )
    op.create_table(
        "gut_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("turn_key", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("delta", sa.LargeBinary(), nullable=False),
        sa.Column("intensity", sa.Float(), nullable=False),
        sa.Column("valence", sa.Float(), nullable=False),
        sa.Column("action", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("gut_log", schema=None) as batch_op:
        batch_op.create_index("gut_log_by_time", ["at"], unique=False)
        batch_op.create_index("gut_log_of_turn", ["turn_key"], unique=False)

    op.create_table(
        "retrievals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("turn_key", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("injected", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), server_default="0", nullable=False),
        sa.Column("components", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("turn_key", "item", name="retrievals_once"),
    )
    with op.batch_alter_table("retrievals", schema=None) as batch_op:
        batch_op.create_index("retrievals_by_time", ["at"], unique=False)
        batch_op.create_index("retrievals_of_item", ["item"], unique=False)

    op.create_table(
        "tombstones",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("forgotten_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "concept_links",
        sa.Column("a_id", sa.Integer(), nullable=False),
        sa.Column("b_id", sa.Integer(), nullable=False),
        sa.Column("weight", sa.Float(), server_default="0", nullable=False),
        sa.Column("last_reinforced_at", sa.Text(), nullable=False),
        sa.CheckConstraint("a_id < b_id", name="concepts_in_order"),
        sa.ForeignKeyConstraint(["a_id"], ["concepts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["b_id"], ["concepts.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("a_id", "b_id"),
    )
    with op.batch_alter_table("concept_links", schema=None) as batch_op:
        batch_op.create_index("concept_links_back", ["b_id"], unique=False)

    op.create_table(
        "consolidation_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("cycle", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("operation", sa.Text(), nullable=False),
        sa.Column("memory_id", sa.Integer(), nullable=True),
        sa.Column("alpha_before", sa.Float(), nullable=True),
        sa.Column("beta_before", sa.Float(), nullable=True),
        sa.Column("alpha_after", sa.Float(), nullable=True),
        sa.Column("beta_after", sa.Float(), nullable=True),
        sa.Column("evidence", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("consolidation_log", schema=None) as batch_op:
        batch_op.create_index("consolidation_log_by_cycle", ["cycle", "memory_id"], unique=False)
        batch_op.create_index("consolidation_log_by_time", ["at"], unique=False)
        batch_op.create_index("consolidation_log_of_memory", ["memory_id", "at"], unique=False)
        batch_op.create_index("consolidation_log_by_operation", ["operation", "at"], unique=False)

    op.create_table(
        "memory_accesses",
        sa.Column("memory_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("memory_id", "at"),
    )
    op.create_table(
        "memory_co_access",
        sa.Column("a_id", sa.Integer(), nullable=False),
        sa.Column("b_id", sa.Integer(), nullable=False),
        sa.Column("count", sa.Float(), server_default="1", nullable=False),
        sa.Column("last_at", sa.Text(), nullable=False),
        sa.CheckConstraint("a_id < b_id", name="pairs_in_order"),
        sa.ForeignKeyConstraint(["a_id"], ["memories.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["b_id"], ["memories.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("a_id", "b_id"),
    )
    with op.batch_alter_table("memory_co_access", schema=None) as batch_op:
        batch_op.create_index("memory_co_access_back", ["b_id"], unique=False)

    op.create_table(
        "memory_concepts",
        sa.Column("memory_id", sa.Integer(), nullable=False),
        sa.Column("concept_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["concept_id"], ["concepts.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("memory_id", "concept_id"),
    )
    with op.batch_alter_table("memory_concepts", schema=None) as batch_op:
        batch_op.create_index("memory_concepts_back", ["concept_id"], unique=False)

    op.create_table(
        "memory_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("from_id", sa.Integer(), nullable=False),
        sa.Column("to_id", sa.Integer(), nullable=False),
        sa.Column("relation", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), server_default="1", nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "relation IN ('because', 'informed_by', 'contradicts', 'updated_by', 'resulted_in', 'part_of', 'related_to', 'supersedes')",
            name="relation_known",
        ),
        sa.ForeignKeyConstraint(["from_id"], ["memories.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["to_id"], ["memories.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("from_id", "to_id", "relation", name="memory_links_once"),
    )
    with op.batch_alter_table("memory_links", schema=None) as batch_op:
        batch_op.create_index("memory_links_back", ["to_id", "relation"], unique=False)

    op.create_table(
        "memory_tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["id"], ["memories.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "safety_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("stage", sa.Text(), nullable=False),
        sa.Column("ceiling", sa.Text(), nullable=False),
        sa.Column("enforced", sa.Integer(), nullable=False),
        sa.Column("memory_id", sa.Integer(), nullable=True),
        sa.Column("asked", sa.Float(), nullable=True),
        sa.Column("allowed", sa.Float(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.CheckConstraint("stage IN ('A', 'B', 'C')", name="stage_known"),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("safety_events", schema=None) as batch_op:
        batch_op.create_index("safety_events_by_time", ["at"], unique=False)

    op.create_table(
        "scratch_buffer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=True),
        sa.Column("source_tag", sa.Text(), nullable=False),
        sa.Column("charge", sa.Float(), server_default="0", nullable=False),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("relevance", sa.Float(), nullable=True),
        sa.Column("novelty", sa.Float(), nullable=True),
        sa.Column("activation", sa.Float(), nullable=True),
        sa.Column("cell", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("memory_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.Text(), nullable=False),
        sa.Column("decided_at", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "state IN ('waiting', 'persisted', 'reinforced', 'skipped', 'dropped', 'expired')", name="state_known"
        ),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("turn_id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("scratch_buffer", schema=None) as batch_op:
        batch_op.create_index("scratch_waiting", ["state", "expires_at"], unique=False)

    op.create_table(
        "inner_monologue",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), server_default="", nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("passages", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("seen_turn", sa.Integer(), server_default="0", nullable=False),
        sa.Column("state", sa.Text(), server_default="kept", nullable=False),
        sa.Column("filed_at", sa.Text(), nullable=True),
        sa.CheckConstraint("kind IN ('journal', 'contemplation', 'morning', 'afternoon')", name="kind_known"),
        sa.CheckConstraint("state IN ('kept', 'dropped')", name="state_known"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("kind", "day", "item", name="inner_monologue_once"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("inner_monologue", schema=None) as batch_op:
        batch_op.create_index("inner_monologue_by_time", ["at"], unique=False)

    op.create_table(
        "anticipations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("entry_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("cited", sa.Text(), nullable=False),
        sa.Column("expected_at", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="open", nullable=False),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("judged_at", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.CheckConstraint("state IN ('open', 'hit', 'miss', 'expired')", name="state_known"),
        sa.ForeignKeyConstraint(["entry_id"], ["inner_monologue.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("anticipations", schema=None) as batch_op:
        batch_op.create_index("anticipations_open", ["state", "expected_at"], unique=False)

    op.create_table(
        "self_questions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), server_default="question", nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("stem", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="open", nullable=False),
        sa.Column("triage", sa.Text(), nullable=True),
        sa.Column("tried", sa.Integer(), server_default="0", nullable=False),
        sa.Column("looked_at", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("answered_at", sa.Text(), nullable=True),
        sa.Column("memory_id", sa.Integer(), nullable=True),
        sa.Column("merged_into", sa.Integer(), nullable=True),
        sa.Column("embedding", sa.LargeBinary(), nullable=True),
        sa.Column("embed_model", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.CheckConstraint("kind IN ('question', 'curiosity')", name="kind_known"),
        sa.CheckConstraint("triage IN ('self', 'user', 'unsure')", name="triage_known"),
        sa.CheckConstraint("state IN ('open', 'answered', 'user_required', 'merged', 'expired')", name="state_known"),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["merged_into"], ["self_questions.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("self_questions", schema=None) as batch_op:
        batch_op.create_index("self_questions_by_state", ["state", "id"], unique=False)
        batch_op.create_index("self_questions_of_memory", ["memory_id"], unique=False)
        batch_op.create_index("self_questions_merged", ["merged_into"], unique=False)

    op.create_table(
        "self_question_times",
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["question_id"], ["self_questions.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("question_id", "at"),
    )
    with op.batch_alter_table("self_question_times", schema=None) as batch_op:
        batch_op.create_index("self_question_times_by_time", ["at"], unique=False)

    op.create_table(
        "turn_tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["id"], ["turns.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("memories", schema=None) as batch_op:
        batch_op.add_column(sa.Column("content_contextualized", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("compressed", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("access_count", sa.Integer(), server_default="0", nullable=False))
        batch_op.add_column(sa.Column("alpha", sa.Float(), server_default="1", nullable=False))
        batch_op.add_column(sa.Column("beta", sa.Float(), server_default="4", nullable=False))
        batch_op.add_column(sa.Column("utility", sa.Float(), server_default="0", nullable=False))
        batch_op.add_column(sa.Column("importance", sa.Float(), server_default="0.3", nullable=False))
        batch_op.add_column(sa.Column("charge", sa.Float(), server_default="0", nullable=False))
        batch_op.add_column(sa.Column("feelings", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("cold_since", sa.Text(), nullable=True))
        of_identity = sa.text(
            "immutable = 1 OR type = 'narrative' OR category IN ('boundary', 'goal', 'identity', 'self', 'value')"
        )
        batch_op.create_index("memories_of_identity", ["status"], sqlite_where=of_identity)
        batch_op.create_index("memories_tense", ["status"], sqlite_where=sa.text("type = 'tension'"))
        batch_op.create_index("memories_weighed", ["alpha", "beta", "status", "immutable"])

    # What is known of old memories: how often they were of use, when last, and that boundaries are not to be moved.
    op.execute("UPDATE memories SET access_count = hit_count")
    op.execute(
        "INSERT INTO memory_accesses (memory_id, at) SELECT id, last_accessed_at FROM memories "
        "WHERE last_accessed_at IS NOT NULL"
    )
    op.execute("UPDATE memories SET alpha = {}, beta = {} WHERE immutable = 1".format(*BOUNDARY))
    # Everything is embedded again, with its tokens; until then the old vectors and full text find it.
    for table in ("turns", "memories"):
        op.execute(f"UPDATE {table} SET index_state = 'pending' WHERE index_state IN ('embedded', 'indexed')")


def downgrade() -> None:
    raise NotImplementedError("going back means restoring the backup made before the upgrade")
