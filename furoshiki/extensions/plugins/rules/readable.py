"""Tables, columns and functions that a plugin with `read_db` can use.

They are about the owner and the companion. Excluded are keys, settings, accounts, other people,
unsent messages, forgotten texts, the cost ledger and SQLite's own tables.
"""

from collections.abc import Mapping


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


READABLE: Mapping[str, frozenset[str]] = {
    "turns": _names("id session_id channel speaker kind text at reply_to replaced_by source"),
    "sessions": _names("id session_id started_at ended_at topics document connection_quality warmth"),
    "memories": _names(
        "id type content subject predicate object category valid_from valid_to event_time "
        "created_at last_accessed_at hit_count immutable source_tag source_confidence status "
        "alpha beta importance charge feelings"
    ),
    "memory_sources": _names("memory_id turn_id"),
    "memory_links": _names("id from_id to_id relation confidence created_at"),
    "concepts": _names("id name seen created_at"),
    "memory_concepts": _names("memory_id concept_id"),
    "concept_links": _names("a_id b_id weight last_reinforced_at"),
    "tasks": _names("id list_id title notes priority due_at due_zone recurrence state created_at changed_at"),
    "anticipations": _names("id text reason expected_at expires_at state created_at"),
    "inner_monologue": _names("id kind day item at passages state"),
    "self_questions": _names("id kind question state answer answered_at created_at"),
    "commitments": _names("id text sign state honoured created_at changed_at"),
    "emotion_history": _names("id at emotions needs mood"),
    "emotional_weights": _names("id session_id at feelings valence intensity connection_quality warmth note"),
    "user_needs_history": _names("id at need level confidence"),
    "tombstones": _names("forgotten_at"),
}
"""Readable columns by table. Of forgotten items only the time, for updating copies."""

UNFOLDED = frozenset({"json_each", "json_tree"})
"""Table-valued functions; all their columns can be read."""

FUNCTIONS = _names(
    "abs avg ceil ceiling char coalesce count cume_dist date datetime dense_rank first_value "
    "floor group_concat iif ifnull json json_array json_array_length json_extract json_object "
    "json_type json_valid julianday lag last_value lead length like lower max min nth_value "
    "ntile nullif percent_rank rank round row_number sign strftime substr substring sum time "
    "total typeof unicode unixepoch upper -> ->>"
)
"""Allowed functions: none that reads files, loads code, makes texts of any length or reveals the
machine, and none of quadratic time (`instr`, `replace`, `trim`), as it could not be interrupted."""


def refusal(table: str, column: str) -> str | None:
    """Return why a column (or, without one, the table) cannot be read; None if it can."""
    if table in UNFOLDED:
        return None
    if table not in READABLE:
        return f"the table {table} cannot be read; these can: {', '.join(sorted(READABLE))}"
    if column and column not in READABLE[table]:
        return f"the column {table}.{column} cannot be read; these can: {', '.join(sorted(READABLE[table]))}"
    return None
