"""Interface to the doctor: starting it, and its last report. Neither imports the other's code."""

import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from furoshiki.core import json_values
from furoshiki.core.catalogue import Sentence
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import ROOT
from furoshiki.core.timestamps import parse

LONGEST_S = 30.0  # timeout in seconds; a check takes ten seconds at most


class DoctorFailed(FuroshikiError):
    """The doctor did not come to an end: `furoshiki doctor` in a terminal shows why."""


@dataclass(frozen=True)
class Finding:
    """A finding: "well", "note", "mended" or "wrong"; `fix` is advice for a person."""

    check: str
    state: str
    words: str
    fix: str


@dataclass(frozen=True)
class Report:
    """The findings of one run."""

    at: datetime
    findings: list[Finding]

    def of(self, *states: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.state in states]


def command(data: Path, *flags: str) -> list[str]:
    """Return the command that starts the doctor for a data directory."""
    return [sys.executable, "-I", "-S", str(ROOT / "scripts" / "doctor.py"), "--data", str(data), *flags]


def command_of_host(root: Path, *flags: str) -> list[str]:
    """Return the command that starts the doctor of a host with these homes."""
    return [sys.executable, "-I", "-S", str(ROOT / "scripts" / "host_doctor.py"), "--homes", str(root), *flags]


def last_report(data: Path) -> Report | None:
    """Return the last report; None when missing or unreadable."""
    try:
        found = json.loads((data / "run" / "doctor.json").read_text(encoding="utf-8"))["report"]
        return Report(parse(found["at"]), [json_values.build(Finding, one) for one in found["found"]])
    except (OSError, ValueError, TypeError, KeyError):
        return None


def look(data: Path) -> int:
    """Run the doctor now, with repairs and alerts; returns 0 (healthy), 1 (repaired) or 2 (a person
    is needed). Raises DoctorFailed."""
    try:
        done = subprocess.run(command(data, "--json"), check=False, capture_output=True, timeout=LONGEST_S)
    except subprocess.TimeoutExpired as error:
        raise DoctorFailed(
            Sentence("The doctor was still running after {seconds:.0f} s and was stopped.", seconds=LONGEST_S)
        ) from error
    if done.returncode not in (0, 1, 2):
        raise DoctorFailed(Sentence("The doctor ended with {number}.", number=done.returncode))
    return done.returncode
