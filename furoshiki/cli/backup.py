"""`furoshiki backup`: write a verified backup now, while everything runs."""

from __future__ import annotations

import argparse

from furoshiki.cli import context
from furoshiki.cli.terminal.printing import as_json
from furoshiki.maintenance import backup


def run(args: argparse.Namespace) -> int:
    """Make it, let old ones go, and say where it is."""
    report = backup.daily(context.world(), args.keep)
    if args.json:
        as_json(dict(report.data))
    else:
        print(f"{report.summary}\n{report.data['file']}")
    return 0
