"""`furoshiki status`: the companion's state and whether everything works; exit 4 if not."""

import argparse
import sys
from typing import Any

from furoshiki.conversation.commands import status
from furoshiki.core.catalogue import say
from furoshiki.core.database import troubles
from furoshiki.core.errors import StorageUnavailable
from furoshiki.faces.cli import context, servers
from furoshiki.faces.terminal.markdown import columns
from furoshiki.faces.terminal.printing import as_json, markdown, table
from furoshiki.models.llm.plans import plans_of
from furoshiki.world import World

UNHEALTHY = 4

# columns for feelings and needs side by side; in a narrower terminal the needs come below
BESIDE = 76


def run(args: argparse.Namespace) -> int:
    try:
        world = context.world()
        found, now = status.gather(world), world.now
        if not args.offline:
            _ask_around(world, found)
    except StorageUnavailable as error:
        if not args.json:
            raise
        as_json(status.unreadable(error))
        return UNHEALTHY
    if args.json:
        as_json(found)
    else:
        markdown(status.in_words(found, now).replace("\n", "\n\n"))
        _dials(found)
    return 0 if found["health"]["ok"] else UNHEALTHY


def _ask_around(world: World, found: dict[str, Any]) -> None:
    """Replace the recorded troubles of the servers by their present answers."""
    chosen = plans_of(world.settings)
    findings = servers.check_all(world.settings, chosen, listening=found["running"]["listener"])
    if not findings:
        return
    with world.database.read() as db:
        standing = troubles.read_all(db)
    about = tuple(finding.about for finding in findings)
    same = tuple(trouble.words for trouble in standing if trouble.what.startswith(about))
    sound = found["health"]
    sound["problems"] = [problem for problem in sound["problems"] if not problem.startswith(same)]
    sound["problems"] += [finding.words for finding in findings]
    sound["ok"] = False


def _dials(found: dict[str, Any]) -> None:
    print()
    emotions, needs = list(found["emotions"].items()), list(found["needs"].items())
    if sys.stdout.isatty() and columns() < BESIDE:
        for heading, dials in ((say("feels"), emotions), (say("needs"), needs)):
            table([heading, ""], [[_name(name), _bar(value)] for name, value in dials])
        return
    rows = []
    for number in range(max(len(emotions), len(needs))):
        left = emotions[number] if number < len(emotions) else ("", None)
        right = needs[number] if number < len(needs) else ("", None)
        rows.append([_name(left[0]), _bar(left[1]), _name(right[0]), _bar(right[1])])
    table([say("feels"), "", say("needs"), ""], rows)


def _name(dial: str) -> str:
    return say(dial.removesuffix("_need").replace("_", " "))


def _bar(value: float | None) -> str:
    if value is None:
        return ""
    full = round(value * 10)
    return "█" * full + "·" * (10 - full) + f" {value:.2f}"
