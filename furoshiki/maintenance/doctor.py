"""The doctor from outside: how it is started, and what it said last. It imports nothing of ours, nor we of it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from furoshiki.core import stored
from furoshiki.core.catalogue import Sentence
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import ROOT
from furoshiki.core.timestamps import parse

LONGEST_S = 30.0
"""A look takes ten seconds at most; what takes longer hangs."""


class DoctorFailed(FuroshikiError):
    """The doctor did not come to an end: `furoshiki doctor` in a terminal shows why."""


@dataclass(frozen=True)
class Finding:
    """One thing it found: "well", "note", "mended" or "wrong"; `fix` is what a person can do."""

    check: str
    state: str
    words: str
    fix: str


@dataclass(frozen=True)
class Report:
    """What it found at a moment."""

    at: datetime
    findings: list[Finding]

    def of(self, *states: str) -> list[Finding]:
        """Return the findings in these states."""
        return [one for one in self.findings if one.state in states]


def command(data: Path, *flags: str) -> list[str]:
    """What starts it for a data directory."""
    return [sys.executable, "-I", "-S", str(ROOT / "scripts" / "doctor.py"), "--data", str(data), *flags]


def command_of_host(root: Path, *flags: str) -> list[str]:
    """What starts that of a host, for the homes in a folder."""
    return [sys.executable, "-I", "-S", str(ROOT / "scripts" / "host_doctor.py"), "--homes", str(root), *flags]


def last_report(data: Path) -> Report | None:
    """What it said when it looked last; None when it never has, or when that cannot be read."""
    try:
        found = json.loads((data / "run" / "doctor.json").read_text(encoding="utf-8"))["report"]
        return Report(parse(found["at"]), [stored.build(Finding, one) for one in found["found"]])
    except (OSError, ValueError, TypeError, KeyError):
        return None


def look(data: Path) -> int:
    """Have it look now, mend what it can and tell its owner as ever; its exit status: 0 healthy, 1 repaired, 2 a person
    is needed. Raises DoctorFailed."""
    try:
        done = subprocess.run(command(data, "--json"), check=False, capture_output=True, timeout=LONGEST_S)
    except subprocess.TimeoutExpired as error:
        raise DoctorFailed(
            Sentence("The doctor was still looking after {seconds:.0f} s and was stopped.", seconds=LONGEST_S)
        ) from error
    if done.returncode not in (0, 1, 2):
        raise DoctorFailed(Sentence("The doctor ended with {number}.", number=done.returncode))
    return done.returncode
