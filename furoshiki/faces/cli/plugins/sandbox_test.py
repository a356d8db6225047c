"""`furoshiki plugins sandbox-test`: hostile plugins set on this machine's sandbox, and what came of each."""

from __future__ import annotations

import argparse
import sys
from typing import Any, get_args

from furoshiki.core.visible import visible
from furoshiki.extensions.hostile_plugins.attempts import ATTEMPTS
from furoshiki.extensions.hostile_plugins.proving import Proof, Verdict, prove
from furoshiki.extensions.plugins.sandbox import probing
from furoshiki.extensions.plugins.sandbox.command import CannotHold
from furoshiki.extensions.plugins.sandbox.values import Backend
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, note, table


def run(args: argparse.Namespace) -> int:
    """Try each backend there is (or the one asked for); 1 when anything got through, or nothing holds plugins here."""
    asked: tuple[Backend, ...] = (args.backend,) if args.backend else get_args(Backend)
    came: dict[Backend, dict[str, Proof]] = {}
    away: dict[Backend, str] = {}
    for backend in asked:
        if (why := probing.fault(backend)) is not None:
            away[backend] = why
            continue
        if sys.stdout.isatty() and not args.json:
            note(f"{backend}: {len(ATTEMPTS)} hostile plugins, half a minute at most …")
        try:
            with context.strangers_world() as world:
                came[backend] = {one.attempt.name: one for one in prove(backend, world)}
        except CannotHold as error:
            away[backend] = str(error)
    verdicts = {one.verdict for proofs in came.values() for one in proofs.values()}
    if args.json:
        as_json({"backends": {name: _plain(proofs) for name, proofs in came.items()}, "away": away})
    else:
        _print_results(came, away)
        print(_conclusion(verdicts))
    return 0 if verdicts == {"held"} else 1


def _conclusion(verdicts: set[Verdict]) -> str:
    if not verdicts:
        return "Nothing could be tried: no plugin is run by what does not work here."
    if "got through" in verdicts:
        return "Something got through: keep plugins switched off here, and report it with this table."
    if "not tried" in verdicts:
        return "Nothing got through, but not all of it could be tried: do it again when the machine has less to do."
    return "Nothing got through."


def _plain(proofs: dict[str, Proof]) -> list[dict[str, Any]]:
    return [
        {"name": name, "group": one.attempt.group, "verdict": one.verdict, "happened": one.happened}
        for name, one in proofs.items()
    ]


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
