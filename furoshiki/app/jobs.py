"""The jobs: for each the checks whether there is anything to do, and the use cases that do it.

Its row in schedules.json names both as text ("package.module:function"). They are imported on
demand: a script with nothing to do imports only its own check.
"""

import importlib
import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from furoshiki.core.paths import ROOT


@dataclass(frozen=True)
class Step:
    """One step of a job. `due` names its check, called with a connection and the moment, which
    returns a reason or None; `use_case` is called with a World and returns a Report. Both get
    `args`."""

    due: str
    use_case: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True)
class Job:
    """A job. Its `steps` run in order, each if its own check has a reason; if none has, the job
    reports `idle`.

    `for_others` runs in the place of each other person: memory is kept for all, but the companion's
    self (journals, questions, profile) comes from the owner's words alone. `takes` names the
    script's arguments, and `called` the function that makes the job's name of them.
    """

    name: str
    idle: str
    steps: tuple[Step, ...]
    for_others: tuple[Step, ...] = ()
    takes: tuple[str, ...] = ()
    called: str = ""

    def about(self, args: Sequence[str]) -> "Job":
        """Return the job for these arguments."""
        if not args:
            return self
        steps = tuple(replace(step, args=tuple(args)) for step in self.steps)
        return replace(self, name=import_function(self.called)(*args), steps=steps)


def import_function(path: str) -> Callable[..., Any]:
    """Import and return the function "package.module:function"."""
    module, _, name = path.partition(":")
    return cast(Callable[..., Any], getattr(importlib.import_module(module), name))


def due(steps: Sequence[Step], db: sqlite3.Connection, now: datetime) -> list[tuple[Step, str]]:
    """Return the steps that have a reason to run, each with its reason."""
    asked: list[tuple[Step, str | None]] = [(step, import_function(step.due)(db, now, *step.args)) for step in steps]
    return [(step, reason) for step, reason in asked if reason is not None]


def _job(row: dict[str, Any]) -> Job:
    steps, for_others = ([Step(*names) for names in row.get(key, ())] for key in ("steps", "for_others"))
    return Job(
        row["name"], row["idle"], tuple(steps), tuple(for_others), tuple(row.get("takes", ())), row.get("called", "")
    )


_ROWS = json.loads((ROOT / "schedules.json").read_text(encoding="utf-8"))["jobs"]

# all jobs by name, which is also the name of the script
JOBS = {row["name"]: _job(row) for row in _ROWS if "steps" in row}
