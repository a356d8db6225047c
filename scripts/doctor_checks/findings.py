"""What a look at one thing found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

State = Literal["well", "note", "mended", "wrong"]
"""Healthy; good to know, nothing to do; repaired by the doctor; needs a person."""

Alert = Literal["never", "once", "while", "event"]
"""Whether the owner is told: not at all; once for as long as it lasts; once, again after a day while it lasts, and when
it is over; or each time it happens."""

HEALTHY, REPAIRED, NEEDS_A_PERSON = 0, 1, 2
"""Exit codes."""


@dataclass(frozen=True)
class Finding:
    """One line of the report. `key` names the condition, so that it is known again; `fix` is what a person can do.

    `comes_back` says of what was mended that mending it again within a day is a matter for a person.
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
    """Good to know; the exit code does not change for it."""
    return Finding(key, "note", words, fix, alert)


def mended(key: str, words: str, *, alert: Alert = "never", comes_back: bool = False, fix: str = "") -> Finding:
    """The doctor has repaired it."""
    return Finding(key, "mended", words, fix, alert, comes_back)


def wrong(key: str, words: str, fix: str, alert: Alert = "while") -> Finding:
    """A person is needed."""
    return Finding(key, "wrong", words, fix, alert)


def back_again(finding: Finding) -> Finding:
    """The same, mended for the second time within a day."""
    words = f"{finding.words}; it was mended within the last day already and came back"
    return replace(finding, state="wrong", words=words, fix=finding.fix or "see `furoshiki logs`", alert="while")


def exit_code(found: Iterable[Finding]) -> int:
    """0 when all is well, 1 when something was repaired, 2 when a person is needed."""
    states = {one.state for one in found}
    if "wrong" in states:
        return NEEDS_A_PERSON
    return REPAIRED if "mended" in states else HEALTHY


def as_data(found: Sequence[Finding]) -> list[dict[str, str]]:
    """The findings as `--json` prints them."""
    return [{"check": one.key, "state": one.state, "words": one.words, "fix": one.fix} for one in found]
