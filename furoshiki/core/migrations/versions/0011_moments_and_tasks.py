"""Topics and routes of messages, long tasks, attention, second thoughts, and the wandering of an idle mind

What each message was about and how it was answered best is judged by what followed. Long tasks keep their plan and every
step they took, so that a death between two of them loses nothing and does nothing twice.
"""

from __future__ import annotations

from textwrap import dedent

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

ROUTING = (
    """
    CREATE TABLE topics (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        channel TEXT NOT NULL,
        chat_id TEXT NOT NULL,
        name TEXT NOT NULL,
        named_by TEXT DEFAULT 'words' NOT NULL,
        centroid BLOB,
        embed_model TEXT,
        messages INTEGER DEFAULT '0' NOT NULL,
        salience FLOAT DEFAULT '0' NOT NULL,
        first_turn INTEGER,
        last_turn INTEGER,
        created_at TEXT NOT NULL,
        last_at TEXT NOT NULL,
        CONSTRAINT named_by_known CHECK (named_by IN ('words', 'summary')),
        FOREIGN KEY(first_turn) REFERENCES turns (id) ON DELETE SET NULL,
        FOREIGN KEY(last_turn) REFERENCES turns (id) ON DELETE SET NULL
    )
    """,
    "CREATE INDEX topics_of_chat ON topics (channel, chat_id, last_at)",
    "CREATE INDEX topics_first_turn ON topics (first_turn)",
    "CREATE INDEX topics_last_turn ON topics (last_turn)",
    """
    CREATE TABLE turn_topics (
        turn_id INTEGER NOT NULL,
        topic_id INTEGER,
        boundary INTEGER DEFAULT '0' NOT NULL,
        kind TEXT NOT NULL,
        similarity FLOAT,
        newma FLOAT,
        surprise FLOAT,
        acc FLOAT,
        bound FLOAT,
        at TEXT NOT NULL,
        PRIMARY KEY (turn_id),
        FOREIGN KEY(turn_id) REFERENCES turns (id) ON DELETE CASCADE,
        FOREIGN KEY(topic_id) REFERENCES topics (id) ON DELETE SET NULL
    )
    """,
    "CREATE INDEX turn_topics_of_topic ON turn_topics (topic_id, turn_id)",
    """
    CREATE TABLE routing_decisions (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        turn_key TEXT NOT NULL,
        session_id TEXT,
        channel TEXT NOT NULL,
        chat_id TEXT NOT NULL,
        topic_id INTEGER,
        source_tag TEXT DEFAULT 'user' NOT NULL,
        path TEXT NOT NULL,
        mode TEXT NOT NULL,
        previous_mode TEXT,
        scores TEXT NOT NULL,
        signals TEXT NOT NULL,
        warmth FLOAT NOT NULL,
        knowing FLOAT,
        confidence FLOAT NOT NULL,
        margin FLOAT NOT NULL,
        tie_break TEXT DEFAULT 'none' NOT NULL,
        tie_confidence FLOAT,
        weights_version INTEGER NOT NULL,
        ms FLOAT NOT NULL,
        acted INTEGER,
        at TEXT NOT NULL,
        feedback TEXT,
        feedback_from TEXT,
        feedback_at TEXT,
        reflection TEXT,
        reflected_at TEXT,
        CONSTRAINT routed_once UNIQUE (turn_key),
        CONSTRAINT mode_known CHECK (mode IN ('RESPOND', 'CLARIFY', 'ACT', 'ACKNOWLEDGE', 'IGNORE')),
        CONSTRAINT path_known CHECK (path IN ('unified', 'router')),
        CONSTRAINT tie_break_known CHECK (tie_break IN ('none', 'classifier', 'model', 'score')),
        CONSTRAINT feedback_known CHECK (feedback IN (
            'missed_clarify', 'missed_act', 'under_engagement', 'correct_route', 'wrong_route')),
        FOREIGN KEY(topic_id) REFERENCES topics (id) ON DELETE SET NULL
    )
    """,
    "CREATE INDEX routing_decisions_by_time ON routing_decisions (at)",
    "CREATE INDEX routing_decisions_of_chat ON routing_decisions (channel, chat_id, id)",
    "CREATE INDEX routing_decisions_of_topic ON routing_decisions (topic_id, id)",
    """
    CREATE TABLE router_changes (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        parameter TEXT NOT NULL,
        value_before FLOAT NOT NULL,
        value_after FLOAT NOT NULL,
        pressure TEXT NOT NULL,
        pressure_before FLOAT NOT NULL,
        pressure_after FLOAT,
        state TEXT DEFAULT 'measuring' NOT NULL,
        version INTEGER NOT NULL,
        at TEXT NOT NULL,
        measured_at TEXT,
        CONSTRAINT state_known CHECK (state IN ('measuring', 'kept', 'reverted'))
    )
    """,
    "CREATE INDEX router_changes_by_parameter ON router_changes (parameter, id)",
)
ACTING = (
    """
    CREATE TABLE act_iterations (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        loop_key TEXT NOT NULL,
        source_tag TEXT NOT NULL,
        number INTEGER NOT NULL,
        actions TEXT NOT NULL,
        succeeded INTEGER NOT NULL,
        stopped TEXT,
        answer TEXT DEFAULT '' NOT NULL,
        latency_ms FLOAT NOT NULL,
        cost_usd FLOAT DEFAULT '0' NOT NULL,
        at TEXT NOT NULL,
        CONSTRAINT act_iterations_once UNIQUE (loop_key, number)
    )
    """,
    "CREATE INDEX act_iterations_by_time ON act_iterations (at)",
    """
    CREATE TABLE persistent_tasks (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL,
        goal TEXT NOT NULL,
        source_tag TEXT NOT NULL,
        source_confidence FLOAT DEFAULT '1' NOT NULL,
        source_turn_key TEXT,
        channel TEXT,
        chat_id TEXT,
        state TEXT DEFAULT 'proposed' NOT NULL,
        priority INTEGER DEFAULT '3' NOT NULL,
        confidence FLOAT,
        coverage FLOAT DEFAULT '0' NOT NULL,
        cycles INTEGER DEFAULT '0' NOT NULL,
        surfaced_coverage FLOAT DEFAULT '0' NOT NULL,
        surfaced_at TEXT,
        result TEXT,
        reason TEXT,
        next_at TEXT,
        expires_at TEXT NOT NULL,
        created_at TEXT NOT NULL,
        changed_at TEXT NOT NULL,
        CONSTRAINT state_known CHECK (state IN (
            'proposed', 'accepted', 'in_progress', 'paused', 'completed', 'failed', 'cancelled', 'expired')),
        CONSTRAINT coverage_is_a_share CHECK (coverage BETWEEN 0 AND 1)
    )
    """,
    "CREATE INDEX persistent_tasks_by_state ON persistent_tasks (state, priority, id)",
    """
    CREATE TABLE persistent_task_steps (
        task_id INTEGER NOT NULL,
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        depends_on TEXT NOT NULL,
        state TEXT DEFAULT 'waiting' NOT NULL,
        attempts INTEGER DEFAULT '0' NOT NULL,
        result TEXT,
        changed_at TEXT NOT NULL,
        PRIMARY KEY (task_id, number),
        CONSTRAINT state_known CHECK (state IN ('waiting', 'running', 'done', 'failed')),
        FOREIGN KEY(task_id) REFERENCES persistent_tasks (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE persistent_task_cycles (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        task_id INTEGER NOT NULL,
        coverage_before FLOAT NOT NULL,
        coverage_after FLOAT,
        cost_usd FLOAT DEFAULT '0' NOT NULL,
        began_at TEXT NOT NULL,
        ended_at TEXT,
        FOREIGN KEY(task_id) REFERENCES persistent_tasks (id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX persistent_task_cycles_of_task ON persistent_task_cycles (task_id, began_at)",
    """
    CREATE TABLE attention_candidates (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        source_tag TEXT NOT NULL,
        source_confidence FLOAT NOT NULL,
        ref TEXT NOT NULL,
        text TEXT NOT NULL,
        novelty FLOAT NOT NULL,
        relevance FLOAT NOT NULL,
        charge FLOAT NOT NULL,
        urgency FLOAT NOT NULL,
        salience FLOAT NOT NULL,
        lost INTEGER DEFAULT '0' NOT NULL,
        told INTEGER DEFAULT '0' NOT NULL,
        state TEXT DEFAULT 'waiting' NOT NULL,
        created_at TEXT NOT NULL,
        changed_at TEXT NOT NULL,
        CONSTRAINT attended_once UNIQUE (ref),
        CONSTRAINT state_known CHECK (state IN ('waiting', 'won', 'let_go'))
    )
    """,
    "CREATE INDEX attention_candidates_by_state ON attention_candidates (state, salience)",
    """
    CREATE TABLE attention_cycles (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        cycle_key TEXT NOT NULL,
        winner TEXT,
        reason TEXT NOT NULL,
        candidates TEXT NOT NULL,
        at TEXT NOT NULL,
        CONSTRAINT attention_cycles_once UNIQUE (cycle_key)
    )
    """,
    "CREATE INDEX attention_cycles_by_time ON attention_cycles (at)",
    "ALTER TABLE mind_queue ADD COLUMN salience FLOAT DEFAULT '0' NOT NULL",
    """
    CREATE TABLE second_thoughts (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        turn_key TEXT NOT NULL,
        objective FLOAT NOT NULL,
        knowing FLOAT NOT NULL,
        verbalised FLOAT,
        confidence FLOAT NOT NULL,
        threshold FLOAT NOT NULL,
        maturity FLOAT NOT NULL,
        triggers TEXT NOT NULL,
        passes TEXT NOT NULL,
        changed INTEGER DEFAULT '0' NOT NULL,
        latency_ms FLOAT NOT NULL,
        cost_usd FLOAT DEFAULT '0' NOT NULL,
        at TEXT NOT NULL,
        CONSTRAINT thought_again_once UNIQUE (turn_key)
    )
    """,
    "CREATE INDEX second_thoughts_by_time ON second_thoughts (at)",
    """
    CREATE TABLE reflection_bank (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        type TEXT NOT NULL,
        focus TEXT NOT NULL,
        text TEXT NOT NULL,
        turn_id INTEGER,
        embedding BLOB,
        embed_model TEXT,
        shown INTEGER DEFAULT '0' NOT NULL,
        created_at TEXT NOT NULL,
        shown_at TEXT,
        CONSTRAINT type_known CHECK (type IN ('correction', 'insight')),
        FOREIGN KEY(turn_id) REFERENCES turns (id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX reflection_bank_of_turn ON reflection_bank (turn_id)",
)
WANDERING = (
    """
    CREATE TABLE gists (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        source_tag TEXT NOT NULL,
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        rests_on TEXT NOT NULL,
        session_id TEXT,
        shown_at TEXT,
        created_at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        CONSTRAINT source_known CHECK (source_tag IN ('user', 'drift')),
        CONSTRAINT kind_known CHECK (kind IN ('note', 'reflection', 'question', 'hypothesis'))
    )
    """,
    "CREATE INDEX gists_by_expiry ON gists (expires_at)",
    """
    CREATE TABLE wanderings (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        seed_kind TEXT NOT NULL,
        concept_id INTEGER,
        gist_id INTEGER,
        rests_on TEXT DEFAULT '[]' NOT NULL,
        activated TEXT NOT NULL,
        energy FLOAT NOT NULL,
        action TEXT NOT NULL,
        action_scores TEXT NOT NULL,
        outcome TEXT,
        reason TEXT NOT NULL,
        cost_usd FLOAT DEFAULT '0' NOT NULL,
        at TEXT NOT NULL,
        CONSTRAINT action_known CHECK (action IN (
            'COMMUNICATE', 'PLAN', 'SEED_THREAD', 'REFLECT', 'RECONCILE', 'AMBIENT_TOOL', 'NOTHING')),
        FOREIGN KEY(concept_id) REFERENCES concepts (id) ON DELETE SET NULL,
        FOREIGN KEY(gist_id) REFERENCES gists (id) ON DELETE SET NULL
    )
    """,
    "CREATE INDEX wanderings_by_time ON wanderings (at)",
    "CREATE INDEX wanderings_of_concept ON wanderings (concept_id, at)",
    "CREATE INDEX wanderings_of_gist ON wanderings (gist_id)",
    "ALTER TABLE concepts ADD COLUMN strength FLOAT DEFAULT '0.5' NOT NULL",
    "ALTER TABLE concepts ADD COLUMN last_accessed_at TEXT",
    "ALTER TABLE concepts ADD COLUMN accesses INTEGER DEFAULT '0' NOT NULL",
    "ALTER TABLE concepts ADD COLUMN wandered_at TEXT",
    "ALTER TABLE concepts ADD COLUMN embedding BLOB",
    "ALTER TABLE concepts ADD COLUMN embed_model TEXT",
    "ALTER TABLE concept_links ADD COLUMN type TEXT DEFAULT 'together' NOT NULL",
    """
    CREATE TABLE session_concepts (
        session_row INTEGER NOT NULL,
        concept_id INTEGER NOT NULL,
        PRIMARY KEY (session_row, concept_id),
        FOREIGN KEY(session_row) REFERENCES sessions (id) ON DELETE CASCADE,
        FOREIGN KEY(concept_id) REFERENCES concepts (id) ON DELETE CASCADE
    )
    """,
    "CREATE INDEX session_concepts_back ON session_concepts (concept_id)",
)
MET_BEFORE = """
UPDATE concepts SET
  last_accessed_at=(
    SELECT max(m.created_at) FROM memory_concepts h JOIN memories m ON m.id=h.memory_id WHERE h.concept_id=concepts.id
  ),
  strength=CASE WHEN seen<2 THEN 0.5 WHEN seen=2 THEN 0.55 WHEN seen=3 THEN 0.605 WHEN seen=4 THEN 0.666
    WHEN seen=5 THEN 0.732 WHEN seen=6 THEN 0.805 WHEN seen=7 THEN 0.886 WHEN seen=8 THEN 0.974 ELSE 1.0 END
"""
"""Concepts of before were met with each of their memories: a tenth stronger each time, and last with the newest."""

STATEMENTS = (*ROUTING, *ACTING, *WANDERING, MET_BEFORE)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(dedent(statement).strip())


def downgrade() -> None:
    raise NotImplementedError("there is no way back from here: restore the backup made before the upgrade")
