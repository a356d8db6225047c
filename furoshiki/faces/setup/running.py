"""The fifth step: listener, brain and doctor as services of systemd that start with the machine, where there is one."""

from __future__ import annotations

import json
import subprocess
import sys

from furoshiki.core import paths
from furoshiki.core.paths import ROOT
from furoshiki.faces.setup.listening import listens
from furoshiki.faces.setup.session import Result, Session
from furoshiki.maintenance.service_manager import ServiceManager

NAME = "services"

NO_SYSTEMD = "There is no systemd for your account here (as in a container), so nothing starts it by itself."
RUN_UP = f"Start it with {ROOT / 'scripts' / 'run.sh'} up, which restarts what crashes."
NOT_WANTED = "No services, as you wish."
UP_RUNS = "It runs already, by `furoshiki up`, which restarts what crashes."


def run(session: Session) -> Result:
    """Install and start the services, if that is wanted and can be."""
    if ServiceManager(paths.environ()).version() is None:
        if listens(session.settings()):
            return Result("kept", UP_RUNS)
        return Result("failed" if session.given.service else "left out", NO_SYSTEMD, RUN_UP)
    wanted = session.given.service
    if wanted is None and session.asking is not None:
        wanted = session.asking.yes("  Have it run in the background, and start with the machine?")
    if not wanted:
        return Result("left out", NOT_WANTED, RUN_UP)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "furoshiki", "service", "install", "--json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        return Result("failed", done.stderr.strip().removeprefix("furoshiki: "), "Then `furoshiki service install`.")
    found = json.loads(done.stdout)
    return Result(
        "done",
        f"Running: {', '.join(found['started'])}. `furoshiki service status` tells how they are.",
        " ".join(f"{note[0].upper()}{note[1:]}." for note in found["notes"]) or None,
        {"started": found["started"], "lingers": found["lingers"]},
    )
