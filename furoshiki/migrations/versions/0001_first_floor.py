"""First floor: messages, turns, memories, feelings, runs"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

FULL_TEXT = {"turns": ("speaker", "text"), "memories": ("content",), "sessions": ("document",)}


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("chat_id", sa.Text(), nullable=False),
        sa.Column("paired_at", sa.Text(), nullable=False),
        sa.Column("blocked_at", sa.Text(), nullable=True),
        sa.CheckConstraint("role IN ('owner', 'member')", name="role_known"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("channel", "external_id", name="accounts_once"),
    )
    op.create_table(
        "emotion_history",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("emotions", sa.Text(), nullable=False),
        sa.Column("needs", sa.Text(), nullable=False),
        sa.Column("mood", sa.Text(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("emotion_history", schema=None) as batch_op:
        batch_op.create_index("emotion_history_by_time", ["at"], unique=False)

    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("priority", sa.Text(), server_default="normal", nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("enqueued_at", sa.Text(), nullable=False),
        sa.Column("claimed_at", sa.Text(), nullable=True),
        sa.Column("finished_at", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("priority IN ('urgent', 'normal', 'background')", name="priority_known"),
        sa.CheckConstraint("state IN ('pending', 'processing', 'done', 'failed', 'dead')", name="state_known"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("channel", "external_id", name="inbox_once"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index("inbox_waiting", ["state", "id"], unique=False)

    op.create_table(
        "job_state",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("due_at", sa.Text(), nullable=True),
        sa.Column("last_started_at", sa.Text(), nullable=True),
        sa.Column("last_finished_at", sa.Text(), nullable=True),
        sa.Column("last_exit", sa.Integer(), nullable=True),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "kv",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "llm_calls",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("tier", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("turn_key", sa.Text(), nullable=True),
        sa.Column("tokens_in", sa.Integer(), nullable=False),
        sa.Column("tokens_cached", sa.Integer(), nullable=False),
        sa.Column("tokens_cache_written", sa.Integer(), nullable=False),
        sa.Column("tokens_out", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Float(), nullable=False),
        sa.Column("latency_s", sa.Float(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("cache_miss", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("llm_calls", schema=None) as batch_op:
        batch_op.create_index("llm_calls_by_time", ["at"], unique=False)

    op.create_table(
        "memories",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=True),
        sa.Column("predicate", sa.Text(), nullable=True),
        sa.Column("object", sa.Text(), nullable=True),
        sa.Column("category", sa.Text(), nullable=True),
        sa.Column("valid_from", sa.Text(), nullable=True),
        sa.Column("valid_to", sa.Text(), nullable=True),
        sa.Column("event_time", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("last_accessed_at", sa.Text(), nullable=True),
        sa.Column("hit_count", sa.Integer(), server_default="0", nullable=False),
        sa.Column("immutable", sa.Integer(), server_default="0", nullable=False),
        sa.Column("source_tag", sa.Text(), nullable=False),
        sa.Column("source_confidence", sa.Float(), server_default="1", nullable=False),
        sa.Column("status", sa.Text(), server_default="active", nullable=False),
        sa.Column("metadata", sa.Text(), nullable=True),
        sa.Column("embedding", sa.LargeBinary(), nullable=True),
        sa.Column("embed_model", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.Text(), nullable=True),
        sa.Column("index_state", sa.Text(), server_default="pending", nullable=False),
        sa.CheckConstraint("status IN ('active', 'superseded', 'dormant', 'archived')", name="status_known"),
        sa.CheckConstraint(
            "type IN ('episodic', 'semantic', 'procedural', 'preference', 'reflection', 'correction', 'narrative', 'tension')",
            name="type_known",
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("memories", schema=None) as batch_op:
        batch_op.create_index("memories_about", ["subject", "predicate", "status"], unique=False)
        batch_op.create_index("memories_known", ["status", "hit_count", "created_at"], unique=False)
        batch_op.create_index("memories_unindexed", ["index_state"], unique=False)

    op.create_table(
        "mind_queue",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("dedupe_key", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("not_before", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.CheckConstraint("state IN ('pending', 'drafted', 'sent', 'expired', 'dropped')", name="state_known"),
        sa.CheckConstraint("priority BETWEEN 1 AND 5", name="priority_known"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("dedupe_key"),
    )
    with op.batch_alter_table("mind_queue", schema=None) as batch_op:
        batch_op.create_index("mind_queue_waiting", ["state", "priority"], unique=False)

    op.create_table(
        "operations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("chat_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="pending", nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.Text(), nullable=True),
        sa.Column("read_at", sa.Text(), nullable=True),
        sa.Column("harvested_at", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "state IN ('pending', 'completed', 'failed', 'read', 'harvested', 'archived')", name="state_known"
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("operations", schema=None) as batch_op:
        batch_op.create_index("operations_by_state", ["state"], unique=False)

    op.create_table(
        "rejected_extractions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("cited", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "run_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("script", sa.Text(), nullable=False),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.Text(), nullable=True),
        sa.Column("exit_code", sa.Integer(), nullable=True),
        sa.Column("cpu_s", sa.Float(), nullable=True),
        sa.Column("peak_mb", sa.Float(), nullable=True),
        sa.Column("did_work", sa.Integer(), nullable=True),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("output", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("run_log", schema=None) as batch_op:
        batch_op.create_index("run_log_by_script", ["script", "started_at"], unique=False)

    op.create_table(
        "sessions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.Text(), nullable=False),
        sa.Column("topics", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("connection_quality", sa.Float(), nullable=True),
        sa.Column("warmth", sa.Float(), nullable=True),
        sa.Column("authentic", sa.Integer(), nullable=True),
        sa.Column("grounded", sa.Integer(), nullable=True),
        sa.Column("embedding", sa.LargeBinary(), nullable=True),
        sa.Column("embed_model", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.Text(), nullable=True),
        sa.Column("index_state", sa.Text(), server_default="pending", nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("session_id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index("sessions_unindexed", ["index_state"], unique=False)

    op.create_table(
        "skill_runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("turn_key", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("args", sa.Text(), nullable=False),
        sa.Column("ok", sa.Integer(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("latency_ms", sa.Float(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("turn_key", "digest", name="skill_runs_once"),
    )
    op.create_table(
        "strangers",
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("told_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("channel", "external_id"),
    )
    op.create_table(
        "system_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("applied_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("system_events", schema=None) as batch_op:
        batch_op.create_index("system_events_unread", ["applied_at", "id"], unique=False)

    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("list_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=True),
        sa.Column("priority", sa.Integer(), server_default="3", nullable=False),
        sa.Column("due_at", sa.Text(), nullable=True),
        sa.Column("due_zone", sa.Text(), nullable=True),
        sa.Column("recurrence", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), server_default="open", nullable=False),
        sa.Column("channel", sa.Text(), nullable=True),
        sa.Column("chat_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.Text(), nullable=False),
        sa.Column("source_turn_key", sa.Text(), nullable=True),
        sa.Column("metadata", sa.Text(), nullable=True),
        sa.CheckConstraint("state IN ('open', 'done', 'cancelled')", name="state_known"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("tasks", schema=None) as batch_op:
        batch_op.create_index("tasks_due", ["state", "due_at"], unique=False)
        batch_op.create_index("tasks_of_list", ["list_id", "state"], unique=False)

    op.create_table(
        "turn_journal",
        sa.Column("turn_key", sa.Text(), nullable=False),
        sa.Column("envelope_ids", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=True),
        sa.Column("written_at", sa.Text(), nullable=False),
        sa.Column("committed_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("turn_key"),
    )
    with op.batch_alter_table("turn_journal", schema=None) as batch_op:
        batch_op.create_index("turn_journal_by_commit", ["committed_at"], unique=False)

    op.create_table(
        "turns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("chat_id", sa.Text(), nullable=False),
        sa.Column("speaker", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("reply_to", sa.Integer(), nullable=True),
        sa.Column("replaced_by", sa.Integer(), nullable=True),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("turn_key", sa.Text(), nullable=True),
        sa.Column("attachments", sa.Text(), nullable=True),
        sa.Column("signals", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), server_default="live", nullable=False),
        sa.Column("import_id", sa.Text(), nullable=True),
        sa.Column("embedding", sa.LargeBinary(), nullable=True),
        sa.Column("embed_model", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.Text(), nullable=True),
        sa.Column("index_state", sa.Text(), server_default="pending", nullable=False),
        sa.ForeignKeyConstraint(
            ["replaced_by"],
            ["turns.id"],
        ),
        sa.ForeignKeyConstraint(
            ["reply_to"],
            ["turns.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("source", "import_id", name="turns_imported_once"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.create_index("turns_by_external", ["channel", "chat_id", "external_id"], unique=False)
        batch_op.create_index("turns_by_time", ["at"], unique=False)
        batch_op.create_index("turns_of_chat", ["channel", "chat_id", "id"], unique=False)
        batch_op.create_index("turns_of_key", ["turn_key"], unique=False)
        batch_op.create_index("turns_of_session", ["session_id", "id"], unique=False)
        batch_op.create_index("turns_unindexed", ["index_state"], unique=False)

    op.create_table(
        "user_needs_history",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("need", sa.Text(), nullable=False),
        sa.Column("level", sa.Float(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("user_needs_history", schema=None) as batch_op:
        batch_op.create_index("user_needs_history_by_time", ["at"], unique=False)

    op.create_table(
        "memory_sources",
        sa.Column("memory_id", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["memory_id"], ["memories.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("memory_id", "turn_id"),
    )
    with op.batch_alter_table("memory_sources", schema=None) as batch_op:
        batch_op.create_index("memory_sources_of_turn", ["turn_id"], unique=False)

    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=True),
        sa.Column("turn_key", sa.Text(), nullable=True),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("chat_id", sa.Text(), nullable=False),
        sa.Column("part", sa.Integer(), server_default="0", nullable=False),
        sa.Column("kind", sa.Text(), server_default="text", nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("entities", sa.Text(), nullable=True),
        sa.Column("reply_to", sa.Text(), nullable=True),
        sa.Column("extra", sa.Text(), nullable=True),
        sa.Column("policy", sa.Text(), server_default="reply", nullable=False),
        sa.Column("state", sa.Text(), server_default="ready", nullable=False),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("not_before", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("claimed_at", sa.Text(), nullable=True),
        sa.Column("sent_at", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("policy IN ('reply', 'reminder', 'unprompted')", name="policy_known"),
        sa.CheckConstraint("state IN ('ready', 'sending', 'sent', 'failed')", name="state_known"),
        sa.ForeignKeyConstraint(
            ["turn_id"],
            ["turns.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("outbox_by_external", ["channel", "chat_id", "external_id"], unique=False)
        batch_op.create_index("outbox_of_key", ["turn_key"], unique=False)
        batch_op.create_index("outbox_of_turn", ["turn_id"], unique=False)
        batch_op.create_index("outbox_waiting", ["state", "channel", "id"], unique=False)

    for table, columns in FULL_TEXT.items():
        for statement in full_text(table, columns):
            op.execute(statement)


def full_text(table: str, columns: tuple[str, ...]) -> list[str]:
    """One full-text index and the triggers that keep it true to its table; spelt out here so that it never changes."""
    names = ", ".join(columns)
    new = ", ".join(f"new.{column}" for column in columns)
    old = ", ".join(f"old.{column}" for column in columns)
    remove = f"INSERT INTO {table}_fts({table}_fts, rowid, {names}) VALUES ('delete', old.id, {old});"
    add = f"INSERT INTO {table}_fts(rowid, {names}) VALUES (new.id, {new});"
    return [
        f"CREATE VIRTUAL TABLE {table}_fts USING fts5({names}, content='{table}', content_rowid='id', "
        "tokenize='porter unicode61 remove_diacritics 2')",
        f"CREATE TRIGGER {table}_fts_insert AFTER INSERT ON {table} BEGIN {add} END",
        f"CREATE TRIGGER {table}_fts_delete AFTER DELETE ON {table} BEGIN {remove} END",
        f"CREATE TRIGGER {table}_fts_update AFTER UPDATE OF {names} ON {table} BEGIN {remove} {add} END",
    ]


def downgrade() -> None:
    raise NotImplementedError("the first schema has nothing to go back to: restore a backup")
