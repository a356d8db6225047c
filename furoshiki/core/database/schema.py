"""The tables, described once. Alembic compares this with the migrations; nothing imports it at run time.

Names are those of the design, in lower case. Times are UTC ISO-8601 text with microseconds, so that text order is
time order. JSON is text. Ids are integers and never used twice where something outside the table points at them. Full
text search (`turns_fts`, `memories_fts`, `sessions_fts`) is kept by triggers that the migrations create.
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData()


def _one_of(column: str, *values: str) -> CheckConstraint:
    names = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} IN ({names})", name=f"{column}_known")


def _embedding() -> list[Column[object]]:
    """What a row needs to be findable by meaning: the unit vector (float16), who made it, and whether Chroma has it."""
    return [
        Column("embedding", LargeBinary),
        Column("embed_model", Text),
        Column("content_hash", Text),
        Column("index_state", Text, nullable=False, server_default="pending"),
    ]


inbox = Table(
    "inbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("channel", Text, nullable=False),
    Column("external_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("sender", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("priority", Text, nullable=False, server_default="normal"),
    Column("state", Text, nullable=False, server_default="pending"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("enqueued_at", Text, nullable=False),
    Column("claimed_at", Text),
    Column("finished_at", Text),
    Column("error", Text),
    UniqueConstraint("channel", "external_id", name="inbox_once"),
    _one_of("priority", "urgent", "normal", "background"),
    _one_of("state", "pending", "processing", "done", "failed", "dead"),
    Index("inbox_waiting", "state", "id"),
    sqlite_autoincrement=True,
)

turns = Table(
    "turns",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("chat_id", Text, nullable=False),
    Column("speaker", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("reply_to", Integer, ForeignKey("turns.id")),
    Column("replaced_by", Integer, ForeignKey("turns.id")),
    Column("external_id", Text),
    Column("turn_key", Text),
    Column("attachments", Text),
    Column("signals", Text),
    Column("source", Text, nullable=False, server_default="live"),
    Column("import_id", Text),
    *_embedding(),
    Column("foreign_words", Text),
    UniqueConstraint("source", "import_id", name="turns_imported_once"),
    Index("turns_by_time", "at"),
    Index("turns_of_session", "session_id", "id"),
    Index("turns_of_chat", "channel", "chat_id", "id"),
    Index("turns_of_key", "turn_key"),
    Index("turns_by_external", "channel", "chat_id", "external_id"),
    Index("turns_unindexed", "index_state"),
    Index("turns_live", "id", "speaker", sqlite_where=text("source = 'live'")),
    sqlite_autoincrement=True,
)

turn_journal = Table(
    "turn_journal",
    metadata,
    Column("turn_key", Text, primary_key=True),
    Column("envelope_ids", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("evidence", Text),
    Column("written_at", Text, nullable=False),
    Column("committed_at", Text),
    Index("turn_journal_by_commit", "committed_at"),
)

skill_runs = Table(
    "skill_runs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("turn_key", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("args", Text, nullable=False),
    Column("ok", Integer, nullable=False),
    Column("result", Text, nullable=False),
    Column("latency_ms", Float, nullable=False),
    Column("at", Text, nullable=False),
    UniqueConstraint("turn_key", "digest", name="skill_runs_once"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("turn_id", Integer, ForeignKey("turns.id")),
    Column("turn_key", Text),
    Column("channel", Text, nullable=False),
    Column("chat_id", Text, nullable=False),
    Column("part", Integer, nullable=False, server_default="0"),
    Column("kind", Text, nullable=False, server_default="text"),
    Column("text", Text, nullable=False),
    Column("entities", Text),
    Column("reply_to", Text),
    Column("extra", Text),
    Column("policy", Text, nullable=False, server_default="reply"),
    Column("state", Text, nullable=False, server_default="ready"),
    Column("external_id", Text),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("not_before", Text),
    Column("created_at", Text, nullable=False),
    Column("claimed_at", Text),
    Column("sent_at", Text),
    Column("error", Text),
    _one_of("state", "ready", "sending", "sent", "failed"),
    _one_of("policy", "reply", "reminder", "unprompted"),
    Index("outbox_waiting", "state", "channel", "id"),
    Index("outbox_of_key", "turn_key"),
    Index("outbox_of_turn", "turn_id"),
    Index("outbox_by_external", "channel", "chat_id", "external_id"),
    sqlite_autoincrement=True,
)

operations = Table(
    "operations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("chat_id", Text, nullable=False),
    Column("state", Text, nullable=False, server_default="pending"),
    Column("result", Text),
    Column("created_at", Text, nullable=False),
    Column("finished_at", Text),
    Column("read_at", Text),
    Column("harvested_at", Text),
    _one_of("state", "pending", "completed", "failed", "read", "harvested", "archived"),
    Index("operations_by_state", "state"),
    sqlite_autoincrement=True,
)

memories = Table(
    "memories",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("type", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("subject", Text),
    Column("predicate", Text),
    Column("object", Text),
    Column("category", Text),
    Column("valid_from", Text),
    Column("valid_to", Text),
    Column("event_time", Text),
    Column("created_at", Text, nullable=False),
    Column("last_accessed_at", Text),
    Column("hit_count", Integer, nullable=False, server_default="0"),
    Column("immutable", Integer, nullable=False, server_default="0"),
    Column("source_tag", Text, nullable=False),
    Column("source_confidence", Float, nullable=False, server_default="1"),
    Column("status", Text, nullable=False, server_default="active"),
    Column("metadata", Text),
    *_embedding(),
    # since 0002
    Column("content_contextualized", Text),
    Column("compressed", Text),
    Column("access_count", Integer, nullable=False, server_default="0"),
    Column("alpha", Float, nullable=False, server_default="1"),
    Column("beta", Float, nullable=False, server_default="4"),
    Column("utility", Float, nullable=False, server_default="0"),
    Column("importance", Float, nullable=False, server_default="0.3"),
    Column("charge", Float, nullable=False, server_default="0"),
    Column("feelings", Text),
    Column("cold_since", Text),
    _one_of(
        "type",
        "episodic",
        "semantic",
        "procedural",
        "preference",
        "reflection",
        "correction",
        "narrative",
        "tension",
    ),
    _one_of("status", "active", "superseded", "dormant", "archived"),
    Index("memories_known", "status", "hit_count", "created_at"),
    Index("memories_about", "subject", "predicate", "status"),
    Index("memories_unindexed", "index_state"),
    Index(
        "memories_of_identity",
        "status",
        sqlite_where=text(
            "immutable = 1 OR type = 'narrative' OR category IN ('boundary', 'goal', 'identity', 'self', 'value')"
        ),
    ),
    Index("memories_tense", "status", sqlite_where=text("type = 'tension'")),
    Index("memories_by_time", "created_at"),
    Index("memories_weighed", "alpha", "beta", "status", "immutable"),
    sqlite_autoincrement=True,
)

memory_sources = Table(
    "memory_sources",
    metadata,
    Column("memory_id", Integer, ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("turn_id", Integer, ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Index("memory_sources_of_turn", "turn_id"),
)

memory_links = Table(
    "memory_links",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("from_id", Integer, ForeignKey("memories.id", ondelete="CASCADE"), nullable=False),
    Column("to_id", Integer, ForeignKey("memories.id", ondelete="CASCADE"), nullable=False),
    Column("relation", Text, nullable=False),
    Column("confidence", Float, nullable=False, server_default="1"),
    Column("created_at", Text, nullable=False),
    UniqueConstraint("from_id", "to_id", "relation", name="memory_links_once"),
    _one_of(
        "relation",
        "because",
        "informed_by",
        "contradicts",
        "updated_by",
        "resulted_in",
        "part_of",
        "related_to",
        "supersedes",
    ),
    Index("memory_links_back", "to_id", "relation"),
)

memory_co_access = Table(
    "memory_co_access",
    metadata,
    Column("a_id", Integer, ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("b_id", Integer, ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("count", Float, nullable=False, server_default="1"),
    Column("last_at", Text, nullable=False),
    CheckConstraint("a_id < b_id", name="pairs_in_order"),
    Index("memory_co_access_back", "b_id"),
)

memory_accesses = Table(
    "memory_accesses",
    metadata,
    Column("memory_id", Integer, ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("at", Text, primary_key=True),
)

concepts = Table(
    "concepts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("seen", Integer, nullable=False, server_default="1"),
    Column("created_at", Text, nullable=False),
)

concept_links = Table(
    "concept_links",
    metadata,
    Column("a_id", Integer, ForeignKey("concepts.id", ondelete="CASCADE"), primary_key=True),
    Column("b_id", Integer, ForeignKey("concepts.id", ondelete="CASCADE"), primary_key=True),
    Column("weight", Float, nullable=False, server_default="0"),
    Column("last_reinforced_at", Text, nullable=False),
    CheckConstraint("a_id < b_id", name="concepts_in_order"),
    Index("concept_links_back", "b_id"),
)

memory_concepts = Table(
    "memory_concepts",
    metadata,
    Column("memory_id", Integer, ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("concept_id", Integer, ForeignKey("concepts.id", ondelete="CASCADE"), primary_key=True),
    Index("memory_concepts_back", "concept_id"),
)

scratch_buffer = Table(
    "scratch_buffer",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("turn_id", Integer, ForeignKey("turns.id", ondelete="CASCADE"), unique=True),
    Column("text", Text, nullable=False),
    Column("tags", Text),
    Column("source_tag", Text, nullable=False),
    Column("charge", Float, nullable=False, server_default="0"),
    Column("state", Text, nullable=False, server_default="waiting"),
    Column("relevance", Float),
    Column("novelty", Float),
    Column("activation", Float),
    Column("cell", Text),
    Column("reason", Text),
    Column("memory_id", Integer, ForeignKey("memories.id", ondelete="SET NULL")),
    Column("created_at", Text, nullable=False),
    Column("expires_at", Text, nullable=False),
    Column("decided_at", Text),
    _one_of("state", "waiting", "persisted", "reinforced", "skipped", "dropped", "expired"),
    Index("scratch_waiting", "state", "expires_at"),
    sqlite_autoincrement=True,
)

retrievals = Table(
    "retrievals",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("turn_key", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("rank", Integer, nullable=False),
    Column("injected", Integer, nullable=False),
    Column("used", Integer, nullable=False, server_default="0"),
    Column("components", Text),
    Column("at", Text, nullable=False),
    UniqueConstraint("turn_key", "item", name="retrievals_once"),
    Index("retrievals_by_time", "at"),
    Index("retrievals_of_item", "item"),
)

conversation_summaries = Table(
    "conversation_summaries",
    metadata,
    Column("channel", Text, primary_key=True),
    Column("chat_id", Text, primary_key=True),
    Column("text", Text, nullable=False),
    Column("first_turn", Integer, nullable=False),
    Column("last_turn", Integer, nullable=False),
    Column("at", Text, nullable=False),
)

consolidation_log = Table(
    "consolidation_log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("cycle", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("operation", Text, nullable=False),
    Column("memory_id", Integer, ForeignKey("memories.id", ondelete="CASCADE")),
    Column("alpha_before", Float),
    Column("beta_before", Float),
    Column("alpha_after", Float),
    Column("beta_after", Float),
    Column("evidence", Text),
    Index("consolidation_log_by_cycle", "cycle", "memory_id"),
    Index("consolidation_log_of_memory", "memory_id", "at"),
    Index("consolidation_log_by_operation", "operation", "at"),
    Index("consolidation_log_by_time", "at"),
)

safety_events = Table(
    "safety_events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("stage", Text, nullable=False),
    Column("ceiling", Text, nullable=False),
    Column("enforced", Integer, nullable=False),
    Column("memory_id", Integer, ForeignKey("memories.id", ondelete="CASCADE")),
    Column("asked", Float),
    Column("allowed", Float),
    Column("detail", Text),
    _one_of("stage", "A", "B", "C"),
    Index("safety_events_by_time", "at"),
)

tombstones = Table(
    "tombstones",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("forgotten_at", Text, nullable=False),
)

turn_tokens = Table(
    "turn_tokens",
    metadata,
    Column("id", Integer, ForeignKey("turns.id", ondelete="CASCADE"), primary_key=True),
    Column("tokens", LargeBinary, nullable=False),
)

memory_tokens = Table(
    "memory_tokens",
    metadata,
    Column("id", Integer, ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("tokens", LargeBinary, nullable=False),
)

centroids = Table(
    "centroids",
    metadata,
    Column("name", Text, primary_key=True),
    Column("vector", LargeBinary, nullable=False),
    Column("model", Text, nullable=False),
    Column("at", Text, nullable=False),
)

gut_log = Table(
    "gut_log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("turn_key", Text),
    Column("model", Text, nullable=False),
    Column("delta", LargeBinary, nullable=False),
    Column("intensity", Float, nullable=False),
    Column("valence", Float, nullable=False),
    Column("action", Text),
    Column("outcome", Float),
    Index("gut_log_by_time", "at"),
    Index("gut_log_of_turn", "turn_key"),
)

gut_axes = Table(
    "gut_axes",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    Column("model", Text, nullable=False),
    Column("share", Float, nullable=False),
    Column("correlation", Float),
    Column("name", Text),
    Column("at", Text, nullable=False),
    UniqueConstraint("at", "number", name="gut_axes_once"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("session_id", Text, nullable=False, unique=True),
    Column("started_at", Text, nullable=False),
    Column("ended_at", Text, nullable=False),
    Column("topics", Text, nullable=False),
    Column("document", Text, nullable=False),
    Column("connection_quality", Float),
    Column("warmth", Float),
    Column("authentic", Integer),
    Column("grounded", Integer),
    *_embedding(),
    Index("sessions_unindexed", "index_state"),
    sqlite_autoincrement=True,
)

rejected_extractions = Table(
    "rejected_extractions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("cited", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Text, nullable=False),
)

tasks = Table(
    "tasks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("list_id", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("notes", Text),
    Column("priority", Integer, nullable=False, server_default="3"),
    Column("due_at", Text),
    Column("due_zone", Text),
    Column("recurrence", Text),
    Column("state", Text, nullable=False, server_default="open"),
    Column("channel", Text),
    Column("chat_id", Text),
    Column("created_at", Text, nullable=False),
    Column("changed_at", Text, nullable=False),
    Column("source_turn_key", Text),
    Column("metadata", Text),
    _one_of("state", "open", "done", "cancelled"),
    Index("tasks_due", "state", "due_at"),
    Index("tasks_of_list", "list_id", "state"),
    sqlite_autoincrement=True,
)

mind_queue = Table(
    "mind_queue",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("summary", Text, nullable=False),
    Column("detail", Text),
    Column("dedupe_key", Text, nullable=False, unique=True),
    Column("source", Text),
    Column("not_before", Text),
    Column("expires_at", Text, nullable=False),
    Column("state", Text, nullable=False, server_default="pending"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("created_at", Text, nullable=False),
    _one_of("state", "pending", "drafted", "sent", "expired", "dropped"),
    CheckConstraint("priority BETWEEN 1 AND 5", name="priority_known"),
    Index("mind_queue_waiting", "state", "priority"),
)

inner_monologue = Table(
    "inner_monologue",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("day", Text, nullable=False),
    Column("item", Text, nullable=False, server_default=""),
    Column("at", Text, nullable=False),
    Column("passages", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("seen_turn", Integer, nullable=False, server_default="0"),
    Column("state", Text, nullable=False, server_default="kept"),
    Column("filed_at", Text),
    UniqueConstraint("kind", "day", "item", name="inner_monologue_once"),
    _one_of("kind", "journal", "contemplation", "morning", "afternoon"),
    _one_of("state", "kept", "dropped"),
    Index("inner_monologue_by_time", "at"),
    sqlite_autoincrement=True,
)

anticipations = Table(
    "anticipations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("entry_id", Integer, ForeignKey("inner_monologue.id", ondelete="SET NULL")),
    Column("text", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("cited", Text, nullable=False),
    Column("expected_at", Text, nullable=False),
    Column("expires_at", Text, nullable=False),
    Column("state", Text, nullable=False, server_default="open"),
    Column("session_id", Text),
    Column("judged_at", Text),
    Column("created_at", Text, nullable=False),
    _one_of("state", "open", "hit", "miss", "expired"),
    Index("anticipations_open", "state", "expected_at"),
    sqlite_autoincrement=True,
)

self_questions = Table(
    "self_questions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False, server_default="question"),
    Column("question", Text, nullable=False),
    Column("stem", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("state", Text, nullable=False, server_default="open"),
    Column("triage", Text),
    Column("tried", Integer, nullable=False, server_default="0"),
    Column("looked_at", Text),
    Column("answer", Text),
    Column("answered_at", Text),
    Column("memory_id", Integer, ForeignKey("memories.id", ondelete="CASCADE")),
    Column("merged_into", Integer, ForeignKey("self_questions.id", ondelete="CASCADE")),
    Column("embedding", LargeBinary),
    Column("embed_model", Text),
    Column("created_at", Text, nullable=False),
    _one_of("kind", "question", "curiosity"),
    _one_of("triage", "self", "user", "unsure"),
    _one_of("state", "open", "answered", "user_required", "merged", "expired"),
    Index("self_questions_by_state", "state", "id"),
    Index("self_questions_of_memory", "memory_id"),
    Index("self_questions_merged", "merged_into"),
    sqlite_autoincrement=True,
)

self_question_times = Table(
    "self_question_times",
    metadata,
    Column("question_id", Integer, ForeignKey("self_questions.id", ondelete="CASCADE"), primary_key=True),
    Column("at", Text, primary_key=True),
    Index("self_question_times_by_time", "at"),
)

emotional_weights = Table(
    "emotional_weights",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("session_id", Text, nullable=False, unique=True),
    Column("at", Text, nullable=False),
    Column("feelings", Text, nullable=False),
    Column("valence", Float, nullable=False),
    Column("intensity", Float, nullable=False),
    Column("connection_quality", Float, nullable=False),
    Column("warmth", Float, nullable=False),
    Column("note", Text, nullable=False, server_default=""),
    Column("turn_ids", Text, nullable=False),
    Index("emotional_weights_by_time", "at"),
)

style_dimensions = Table(
    "style_dimensions",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Float, nullable=False),
    Column("baseline", Float, nullable=False),
    Column("observations", Integer, nullable=False),
    Column("updated_at", Text, nullable=False),
    Column("shifted_since", Text),
    Column("shifted_cycles", Integer, nullable=False, server_default="0"),
    Column("told_at", Text),
    Column("forked_at", Integer),
)

style_preferences = Table(
    "style_preferences",
    metadata,
    Column("name", Text, primary_key=True),
    Column("strength", Float, nullable=False),
    Column("turn_id", Integer),
    Column("updated_at", Text, nullable=False),
)

behavioral_patterns = Table(
    "behavioral_patterns",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("gist", Text, nullable=False),
    Column("state", Text, nullable=False, server_default="watched"),
    Column("looked_at", Text),
    Column("created_at", Text, nullable=False),
    _one_of("state", "watched", "committed", "closed"),
    sqlite_autoincrement=True,
)

pattern_questions = Table(
    "pattern_questions",
    metadata,
    Column("question_id", Integer, ForeignKey("self_questions.id", ondelete="CASCADE"), primary_key=True),
    Column("pattern_id", Integer, ForeignKey("behavioral_patterns.id", ondelete="CASCADE"), nullable=False, index=True),
)

commitments = Table(
    "commitments",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("pattern_id", Integer, ForeignKey("behavioral_patterns.id", ondelete="CASCADE"), nullable=False),
    Column("text", Text, nullable=False),
    Column("sign", Text, nullable=False),
    Column("state", Text, nullable=False, server_default="active"),
    Column("honoured", Integer, nullable=False, server_default="0"),
    Column("failures_in_row", Integer, nullable=False, server_default="0"),
    Column("created_at", Text, nullable=False),
    Column("changed_at", Text, nullable=False),
    _one_of("state", "active", "retired", "dropped"),
    Index("commitments_by_state", "state", "id"),
    sqlite_autoincrement=True,
)

commitment_judgements = Table(
    "commitment_judgements",
    metadata,
    Column("commitment_id", Integer, ForeignKey("commitments.id", ondelete="CASCADE"), primary_key=True),
    Column("session_id", Text, primary_key=True),
    Column("verdict", Text, nullable=False),
    Column("turn_ids", Text, nullable=False),
    Column("at", Text, nullable=False),
    _one_of("verdict", "honoured", "broken"),
)

personality_drift_log = Table(
    "personality_drift_log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("before", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("diff", Text, nullable=False),
    Column("similarity", Float, nullable=False),
    Column("changed_share", Float, nullable=False),
    Column("themes", Text, nullable=False),
    Column("reasons", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("seen_entry", Integer, nullable=False, server_default="0"),
    Column("filed_at", Text),
    Column("decided_at", Text),
    _one_of("state", "applied", "proposed", "accepted", "declined"),
    Index("personality_drift_by_time", "at"),
    sqlite_autoincrement=True,
)

design_docs = Table(
    "design_docs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("source", Text, nullable=False),
    Column("part", Integer, nullable=False),
    Column("heading", Text, nullable=False),
    Column("text", Text, nullable=False),
    *_embedding(),
    Column("made_at", Text, nullable=False),
    UniqueConstraint("source", "part", name="design_docs_once"),
    Index("design_docs_unindexed", "index_state"),
    sqlite_autoincrement=True,
)

emotion_history = Table(
    "emotion_history",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("emotions", Text, nullable=False),
    Column("needs", Text, nullable=False),
    Column("mood", Text, nullable=False),
    Column("cause", Text, nullable=False),
    Index("emotion_history_by_time", "at"),
)

user_needs_history = Table(
    "user_needs_history",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("need", Text, nullable=False),
    Column("level", Float, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("evidence", Text, nullable=False),
    Column("cause", Text, nullable=False),
    Index("user_needs_history_by_time", "at"),
)

system_events = Table(
    "system_events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("applied_at", Text),
    Index("system_events_unread", "applied_at", "id"),
    sqlite_autoincrement=True,
)

run_log = Table(
    "run_log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("script", Text, nullable=False),
    Column("started_at", Text, nullable=False),
    Column("finished_at", Text),
    Column("exit_code", Integer),
    Column("cpu_s", Float),
    Column("peak_mb", Float),
    Column("did_work", Integer),
    Column("summary", Text),
    Column("output", Text),
    Index("run_log_by_script", "script", "started_at"),
)

job_state = Table(
    "job_state",
    metadata,
    Column("name", Text, primary_key=True),
    Column("due_at", Text),
    Column("last_started_at", Text),
    Column("last_finished_at", Text),
    Column("last_exit", Integer),
    Column("failures", Integer, nullable=False, server_default="0"),
)

llm_calls = Table(
    "llm_calls",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("tier", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("turn_key", Text),
    Column("tokens_in", Integer, nullable=False),
    Column("tokens_cached", Integer, nullable=False),
    Column("tokens_cache_written", Integer, nullable=False),
    Column("tokens_out", Integer, nullable=False),
    Column("cost_usd", Float, nullable=False),
    Column("latency_s", Float, nullable=False),
    Column("error", Text),
    Column("cache_miss", Text),
    # since 0005
    Column("calls", Integer, nullable=False, server_default="1"),
    Index("llm_calls_by_time", "at"),
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("channel", Text, nullable=False),
    Column("external_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("name", Text),
    Column("language", Text),
    Column("chat_id", Text, nullable=False),
    Column("paired_at", Text, nullable=False),
    Column("blocked_at", Text),
    UniqueConstraint("channel", "external_id", name="accounts_once"),
    _one_of("role", "owner", "member"),
)

strangers = Table(
    "strangers",
    metadata,
    Column("channel", Text, primary_key=True),
    Column("external_id", Text, primary_key=True),
    Column("told_at", Text, nullable=False),
)

kv = Table(
    "kv",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
    Column("changed_at", Text, nullable=False),
)
