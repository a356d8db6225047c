"""Sets hostile plugins on the sandbox of this machine, and shows what came of each.

    python -m bench.hostile_plugins [--backend landlock]

Exit status 1 when anything got through, or nothing holds plugins here.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import get_args

from bench.hostile_plugins.attempts import ATTEMPTS
from bench.hostile_plugins.proving import Proof, Verdict, prove
from furoshiki.app.wiring import SystemClock, build_world
from furoshiki.core.framing import visible
from furoshiki.core.settings import Settings
from furoshiki.extensions.plugins.sandbox import probing
from furoshiki.extensions.plugins.sandbox.command import CannotHold
from furoshiki.extensions.plugins.sandbox.values import Backend
from furoshiki.faces.terminal.printing import note, table


def main() -> int:
    """Test each available backend, or the given one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", choices=get_args(Backend), help="this one alone (both)")
    asked = parser.parse_args().backend
    came: dict[Backend, dict[str, Proof]] = {}
    away: dict[Backend, str] = {}
    for backend in (asked,) if asked else get_args(Backend):
        try:
            came[backend] = _try_all(backend)
        except CannotHold as error:
            away[backend] = str(error)
    verdicts = {one.verdict for proofs in came.values() for one in proofs.values()}
    _print_results(came, away)
    print(_conclusion(verdicts))
    return 0 if verdicts == {"held"} else 1


def _try_all(backend: Backend) -> dict[str, Proof]:
    """Return the result of every attempt, by name. Raises CannotHold."""
    if (why := probing.fault(backend)) is not None:
        raise CannotHold(why)
    note(f"{backend}: {len(ATTEMPTS)} hostile plugins, half a minute at most …")
    with tempfile.TemporaryDirectory(prefix="furoshiki-") as folder:
        world = build_world(Settings(furoshiki_data=Path(folder)), SystemClock(), spawn_memoryd=False)
        return {one.attempt.name: one for one in prove(backend, world)}


def _conclusion(verdicts: set[Verdict]) -> str:
    if not verdicts:
        return "Nothing could be tried: no plugin is run by what does not work here."
    if "got through" in verdicts:
        return "Something got through: keep plugins switched off here, and report it with this table."
    if "not tried" in verdicts:
        return "Nothing got through, but not all of it could be tried: do it again when the machine has less to do."
    return "Nothing got through."


def _print_results(came: dict[Backend, dict[str, Proof]], away: dict[Backend, str]) -> None:
    rows = []
    for name, attempt in ATTEMPTS.items():
        found = [proofs[name] for proofs in came.values()]
        if found:
            worst = next((one for one in found if one.verdict != "held"), found[0])
            verdicts = [one.verdict if one.verdict == "held" else one.verdict.upper() for one in found]
            rows.append((attempt.group, attempt.words, *verdicts, worst.happened[:120]))
    table(("", "it tried to get or do", *came, "what happened"), rows)
    for backend, why in away.items():
        print(visible(f"{backend} does not work here: {why}"))
    for backend, proofs in came.items():
        held = sum(one.verdict == "held" for one in proofs.values())
        print(f"{backend}: {held} of {len(proofs)} held")


if __name__ == "__main__":
    sys.exit(main())
