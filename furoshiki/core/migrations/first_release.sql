-- Every table there is, as the first release makes them.
--
-- Times are UTC ISO-8601 text with microseconds, so that text order is time order. JSON is text. Ids are integers and
-- never used twice where something outside the table points at them. What a row needs to be found by meaning is its
-- unit vector (`embedding`, float16), who made it (`embed_model`), and whether Chroma has it (`index_state`).
-- What a later release changes is a migration of its own; this file stays as it is.

-- What arrives, what was said and where it is found, and what goes out.

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
);
CREATE INDEX inbox_waiting ON inbox (state, id);

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
);
CREATE INDEX turns_by_external ON turns (channel, chat_id, external_id);
CREATE INDEX turns_by_time ON turns (at);
CREATE INDEX turns_live ON turns (id, speaker) WHERE source = 'live';
CREATE INDEX turns_of_chat ON turns (channel, chat_id, id);
CREATE INDEX turns_of_key ON turns (turn_key);
CREATE INDEX turns_of_session ON turns (session_id, id);
CREATE INDEX turns_unindexed ON turns (index_state);

CREATE TABLE turn_tokens (
    id INTEGER NOT NULL,
    tokens BLOB NOT NULL,
    multilingual BLOB,
    PRIMARY KEY (id),
    FOREIGN KEY(id) REFERENCES turns (id) ON DELETE CASCADE
);

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
);
CREATE INDEX sessions_unindexed ON sessions (index_state);

CREATE TABLE conversation_summaries (
    channel TEXT NOT NULL,
    chat_id TEXT NOT NULL,
    text TEXT NOT NULL,
    first_turn INTEGER NOT NULL,
    last_turn INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (channel, chat_id)
);

CREATE TABLE turn_journal (
    turn_key TEXT NOT NULL,
    envelope_ids TEXT NOT NULL,
    answer TEXT NOT NULL,
    evidence TEXT,
    written_at TEXT NOT NULL,
    committed_at TEXT,
    PRIMARY KEY (turn_key)
);
CREATE INDEX turn_journal_by_commit ON turn_journal (committed_at);

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
);

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
);
CREATE INDEX outbox_by_external ON outbox (channel, chat_id, external_id);
CREATE INDEX outbox_of_key ON outbox (turn_key);
CREATE INDEX outbox_of_turn ON outbox (turn_id);
CREATE INDEX outbox_waiting ON outbox (state, channel, id);

-- Who is paired, and who was told that they are not.

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
);

CREATE TABLE strangers (
    channel TEXT NOT NULL,
    external_id TEXT NOT NULL,
    told_at TEXT NOT NULL,
    PRIMARY KEY (channel, external_id)
);

-- What is known, what it rests on, and what it is connected with.

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
    unconfirmed TEXT,
    CONSTRAINT type_known CHECK (type IN ('episodic', 'semantic', 'procedural', 'preference', 'reflection',
        'correction', 'narrative', 'tension')),
    CONSTRAINT status_known CHECK (status IN ('active', 'superseded', 'dormant', 'archived'))
);
CREATE INDEX memories_about ON memories (subject, predicate, status);
CREATE INDEX memories_by_time ON memories (created_at);
CREATE INDEX memories_known ON memories (status, hit_count, created_at);
CREATE INDEX memories_of_identity ON memories (status)
    WHERE immutable = 1 OR type = 'narrative' OR category IN ('boundary', 'goal', 'identity', 'self', 'value');
CREATE INDEX memories_tense ON memories (status) WHERE type = 'tension';
CREATE INDEX memories_unindexed ON memories (index_state);
CREATE INDEX memories_weighed ON memories (alpha, beta, status, immutable);
CREATE INDEX memories_unconfirmed ON memories (created_at) WHERE unconfirmed IS NOT NULL;
CREATE INDEX memories_of_their_life ON memories (hit_count, created_at)
    WHERE category IN ('addressing', 'family', 'relationship', 'employment', 'location');

CREATE TABLE memory_sources (
    memory_id INTEGER NOT NULL,
    turn_id INTEGER NOT NULL,
    PRIMARY KEY (memory_id, turn_id),
    FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE,
    FOREIGN KEY(turn_id) REFERENCES turns (id) ON DELETE CASCADE
);
CREATE INDEX memory_sources_of_turn ON memory_sources (turn_id);

CREATE TABLE memory_tokens (
    id INTEGER NOT NULL,
    tokens BLOB NOT NULL,
    multilingual BLOB,
    PRIMARY KEY (id),
    FOREIGN KEY(id) REFERENCES memories (id) ON DELETE CASCADE
);

CREATE TABLE memory_links (
    id INTEGER NOT NULL,
    from_id INTEGER NOT NULL,
    to_id INTEGER NOT NULL,
    relation TEXT NOT NULL,
    confidence FLOAT DEFAULT '1' NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT memory_links_once UNIQUE (from_id, to_id, relation),
    CONSTRAINT relation_known CHECK (relation IN ('because', 'informed_by', 'contradicts', 'updated_by',
        'resulted_in', 'part_of', 'related_to', 'supersedes')),
    FOREIGN KEY(from_id) REFERENCES memories (id) ON DELETE CASCADE,
    FOREIGN KEY(to_id) REFERENCES memories (id) ON DELETE CASCADE
);
CREATE INDEX memory_links_back ON memory_links (to_id, relation);

CREATE TABLE memory_co_access (
    a_id INTEGER NOT NULL,
    b_id INTEGER NOT NULL,
    count FLOAT DEFAULT '1' NOT NULL,
    last_at TEXT NOT NULL,
    PRIMARY KEY (a_id, b_id),
    CONSTRAINT pairs_in_order CHECK (a_id < b_id),
    FOREIGN KEY(a_id) REFERENCES memories (id) ON DELETE CASCADE,
    FOREIGN KEY(b_id) REFERENCES memories (id) ON DELETE CASCADE
);
CREATE INDEX memory_co_access_back ON memory_co_access (b_id);

CREATE TABLE memory_accesses (
    memory_id INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (memory_id, at),
    FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE
);

CREATE TABLE concepts (
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    seen INTEGER DEFAULT '1' NOT NULL,
    created_at TEXT NOT NULL,
    strength FLOAT DEFAULT '0.5' NOT NULL,
    last_accessed_at TEXT,
    accesses INTEGER DEFAULT '0' NOT NULL,
    wandered_at TEXT,
    embedding BLOB,
    embed_model TEXT,
    PRIMARY KEY (id),
    UNIQUE (name)
);

CREATE TABLE concept_links (
    a_id INTEGER NOT NULL,
    b_id INTEGER NOT NULL,
    weight FLOAT DEFAULT '0' NOT NULL,
    last_reinforced_at TEXT NOT NULL,
    type TEXT DEFAULT 'together' NOT NULL,
    PRIMARY KEY (a_id, b_id),
    CONSTRAINT concepts_in_order CHECK (a_id < b_id),
    FOREIGN KEY(a_id) REFERENCES concepts (id) ON DELETE CASCADE,
    FOREIGN KEY(b_id) REFERENCES concepts (id) ON DELETE CASCADE
);
CREATE INDEX concept_links_back ON concept_links (b_id);

CREATE TABLE memory_concepts (
    memory_id INTEGER NOT NULL,
    concept_id INTEGER NOT NULL,
    PRIMARY KEY (memory_id, concept_id),
    FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE CASCADE,
    FOREIGN KEY(concept_id) REFERENCES concepts (id) ON DELETE CASCADE
);
CREATE INDEX memory_concepts_back ON memory_concepts (concept_id);

-- What waits to be judged, what was of use, and every movement of a weight.

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
    CONSTRAINT state_known CHECK (state IN ('waiting', 'persisted', 'reinforced', 'skipped', 'dropped', 'expired')),
    UNIQUE (turn_id),
    FOREIGN KEY(turn_id) REFERENCES turns (id) ON DELETE CASCADE,
    FOREIGN KEY(memory_id) REFERENCES memories (id) ON DELETE SET NULL
);
CREATE INDEX scratch_waiting ON scratch_buffer (state, expires_at);

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
);
CREATE INDEX retrievals_by_time ON retrievals (at);
CREATE INDEX retrievals_of_item ON retrievals (item);

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
);
CREATE INDEX consolidation_log_by_cycle ON consolidation_log (cycle, memory_id);
CREATE INDEX consolidation_log_by_operation ON consolidation_log (operation, at);
CREATE INDEX consolidation_log_by_time ON consolidation_log (at);
CREATE INDEX consolidation_log_of_memory ON consolidation_log (memory_id, at);

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
);
CREATE INDEX safety_events_by_time ON safety_events (at);

CREATE TABLE rejected_extractions (
    id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    cited TEXT NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE tombstones (
    digest TEXT NOT NULL,
    kind TEXT NOT NULL,
    forgotten_at TEXT NOT NULL,
    PRIMARY KEY (digest)
);

-- How it felt, what the user seemed to need, and what conversations weighed.

CREATE TABLE emotion_history (
    id INTEGER NOT NULL,
    at TEXT NOT NULL,
    emotions TEXT NOT NULL,
    needs TEXT NOT NULL,
    mood TEXT NOT NULL,
    cause TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX emotion_history_by_time ON emotion_history (at);

CREATE TABLE user_needs_history (
    id INTEGER NOT NULL,
    at TEXT NOT NULL,
    need TEXT NOT NULL,
    level FLOAT NOT NULL,
    confidence FLOAT NOT NULL,
    evidence TEXT NOT NULL,
    cause TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX user_needs_history_by_time ON user_needs_history (at);

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
);
CREATE INDEX emotional_weights_by_time ON emotional_weights (at);

-- What waits to be said or done.

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
    draft TEXT,
    sent_at TEXT,
    salience FLOAT DEFAULT '0' NOT NULL,
    unconfirmed INTEGER DEFAULT '0' NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT state_known CHECK (state IN ('pending', 'drafted', 'sent', 'expired', 'dropped')),
    CONSTRAINT priority_known CHECK (priority BETWEEN 1 AND 5),
    UNIQUE (dedupe_key)
);
CREATE INDEX mind_queue_waiting ON mind_queue (state, priority);

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
);
CREATE INDEX tasks_due ON tasks (state, due_at);
CREATE INDEX tasks_of_list ON tasks (list_id, state);

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
    CONSTRAINT state_known CHECK (state IN ('pending', 'completed', 'failed', 'read', 'harvested', 'archived'))
);
CREATE INDEX operations_by_state ON operations (state);

-- How the user likes to be spoken to, and what is expected of them.

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
);

CREATE TABLE style_preferences (
    name TEXT NOT NULL,
    strength FLOAT NOT NULL,
    turn_id INTEGER,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (name)
);

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
);
CREATE INDEX anticipations_open ON anticipations (state, expected_at);

-- Its journal, its questions, its promises, and how it describes itself.

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
);
CREATE INDEX inner_monologue_by_time ON inner_monologue (at);

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
);
CREATE INDEX self_questions_by_state ON self_questions (state, id);
CREATE INDEX self_questions_merged ON self_questions (merged_into);
CREATE INDEX self_questions_of_memory ON self_questions (memory_id);

CREATE TABLE self_question_times (
    question_id INTEGER NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (question_id, at),
    FOREIGN KEY(question_id) REFERENCES self_questions (id) ON DELETE CASCADE
);
CREATE INDEX self_question_times_by_time ON self_question_times (at);

CREATE TABLE behavioral_patterns (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    gist TEXT NOT NULL,
    state TEXT DEFAULT 'watched' NOT NULL,
    looked_at TEXT,
    created_at TEXT NOT NULL,
    CONSTRAINT state_known CHECK (state IN ('watched', 'committed', 'closed'))
);

CREATE TABLE pattern_questions (
    question_id INTEGER NOT NULL,
    pattern_id INTEGER NOT NULL,
    PRIMARY KEY (question_id),
    FOREIGN KEY(question_id) REFERENCES self_questions (id) ON DELETE CASCADE,
    FOREIGN KEY(pattern_id) REFERENCES behavioral_patterns (id) ON DELETE CASCADE
);
CREATE INDEX ix_pattern_questions_pattern_id ON pattern_questions (pattern_id);

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
);
CREATE INDEX commitments_by_state ON commitments (state, id);

CREATE TABLE commitment_judgements (
    commitment_id INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    verdict TEXT NOT NULL,
    turn_ids TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (commitment_id, session_id),
    CONSTRAINT verdict_known CHECK (verdict IN ('honoured', 'broken')),
    FOREIGN KEY(commitment_id) REFERENCES commitments (id) ON DELETE CASCADE
);

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
);
CREATE INDEX personality_drift_by_time ON personality_drift_log (at);

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
);
CREATE INDEX design_docs_unindexed ON design_docs (index_state);

-- Events, runs of scripts, calls of models, and small values.

CREATE TABLE system_events (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    created_at TEXT NOT NULL,
    applied_at TEXT
);
CREATE INDEX system_events_unread ON system_events (applied_at, id);

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
);
CREATE INDEX run_log_by_script ON run_log (script, started_at);

CREATE TABLE job_state (
    name TEXT NOT NULL,
    due_at TEXT,
    last_started_at TEXT,
    last_finished_at TEXT,
    last_exit INTEGER,
    failures INTEGER DEFAULT '0' NOT NULL,
    PRIMARY KEY (name)
);

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
    batch INTEGER DEFAULT '0' NOT NULL,
    PRIMARY KEY (id)
);
CREATE INDEX llm_calls_by_time ON llm_calls (at);

CREATE TABLE kv (
    "key" TEXT NOT NULL,
    value TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY ("key")
);

-- Full-text search; triggers keep each index true to its table.

CREATE VIRTUAL TABLE turns_fts USING fts5(speaker, text, content='turns', content_rowid='id',
    tokenize='porter unicode61 remove_diacritics 2');
CREATE TRIGGER turns_fts_insert AFTER INSERT ON turns BEGIN
    INSERT INTO turns_fts(rowid, speaker, text) VALUES (new.id, new.speaker, new.text);
END;
CREATE TRIGGER turns_fts_delete AFTER DELETE ON turns BEGIN
    INSERT INTO turns_fts(turns_fts, rowid, speaker, text) VALUES ('delete', old.id, old.speaker, old.text);
END;
CREATE TRIGGER turns_fts_update AFTER UPDATE OF speaker, text ON turns BEGIN
    INSERT INTO turns_fts(turns_fts, rowid, speaker, text) VALUES ('delete', old.id, old.speaker, old.text);
    INSERT INTO turns_fts(rowid, speaker, text) VALUES (new.id, new.speaker, new.text);
END;

CREATE VIRTUAL TABLE memories_fts USING fts5(content, content='memories', content_rowid='id',
    tokenize='porter unicode61 remove_diacritics 2');
CREATE TRIGGER memories_fts_insert AFTER INSERT ON memories BEGIN
    INSERT INTO memories_fts(rowid, content) VALUES (new.id, new.content);
END;
CREATE TRIGGER memories_fts_delete AFTER DELETE ON memories BEGIN
    INSERT INTO memories_fts(memories_fts, rowid, content) VALUES ('delete', old.id, old.content);
END;
CREATE TRIGGER memories_fts_update AFTER UPDATE OF content ON memories BEGIN
    INSERT INTO memories_fts(memories_fts, rowid, content) VALUES ('delete', old.id, old.content);
    INSERT INTO memories_fts(rowid, content) VALUES (new.id, new.content);
END;

CREATE VIRTUAL TABLE sessions_fts USING fts5(document, content='sessions', content_rowid='id',
    tokenize='porter unicode61 remove_diacritics 2');
CREATE TRIGGER sessions_fts_insert AFTER INSERT ON sessions BEGIN
    INSERT INTO sessions_fts(rowid, document) VALUES (new.id, new.document);
END;
CREATE TRIGGER sessions_fts_delete AFTER DELETE ON sessions BEGIN
    INSERT INTO sessions_fts(sessions_fts, rowid, document) VALUES ('delete', old.id, old.document);
END;
CREATE TRIGGER sessions_fts_update AFTER UPDATE OF document ON sessions BEGIN
    INSERT INTO sessions_fts(sessions_fts, rowid, document) VALUES ('delete', old.id, old.document);
    INSERT INTO sessions_fts(rowid, document) VALUES (new.id, new.document);
END;

-- Writing first: every decision about it, with no words of anybody, and how each kind of it is received.

CREATE TABLE outreach_decisions (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    passes INTEGER DEFAULT '1' NOT NULL,
    item_id INTEGER,
    source TEXT,
    kind TEXT NOT NULL,
    priority INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    gate TEXT,
    reason TEXT NOT NULL,
    gates TEXT NOT NULL,
    turn_id INTEGER,
    outcome TEXT,
    outcome_at TEXT,
    CONSTRAINT verdict_known CHECK (verdict IN ('sent', 'held', 'dropped', 'failed')),
    CONSTRAINT outcome_known CHECK (outcome IN ('answered', 'welcomed', 'ignored', 'disliked'))
);
CREATE INDEX outreach_decisions_of_item ON outreach_decisions (item_id, id);
CREATE INDEX outreach_decisions_sent ON outreach_decisions (verdict, at);
CREATE INDEX outreach_decisions_of_turn ON outreach_decisions (turn_id);

CREATE TABLE outreach_kinds (
    kind TEXT NOT NULL,
    weight FLOAT NOT NULL,
    answered INTEGER DEFAULT '0' NOT NULL,
    welcomed INTEGER DEFAULT '0' NOT NULL,
    ignored INTEGER DEFAULT '0' NOT NULL,
    disliked INTEGER DEFAULT '0' NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (kind)
);

-- Repair jobs, and the batches that a killed run asks for and does not pay again.

CREATE TABLE repair_jobs (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    signature TEXT NOT NULL,
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    evidence TEXT NOT NULL,
    times INTEGER NOT NULL,
    state TEXT DEFAULT 'queued' NOT NULL,
    verdict TEXT,
    file TEXT,
    result TEXT,
    attempts INTEGER DEFAULT '0' NOT NULL,
    cost_usd FLOAT DEFAULT '0' NOT NULL,
    first_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    created_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    CONSTRAINT state_known CHECK (state IN ('queued', 'proposed', 'applied', 'rolled_back', 'accepted', 'declined',
        'closed'))
);
CREATE UNIQUE INDEX repair_jobs_open ON repair_jobs (signature) WHERE state IN ('queued', 'proposed');
CREATE INDEX repair_jobs_by_state ON repair_jobs (state, id);

CREATE TABLE llm_batches (
    key TEXT NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    external_id TEXT NOT NULL,
    state TEXT DEFAULT 'submitted' NOT NULL,
    submitted_at TEXT NOT NULL,
    finished_at TEXT,
    PRIMARY KEY (key),
    CONSTRAINT state_known CHECK (state IN ('submitted', 'done', 'failed', 'given_up'))
);

-- Plugins: which may run, what their runs came to, and those that are to be written.

CREATE TABLE plugins (
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    state TEXT DEFAULT 'disabled' NOT NULL,
    origin TEXT NOT NULL,
    pins TEXT NOT NULL,
    permissions TEXT NOT NULL,
    failures INTEGER DEFAULT '0' NOT NULL,
    reason TEXT,
    installed_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (name),
    CONSTRAINT state_known CHECK (state IN ('enabled', 'disabled', 'failing', 'changed')),
    CONSTRAINT origin_known CHECK (origin IN ('shipped', 'proposal', 'folder'))
);

CREATE TABLE plugin_runs (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    plugin TEXT NOT NULL,
    hook TEXT NOT NULL,
    target TEXT,
    status TEXT NOT NULL,
    ms FLOAT NOT NULL,
    cpu_ms FLOAT NOT NULL,
    cost_usd FLOAT DEFAULT '0' NOT NULL,
    error TEXT,
    log TEXT,
    at TEXT NOT NULL,
    CONSTRAINT status_known CHECK (status IN ('ok', 'failed', 'timeout', 'too_much', 'bad_output', 'changed',
        'no_sandbox'))
);
CREATE INDEX plugin_runs_by_plugin ON plugin_runs (plugin, id);
CREATE INDEX plugin_runs_by_time ON plugin_runs (at);

CREATE TABLE plugin_context (
    plugin TEXT NOT NULL,
    text TEXT NOT NULL,
    at TEXT NOT NULL,
    until TEXT NOT NULL,
    PRIMARY KEY (plugin)
);

CREATE TABLE plugin_jobs (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    wish TEXT NOT NULL,
    source TEXT NOT NULL,
    name TEXT,
    state TEXT DEFAULT 'queued' NOT NULL,
    attempts INTEGER DEFAULT '0' NOT NULL,
    cost_usd FLOAT DEFAULT '0' NOT NULL,
    confidence FLOAT,
    proposal TEXT,
    reason TEXT,
    created_at TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    CONSTRAINT state_known CHECK (state IN ('queued', 'written', 'proposed', 'rejected', 'applied', 'declined',
        'failed'))
);
CREATE INDEX plugin_jobs_by_state ON plugin_jobs (state, id);

-- Topics and routes of messages.

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
);
CREATE INDEX topics_of_chat ON topics (channel, chat_id, last_at);
CREATE INDEX topics_first_turn ON topics (first_turn);
CREATE INDEX topics_last_turn ON topics (last_turn);

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
);
CREATE INDEX turn_topics_of_topic ON turn_topics (topic_id, turn_id);

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
    CONSTRAINT feedback_known CHECK (feedback IN ('missed_clarify', 'missed_act', 'under_engagement', 'correct_route',
        'wrong_route')),
    FOREIGN KEY(topic_id) REFERENCES topics (id) ON DELETE SET NULL
);
CREATE INDEX routing_decisions_by_time ON routing_decisions (at);
CREATE INDEX routing_decisions_of_chat ON routing_decisions (channel, chat_id, id);
CREATE INDEX routing_decisions_of_topic ON routing_decisions (topic_id, id);

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
);
CREATE INDEX router_changes_by_parameter ON router_changes (parameter, id);

-- Acting: loops, long tasks, attention, second thoughts.

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
);
CREATE INDEX act_iterations_by_time ON act_iterations (at);

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
    CONSTRAINT state_known CHECK (state IN ('proposed', 'accepted', 'in_progress', 'paused', 'completed', 'failed',
        'cancelled', 'expired')),
    CONSTRAINT coverage_is_a_share CHECK (coverage BETWEEN 0 AND 1)
);
CREATE INDEX persistent_tasks_by_state ON persistent_tasks (state, priority, id);

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
);

CREATE TABLE persistent_task_cycles (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    task_id INTEGER NOT NULL,
    coverage_before FLOAT NOT NULL,
    coverage_after FLOAT,
    cost_usd FLOAT DEFAULT '0' NOT NULL,
    began_at TEXT NOT NULL,
    ended_at TEXT,
    FOREIGN KEY(task_id) REFERENCES persistent_tasks (id) ON DELETE CASCADE
);
CREATE INDEX persistent_task_cycles_of_task ON persistent_task_cycles (task_id, began_at);

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
);
CREATE INDEX attention_candidates_by_state ON attention_candidates (state, salience);

CREATE TABLE attention_cycles (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    cycle_key TEXT NOT NULL,
    winner TEXT,
    reason TEXT NOT NULL,
    candidates TEXT NOT NULL,
    at TEXT NOT NULL,
    CONSTRAINT attention_cycles_once UNIQUE (cycle_key)
);
CREATE INDEX attention_cycles_by_time ON attention_cycles (at);

CREATE TABLE second_thoughts (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    turn_key TEXT NOT NULL,
    objective FLOAT NOT NULL,
    knowing FLOAT NOT NULL,
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
);
CREATE INDEX second_thoughts_by_time ON second_thoughts (at);

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
);
CREATE INDEX reflection_bank_of_turn ON reflection_bank (turn_id);

-- The wandering of an idle mind.

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
);
CREATE INDEX gists_by_expiry ON gists (expires_at);

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
    CONSTRAINT action_known CHECK (action IN ('COMMUNICATE', 'PLAN', 'SEED_THREAD', 'REFLECT', 'RECONCILE',
        'AMBIENT_TOOL', 'NOTHING')),
    FOREIGN KEY(concept_id) REFERENCES concepts (id) ON DELETE SET NULL,
    FOREIGN KEY(gist_id) REFERENCES gists (id) ON DELETE SET NULL
);
CREATE INDEX wanderings_by_time ON wanderings (at);
CREATE INDEX wanderings_of_concept ON wanderings (concept_id, at);
CREATE INDEX wanderings_of_gist ON wanderings (gist_id);

CREATE TABLE session_concepts (
    session_row INTEGER NOT NULL,
    concept_id INTEGER NOT NULL,
    PRIMARY KEY (session_row, concept_id),
    FOREIGN KEY(session_row) REFERENCES sessions (id) ON DELETE CASCADE,
    FOREIGN KEY(concept_id) REFERENCES concepts (id) ON DELETE CASCADE
);
CREATE INDEX session_concepts_back ON session_concepts (concept_id);

-- What the encoder for other languages makes of texts: one vector of the whole, tokens beside the English ones.

CREATE TABLE turn_multilingual (
    id INTEGER NOT NULL,
    english INTEGER NOT NULL,
    whole BLOB NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(id) REFERENCES turn_tokens (id) ON DELETE CASCADE
);

CREATE TABLE memory_multilingual (
    id INTEGER NOT NULL,
    english INTEGER NOT NULL,
    whole BLOB NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(id) REFERENCES memory_tokens (id) ON DELETE CASCADE
);
