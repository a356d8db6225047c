"""The last step: the doctor looks at everything once; each thing that needs a person comes with its fix."""

from __future__ import annotations

import json
import subprocess
import sys

from furoshiki.core.paths import ROOT
from furoshiki.faces.setup.session import Result, Session

NAME = "doctor"

ALL_WELL = "The doctor looked at everything: all is well."
BROKE = "The doctor could not look: "
AGAIN = "`furoshiki doctor` looks again."


def run(session: Session) -> Result:
    """Have the doctor look, mend what it can, and say the rest here and nowhere else."""
    script = ROOT / "scripts" / "doctor.py"
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(script), "--data", str(session.data), "--offline", "--json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    try:
        found = json.loads(done.stdout)["found"]
    except (ValueError, KeyError, TypeError):
        return Result("failed", f"{BROKE}{done.stderr.strip() or f'status {done.returncode}'}", AGAIN)
    mended = [one for one in found if one["state"] == "mended"]
    wrong = [one for one in found if one["state"] == "wrong"]
    for one in (*mended, *wrong):
        session.say(f"  {one['words']}")
        if one["fix"]:
            session.say(f"    → {one['fix']}")
    facts = {"found": [*mended, *wrong]}
    if wrong:
        return Result("failed", f"The doctor found {len(wrong)} thing{'s' * (len(wrong) > 1)} to mend.", AGAIN, facts)
    return Result("done", ALL_WELL if not mended else "The doctor mended that; all is well.", facts=facts)
