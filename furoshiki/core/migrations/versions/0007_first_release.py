"""The first release: every table there is

Times are UTC ISO-8601 text with microseconds, so that text order is time order. JSON is text. Ids are integers and never
used twice where something outside the table points at them. What a row needs to be found by meaning is its unit vector
(`embedding`, float16), who made it (`embed_model`), and whether Chroma has it (`index_state`). Full text search is kept
by triggers. A database of schema 0001 to 0006 comes here by `furoshiki/core/database/earlier.py`.
"""

from __future__ import annotations

from textwrap import dedent

from alembic import op

revision = "0007"
down_revision = None
branch_labels = None
depends_on = None

FULL_TEXT = {"turns": ("speaker", "text"), "memories": ("content",), "sessions": ("document",)}


def upgrade() -> None:
    subjects = (messages, people, memories, judging, feelings, agenda, user_model, inner_life, machine)
    for statements in subjects:
        for statement in statements():
            op.execute(dedent(statement).strip())
    for table, columns in FULL_TEXT.items():
        for statement in full_text(table, columns):
            op.execute(statement)


def messages() -> tuple[str, ...]:
    """What arrives, what was said and where it is found, and what goes out."""
    return (
        """
        CREATE TABLE inbox (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            channel TEXT NOT NULL,
            external_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            sender TEXT NOT NULL,
            payload TEXT NOT NULL,
            priority TEXT DEFAULT 'normal' NOT NULL,
            state TEXT DEFAULT 'pending' NOT NULL,
            attempts INTEGER DEFAULT '0' NOT NULL,
            enqueued_at TEXT NOT NULL,
            claimed_at TEXT,
            finished_at TEXT,
            error TEXT,
            CONSTRAINT inbox_once UNIQUE (channel, external_id),
            CONSTRAINT priority_known CHECK (priority IN ('urgent', 'normal', 'background')),
            CONSTRAINT state_known CHECK (state IN ('pending', 'processing', 'done', 'failed', 'dead'))
        )
        """,
        "CREATE INDEX inbox_waiting ON inbox (state, id)",
        """
        CREATE TABLE turns (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            session_id TEXT NOT NULL,
            channel TEXT NOT NULL,
            chat_id TEXT NOT NULL,
            speaker TEXT NOT NULL,
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            at TEXT NOT NULL,
            reply_to INTEGER,
            replaced_by INTEGER,
            external_id TEXT,
            turn_key TEXT,
            attachments TEXT,
            signals TEXT,
            source TEXT DEFAULT 'live' NOT NULL,
            import_id TEXT,
            embedding BLOB,
            embed_model TEXT,
            content_hash TEXT,
            index_state TEXT DEFAULT 'pending' NOT NULL,
            foreign_words TEXT,
            CONSTRAINT turns_imported_once UNIQUE (source, import_id),
            FOREIGN KEY(reply_to) REFERENCES turns (id),
            FOREIGN KEY(replaced_by) REFERENCES turns (id)
        )
        """,
        "CREATE INDEX turns_by_external ON turns (channel, chat_id, external_id)",
        "CREATE INDEX turns_by_time ON turns (at)",
        "CREATE INDEX turns_live ON turns (id, speaker) WHERE source = 'live'",
        "CREATE INDEX turns_of_chat ON turns (channel, chat_id, id)",
        "CREATE INDEX turns_of_key ON turns (turn_key)",
        "CREATE INDEX turns_of_session ON turns (session_id, id)",
        "CREATE INDEX turns_unindexed ON turns (index_state)",
        """
        CREATE TABLE turn_tokens (
            id INTEGER NOT NULL,
            tokens BLOB NOT NULL,
            PRIMARY KEY (id),
            FOREIGN KEY(id) REFERENCES turns (id) ON DELETE CASCADE
        )
        """,
        """
        CREATE TABLE sessions (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            session_id TEXT NOT NULL,
            started_at TEXT NOT NULL,
            ended_at TEXT NOT NULL,
            topics TEXT NOT NULL,
            document TEXT NOT NULL,
            connection_quality FLOAT,
            warmth FLOAT,
            authentic INTEGER,
            grounded INTEGER,
            embedding BLOB,
            embed_model TEXT,
            content_hash TEXT,
            index_state TEXT DEFAULT 'pending' NOT NULL,
            UNIQUE (session_id)
        )
        """,
        "CREATE INDEX sessions_unindexed ON sessions (index_state)",
        """
        CREATE TABLE conversation_summaries (
            channel TEXT NOT NULL,
            chat_id TEXT NOT NULL,
            text TEXT NOT NULL,
            first_turn INTEGER NOT NULL,
            last_turn INTEGER NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (channel, chat_id)
        )
        """,
        """
        CREATE TABLE turn_journal (
            turn_key TEXT NOT NULL,
            envelope_ids TEXT NOT NULL,
            answer TEXT NOT NULL,
            evidence TEXT,
            written_at TEXT NOT NULL,
            committed_at TEXT,
            PRIMARY KEY (turn_key)
        )
        """,
        "CREATE INDEX turn_journal_by_commit ON turn_journal (committed_at)",
        """
        CREATE TABLE skill_runs (
            id INTEGER NOT NULL,
            turn_key TEXT NOT NULL,
            digest TEXT NOT NULL,
            name TEXT NOT NULL,
            args TEXT NOT NULL,
            ok INTEGER NOT NULL,
            result TEXT NOT NULL,
            latency_ms FLOAT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (id),
            CONSTRAINT skill_runs_once UNIQUE (turn_key, digest)
        )
        """,
        """
        CREATE TABLE outbox (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            turn_id INTEGER,
            turn_key TEXT,
            channel TEXT NOT NULL,
            chat_id TEXT NOT NULL,
            part INTEGER DEFAULT '0' NOT NULL,
            kind TEXT DEFAULT 'text' NOT NULL,
            text TEXT NOT NULL,
            entities TEXT,
            reply_to TEXT,
            extra TEXT,
            policy TEXT DEFAULT 'reply' NOT NULL,
            state TEXT DEFAULT 'ready' NOT NULL,
            external_id TEXT,
            attempts INTEGER DEFAULT '0' NOT NULL,
            not_before TEXT,
            created_at TEXT NOT NULL,
            claimed_at TEXT,
            sent_at TEXT,
            error TEXT,
            CONSTRAINT state_known CHECK (state IN ('ready', 'sending', 'sent', 'failed')),
            CONSTRAINT policy_known CHECK (policy IN ('reply', 'reminder', 'unprompted')),
            FOREIGN KEY(turn_id) REFERENCES turns (id)
        )
        """,
        "CREATE INDEX outbox_by_external ON outbox (channel, chat_id, external_id)",
        "CREATE INDEX outbox_of_key ON outbox (turn_key)",
        "CREATE INDEX outbox_of_turn ON outbox (turn_id)",
        "CREATE INDEX outbox_waiting ON outbox (state, channel, id)",
    )


def people() -> tuple[str, ...]:
    """Who is paired, and who was told that they are not."""
    return (
        """
        CREATE TABLE accounts (
            id INTEGER NOT NULL,
            channel TEXT NOT NULL,
            external_id TEXT NOT NULL,
            role TEXT NOT NULL,
            name TEXT,
            language TEXT,
            chat_id TEXT NOT NULL,
            paired_at TEXT NOT NULL,
            blocked_at TEXT,
            PRIMARY KEY (id),
            CONSTRAINT accounts_once UNIQUE (channel, external_id),
            CONSTRAINT role_known CHECK (role IN ('owner', 'member'))
        )
        """,
        """
        CREATE TABLE strangers (
            channel TEXT NOT NULL,
            external_id TEXT NOT NULL,
            told_at TEXT NOT NULL,
            PRIMARY KEY (channel, external_id)
        )
        """,
    )


def memories() -> tuple[str, ...]:
    """What is known, what it rests on, and what it is connected with."""
    return (
        """
        CREATE TABLE memories (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            type TEXT NOT NULL,
            content TEXT NOT NULL,
            subject TEXT,
            predicate TEXT,
            object TEXT,
            category TEXT,
            valid_from TEXT,
            valid_to TEXT,
            event_time TEXT,
            created_at TEXT NOT NULL,
            last_accessed_at TEXT,
            hit_count INTEGER DEFAULT '0' NOT NULL,
            immutable INTEGER DEFAULT '0' NOT NULL,
            source_tag TEXT NOT NULL,
            source_confidence FLOAT DEFAULT '1' NOT NULL,
            status TEXT DEFAULT 'active' NOT NULL,
            metadata TEXT,
            embedding BLOB,
            embed_model TEXT,
            content_hash TEXT,
            index_state TEXT DEFAULT 'pending' NOT NULL,
            content_contextualized TEXT,
            compressed TEXT,
            access_count INTEGER DEFAULT '0' NOT NULL,
            alpha FLOAT DEFAULT '1' NOT NULL,
            beta FLOAT DEFAULT '4' NOT NULL,
            utility FLOAT DEFAULT '0' NOT NULL,
            importance FLOAT DEFAULT '0.3' NOT NULL,
            charge FLOAT DEFAULT '0' NOT NULL,
            feelings TEXT,
            cold_since TEXT,
            CONSTRAINT type_known CHECK (type IN (
                'episodic', 'semantic', 'procedural', 'preference', 'reflection', 'correction', 'narrative',
                'tension')),
            CONSTRAINT status_known CHECK (status IN ('active', 'superseded', 'dormant', 'archived'))
        )
        """,
        "CREATE INDEX memories_about ON memories (subject, predicate, status)",
        "CREATE INDEX memories_by_time ON memories (created_at)",
        "CREATE INDEX memories_known ON memories (status, hit_count, created_at)",
        "CREATE INDEX memories_of_identity ON memories (status) WHERE immutable = 1 OR type = 'narrative' OR category IN ('boundary', 'goal', 'identity', 'self', 'value')",
        "CREATE INDEX memories_tense ON memories (status) WHERE type = 'tension'",
        "CREATE INDEX memories_unindexed ON memories (index_state)",
        "CREATE INDEX memories_weighed ON memories (alpha, beta, status, immutable)",
        """
        CREATE TABLE memory_sources (
            memory_id INTEGER NOT NULL,
            turn_id INTEGER NOT NULL,
            PRIMARY KEY (memory_id, turn_id),
            FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE,
            FOREIGN KEY(turn_id) REFERENCES turns (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX memory_sources_of_turn ON memory_sources (turn_id)",
        """
        CREATE TABLE memory_tokens (
            id INTEGER NOT NULL,
            tokens BLOB NOT NULL,
            PRIMARY KEY (id),
            FOREIGN KEY(id) REFERENCES memories (id) ON DELETE CASCADE
        )
        """,
        """
        CREATE TABLE memory_links (
            id INTEGER NOT NULL,
            from_id INTEGER NOT NULL,
            to_id INTEGER NOT NULL,
            relation TEXT NOT NULL,
            confidence FLOAT DEFAULT '1' NOT NULL,
            created_at TEXT NOT NULL,
            PRIMARY KEY (id),
            CONSTRAINT memory_links_once UNIQUE (from_id, to_id, relation),
            CONSTRAINT relation_known CHECK (relation IN (
                'because', 'informed_by', 'contradicts', 'updated_by', 'resulted_in', 'part_of', 'related_to',
                'supersedes')),
            FOREIGN KEY(from_id) REFERENCES memories (id) ON DELETE CASCADE,
            FOREIGN KEY(to_id) REFERENCES memories (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX memory_links_back ON memory_links (to_id, relation)",
        """
        CREATE TABLE memory_co_access (
            a_id INTEGER NOT NULL,
            b_id INTEGER NOT NULL,
            count FLOAT DEFAULT '1' NOT NULL,
            last_at TEXT NOT NULL,
            PRIMARY KEY (a_id, b_id),
            CONSTRAINT pairs_in_order CHECK (a_id < b_id),
            FOREIGN KEY(a_id) REFERENCES memories (id) ON DELETE CASCADE,
            FOREIGN KEY(b_id) REFERENCES memories (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX memory_co_access_back ON memory_co_access (b_id)",
        """
        CREATE TABLE memory_accesses (
            memory_id INTEGER NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (memory_id, at),
            FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE
        )
        """,
        """
        CREATE TABLE concepts (
            id INTEGER NOT NULL,
            name TEXT NOT NULL,
            seen INTEGER DEFAULT '1' NOT NULL,
            created_at TEXT NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (name)
        )
        """,
        """
        CREATE TABLE concept_links (
            a_id INTEGER NOT NULL,
            b_id INTEGER NOT NULL,
            weight FLOAT DEFAULT '0' NOT NULL,
            last_reinforced_at TEXT NOT NULL,
            PRIMARY KEY (a_id, b_id),
            CONSTRAINT concepts_in_order CHECK (a_id < b_id),
            FOREIGN KEY(a_id) REFERENCES concepts (id) ON DELETE CASCADE,
            FOREIGN KEY(b_id) REFERENCES concepts (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX concept_links_back ON concept_links (b_id)",
        """
        CREATE TABLE memory_concepts (
            memory_id INTEGER NOT NULL,
            concept_id INTEGER NOT NULL,
            PRIMARY KEY (memory_id, concept_id),
            FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE,
            FOREIGN KEY(concept_id) REFERENCES concepts (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX memory_concepts_back ON memory_concepts (concept_id)",
    )


def judging() -> tuple[str, ...]:
    """What waits to be judged, what was of use, and every movement of a weight."""
    return (
        """
        CREATE TABLE scratch_buffer (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            turn_id INTEGER,
            text TEXT NOT NULL,
            tags TEXT,
            source_tag TEXT NOT NULL,
            charge FLOAT DEFAULT '0' NOT NULL,
            state TEXT DEFAULT 'waiting' NOT NULL,
            relevance FLOAT,
            novelty FLOAT,
            activation FLOAT,
            cell TEXT,
            reason TEXT,
            memory_id INTEGER,
            created_at TEXT NOT NULL,
            expires_at TEXT NOT NULL,
            decided_at TEXT,
            CONSTRAINT state_known CHECK (state IN (
                'waiting', 'persisted', 'reinforced', 'skipped', 'dropped', 'expired')),
            UNIQUE (turn_id),
            FOREIGN KEY(turn_id) REFERENCES turns (id) ON DELETE CASCADE,
            FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE SET NULL
        )
        """,
        "CREATE INDEX scratch_waiting ON scratch_buffer (state, expires_at)",
        """
        CREATE TABLE retrievals (
            id INTEGER NOT NULL,
            turn_key TEXT NOT NULL,
            item TEXT NOT NULL,
            rank INTEGER NOT NULL,
            injected INTEGER NOT NULL,
            used INTEGER DEFAULT '0' NOT NULL,
            components TEXT,
            at TEXT NOT NULL,
            PRIMARY KEY (id),
            CONSTRAINT retrievals_once UNIQUE (turn_key, item)
        )
        """,
        "CREATE INDEX retrievals_by_time ON retrievals (at)",
        "CREATE INDEX retrievals_of_item ON retrievals (item)",
        """
        CREATE TABLE consolidation_log (
            id INTEGER NOT NULL,
            cycle TEXT NOT NULL,
            at TEXT NOT NULL,
            operation TEXT NOT NULL,
            memory_id INTEGER,
            alpha_before FLOAT,
            beta_before FLOAT,
            alpha_after FLOAT,
            beta_after FLOAT,
            evidence TEXT,
            PRIMARY KEY (id),
            FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX consolidation_log_by_cycle ON consolidation_log (cycle, memory_id)",
        "CREATE INDEX consolidation_log_by_operation ON consolidation_log (operation, at)",
        "CREATE INDEX consolidation_log_by_time ON consolidation_log (at)",
        "CREATE INDEX consolidation_log_of_memory ON consolidation_log (memory_id, at)",
        """
        CREATE TABLE safety_events (
            id INTEGER NOT NULL,
            at TEXT NOT NULL,
            stage TEXT NOT NULL,
            ceiling TEXT NOT NULL,
            enforced INTEGER NOT NULL,
            memory_id INTEGER,
            asked FLOAT,
            allowed FLOAT,
            detail TEXT,
            PRIMARY KEY (id),
            CONSTRAINT stage_known CHECK (stage IN ('A', 'B', 'C')),
            FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX safety_events_by_time ON safety_events (at)",
        """
        CREATE TABLE rejected_extractions (
            id INTEGER NOT NULL,
            kind TEXT NOT NULL,
            content TEXT NOT NULL,
            cited TEXT NOT NULL,
            reason TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (id)
        )
        """,
        """
        CREATE TABLE tombstones (
            digest TEXT NOT NULL,
            kind TEXT NOT NULL,
            forgotten_at TEXT NOT NULL,
            PRIMARY KEY (digest)
        )
        """,
        """
        CREATE TABLE centroids (
            name TEXT NOT NULL,
            vector BLOB NOT NULL,
            model TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (name)
        )
        """,
        """
        CREATE TABLE gut_log (
            id INTEGER NOT NULL,
            at TEXT NOT NULL,
            turn_key TEXT,
            model TEXT NOT NULL,
            delta BLOB NOT NULL,
            intensity FLOAT NOT NULL,
            valence FLOAT NOT NULL,
            action TEXT,
            outcome FLOAT,
            PRIMARY KEY (id)
        )
        """,
        "CREATE INDEX gut_log_by_time ON gut_log (at)",
        "CREATE INDEX gut_log_of_turn ON gut_log (turn_key)",
        """
        CREATE TABLE gut_axes (
            id INTEGER NOT NULL,
            number INTEGER NOT NULL,
            vector BLOB NOT NULL,
            model TEXT NOT NULL,
            share FLOAT NOT NULL,
            correlation FLOAT,
            name TEXT,
            at TEXT NOT NULL,
            PRIMARY KEY (id),
            CONSTRAINT gut_axes_once UNIQUE (at, number)
        )
        """,
    )


def feelings() -> tuple[str, ...]:
    """How it felt, what the user seemed to need, and what conversations weighed."""
    return (
        """
        CREATE TABLE emotion_history (
            id INTEGER NOT NULL,
            at TEXT NOT NULL,
            emotions TEXT NOT NULL,
            needs TEXT NOT NULL,
            mood TEXT NOT NULL,
            cause TEXT NOT NULL,
            PRIMARY KEY (id)
        )
        """,
        "CREATE INDEX emotion_history_by_time ON emotion_history (at)",
        """
        CREATE TABLE user_needs_history (
            id INTEGER NOT NULL,
            at TEXT NOT NULL,
            need TEXT NOT NULL,
            level FLOAT NOT NULL,
            confidence FLOAT NOT NULL,
            evidence TEXT NOT NULL,
            cause TEXT NOT NULL,
            PRIMARY KEY (id)
        )
        """,
        "CREATE INDEX user_needs_history_by_time ON user_needs_history (at)",
        """
        CREATE TABLE emotional_weights (
            id INTEGER NOT NULL,
            session_id TEXT NOT NULL,
            at TEXT NOT NULL,
            feelings TEXT NOT NULL,
            valence FLOAT NOT NULL,
            intensity FLOAT NOT NULL,
            connection_quality FLOAT NOT NULL,
            warmth FLOAT NOT NULL,
            note TEXT DEFAULT '' NOT NULL,
            turn_ids TEXT NOT NULL,
            PRIMARY KEY (id),
            UNIQUE (session_id)
        )
        """,
        "CREATE INDEX emotional_weights_by_time ON emotional_weights (at)",
    )


def agenda() -> tuple[str, ...]:
    """What waits to be said or done."""
    return (
        """
        CREATE TABLE mind_queue (
            id INTEGER NOT NULL,
            kind TEXT NOT NULL,
            priority INTEGER NOT NULL,
            summary TEXT NOT NULL,
            detail TEXT,
            dedupe_key TEXT NOT NULL,
            source TEXT,
            not_before TEXT,
            expires_at TEXT NOT NULL,
            state TEXT DEFAULT 'pending' NOT NULL,
            attempts INTEGER DEFAULT '0' NOT NULL,
            created_at TEXT NOT NULL,
            PRIMARY KEY (id),
            CONSTRAINT state_known CHECK (state IN ('pending', 'drafted', 'sent', 'expired', 'dropped')),
            CONSTRAINT priority_known CHECK (priority BETWEEN 1 AND 5),
            UNIQUE (dedupe_key)
        )
        """,
        "CREATE INDEX mind_queue_waiting ON mind_queue (state, priority)",
        """
        CREATE TABLE tasks (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            list_id TEXT NOT NULL,
            title TEXT NOT NULL,
            notes TEXT,
            priority INTEGER DEFAULT '3' NOT NULL,
            due_at TEXT,
            due_zone TEXT,
            recurrence TEXT,
            state TEXT DEFAULT 'open' NOT NULL,
            channel TEXT,
            chat_id TEXT,
            created_at TEXT NOT NULL,
            changed_at TEXT NOT NULL,
            source_turn_key TEXT,
            metadata TEXT,
            CONSTRAINT state_known CHECK (state IN ('open', 'done', 'cancelled'))
        )
        """,
        "CREATE INDEX tasks_due ON tasks (state, due_at)",
        "CREATE INDEX tasks_of_list ON tasks (list_id, state)",
        """
        CREATE TABLE operations (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            title TEXT NOT NULL,
            channel TEXT NOT NULL,
            chat_id TEXT NOT NULL,
            state TEXT DEFAULT 'pending' NOT NULL,
            result TEXT,
            created_at TEXT NOT NULL,
            finished_at TEXT,
            read_at TEXT,
            harvested_at TEXT,
            CONSTRAINT state_known CHECK (state IN (
                'pending', 'completed', 'failed', 'read', 'harvested', 'archived'))
        )
        """,
        "CREATE INDEX operations_by_state ON operations (state)",
    )


def user_model() -> tuple[str, ...]:
    """How the user likes to be spoken to, and what is expected of them."""
    return (
        """
        CREATE TABLE style_dimensions (
            name TEXT NOT NULL,
            value FLOAT NOT NULL,
            baseline FLOAT NOT NULL,
            observations INTEGER NOT NULL,
            updated_at TEXT NOT NULL,
            shifted_since TEXT,
            shifted_cycles INTEGER DEFAULT '0' NOT NULL,
            told_at TEXT,
            forked_at INTEGER,
            PRIMARY KEY (name)
        )
        """,
        """
        CREATE TABLE style_preferences (
            name TEXT NOT NULL,
            strength FLOAT NOT NULL,
            turn_id INTEGER,
            updated_at TEXT NOT NULL,
            PRIMARY KEY (name)
        )
        """,
        """
        CREATE TABLE anticipations (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            entry_id INTEGER,
            text TEXT NOT NULL,
            reason TEXT NOT NULL,
            cited TEXT NOT NULL,
            expected_at TEXT NOT NULL,
            expires_at TEXT NOT NULL,
            state TEXT DEFAULT 'open' NOT NULL,
            session_id TEXT,
            judged_at TEXT,
            created_at TEXT NOT NULL,
            CONSTRAINT state_known CHECK (state IN ('open', 'hit', 'miss', 'expired')),
            FOREIGN KEY(entry_id) REFERENCES inner_monologue (id) ON DELETE SET NULL
        )
        """,
        "CREATE INDEX anticipations_open ON anticipations (state, expected_at)",
    )


def inner_life() -> tuple[str, ...]:
    """Its journal, its questions, its promises, and how it describes itself."""
    return (
        """
        CREATE TABLE inner_monologue (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            day TEXT NOT NULL,
            item TEXT DEFAULT '' NOT NULL,
            at TEXT NOT NULL,
            passages TEXT NOT NULL,
            provider TEXT NOT NULL,
            seen_turn INTEGER DEFAULT '0' NOT NULL,
            state TEXT DEFAULT 'kept' NOT NULL,
            filed_at TEXT,
            CONSTRAINT inner_monologue_once UNIQUE (kind, day, item),
            CONSTRAINT kind_known CHECK (kind IN ('journal', 'contemplation', 'morning', 'afternoon')),
            CONSTRAINT state_known CHECK (state IN ('kept', 'dropped'))
        )
        """,
        "CREATE INDEX inner_monologue_by_time ON inner_monologue (at)",
        """
        CREATE TABLE self_questions (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            kind TEXT DEFAULT 'question' NOT NULL,
            question TEXT NOT NULL,
            stem TEXT NOT NULL,
            source TEXT NOT NULL,
            state TEXT DEFAULT 'open' NOT NULL,
            triage TEXT,
            tried INTEGER DEFAULT '0' NOT NULL,
            looked_at TEXT,
            answer TEXT,
            answered_at TEXT,
            memory_id INTEGER,
            merged_into INTEGER,
            embedding BLOB,
            embed_model TEXT,
            created_at TEXT NOT NULL,
            CONSTRAINT kind_known CHECK (kind IN ('question', 'curiosity')),
            CONSTRAINT triage_known CHECK (triage IN ('self', 'user', 'unsure')),
            CONSTRAINT state_known CHECK (state IN ('open', 'answered', 'user_required', 'merged', 'expired')),
            FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE,
            FOREIGN KEY(merged_into) REFERENCES self_questions (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX self_questions_by_state ON self_questions (state, id)",
        "CREATE INDEX self_questions_merged ON self_questions (merged_into)",
        "CREATE INDEX self_questions_of_memory ON self_questions (memory_id)",
        """
        CREATE TABLE self_question_times (
            question_id INTEGER NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (question_id, at),
            FOREIGN KEY(question_id) REFERENCES self_questions (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX self_question_times_by_time ON self_question_times (at)",
        """
        CREATE TABLE behavioral_patterns (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            gist TEXT NOT NULL,
            state TEXT DEFAULT 'watched' NOT NULL,
            looked_at TEXT,
            created_at TEXT NOT NULL,
            CONSTRAINT state_known CHECK (state IN ('watched', 'committed', 'closed'))
        )
        """,
        """
        CREATE TABLE pattern_questions (
            question_id INTEGER NOT NULL,
            pattern_id INTEGER NOT NULL,
            PRIMARY KEY (question_id),
            FOREIGN KEY(question_id) REFERENCES self_questions (id) ON DELETE CASCADE,
            FOREIGN KEY(pattern_id) REFERENCES behavioral_patterns (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX ix_pattern_questions_pattern_id ON pattern_questions (pattern_id)",
        """
        CREATE TABLE commitments (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            pattern_id INTEGER NOT NULL,
            text TEXT NOT NULL,
            sign TEXT NOT NULL,
            state TEXT DEFAULT 'active' NOT NULL,
            honoured INTEGER DEFAULT '0' NOT NULL,
            failures_in_row INTEGER DEFAULT '0' NOT NULL,
            created_at TEXT NOT NULL,
            changed_at TEXT NOT NULL,
            CONSTRAINT state_known CHECK (state IN ('active', 'retired', 'dropped')),
            FOREIGN KEY(pattern_id) REFERENCES behavioral_patterns (id) ON DELETE CASCADE
        )
        """,
        "CREATE INDEX commitments_by_state ON commitments (state, id)",
        """
        CREATE TABLE commitment_judgements (
            commitment_id INTEGER NOT NULL,
            session_id TEXT NOT NULL,
            verdict TEXT NOT NULL,
            turn_ids TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (commitment_id, session_id),
            CONSTRAINT verdict_known CHECK (verdict IN ('honoured', 'broken')),
            FOREIGN KEY(commitment_id) REFERENCES commitments (id) ON DELETE CASCADE
        )
        """,
        """
        CREATE TABLE personality_drift_log (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            at TEXT NOT NULL,
            state TEXT NOT NULL,
            "before" TEXT NOT NULL,
            text TEXT NOT NULL,
            diff TEXT NOT NULL,
            similarity FLOAT NOT NULL,
            changed_share FLOAT NOT NULL,
            themes TEXT NOT NULL,
            reasons TEXT NOT NULL,
            provider TEXT NOT NULL,
            seen_entry INTEGER DEFAULT '0' NOT NULL,
            filed_at TEXT,
            decided_at TEXT,
            CONSTRAINT state_known CHECK (state IN ('applied', 'proposed', 'accepted', 'declined'))
        )
        """,
        "CREATE INDEX personality_drift_by_time ON personality_drift_log (at)",
        """
        CREATE TABLE design_docs (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            source TEXT NOT NULL,
            part INTEGER NOT NULL,
            heading TEXT NOT NULL,
            text TEXT NOT NULL,
            embedding BLOB,
            embed_model TEXT,
            content_hash TEXT,
            index_state TEXT DEFAULT 'pending' NOT NULL,
            made_at TEXT NOT NULL,
            CONSTRAINT design_docs_once UNIQUE (source, part)
        )
        """,
        "CREATE INDEX design_docs_unindexed ON design_docs (index_state)",
    )


def machine() -> tuple[str, ...]:
    """Events, runs of scripts, calls of models, and small values."""
    return (
        """
        CREATE TABLE system_events (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            payload TEXT NOT NULL,
            created_at TEXT NOT NULL,
            applied_at TEXT
        )
        """,
        "CREATE INDEX system_events_unread ON system_events (applied_at, id)",
        """
        CREATE TABLE run_log (
            id INTEGER NOT NULL,
            script TEXT NOT NULL,
            started_at TEXT NOT NULL,
            finished_at TEXT,
            exit_code INTEGER,
            cpu_s FLOAT,
            peak_mb FLOAT,
            did_work INTEGER,
            summary TEXT,
            output TEXT,
            PRIMARY KEY (id)
        )
        """,
        "CREATE INDEX run_log_by_script ON run_log (script, started_at)",
        """
        CREATE TABLE job_state (
            name TEXT NOT NULL,
            due_at TEXT,
            last_started_at TEXT,
            last_finished_at TEXT,
            last_exit INTEGER,
            failures INTEGER DEFAULT '0' NOT NULL,
            PRIMARY KEY (name)
        )
        """,
        """
        CREATE TABLE llm_calls (
            id INTEGER NOT NULL,
            at TEXT NOT NULL,
            tier TEXT NOT NULL,
            provider TEXT NOT NULL,
            model TEXT NOT NULL,
            purpose TEXT NOT NULL,
            turn_key TEXT,
            tokens_in INTEGER NOT NULL,
            tokens_cached INTEGER NOT NULL,
            tokens_cache_written INTEGER NOT NULL,
            tokens_out INTEGER NOT NULL,
            cost_usd FLOAT NOT NULL,
            latency_s FLOAT NOT NULL,
            error TEXT,
            cache_miss TEXT,
            calls INTEGER DEFAULT '1' NOT NULL,
            PRIMARY KEY (id)
        )
        """,
        "CREATE INDEX llm_calls_by_time ON llm_calls (at)",
        """
        CREATE TABLE kv (
            "key" TEXT NOT NULL,
            value TEXT NOT NULL,
            changed_at TEXT NOT NULL,
            PRIMARY KEY ("key")
        )
        """,
    )


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
