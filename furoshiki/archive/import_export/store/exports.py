"""All messages and memories, row by row, for an export.

Vectors, token vectors and full-text indexes are left out: they are derived from the texts.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from furoshiki.core.database.rows import load
from furoshiki.language import testimony
from furoshiki.owner.agenda.store import tasks
from furoshiki.recall.retrieval.store.full_text import STATUS

_QUERIES: Mapping[str, str] = {
    "turn": (
        "SELECT id, session_id AS session, at, speaker, text, channel, chat_id, kind, reply_to, replaced_by, "
        "external_id, attachments, signals, source, import_id, foreign_words FROM turns ORDER BY id"
    ),
    "memory": (
        "SELECT id, type, content, content_contextualized AS contextualized, compressed, subject, predicate, object, "
        "category, valid_from, valid_to, event_time, created_at, last_accessed_at, access_count, hit_count, alpha, "
        "beta, immutable, source_tag, source_confidence AS confidence, status, utility, importance, charge, feelings, "
        "cold_since, metadata, unconfirmed, "
        "(SELECT json_group_array(turn_id) FROM memory_sources WHERE memory_id=memories.id) AS turn_ids, "
        "(SELECT json_group_array(at) FROM memory_accesses WHERE memory_id=memories.id) AS accesses "
        "FROM memories ORDER BY id"
    ),
    "link": 'SELECT from_id AS "from", to_id AS "to", relation, confidence, created_at FROM memory_links ORDER BY id',
    "co_access": "SELECT a_id AS a, b_id AS b, count, last_at FROM memory_co_access ORDER BY a_id, b_id",
    "session": (
        "SELECT session_id AS session, started_at, ended_at, topics, document AS text, connection_quality, warmth, "
        "authentic, grounded FROM sessions ORDER BY id"
    ),
    "task": (
        "SELECT id, list_id AS list, title, notes, priority, due_at, due_zone, recurrence, state, created_at FROM "
        "tasks ORDER BY id"
    ),
    "self_question": (
        "SELECT id, kind, question, source, state, answer, answered_at, memory_id, created_at, "
        "(SELECT json_group_array(at) FROM self_question_times WHERE question_id=self_questions.id) AS times "
        "FROM self_questions ORDER BY id"
    ),
    "journal": (
        "SELECT id, kind, day, at, passages, provider FROM inner_monologue WHERE state='kept' AND passages!='[]' "
        "ORDER BY id"
    ),
    "anticipation": (
        "SELECT id, text, reason, cited AS turn_ids, expected_at, expires_at, state, created_at FROM anticipations "
        "ORDER BY id"
    ),
    "emotional_weight": (
        "SELECT session_id AS session, at, feelings, valence, intensity, note, turn_ids FROM emotional_weights ORDER "
        "BY id"
    ),
    "commitment": (
        "SELECT id, text, sign, state, created_at, changed_at, "
        "(SELECT json_group_array(question) FROM pattern_questions AS p JOIN self_questions AS q ON q.id=p.question_id "
        "WHERE p.pattern_id=commitments.pattern_id) AS questions, "
        "(SELECT json_group_array(json_object('session', session_id, 'at', at, 'verdict', verdict, 'turn_ids', "
        "json(turn_ids))) FROM commitment_judgements WHERE commitment_id=commitments.id) AS judgements "
        "FROM commitments ORDER BY id"
    ),
    "style_dimension": "SELECT name, value, baseline, observations, updated_at FROM style_dimensions ORDER BY name",
    "style_preference": "SELECT name, strength, updated_at FROM style_preferences ORDER BY name",
    "self_change": (
        "SELECT id, at, state, before, text, similarity, changed_share, themes, reasons, provider, decided_at "
        "FROM personality_drift_log WHERE changed_share>0 ORDER BY id"
    ),
    "outreach": (
        "SELECT d.id, d.at, d.last_at, d.passes, d.kind, d.priority, q.summary AS about, d.source, d.verdict, d.gate, "
        "d.reason, d.gates, d.turn_id AS turn, d.outcome, d.outcome_at "
        "FROM outreach_decisions AS d LEFT JOIN mind_queue AS q ON q.id=d.item_id ORDER BY d.id"
    ),
    "outreach_kind": (
        "SELECT kind, weight, answered, welcomed, ignored, disliked, changed_at FROM outreach_kinds ORDER BY kind"
    ),
    "thought": (
        "SELECT id, kind, priority, summary, detail, draft, source, state, created_at, not_before, expires_at, sent_at "
        "FROM mind_queue ORDER BY id"
    ),
    "operation": "SELECT id, kind, title, state, result, created_at, finished_at FROM operations ORDER BY id",
    "picture": "SELECT id, subject, caption, own, state, model, usd, created_at, finished_at FROM pictures ORDER BY id",
    "summary": (
        "SELECT channel, chat_id, text, first_turn, last_turn, at FROM conversation_summaries ORDER BY channel, chat_id"
    ),
    "feeling": "SELECT id, at, emotions, needs, mood, cause FROM emotion_history ORDER BY id",
    "user_need": "SELECT id, at, need, level, confidence, evidence, cause FROM user_needs_history ORDER BY id",
    "pattern": "SELECT id, gist, state, looked_at, created_at FROM behavioral_patterns ORDER BY id",
    "rejected": "SELECT id, kind, content, cited AS turn_ids, reason, at FROM rejected_extractions ORDER BY id",
    "account": "SELECT id, channel, external_id, role, name, language, paired_at, blocked_at FROM accounts ORDER BY id",
    "skill_run": "SELECT id, name, args, ok, result, at FROM skill_runs ORDER BY id",
    "repair": (
        "SELECT id, source, kind, message, evidence, times AS happened, state, verdict, file, result, cost_usd, "
        "first_at, last_at FROM repair_jobs ORDER BY id"
    ),
    "plugin": (
        "SELECT name, version, state, origin, permissions, failures, reason, installed_at, changed_at FROM plugins "
        "ORDER BY name"
    ),
    "plugin_run": (
        "SELECT id, plugin, hook, target, status, ms, cpu_ms, cost_usd, error, log, at FROM plugin_runs ORDER BY id"
    ),
    "plugin_wish": (
        "SELECT id, wish, source, name, state, cost_usd, confidence, proposal, reason, created_at, changed_at "
        "FROM plugin_jobs ORDER BY id"
    ),
    "topic": "SELECT id, channel, chat_id, name, messages, created_at, last_at FROM topics ORDER BY id",
    "long_task": (
        "SELECT id, title, goal, source_tag, state, priority, coverage, cycles, result, reason, expires_at, "
        "created_at, changed_at, (SELECT json_group_array(json_object('number', number, 'text', text, 'depends_on', "
        "json(depends_on), 'state', state, 'attempts', attempts, 'result', result)) FROM persistent_task_steps "
        "WHERE task_id=persistent_tasks.id) AS steps FROM persistent_tasks ORDER BY id"
    ),
    "own_correction": (
        "SELECT id, type, focus, text, turn_id AS turn, shown, created_at FROM reflection_bank ORDER BY id"
    ),
    "gist": "SELECT id, source_tag, kind, text, rests_on, created_at FROM gists ORDER BY id",
    "wandering": (
        "SELECT id, seed_kind, activated, energy, action, outcome, reason, gist_id AS gist, at FROM wanderings ORDER "
        "BY id"
    ),
    "concept": (
        "SELECT id, name, seen, strength, last_accessed_at, created_at, "
        "(SELECT json_group_array(memory_id) FROM memory_concepts WHERE concept_id=concepts.id) AS memories "
        "FROM concepts ORDER BY id"
    ),
    "concept_link": (
        "SELECT a_id AS a, b_id AS b, type, weight, last_reinforced_at FROM concept_links ORDER BY a_id, b_id"
    ),
    "weight_change": (
        "SELECT id, at, operation, memory_id AS memory, alpha_before, beta_before, alpha_after, beta_after, evidence "
        "FROM consolidation_log ORDER BY id"
    ),
    "cost": (
        "SELECT id, at, tier, provider, model, purpose, tokens_in, tokens_cached, tokens_out, cost_usd, calls "
        "FROM llm_calls ORDER BY id"
    ),
    "value": (
        "SELECT key AS name, value, changed_at FROM kv WHERE key LIKE 'user.%' OR key LIKE 'quiet%' OR "
        "key='asked_quiet' ORDER BY key"
    ),
}
"""The query of each kind of record, in the order of the file."""

NOT_EXPORTED: Mapping[str, str] = {
    **dict.fromkeys(
        ("turn_tokens", "memory_tokens", "turn_multilingual", "memory_multilingual"),
        "vectors, made again from the texts",
    ),
    **dict.fromkeys(("inbox", "outbox", "turn_journal"), "messages on their way; what was said is in the turns"),
    "scratch_buffer": "what was said and waits to be judged; it is in the turns",
    "retrievals": "figures about what came to mind, without words of yours",
    "safety_events": "figures of the safety ceilings; what became of a weight is in the weight changes",
    "system_events": "what moved its feelings, for 30 days; how it felt is in the feelings",
    **dict.fromkeys(("run_log", "job_state"), "when scripts ran"),
    **dict.fromkeys(
        ("turn_topics", "session_concepts"), "what belonged to which subject, worked out again from the words"
    ),
    **dict.fromkeys(
        ("routing_decisions", "router_changes", "second_thoughts", "attention_candidates", "attention_cycles"),
        "figures about how messages were answered, without words of yours that are not in the turns",
    ),
    "act_iterations": "the steps of what was done with skills; what came of them is in the skills",
    "persistent_task_cycles": "when a long task was worked on; what came of it is in the task",
    "plugin_context": "what plugins had to say for the next conversation; they say it again",
    "llm_batches": "which questions wait at a provider, without words",
    "design_docs": "its documents about itself, which come with the program",
    "strangers": "whom it told once that it does not know them",
    "tombstones": "fingerprints of what was forgotten; they hold nothing, and stay with the database",
}
"""Tables without export, and why. All other tables of the schema are exported."""

_JSON = frozenset(
    (
        *("attachments", "foreign_words", "signals", "turn_ids", "accesses", "topics", "feelings"),
        *("metadata", "times", "passages", "questions", "judgements", "themes", "reasons", "gates"),
        *("emotions", "needs", "memories", "steps", "activated", "rests_on"),
    )
)


def read_records(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield all rows of exported tables as plain values with their "record" kind, without empty
    fields.

    Records come after those that they refer to, so that a reader need not look ahead.
    """
    for record, question in _QUERIES.items():
        for row in db.execute(question):
            values = {name: value for name, value in dict(row).items() if value is not None}
            read = {name: load(value) if name in _JSON else value for name, value in values.items()}
            yield {"record": record, **read}


def current_memories(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield every memory for reading: by type, current before past ones, oldest first."""
    for row in db.execute(
        f"SELECT id, type, content, {STATUS}, valid_from, valid_to, created_at, immutable, "  # noqa: S608
        "(SELECT json_group_array(turn_id) FROM memory_sources WHERE memory_id=memories.id) AS turn_ids "
        "FROM memories ORDER BY type, memories.status!='active', id"
    ):
        yield {**dict(row), "turn_ids": load(row["turn_ids"])}


def to_do(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield the open tasks of the owner's lists for reading, dated ones first."""
    for row in db.execute(
        "SELECT list_id AS list, title, notes, due_at, recurrence FROM tasks WHERE state='open' AND list_id!=? "
        "ORDER BY list_id, due_at IS NULL, due_at, id",
        (tasks.REPLY_QUEUE,),
    ):
        yield dict(row)


def journal(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield the companion's journal for reading, oldest first."""
    for row in db.execute(_QUERIES["journal"]):
        yield {"day": row["day"], "kind": row["kind"], "texts": [one["text"] for one in load(row["passages"])]}


def read_unprompted(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield unprompted messages for reading, by time, with their topic if it still exists."""
    for row in db.execute(
        "SELECT d.at, d.kind, d.outcome, q.summary AS about, t.text FROM outreach_decisions AS d "
        "JOIN turns AS t ON t.id=d.turn_id LEFT JOIN mind_queue AS q ON q.id=d.item_id WHERE d.verdict='sent' "
        "AND d.kind!='reminder' ORDER BY d.id"
    ):
        yield dict(row)


def read_turns(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Yield all messages for reading, in their newest wording, by time, grouped by session."""
    for row in db.execute(
        "SELECT id, session_id, chat_id, speaker, text, at, source, foreign_words FROM turns AS t "
        "WHERE replaced_by IS NULL AND kind NOT IN ('silence', 'command', 'reaction') AND text!='' "
        "ORDER BY (SELECT min(at) FROM turns WHERE session_id=t.session_id), session_id, id"
    ):
        passages = testimony.read(load(row["foreign_words"]), row["text"])
        yield {**dict(row), "foreign_words": passages}
