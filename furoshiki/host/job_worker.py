"""`python -m furoshiki.host.job_worker`: runs jobs of homes, one after another, requested as lines
of JSON.

{"home": "/…/anna", "job": "soul_engine", "args": []} → {"exit": 0, "did": true, "summary": "…",
"run_id": 7}

It is a separate process so that a job that hangs or crashes is only that home's failure. One
process serves many jobs because starting a process costs more than most jobs do.
"""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from furoshiki.app import run_job
from furoshiki.app.jobs import JOBS
from furoshiki.app.run_job import Outcome
from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.core import settings
from furoshiki.core.atomic_files import locked
from furoshiki.core.errors import FuroshikiError, in_words
from furoshiki.core.paths import living_in


def main() -> int:
    """Work until stdin ends."""
    with open(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)  # what libraries print must not mix with the answers
        for line in sys.stdin:
            asked = json.loads(line)
            outcome = work(Path(asked["home"]), asked["job"], asked["args"])
            answers.write(outcome.as_json() + "\n")
            answers.flush()
    return 0


def work(data: Path, name: str, args: Sequence[str] = ()) -> Outcome:
    """Run a job in a home and return its outcome, errors included."""
    known = JOBS[name].about(args).name
    with living_in(data):
        try:
            held = settings.load()
            run_job.keep_log(held, known)
            with locked(data / "run" / f"{known}.lock", wait=False) as alone:
                if not alone:
                    return Outcome(known, 0, False, "it runs already")
                world = build_world(held, SystemClock(), minds_when_asked=True)
                try:
                    return run_job.run_in(world, name, run_job.to_its_end, args)
                finally:
                    world.database.close()
        except FuroshikiError as error:
            return Outcome(known, error.exit_code, False, str(error))
        except OSError as error:
            return Outcome(known, 1, False, in_words(error))
        except Exception as error:  # a failing home must not stop the others
            return Outcome(known, 1, False, f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    sys.exit(main())
