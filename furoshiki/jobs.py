"""The scripts there are: for each the question whether there is anything to do, and the use case that does it.

Only names and cheap questions are imported here; a use case is imported when its question has been answered with yes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from furoshiki.mind import worth

Worth = Callable[[sqlite3.Connection, datetime], str | None]
"""A reason to run, or None."""


@dataclass(frozen=True)
class Job:
    """`worth` answers with a reason to run, or None; `use_case` is "package.module:function", called with a World.

    `for_others` is the same question about the place of somebody beside the owner, None when it is not done for them:
    memory is kept for everybody, what makes the companion who it is (journals, questions, its profile of its owner) is
    made of the owner's words alone. `others_use_case` is done for them instead of `use_case`.
    """

    name: str
    worth: Worth
    idle: str
    use_case: str
    for_others: Worth | None = None
    others_use_case: str | None = None


_ALL = (
    Job(
        "soul_engine",
        worth.soul_engine,
        "no time has passed",
        "furoshiki.mind.feel.soul:run",
        for_others=worth.soul_of_others,
        others_use_case="furoshiki.mind.feel.soul:tick",
    ),
    Job(
        "run_post_conversation",
        worth.run_post_conversation,
        "no finished conversation is unread",
        "furoshiki.mind.reflect.post_conversation:read_sessions",
        for_others=worth.run_post_conversation,
    ),
    Job(
        "flush_scratch",
        worth.flush_scratch,
        "nothing said waits to be judged",
        "furoshiki.mind.remember.exiting:flush",
        for_others=worth.flush_scratch,
    ),
    Job("outreach_pulse", worth.outreach_pulse, "no reminder is due", "furoshiki.mind.reach_out.reminders:speak_due"),
    Job(
        "consolidate_light",
        worth.consolidate_light,
        "nothing was learned and nothing is due to fade",
        "furoshiki.mind.remember.consolidation.light:pass_",
        for_others=worth.consolidate_light,
    ),
    Job(
        "consolidate_memory",
        worth.consolidate_memory,
        "little was learned since the last time",
        "furoshiki.mind.remember.consolidation.deep:consolidate",
        for_others=worth.consolidate_memory,
    ),
    Job(
        "refine_user_profile",
        worth.refine_user_profile,
        "nothing about the user has changed",
        "furoshiki.mind.reflect.profile:refine",
    ),
    Job(
        "run_question_processing",
        worth.run_question_processing,
        "no question is open",
        "furoshiki.mind.reflect.question_processing:process",
    ),
    Job(
        "run_inner_monologue",
        worth.run_inner_monologue,
        "nothing was said since the last entry",
        "furoshiki.mind.reflect.monologue:night",
    ),
    Job(
        "run_micro_contemplation",
        worth.run_micro_contemplation,
        "nothing is new to think about",
        "furoshiki.mind.reflect.contemplation:contemplate",
    ),
    Job(
        "run_morning_reflection",
        worth.run_morning_reflection,
        "nothing is new since the last morning",
        "furoshiki.mind.reflect.monologue:morning",
    ),
    Job(
        "run_afternoon_reflection",
        worth.run_afternoon_reflection,
        "nothing was said since the last afternoon",
        "furoshiki.mind.reflect.monologue:afternoon",
    ),
    Job(
        "embed_design_docs",
        worth.embed_design_docs,
        "it works as it did",
        "furoshiki.mind.turn.abilities:keep",
    ),
    Job(
        "run_deep_reflection",
        worth.run_deep_reflection,
        "nothing is new since the last long look",
        "furoshiki.mind.reflect.deep_reflection:reflect",
    ),
    Job("backup", worth.backup, "no backup was asked for", "furoshiki.mind.keep.backup:daily"),
)

JOBS = {job.name: job for job in _ALL}
"""Every job by its name, which is also the name of its script."""
