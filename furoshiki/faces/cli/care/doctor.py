"""`furoshiki doctor`: runs scripts/doctor.py, which does not depend on the program."""

import argparse
import subprocess

from furoshiki.core.paths import data_dir
from furoshiki.maintenance import doctor


def run(args: argparse.Namespace) -> int:
    """Run the doctor once; its exit status: 0 healthy, 1 repaired, 2 a person is needed."""
    flags = [f"--{name.replace('_', '-')}" for name in ("json", "dry_run", "offline") if getattr(args, name)]
    return subprocess.run(doctor.command(data_dir(), *flags), check=False).returncode
