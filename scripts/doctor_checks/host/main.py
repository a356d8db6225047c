"""One check of a host: its homes, or selected ones, and what they share.

The operator finds the result in `.host/run/doctor.json`: kinds of trouble, no private words.
"""

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

from doctor_checks import chroma, configuration, disk, files, place
from doctor_checks import main as one_home
from doctor_checks.findings import Finding, as_data, exit_code
from doctor_checks.host import homes, shared
from doctor_checks.keys import secrets
from doctor_checks.look import Look

# the checks besides the homes
CHECKS: dict[str, one_home.Check] = {
    "disk": disk.check,
    "settings": configuration.check,
    "secrets": secrets.check,
    "files": shared.files_of_host,
    "processes": shared.running,
    "memoryd": shared.memoryd,
    "chroma": chroma.check,
    "memory": shared.memory,
    "bots": shared.bots,
    "set_aside": shared.set_aside,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Check, repair, alert, report. 0 healthy, 1 repaired, 2 a person is needed."""
    args = _arguments(arguments)
    root: Path = args.homes.expanduser().absolute()
    here = place.found(os.environ, root / place.HOST)
    with one_home.only_one(here.data) as alone:
        if not alone:
            return one_home.busy(here, args.json)
        look = one_home.begun_look(here, args.dry_run, args.offline)
        seen = homes.looked_at(look, root, args.only, args.patience)
        look.begun = time.monotonic()
        found = [*one_home.looked(look, CHECKS), *seen]
        told = None if look.dry else _remember(look, found)
    one_home.show(found, args.json, told, look.dry)
    return exit_code(found)


def _remember(look: Look, found: Sequence[Finding]) -> str | None:
    """Tell the operator what is new, if configured; return why that failed, or None."""
    told = one_home.tell(look, found)
    look.notebook.page["report"] = {"at": files.stamp(look.now), "found": as_data(found), "exit": exit_code(found)}
    one_home.write_log(look, found, told)
    look.notebook.save(look.now)
    return told


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="host_doctor", description="Look after the homes of a machine, and after what they share."
    )
    parser.add_argument("--homes", type=Path, metavar="DIR", required=True, help="where the homes lie")
    parser.add_argument("--only", metavar="NAME", nargs="*", help="look at these homes alone, and at what all share")
    parser.add_argument("--patience", type=float, default=homes.SECONDS, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--dry-run", action="store_true", help="change nothing and tell nobody")
    parser.add_argument("--offline", action="store_true", help="mend, but tell nobody")
    return parser.parse_args(arguments)
