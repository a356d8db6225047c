"""How long each table keeps its rows, and why. Source of the pruning and of docs/retention.md."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from furoshiki.core.timestamps import stamp


@dataclass(frozen=True)
class Retention:
    """How long rows stay: `days`, or `otherwise` in words ("for ever"), and `why`."""

    why: str
    days: int | None = None
    otherwise: str = "for ever"

    @property
    def time(self) -> str:
        """Return how long rows stay, in a few words."""
        return self.otherwise if self.days is None else f"{self.days} days"


_WITH_ITS_MEMORY = "as long as its memory"
_WITH_ITS_TURN = "as long as its turn"
_WITH_ITS_TASK = "as long as its task"

KEPT: Mapping[str, Retention] = {
    # messages and their delivery
    "turns": Retention("Everything said is kept word for word; `/forget` takes out what you want gone."),
    "turn_tokens": Retention("The vectors of its tokens, for search.", otherwise=_WITH_ITS_TURN),
    "turn_multilingual": Retention("Its vector for search in other languages.", otherwise=_WITH_ITS_TURN),
    "sessions": Retention("Each conversation's subjects and text, for search."),
    "conversation_summaries": Retention(
        "A summary of what no longer fits into the context window; rewritten as the chat goes on.",
        otherwise="one row a chat",
    ),
    "inbox": Retention(
        "Messages as they arrived; their words stay in `turns`. Messages that could not be answered stay 90 days.", 7
    ),
    "turn_journal": Retention("A finished answer that is not sent yet.", 7),
    "outbox": Retention(
        "Messages to you; their words stay in `turns`. A file is deleted once it has arrived, unless a page shows it.",
        90,
    ),
    "pictures": Retention(
        "Descriptions of the pictures it drew; the file in `memory/pictures` goes with its row.", 365
    ),
    "skill_runs": Retention(
        "What skills did, so that nothing runs twice after a crash and `/undo` can reverse it.", 90
    ),
    "operations": Retention("Longer work; its result is kept as a memory.", 90),
    # derived from messages
    "memories": Retention("What it knows. Unused memories fade and become dormant; they are not deleted."),
    "memory_tokens": Retention("The vectors of its tokens, for search.", otherwise=_WITH_ITS_MEMORY),
    "memory_multilingual": Retention("Its vector for search in other languages.", otherwise=_WITH_ITS_MEMORY),
    "memory_sources": Retention("The words a memory rests on.", otherwise=_WITH_ITS_MEMORY),
    "memory_links": Retention("Links between memories, each with its reason.", otherwise=_WITH_ITS_MEMORY),
    "memory_co_access": Retention(
        "Memories that were recalled together; a pair fades unless it recurs.", otherwise="until it fades"
    ),
    "memory_accesses": Retention("When a memory was recalled.", otherwise="the last 20 of each memory"),
    "memory_concepts": Retention("What a memory is about.", otherwise=_WITH_ITS_MEMORY),
    "concepts": Retention(
        "What memories and conversations are about; a concept goes with the last of them.", otherwise=_WITH_ITS_MEMORY
    ),
    "concept_links": Retention("Pairs of concepts that occur together.", otherwise=_WITH_ITS_MEMORY),
    "scratch_buffer": Retention("Statements waiting to be judged, and the verdicts.", 30),
    "retrievals": Retention("What was recalled in a turn, to improve the ranking.", 180),
    "consolidation_log": Retention(
        "Each change of a memory's weight; older rows are summed into one for each memory.", 180
    ),
    "safety_events": Retention("Weight changes that a ceiling limited; pages show the last 30 days.", 90),
    "rejected_extractions": Retention("Claims of a model that your words do not support, for you to inspect.", 90),
    "tombstones": Retention("Keyed hashes of what was forgotten (no words), so that no import brings it back."),
    "topics": Retention("Subjects of conversation, one row each, so that one that returns is recognised."),
    "turn_topics": Retention("Which subject a message belongs to, and how that was decided.", otherwise=_WITH_ITS_TURN),
    "routing_decisions": Retention("How each message was routed, and how well that worked, in figures.", 180),
    "router_changes": Retention("Changes that earlier releases made to their routing: a few rows, no longer read."),
    "act_iterations": Retention("The steps of work done with skills.", 30),
    "persistent_tasks": Retention("Long tasks; a finished one is deleted after that time.", 180),
    "persistent_task_steps": Retention("The steps of a long task and their results.", otherwise=_WITH_ITS_TASK),
    "persistent_task_cycles": Retention("When a long task was worked on.", otherwise=_WITH_ITS_TASK),
    "attention_candidates": Retention("What competed for attention; rows still waiting stay.", 30),
    "attention_cycles": Retention("What got the attention, and why.", 30),
    "second_thoughts": Retention("How sure it was of each answer and whether it reconsidered, in figures.", 180),
    "reflection_bank": Retention("Its corrections of its own answers, to do better next time."),
    "gists": Retention("What is, or was, on its mind for half an hour.", 30),
    "wanderings": Retention("Thoughts of an idle mind, and what became of them.", 90),
    "session_concepts": Retention("What a conversation was about.", otherwise="as long as its conversation"),
    # the inner life
    "emotion_history": Retention(
        "How it felt: every quarter of an hour for 7 days, then each hour (`[history]` in inner_life.toml).", 400
    ),
    "user_needs_history": Retention(
        "What you seemed to need, each change; for older days the last value of each need (at most 0.4 MB a year).", 180
    ),
    "system_events": Retention("Events that moved its feelings, and background failures.", 30),
    "emotional_weights": Retention("How emotional each conversation was: one short row each."),
    "inner_monologue": Retention("Its journal: a few entries a day."),
    "anticipations": Retention("What it expects to happen, and whether it did: a few a week."),
    "self_questions": Retention("Its questions, so that none is asked twice."),
    "self_question_times": Retention("When a question came up.", otherwise="as long as its question"),
    "behavioral_patterns": Retention("Patterns it noticed in its own conduct: a few a month."),
    "pattern_questions": Retention("The questions a pattern was seen in.", otherwise="as long as its pattern"),
    "commitments": Retention("What it promised itself, including promises it gave up."),
    "commitment_judgements": Retention("Whether a promise was kept, for each conversation it came up in."),
    "personality_drift_log": Retention("Every version of its self-description, so that any can be restored."),
    "style_dimensions": Retention("How you like to be spoken to.", otherwise="one row a trait"),
    "style_preferences": Retention("How you asked to be spoken to.", otherwise="one row a wish"),
    "mind_queue": Retention(
        "Thoughts to bring up, kept so that none comes twice; thoughts from needs go after 30 days."
    ),
    "tasks": Retention("Your lists and reminders, including finished ones."),
    "outreach_decisions": Retention("Why it wrote first, or did not, in figures.", 90),
    "outreach_kinds": Retention("How its unasked messages are received.", otherwise="one row a kind"),
    "design_docs": Retention("Passages of its documents about itself.", otherwise="until a document changes"),
    # the machinery
    "run_log": Retention("Runs of the scripts.", 30),
    "job_state": Retention("When a script is due.", otherwise="one row a script"),
    "llm_calls": Retention(
        "Model calls; older ones are summed by day, model and purpose, so that `cost` stays right.", 90
    ),
    "llm_batches": Retention("Questions submitted to a batch API overnight (no words).", 30),
    "repair_jobs": Retention("Recurring errors, and what was proposed or done; open ones stay.", 180),
    "plugins": Retention("Which plugins are installed, and what they may do.", otherwise="until removed"),
    "plugin_runs": Retention("Results of plugin runs.", 30),
    "plugin_context": Retention("What plugins report for the next conversation.", otherwise="one row a plugin"),
    "plugin_jobs": Retention("Plugins it wanted to write, and what became of them; open ones stay.", 180),
    "accounts": Retention("Who is paired.", otherwise="until unpaired"),
    "strangers": Retention("Strangers it has turned away, so that each is told once.", 180),
    "kv": Retention(
        "Small values: where jobs stopped, settings made in the chat, that a person was in danger (18 hours).",
        otherwise="one row a value",
    ),
}
"""Retention by table, for every table of the schema."""


def span(table: str) -> timedelta:
    """Return how long rows are kept. Raises ValueError for tables without `days`."""
    days = KEPT[table].days
    if days is None:
        raise ValueError(f"{table} is kept {KEPT[table].otherwise}")
    return timedelta(days=days)


BY_AGE: Mapping[str, tuple[str, str]] = {
    "retrievals": ("at", "1"),  # voices learn from the last night's rows, promotions from months
    "safety_events": ("at", "1"),
    "outbox": ("coalesce(sent_at, created_at)", "state IN ('sent', 'failed')"),
    "skill_runs": ("at", "1"),
    "pictures": ("finished_at", "state IN ('sent', 'failed')"),
    "operations": ("finished_at", "state='archived'"),
    "rejected_extractions": ("at", "1"),
    "user_needs_history": ("at", "id NOT IN (SELECT max(id) FROM user_needs_history GROUP BY need, substr(at, 1, 10))"),
    "system_events": ("created_at", "applied_at IS NOT NULL"),
    "strangers": ("told_at", "1"),
    "outreach_decisions": ("last_at", "1"),
    "repair_jobs": ("changed_at", "state NOT IN ('queued', 'proposed')"),
    "llm_batches": ("submitted_at", "1"),
    "plugin_runs": ("at", "1"),
    "routing_decisions": ("at", "1"),
    "act_iterations": ("at", "1"),
    "persistent_tasks": ("changed_at", "state IN ('completed', 'failed', 'cancelled', 'expired')"),
    "attention_candidates": ("changed_at", "state != 'waiting'"),
    "attention_cycles": ("at", "1"),
    "second_thoughts": ("at", "1"),
    "gists": ("expires_at", "1"),
    "wanderings": ("at", "1"),
    "plugin_jobs": ("changed_at", "state NOT IN ('queued', 'written', 'proposed')"),
}
"""By table: the time column, and the SQL condition of deletable rows (read, sent, outdated)."""

UNANSWERED = ("coalesce(finished_at, enqueued_at)", "state IN ('dead', 'failed')")
"""Time column and condition of failed `inbox` rows; answered ones go sooner (`inbox.prune`)."""


def older(db: sqlite3.Connection, table: str, before: datetime, limit: int) -> int:
    """Delete at most `limit` old rows of a table in `BY_AGE`, oldest first; returns the count."""
    return _drop(db, table, *BY_AGE[table], before, limit)


def remove_unanswered(db: sqlite3.Connection, before: datetime, limit: int) -> int:
    """Delete at most `limit` messages given up before this time; returns the number deleted."""
    return _drop(db, "inbox", *UNANSWERED, before, limit)


def _drop(db: sqlite3.Connection, table: str, time: str, which: str, before: datetime, limit: int) -> int:
    return db.execute(
        f"DELETE FROM {table} WHERE rowid IN "  # noqa: S608
        f"(SELECT rowid FROM {table} WHERE {time}<? AND {which} ORDER BY rowid LIMIT ?)",
        (stamp(before), limit),
    ).rowcount
