"""The last step: the doctor checks everything; problems for a person come with their fix."""

import json
import subprocess
import sys

from furoshiki.core.catalogue import later, say, say_number
from furoshiki.core.paths import ROOT
from furoshiki.faces.setup.session import Result, Session

NAME = "doctor"

ALL_WELL = later("The doctor checked everything: all is well.")
AGAIN = later("Run `furoshiki doctor` to check again.")


def run(session: Session) -> Result:
    """Run the doctor, let it repair what it can, and report the rest here only."""
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
        why = done.stderr.strip() or str(done.returncode)
        return Result("failed", say("The doctor couldn't run: {why}", why=why), say(AGAIN))
    mended = [one for one in found if one["state"] == "mended"]
    wrong = [one for one in found if one["state"] == "wrong"]
    for one in (*mended, *wrong):
        session.say(f"  {one['words']}")
        if one["fix"]:
            session.say(f"    → {one['fix']}")
    facts = {"found": [*mended, *wrong]}
    if wrong:
        words = say_number(
            "The doctor found {number} thing to mend.", "The doctor found {number} things to mend.", len(wrong)
        )
        return Result("failed", words, say(AGAIN), facts)
    return Result("done", say("The doctor fixed that; all is well.") if mended else say(ALL_WELL), facts=facts)
