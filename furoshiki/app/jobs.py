"""The scripts there are: for each the questions whether there is anything to do, and the use cases that do it.

Everything is named as text ("package.module:function") and imported when it is asked for: a script that has nothing
to do imports its own question and nothing of the others.
"""

from __future__ import annotations

import importlib
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast


@dataclass(frozen=True)
class Step:
    """One thing a job does. `due` names its question, which is asked with a connection and the moment and returns a
    reason or None; `use_case` what is called with a World and returns a Report. Both are given `args` besides."""

    due: str
    use_case: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True)
class Job:
    """`steps` are done in order, each when its own question has a reason; with none of them the job says `idle`.

    `for_others` is done in the place of each person beside the owner: memory is kept for everybody, what makes the
    companion who it is (journals, questions, its profile of its owner) is made of the owner's words alone.
    `takes` names what its script is called with, and `called` the function that makes its name of that.
    """

    name: str
    idle: str
    steps: tuple[Step, ...]
    for_others: tuple[Step, ...] = ()
    takes: tuple[str, ...] = ()
    called: str = ""

    def about(self, args: Sequence[str]) -> Job:
        """The job as it is called with `args`."""
        if not args:
            return self
        steps = tuple(replace(step, args=tuple(args)) for step in self.steps)
        return replace(self, name=named(self.called)(*args), steps=steps)


def named(path: str) -> Callable[..., Any]:
    """What "package.module:function" names."""
    module, _, name = path.partition(":")
    return cast(Callable[..., Any], getattr(importlib.import_module(module), name))


def due(steps: Sequence[Step], db: sqlite3.Connection, now: datetime) -> list[tuple[Step, str]]:
    """The steps there is a reason for, each with its reason."""
    asked: list[tuple[Step, str | None]] = [(step, named(step.due)(db, now, *step.args)) for step in steps]
    return [(step, reason) for step, reason in asked if reason is not None]


_READING = (
    Step(
        "furoshiki.mind.post_conversation.due:run_post_conversation",
        "furoshiki.mind.post_conversation.reading:read_sessions",
    ),
    Step("furoshiki.mind.post_conversation.due:read_imports", "furoshiki.mind.post_conversation.imported:read_imports"),
)
_JUDGING = (Step("furoshiki.memory.due:flush_scratch", "furoshiki.memory.exit_gate:flush"),)
_LIGHT = (
    Step("furoshiki.archive.forgetting.due:unfinished", "furoshiki.archive.forgetting.forgetting:go_on"),
    Step(
        "furoshiki.mind.consolidation.due:consolidate_light",
        "furoshiki.mind.consolidation.light:run",
    ),
)
_DEEP = (
    Step(
        "furoshiki.mind.consolidation.due:consolidate_memory",
        "furoshiki.mind.consolidation.deep:consolidate",
    ),
)


def _inner(question: str, use_case: str) -> tuple[Step, ...]:
    """One step of its inner life."""
    return (Step(f"furoshiki.mind.inner_life.due:{question}", f"furoshiki.mind.inner_life.{use_case}"),)


_ALL = (
    Job(
        "soul_engine",
        "no time has passed",
        (
            Step("furoshiki.mind.inner_life.due:soul_engine", "furoshiki.mind.inner_life.soul_engine:run"),
            Step("furoshiki.mind.birthdays.due:look_ahead", "furoshiki.mind.birthdays.look_ahead:look_ahead"),
            Step("furoshiki.mind.readiness.due:milestones", "furoshiki.mind.readiness.milestones:notice"),
            Step("furoshiki.extensions.plugins.due:refresh", "furoshiki.extensions.plugins.refreshing:refresh"),
            Step("furoshiki.conversation.acting.due:attend", "furoshiki.conversation.acting.attention:attend"),
        ),
        for_others=(
            Step("furoshiki.mind.inner_life.due:soul_of_others", "furoshiki.mind.inner_life.soul_engine:tick"),
        ),
    ),
    Job("run_post_conversation", "no finished conversation is unread", _READING, for_others=_READING),
    Job("flush_scratch", "nothing said waits to be judged", _JUDGING, for_others=_JUDGING),
    Job(
        "outreach_pulse",
        "nothing is due, and nothing that waits may be said by now",
        (
            Step("furoshiki.mind.outreach.due:reminders", "furoshiki.mind.outreach.reminders:speak_due"),
            Step("furoshiki.owner.agenda.due:task_nudges", "furoshiki.owner.agenda.task_nudges:bring_up"),
            Step("furoshiki.mind.outreach.due:outreach", "furoshiki.mind.outreach.pulse:run"),
        ),
    ),
    Job("consolidate_light", "nothing was learned and nothing is due to fade", _LIGHT, for_others=_LIGHT),
    Job("consolidate_memory", "little was learned since the last time", _DEEP, for_others=_DEEP),
    Job(
        "refine_user_profile",
        "nothing about the user has changed",
        (Step("furoshiki.owner.user_model.due:refine_user_profile", "furoshiki.owner.user_model.profile:refine"),),
    ),
    Job(
        "run_question_processing",
        "no question is open",
        _inner("run_question_processing", "questions.processing:process"),
    ),
    Job(
        "run_inner_monologue",
        "nothing was said since the last entry",
        _inner("run_inner_monologue", "journal.monologue:night"),
    ),
    Job(
        "run_micro_contemplation",
        "nothing is new to think about",
        _inner("run_micro_contemplation", "journal.contemplation:contemplate"),
    ),
    Job(
        "wander",
        "the mind is not idle, or has wandered enough",
        (Step("furoshiki.conversation.wandering.due:wander", "furoshiki.conversation.wandering.wander:wander"),),
    ),
    Job(
        "run_morning_reflection",
        "nothing is new since the last morning",
        _inner("run_morning_reflection", "journal.monologue:morning"),
    ),
    Job(
        "run_afternoon_reflection",
        "nothing was said since the last afternoon",
        _inner("run_afternoon_reflection", "journal.monologue:afternoon"),
    ),
    Job(
        "embed_design_docs",
        "it works as it did",
        (Step("furoshiki.mind.inner_life.due:embed_design_docs", "furoshiki.conversation.abilities:keep"),),
    ),
    Job(
        "run_deep_reflection",
        "nothing is new since the last long look",
        _inner("run_deep_reflection", "self_model.deep_reflection:reflect"),
    ),
    Job(
        "run_plugin",
        "it is switched off",
        (Step("furoshiki.extensions.plugins.due:run_plugin", "furoshiki.extensions.plugins.hooks:scheduled"),),
        takes=("plugin", "number"),
        called="furoshiki.extensions.plugins.rules.names:job_name",
    ),
    Job(
        "backup",
        "no backup was asked for",
        (Step("furoshiki.maintenance.due:backup", "furoshiki.maintenance.backup:daily"),),
    ),
    Job(
        "repair_dispatcher",
        "no error has come back",
        (
            Step(
                "furoshiki.extensions.repair.due:repair_dispatcher",
                "furoshiki.extensions.repair.dispatching:dispatch",
            ),
        ),
    ),
    Job(
        "persistent_task_worker",
        "no long task waits",
        (
            Step(
                "furoshiki.conversation.acting.due:persistent_tasks",
                "furoshiki.conversation.acting.persistent_tasks:work",
            ),
        ),
    ),
    Job(
        "plugin_author",
        "no wish for a plugin waits",
        (
            *_inner("plugin_wish", "self_model.plugin_wish:wish"),
            Step(
                "furoshiki.extensions.plugins.authoring.due:plugin_author",
                "furoshiki.extensions.plugins.authoring.working:work",
            ),
        ),
    ),
)

JOBS = {job.name: job for job in _ALL}
"""Every job by its name, which is also the name of its script."""
