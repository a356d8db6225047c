"""`furoshiki run SCRIPT`: run one scheduled script, now or as of another moment."""

import argparse
import difflib
import sys

from furoshiki.app import run_job
from furoshiki.app.jobs import JOBS
from furoshiki.faces.cli import context


def run(args: argparse.Namespace) -> int:
    """Run the script and print its one line. Raises Misused."""
    name = args.script.removesuffix(".py")
    if name not in JOBS:
        near = difflib.get_close_matches(name, JOBS, 1, 0.6)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(JOBS))}"
        raise context.Misused(f"there is no script {args.script!r}; {hint}")
    now = context.moment(args.now) if args.now else None
    outcome = run_job.run(name, now=now, dry_run=args.dry_run)
    stream = sys.stderr if outcome.exit_code and not args.json else sys.stdout
    print(outcome.as_json() if args.json else f"{name}: {outcome.summary}", file=stream)
    return outcome.exit_code
