"""An installation whose clock is some days ahead: as many as DAYS_LATER says when one of its processes is started."""

from __future__ import annotations

import importlib

from tests.support.forked_program import ForkedProgram, command


def later(*args: str) -> None:
    """`furoshiki …` on such a day, as a process that it starts finds it by its PYTHONPATH."""
    importlib.import_module("tests.e2e.later.sitecustomize")
    command(*args)


class Later(ForkedProgram):
    """One installation of that kind."""

    work = staticmethod(later)
