"""What the database tells about each feedback loop: when it last had an effect, its figures, and what it holds now.

Each question is answered from an index or from the newest rows of a table: the page asks all of them for their last
effect at once, and one loop for the rest. `:day`, `:week`, `:month` are moments so long ago.
"""

# ruff: noqa: S608 - questions are put together from constants of this module alone

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core.database.rows import moment
from furoshiki.core.timestamps import stamp

SPANS = {"day": timedelta(days=1), "week": timedelta(days=7), "month": timedelta(days=30)}


@dataclass(frozen=True)
class Asked:
    """The questions about a loop. `last` answers with a moment, each of `figures` with one figure under its label, and
    `values` with rows of a label, a share in [0, 1] (or NULL) and a few words."""

    last: str = ""
    figures: Mapping[str, str] = field(default_factory=dict)
    values: str = ""


@dataclass(frozen=True)
class Value:
    """Something a loop holds now: `share` in [0, 1] where it can be drawn as a bar."""

    label: str
    share: float | None
    words: str


_DECISIONS = "(SELECT * FROM routing_decisions ORDER BY id DESC LIMIT 500)"
_TOPICS = "(SELECT * FROM turn_topics ORDER BY turn_id DESC LIMIT 500)"
_RUNS = "(SELECT * FROM skill_runs ORDER BY id DESC LIMIT 500)"
_TRAIT = (
    "SELECT replace(name, '_', ' '), (value-1)/9.0, printf('%.1f of 10, usually %.1f', value, baseline) "
    "FROM style_dimensions"
)
_CANDIDATES = (
    "SELECT text, salience, CASE lost WHEN 0 THEN '' ELSE 'passed over ' || lost || CASE lost WHEN 1 THEN ' time' "
    "ELSE ' times' END END FROM attention_candidates WHERE state='waiting' ORDER BY salience DESC LIMIT 8"
)
_LET_GO = "SELECT count(*) FROM attention_candidates WHERE state='let_go'"
_TASKS = "SELECT title, {}, replace(state, '_', ' ') FROM persistent_tasks ORDER BY id DESC LIMIT 6"


def _wandered(action: str) -> Asked:
    return Asked(
        f"SELECT at FROM wanderings WHERE action='{action}' ORDER BY id DESC LIMIT 1",
        {
            "within 30 days": f"SELECT count(*) FROM wanderings WHERE at>:month AND action='{action}'",
            "of all that came to an idle mind then": "SELECT count(*) FROM wanderings WHERE at>:month",
        },
        "SELECT coalesce(g.text, 'a thought whose time is over'), NULL, coalesce(w.outcome, '') FROM wanderings w "
        f"LEFT JOIN gists g ON g.id=w.gist_id WHERE w.action='{action}' ORDER BY w.id DESC LIMIT 4",
    )


QUESTIONS: Mapping[str, Asked] = {
    "feelings": Asked(
        "SELECT max(at) FROM emotion_history",
        {"moments written down within a week": "SELECT count(*) FROM emotion_history WHERE at>:week"},
    ),
    "what-you-need": Asked("SELECT max(at) FROM user_needs_history"),
    "manner": Asked(
        "SELECT max(updated_at) FROM style_dimensions WHERE name NOT IN ('energy', 'tolerance')",
        {"messages measured": "SELECT max(observations) FROM style_dimensions WHERE name='verbosity'"},
        f"{_TRAIT} WHERE name NOT IN ('energy', 'tolerance') ORDER BY name",
    ),
    "pushback": Asked(
        "SELECT updated_at FROM style_dimensions WHERE name='tolerance'",
        {"reactions to being contradicted": "SELECT observations FROM style_dimensions WHERE name='tolerance'"},
        f"{_TRAIT} WHERE name IN ('tolerance', 'challenge_appetite') ORDER BY name",
    ),
    "wishes": Asked(
        "SELECT max(updated_at) FROM style_preferences",
        {"kept to or fading": "SELECT count(*) FROM style_preferences"},
        "SELECT replace(name, '_', ' '), min(1.0, strength), 'as strong as when it was said' FROM style_preferences "
        "ORDER BY strength DESC",
    ),
    "load": Asked(),
    "energy": Asked(
        "SELECT updated_at FROM style_dimensions WHERE name='energy'",
        {"messages measured": "SELECT observations FROM style_dimensions WHERE name='energy'"},
        f"{_TRAIT} WHERE name='energy'",
    ),
    "growth": Asked(
        "SELECT max(told_at) FROM style_dimensions",
        {"away from their baseline now": "SELECT count(*) FROM style_dimensions WHERE shifted_since IS NOT NULL"},
        f"{_TRAIT} WHERE shifted_since IS NOT NULL ORDER BY shifted_since",
    ),
    "where-a-subject-ends": Asked(
        f"SELECT max(at) FROM {_TOPICS} WHERE boundary=1",
        {
            "ends of a subject in the last 500 messages": f"SELECT sum(boundary) FROM {_TOPICS}",
        },
    ),
    "a-subject-that-comes-back": Asked(
        f"SELECT max(s.at) FROM {_TOPICS} s JOIN topics t ON t.id=s.topic_id "
        "WHERE s.boundary=1 AND t.first_turn<s.turn_id",
        {"subjects known": "SELECT count(*) FROM topics"},
        "SELECT name, NULL, messages || CASE messages WHEN 1 THEN ' message' ELSE ' messages' END FROM topics "
        "ORDER BY id DESC LIMIT 6",
    ),
    "which-way-a-message-is-taken": Asked(
        "SELECT max(at) FROM routing_decisions",
        {"decided within a week": "SELECT count(*) FROM routing_decisions WHERE at>:week"},
        "SELECT CASE mode WHEN 'RESPOND' THEN 'answer' WHEN 'CLARIFY' THEN 'ask back' WHEN 'ACT' THEN 'do something "
        f"first' WHEN 'ACKNOWLEDGE' THEN 'acknowledge' ELSE 'leave it' END, count(*)*1.0/(SELECT count(*) FROM "
        f"{_DECISIONS}), count(*) || ' of the last 500' FROM {_DECISIONS} GROUP BY mode ORDER BY count(*) DESC",
    ),
    "steps-in-circles": Asked(
        "SELECT max(at) FROM act_iterations WHERE at>:month AND stopped IN ('same', 'circles', 'rounds', 'time')",
        {"rounds of planning within 30 days": "SELECT count(*) FROM act_iterations WHERE at>:month"},
        "SELECT CASE stopped WHEN 'finished' THEN 'nothing more to do' WHEN 'time' THEN 'the time was over' WHEN "
        "'rounds' THEN 'the rounds were over' WHEN 'same' THEN 'the same three times' WHEN 'circles' THEN 'in circles' "
        "ELSE 'nobody to plan' END, NULL, count(*) || ' within 30 days' FROM act_iterations WHERE at>:month AND "
        "stopped IS NOT NULL GROUP BY stopped ORDER BY count(*) DESC",
    ),
    "vain-searches": Asked(
        f"SELECT max(at) FROM {_RUNS} WHERE name='recall' AND json_extract(result, '$.data.found')=0",
        {
            "searches of memory, of the last 500 uses": f"SELECT count(*) FROM {_RUNS} WHERE name='recall'",
            "that found nothing": (
                f"SELECT count(*) FROM {_RUNS} WHERE name='recall' AND json_extract(result, '$.data.found')=0"
            ),
        },
    ),
    "failing-skills": Asked(
        f"SELECT max(at) FROM {_RUNS} WHERE ok=0",
        {"uses within a week, of the last 500": f"SELECT count(*) FROM {_RUNS} WHERE at>:week"},
        f"SELECT replace(name, '_', ' '), avg(1.0-ok), sum(1-ok) || ' of ' || count(*) || ' failed' FROM {_RUNS} "
        "WHERE at>:week GROUP BY name HAVING sum(1-ok)>0 ORDER BY avg(1-ok) DESC LIMIT 8",
    ),
    "a-focus-session": Asked("SELECT changed_at FROM kv WHERE key='focus.session'"),
    "second-thoughts": Asked(
        "SELECT max(at) FROM second_thoughts",
        {
            "thought over within 30 days": "SELECT count(*) FROM second_thoughts WHERE at>:month AND passes!='[]'",
            "answers that were changed by it": "SELECT coalesce(sum(changed), 0) FROM second_thoughts WHERE at>:month",
            "how sure the last one was": "SELECT confidence FROM second_thoughts ORDER BY id DESC LIMIT 1",
            "below which it would be unsure, then": "SELECT threshold FROM second_thoughts ORDER BY id DESC LIMIT 1",
            "corrections kept in mind": "SELECT count(*) FROM reflection_bank WHERE type='correction'",
        },
        "SELECT text, NULL, 'shown ' || shown || CASE shown WHEN 1 THEN ' time' ELSE ' times' END FROM reflection_bank "
        "WHERE type='correction' ORDER BY id DESC LIMIT 4",
    ),
    "attention-in-a-talk": Asked(
        "SELECT max(at) FROM attention_cycles WHERE at>:month AND cycle_key NOT GLOB 'tick:*'",
        {
            "weighed within a week": (
                "SELECT count(*) FROM attention_cycles WHERE at>:week AND cycle_key NOT GLOB 'tick:*'"
            ),
            "told to the mind so far": "SELECT count(*) FROM attention_candidates WHERE told>0",
            "let go of": _LET_GO,
        },
        _CANDIDATES,
    ),
    "how-much-is-going-on": Asked("SELECT max(changed_at) FROM kv WHERE key>='intensity.' AND key<'intensity/'"),
    "relevance": Asked(
        "SELECT changed_at FROM kv WHERE key='relevance.tilts'",
        {
            "that came to mind within a week": "SELECT count(*) FROM retrievals WHERE at>:week",
            "of those, used in an answer": "SELECT coalesce(sum(used), 0) FROM retrievals WHERE at>:week",
        },
    ),
    "use": Asked(
        "SELECT at FROM retrievals WHERE at>:month AND used=1 ORDER BY at DESC LIMIT 1",
        {"uses within a week": "SELECT coalesce(sum(used), 0) FROM retrievals WHERE at>:week"},
        "SELECT content, NULL, 'of use in ' || hit_count || CASE hit_count WHEN 1 THEN ' answer' ELSE ' answers' END "
        "FROM memories WHERE status='active' AND hit_count>0 ORDER BY hit_count DESC, created_at DESC LIMIT 5",
    ),
    "company": Asked(
        "SELECT max(last_at) FROM memory_co_access",
        {
            "pairs that know each other": "SELECT count(*) FROM memory_co_access",
            "the firmest tie": "SELECT max(count) FROM memory_co_access",
        },
    ),
    "mood-and-memory": Asked(
        "SELECT max(at) FROM emotional_weights",
        {"conversations whose feeling is known": "SELECT count(*) FROM emotional_weights"},
    ),
    "fading": Asked(
        "SELECT max(at) FROM consolidation_log WHERE operation='dormant'",
        {
            "asleep now": "SELECT count(*) FROM memories WHERE status='dormant'",
            "fell asleep within 30 days": (
                "SELECT count(*) FROM consolidation_log WHERE operation='dormant' AND at>:month"
            ),
        },
    ),
    "the-gate-of-memory": Asked(
        "SELECT changed_at FROM kv WHERE key='exit_gate.maturity'",
        {"waiting to be judged": "SELECT count(*) FROM scratch_buffer WHERE state='waiting'"},
        "SELECT CASE state WHEN 'persisted' THEN 'kept' WHEN 'reinforced' THEN 'known already' WHEN 'skipped' THEN "
        "'nothing in it' WHEN 'dropped' THEN 'let go' WHEN 'expired' THEN 'ran out' ELSE state END, count(*)*1.0/"
        "(SELECT count(*) FROM scratch_buffer), count(*) || ' of them' FROM scratch_buffer GROUP BY state "
        "ORDER BY count(*) DESC",
    ),
    "strength-of-concepts": Asked(
        "SELECT max(last_accessed_at) FROM concepts",
        {
            "concepts known": "SELECT count(*) FROM concepts",
            "met within 30 days": "SELECT count(*) FROM concepts WHERE last_accessed_at>:month",
        },
        "SELECT name, NULL, 'met ' || seen || CASE seen WHEN 1 THEN ' time' ELSE ' times' END FROM concepts "
        "ORDER BY strength DESC, seen DESC LIMIT 8",
    ),
    "one-thing-two-names": Asked(
        "SELECT max(last_reinforced_at) FROM concept_links",
        {
            "ties between concepts": "SELECT count(*) FROM concept_links",
            "concepts known": "SELECT count(*) FROM concepts",
        },
    ),
    "writing-first": Asked(
        "SELECT max(changed_at) FROM outreach_kinds",
        {
            "said unasked within 30 days": (
                "SELECT count(*) FROM outreach_decisions WHERE verdict='sent' AND at>:month"
            ),
        },
        "SELECT replace(kind, '_', ' '), min(1.0, weight/2.0), printf('%.2f: %d answered, %d welcomed, %d ignored, "
        "%d disliked', weight, answered, welcomed, ignored, disliked) FROM outreach_kinds ORDER BY kind",
    ),
    "attention-while-you-are-away": Asked(
        "SELECT max(at) FROM attention_cycles WHERE at>:month AND cycle_key GLOB 'tick:*'",
        {
            "weighed within a week": (
                "SELECT count(*) FROM attention_cycles WHERE at>:week AND cycle_key GLOB 'tick:*'"
            ),
            "waiting": "SELECT count(*) FROM attention_candidates WHERE state='waiting'",
            "let go of": _LET_GO,
        },
        _CANDIDATES,
    ),
    "passing-thoughts": Asked(
        "SELECT max(shown_at) FROM gists",
        {
            "on its mind now": "SELECT count(*) FROM gists WHERE expires_at>:now AND shown_at IS NULL",
            "that met a message": "SELECT count(shown_at) FROM gists",
        },
        "SELECT text, NULL, kind FROM gists WHERE expires_at>:now ORDER BY id DESC LIMIT 5",
    ),
    "wandering-said": _wandered("COMMUNICATE"),
    "wandering-asked": _wandered("SEED_THREAD"),
    "wandering-the-journal": _wandered("REFLECT"),
    "wandering-contradictions": _wandered("RECONCILE"),
    "wandering-looked-up": _wandered("AMBIENT_TOOL"),
    "wandering-work": _wandered("PLAN"),
    "what-keeps-coming-back": Asked(
        figures={"wanderings within a day": "SELECT count(*) FROM wanderings WHERE at>:day"},
    ),
    "its-own-priorities": Asked(
        "SELECT at FROM wanderings WHERE seed_kind='self' ORDER BY id DESC LIMIT 1",
        {"within 30 days": "SELECT count(*) FROM wanderings WHERE at>:month AND seed_kind='self'"},
    ),
    "a-plans-worth": Asked(
        "SELECT max(created_at) FROM persistent_tasks WHERE confidence IS NOT NULL",
        {
            "waiting for a yes": "SELECT count(*) FROM persistent_tasks WHERE state='proposed'",
            "what a cycle cost on average, in dollars": "SELECT avg(cost_usd) FROM persistent_task_cycles",
        },
        _TASKS.format("confidence"),
    ),
    "progress-of-long-tasks": Asked(
        "SELECT max(surfaced_at) FROM persistent_tasks",
        {"cycles worked": "SELECT count(*) FROM persistent_task_cycles"},
        _TASKS.format("coverage"),
    ),
    "steps-that-fail": Asked(
        "SELECT max(changed_at) FROM persistent_task_steps WHERE attempts>1 OR state='failed'",
        {
            "steps tried more than once": "SELECT count(*) FROM persistent_task_steps WHERE attempts>1",
            "steps given up": "SELECT count(*) FROM persistent_task_steps WHERE state='failed'",
        },
    ),
    "your-no": Asked(
        "SELECT max(changed_at) FROM persistent_tasks WHERE state='cancelled'",
        {"turned down or stopped": "SELECT count(*) FROM persistent_tasks WHERE state='cancelled'"},
        "SELECT title, NULL, coalesce(reason, '') FROM persistent_tasks WHERE state='cancelled' "
        "ORDER BY changed_at DESC LIMIT 5",
    ),
    "promises-to-itself": Asked(
        "SELECT max(at) FROM commitment_judgements",
        {
            "kept in view": "SELECT count(*) FROM commitments WHERE state='active'",
            "part of it by now": "SELECT count(*) FROM commitments WHERE state='retired'",
            "given up": "SELECT count(*) FROM commitments WHERE state='dropped'",
        },
        "SELECT text, NULL, 'kept ' || honoured || CASE honoured WHEN 1 THEN ' time' ELSE ' times' END || "
        "CASE failures_in_row WHEN 0 THEN '' ELSE ', then broken ' || failures_in_row || ' in a row' END "
        "FROM commitments WHERE state='active' ORDER BY id",
    ),
    "expectations": Asked(
        "SELECT max(judged_at) FROM anticipations",
        {
            "open": "SELECT count(*) FROM anticipations WHERE state='open'",
            "it came": "SELECT count(*) FROM anticipations WHERE state='hit'",
            "it did not": "SELECT count(*) FROM anticipations WHERE state='miss'",
        },
        "SELECT text, NULL, 'expected for ' || substr(expected_at, 1, 10) FROM anticipations WHERE state='open' "
        "ORDER BY expected_at LIMIT 5",
    ),
    "plugins": Asked(
        "SELECT max(at) FROM plugin_runs WHERE at>:month AND status!='ok'",
        {
            "runs within a week": "SELECT count(*) FROM plugin_runs WHERE at>:week",
            "of those, not well": "SELECT count(*) FROM plugin_runs WHERE at>:week AND status!='ok'",
        },
        "SELECT name, NULL, state || CASE failures WHEN 0 THEN '' ELSE ', ' || failures || ' failures in a row' END "
        "FROM plugins ORDER BY name",
    ),
}
"""By the name of a loop, as it stands in loops.toml."""


def last_effect(db: sqlite3.Connection, name: str, now: datetime) -> datetime | None:
    """When a loop last had an effect; None for one that had none yet, or of which nothing is kept."""
    question = QUESTIONS[name].last
    return moment(_one(db, question, _moments(now))) if question else None


def figures(db: sqlite3.Connection, name: str, now: datetime) -> dict[str, float | None]:
    """The figures of a loop by their labels."""
    given = _moments(now)
    return {label: _one(db, question, given) for label, question in QUESTIONS[name].figures.items()}


def values(db: sqlite3.Connection, name: str, now: datetime) -> list[Value]:
    """What a loop holds now."""
    question = QUESTIONS[name].values
    rows = db.execute(question, _needed(question, _moments(now))).fetchall() if question else []
    return [Value(str(label), share, str(words)) for label, share, words in rows]


def _moments(now: datetime) -> dict[str, str]:
    return {"now": stamp(now), **{name: stamp(now - span) for name, span in SPANS.items()}}


def _needed(question: str, given: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in given.items() if f":{name}" in question}


def _one(db: sqlite3.Connection, question: str, given: Mapping[str, str]) -> Any:
    row = db.execute(question, _needed(question, given)).fetchone()
    return None if row is None else row[0]
