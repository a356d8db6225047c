"""`furoshiki profile`: who you are to the companion, each statement with the memories it rests on."""

from __future__ import annotations

import argparse

from furoshiki.cli import house
from furoshiki.cli.printing import as_json, markdown
from furoshiki.domain import profile as shape
from furoshiki.storage import profiles


def run(args: argparse.Namespace) -> int:
    """Print the profile as it holds now: in short, in full, and what is missing."""
    _settings, store = house.storage()
    with store.read() as db:
        found = profiles.current(db, house.clock().now())
    if args.json:
        as_json(shape.to_data(found))
        return 0
    parts = [shape.mini_text(found.mini), shape.reference_text(found.reference)]
    if found.gaps:
        missing = [f"- {gap.question}{_of(gap)}" for gap in found.gaps]
        parts.append("\n".join(["## Not known, or not for certain", "", *missing]))
    told = "\n\n".join(part for part in parts if part)
    markdown(told or "There is no profile yet: it is written after a conversation that told something about you.")
    return 0


def _of(gap: shape.Gap) -> str:
    return f" [{', '.join(f'memory:{fact}' for fact in gap.facts)}]" if gap.facts else ""
