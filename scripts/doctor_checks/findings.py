"""Findings of the checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

# healthy; only information; repaired by the doctor; needs a person
State = Literal["well", "note", "mended", "wrong"]

# when the owner is told: never; once per condition; at its begin, daily while it lasts and at its
# end; or each time it happens
Alert = Literal["never", "once", "while", "event"]

HEALTHY, REPAIRED, NEEDS_A_PERSON = 0, 1, 2  # exit codes


@dataclass(frozen=True)
class Finding:
    """One line of the report. `key` identifies the condition; `fix` is what a person can do.

    `comes_back`: if this repair recurs within a day, a person is needed.
    """

    key: str
    state: State
    words: str
    fix: str = ""
    alert: Alert = "never"
    comes_back: bool = False


def well(key: str, words: str) -> Finding:
    """Nothing is wrong."""
    return Finding(key, "well", words)


def note(key: str, words: str, fix: str = "", alert: Alert = "never") -> Finding:
    """Information; it does not change the exit code."""
    return Finding(key, "note", words, fix, alert)


def mended(key: str, words: str, *, alert: Alert = "never", comes_back: bool = False, fix: str = "") -> Finding:
    """The doctor has repaired it."""
    return Finding(key, "mended", words, fix, alert, comes_back)


def wrong(key: str, words: str, fix: str, alert: Alert = "while") -> Finding:
    """A person is needed."""
    return Finding(key, "wrong", words, fix, alert)


def back_again(finding: Finding) -> Finding:
    """Return the finding as repaired twice within a day."""
    words = f"{finding.words}; it was mended within the last day already and came back"
    return replace(finding, state="wrong", words=words, fix=finding.fix or "see `furoshiki logs`", alert="while")


def exit_code(found: Iterable[Finding]) -> int:
    """Return 0 when all is well, 1 when something was repaired, 2 when a person is needed."""
    states = {one.state for one in found}
    if "wrong" in states:
        return NEEDS_A_PERSON
    return REPAIRED if "mended" in states else HEALTHY


def as_data(found: Sequence[Finding]) -> list[dict[str, str]]:
    """Return the findings for `--json`."""
    return [{"check": one.key, "state": one.state, "words": one.words, "fix": one.fix} for one in found]
