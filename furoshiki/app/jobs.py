"""The jobs there are: for each the questions whether there is anything to do, and the use cases that do it.

Its row in schedules.json says both as text ("package.module:function") beside when it runs. They are imported when they
are asked for: a script that has nothing to do imports its own question and nothing of the others.
"""

from __future__ import annotations

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
        return replace(self, name=import_function(self.called)(*args), steps=steps)


def import_function(path: str) -> Callable[..., Any]:
    """What "package.module:function" names."""
    module, _, name = path.partition(":")
    return cast(Callable[..., Any], getattr(importlib.import_module(module), name))


def due(steps: Sequence[Step], db: sqlite3.Connection, now: datetime) -> list[tuple[Step, str]]:
    """The steps there is a reason for, each with its reason."""
    asked: list[tuple[Step, str | None]] = [(step, import_function(step.due)(db, now, *step.args)) for step in steps]
    return [(step, reason) for step, reason in asked if reason is not None]


def _job(row: dict[str, Any]) -> Job:
    steps, for_others = ([Step(*names) for names in row.get(key, ())] for key in ("steps", "for_others"))
    return Job(
        row["name"], row["idle"], tuple(steps), tuple(for_others), tuple(row.get("takes", ())), row.get("called", "")
    )


_ROWS = json.loads((ROOT / "schedules.json").read_text(encoding="utf-8"))["jobs"]

JOBS = {row["name"]: _job(row) for row in _ROWS if "steps" in row}
"""Every job by its name, which is also the name of its script."""
