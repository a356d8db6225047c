"""`furoshiki doctor`: hand over to scripts/doctor.py, which needs nothing of the program."""

from __future__ import annotations

import argparse
import subprocess
import sys

from furoshiki.core.paths import ROOT, data_dir


def run(args: argparse.Namespace) -> int:
    """Look once; its exit status: 0 healthy, 1 repaired, 2 a person is needed."""
    flags = [f"--{name.replace('_', '-')}" for name in ("json", "dry_run", "offline") if getattr(args, name)]
    command = [sys.executable, "-I", "-S", str(ROOT / "scripts" / "doctor.py"), "--data", str(data_dir()), *flags]
    return subprocess.run(command, check=False).returncode
