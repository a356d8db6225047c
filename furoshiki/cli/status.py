"""`furoshiki status`: how it is and whether everything works; exit 4 when something does not."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from furoshiki.cli import house
from furoshiki.cli.paint import columns
from furoshiki.cli.printing import as_json, markdown, table
from furoshiki.errors import StorageUnavailable
from furoshiki.mind.commands import status

UNHEALTHY = 4

BESIDE = 76
"""Columns that feelings and needs take beside each other; in a narrower terminal the needs stand below."""


def run(args: argparse.Namespace) -> int:
    """Print the status."""
    try:
        world = house.world()
        found, now = status.gather(world), world.now
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


def _dials(found: dict[str, Any]) -> None:
    print()
    emotions, needs = list(found["emotions"].items()), list(found["needs"].items())
    if sys.stdout.isatty() and columns() < BESIDE:
        for heading, dials in (("feels", emotions), ("needs", needs)):
            table([heading, ""], [[name.replace("_", " "), _bar(value)] for name, value in dials])
        return
    rows = []
    for number in range(max(len(emotions), len(needs))):
        left = emotions[number] if number < len(emotions) else ("", None)
        right = needs[number] if number < len(needs) else ("", None)
        rows.append([left[0], _bar(left[1]), right[0].replace("_", " "), _bar(right[1])])
    table(["feels", "", "needs", ""], rows)


def _bar(value: float | None) -> str:
    if value is None:
        return ""
    full = round(value * 10)
    return "█" * full + "·" * (10 - full) + f" {value:.2f}"
