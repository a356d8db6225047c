"""The fifth step: listener, brain and doctor as systemd services that start with the machine."""

import json
import subprocess
import sys

from furoshiki.core import paths
from furoshiki.core.catalogue import later, say
from furoshiki.core.paths import ROOT
from furoshiki.faces.setup.listening import listens
from furoshiki.faces.setup.session import Result, Session
from furoshiki.maintenance.service_manager import ServiceManager

NAME = "services"

NO_SYSTEMD = later("There's no systemd for your account here (as in a container), so nothing starts it automatically.")
RUN_UP = later("Start it with {command} up, which restarts it if it crashes.")
UP_RUNS = later("It's already running with `furoshiki up`, which restarts it if it crashes.")


def run(session: Session) -> Result:
    """Install and start the services, if wanted and possible."""
    run_up = say(RUN_UP, command=ROOT / "scripts" / "run.sh")
    if ServiceManager(paths.environ()).version() is None:
        if listens(session.settings()):
            return Result("kept", say(UP_RUNS))
        return Result("failed" if session.given.service else "left out", say(NO_SYSTEMD), run_up)
    wanted = session.given.service
    if wanted is None and session.asking is not None:
        wanted = session.asking.yes(f"  {say('Run it in the background, and start it with the machine?')}")
    if not wanted:
        return Result("left out", say("No services, as you chose."), run_up)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "furoshiki", "service", "install", "--json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        then = say("Then run `furoshiki service install`.")
        return Result("failed", done.stderr.strip().removeprefix("furoshiki: "), then)
    found = json.loads(done.stdout)
    return Result(
        "done",
        say("Running: {names}. `furoshiki service status` shows how they're doing.", names=", ".join(found["started"])),
        " ".join(f"{note[0].upper()}{note[1:]}." for note in found["notes"]) or None,
        {"started": found["started"], "lingers": found["lingers"]},
    )
