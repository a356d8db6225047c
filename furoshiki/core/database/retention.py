"""How long each table keeps its rows, and why: what is pruned by, and what docs/retention.md is printed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True)
class Retention:
    """How long rows of a table stay: `days`, or as `otherwise` says ("for ever", "one row a chat"), and `why`."""

    why: str
    days: int | None = None
    otherwise: str = "for ever"

    @property
    def time(self) -> str:
        """In a few words."""
        return self.otherwise if self.days is None else f"{self.days} days"


_WITH_ITS_MEMORY = "as long as its memory"
_WITH_ITS_TURN = "as long as its turn"
_WITH_ITS_TASK = "as long as its task"

KEPT: Mapping[str, Retention] = {
    # what was said, and on its way
    "turns": Retention("Everything said is kept word for word; `/forget` takes out what you want gone."),
    "turn_tokens": Retention("The vectors of its words, by which it is found.", otherwise=_WITH_ITS_TURN),
    "turn_multilingual": Retention("By what it is found in another language.", otherwise=_WITH_ITS_TURN),
    "sessions": Retention("What each conversation was about, with its words, to be found by."),
    "conversation_summaries": Retention("What was said before the window; rewritten.", otherwise="one row a chat"),
    "inbox": Retention("What arrived; its words live on in `turns`. What could not be answered stays 90 days.", 7),
    "turn_journal": Retention("An answer between thinking and sending.", 7),
    "outbox": Retention(
        "What was sent; its words live on in `turns`. A file goes when it has arrived, but for what the page shows.",
        90,
    ),
    "pictures": Retention("What it drew for you, in words; the picture in `memory/pictures` goes with its row.", 365),
    "skill_runs": Retention("What skills did: not done twice after a crash, and taken back by `/undo`.", 90),
    "operations": Retention("Longer work: what came of it is kept as a memory.", 90),
    # what was made of it
    "memories": Retention("What it knows. What is not used fades and goes dormant; it is not thrown away."),
    "memory_tokens": Retention("The vectors of its words, by which it is found.", otherwise=_WITH_ITS_MEMORY),
    "memory_multilingual": Retention("By what it is found in another language.", otherwise=_WITH_ITS_MEMORY),
    "memory_sources": Retention("The words a memory rests on.", otherwise=_WITH_ITS_MEMORY),
    "memory_links": Retention("What belongs to what, and why.", otherwise=_WITH_ITS_MEMORY),
    "memory_co_access": Retention(
        "What came to mind together; fades and goes when it is not renewed.", otherwise="it fades"
    ),
    "memory_accesses": Retention("When a memory came to mind.", otherwise="the last 20 of a memory"),
    "memory_concepts": Retention("What a memory is about.", otherwise=_WITH_ITS_MEMORY),
    "concepts": Retention(
        "What memories and conversations are about; goes with the last of them.", otherwise=_WITH_ITS_MEMORY
    ),
    "concept_links": Retention("Concepts that come together; goes with them.", otherwise=_WITH_ITS_MEMORY),
    "scratch_buffer": Retention("What was said and waits to be judged, and the judgement.", 30),
    "retrievals": Retention("What came to mind in a turn, to learn from.", 180),
    "consolidation_log": Retention("Each movement of a weight; older ones are folded into one row a memory.", 180),
    "safety_events": Retention("What a ceiling held back; you are shown 30 days.", 90),
    "rejected_extractions": Retention("Claims of a model that your words did not carry, to be looked at.", 90),
    "tombstones": Retention("Fingerprints of what was forgotten (no words), so that no import brings it back."),
    "topics": Retention("What was talked about: one row a subject, so that it is known again when it comes back."),
    "turn_topics": Retention("Which subject a message belonged to, and how that was told.", otherwise=_WITH_ITS_TURN),
    "routing_decisions": Retention("Which way a message seemed best answered, and whether it was, in figures.", 180),
    "router_changes": Retention("What earlier releases changed in how they chose: few, and read by nobody."),
    "act_iterations": Retention("The steps of what was done with skills.", 30),
    "persistent_tasks": Retention("Long tasks; those that are over go after that time.", 180),
    "persistent_task_steps": Retention("The plan of a long task, and what came of it.", otherwise=_WITH_ITS_TASK),
    "persistent_task_cycles": Retention("When a long task was worked on.", otherwise=_WITH_ITS_TASK),
    "attention_candidates": Retention("What asked for attention; what still waits stays.", 30),
    "attention_cycles": Retention("What had the attention, and why.", 30),
    "second_thoughts": Retention("How sure it was of an answer, and whether it thought again, in figures.", 180),
    "reflection_bank": Retention("What it put right in answers of its own, to do better next time."),
    "gists": Retention("What is on its mind for half an hour, and was.", 30),
    "wanderings": Retention("What an idle mind came upon, and what became of it.", 90),
    "session_concepts": Retention("What a conversation was about.", otherwise="as long as its conversation"),
    # its inner life
    "emotion_history": Retention(
        "How it felt: every quarter of an hour for 7 days, then each hour (`[history]` in inner_life.toml).", 400
    ),
    "user_needs_history": Retention(
        "What you seemed to need, each change; of older days the last of each need stays (0.4 MB a year at most).", 180
    ),
    "system_events": Retention("What happened and moved its feelings, and what failed in the background.", 30),
    "emotional_weights": Retention("How a conversation weighed: one short row each."),
    "inner_monologue": Retention("Its journal: a few entries a day, which it goes on from."),
    "anticipations": Retention("What it expected and whether it came: a few a week, to be judged by."),
    "self_questions": Retention("Its questions, so that none is asked twice."),
    "self_question_times": Retention("When a question came up.", otherwise="as long as its question"),
    "behavioral_patterns": Retention("What it noticed about its own conduct: a few a month."),
    "pattern_questions": Retention("The questions a pattern was seen in.", otherwise="as long as its pattern"),
    "commitments": Retention("What it promised itself, also what it gave up."),
    "commitment_judgements": Retention("Whether it kept them: one row a promise and conversation it came up in."),
    "personality_drift_log": Retention("Every version of how it describes itself, so that any can be taken back."),
    "style_dimensions": Retention("How you like to be spoken to.", otherwise="one row a trait"),
    "style_preferences": Retention("What you asked for outright.", otherwise="one row a wish"),
    "mind_queue": Retention("Thoughts, so that none is brought up twice; those of needs go after 30 days."),
    "tasks": Retention("Your lists and reminders, also what is done."),
    "outreach_decisions": Retention("Why it wrote first, and why it did not, in figures.", 90),
    "outreach_kinds": Retention("How what it says unasked is received.", otherwise="one row a kind"),
    "design_docs": Retention(
        "Its documents about itself; what changes is replaced.", otherwise="as the documents stand"
    ),
    # the machine
    "run_log": Retention("Runs of the scripts.", 30),
    "job_state": Retention("When a script is due.", otherwise="one row a script"),
    "llm_calls": Retention(
        "Each call of a model; older ones are summed by day, model and purpose, so that `cost` stays true.", 90
    ),
    "llm_batches": Retention("Which questions were handed in to be answered overnight, and where (no words).", 30),
    "repair_jobs": Retention("Errors that came back, and what was proposed or done; open ones stay.", 180),
    "plugins": Retention("Which plugins are installed, and what they may do.", otherwise="until removed"),
    "plugin_runs": Retention("What the runs of plugins came to.", 30),
    "plugin_context": Retention("What plugins have to say for the next conversation.", otherwise="one row a plugin"),
    "plugin_jobs": Retention("Plugins it wanted to write, and what became of them; open ones stay.", 180),
    "accounts": Retention("Who is paired.", otherwise="until unpaired"),
    "strangers": Retention("Whom it told that it does not know them, to say so once.", 180),
    "kv": Retention(
        "Small values: where work stopped, settings said in the chat, that somebody was in danger (18 hours).",
        otherwise="one row a value",
    ),
}
"""Every table of the schema, by its name."""


def span(table: str) -> timedelta:
    """How long rows of a table that has a number of days stay."""
    days = KEPT[table].days
    if days is None:
        raise ValueError(f"{table} is kept {KEPT[table].otherwise}")
    return timedelta(days=days)
