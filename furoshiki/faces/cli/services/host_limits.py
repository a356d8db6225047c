"""`furoshiki host limit`: the limits of homes, and their use for `furoshiki host status`."""

import argparse
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from furoshiki.core.paths import HOST
from furoshiki.core.settings import Settings
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, note, table
from furoshiki.host import home_status, homes
from furoshiki.host.homes import Home
from furoshiki.language.humanize import join_items
from furoshiki.models.limits import limit_file, room, spending
from furoshiki.models.limits.rules import amounts

IN_WORDS = {
    "money": "dollars a day for models",
    "calls": "model calls a day",
    "at_once": "models asked at once",
    "disk": "on disk",
    "cpu": "CPU of jobs in an hour",
}


def run(args: argparse.Namespace, root: Path, held: Settings, now: datetime) -> int:
    """Set the given limits, and show all. Raises NoSuchHome, Misused, BadSetting."""
    home = homes.get_home(root, args.name) if args.name else None
    try:
        given = {
            name: amounts.parse_amount(name, text) for name in amounts.names() if (text := getattr(args, name, None))
        }
    except ValueError as error:
        raise context.Misused(str(error)) from None
    if given:
        limit_file.change(root / HOST, args.name, given)
    if not args.json:
        for words in limit_file.strange(root / HOST):
            note(words)
    if home is not None:
        found = measure_limits(root, home, now)
        as_json({"home": home.name, "limits": found}) if args.json else show(found)
        return 0
    every = asdict(limit_file.of_home(root / HOST, limit_file.EVERY))
    if args.json:
        as_json({"home": None, "limits": {name: {"limit": every[name]} for name in every}})
        return 0
    table(
        ["every home", "limit"],
        [[IN_WORDS[name], amounts.format_amount(name, every[name])] for name in every],
        right=[1],
    )
    show_of_host(root, held, now)
    return 0


def measure_limits(root: Path, home: Home, now: datetime) -> dict[str, dict[str, Any]]:
    """Return the use and the value of each limit; the use is None where it is not counted."""
    limits, counted = asdict(limit_file.of_home(root / HOST, home.name)), home_status.measure_use(home, now)
    return {name: {"used": counted.get(name), "limit": limits[name]} for name in limits}


def describe_reached(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Name the limits a home has reached; empty if none."""
    full = [name for name, one in found.items() if None not in one.values() and one["used"] >= one["limit"]]
    return f"at its limit of {join_items(full)}" if full else ""


def show(found: Mapping[str, Mapping[str, Any]]) -> None:
    """Print the use and the value of each limit of a home."""
    rows = [
        [IN_WORDS[name], "" if one["used"] is None else amounts.format_amount(name, one["used"]),
         amounts.format_amount(name, one["limit"])]
        for name, one in found.items()
    ]  # fmt: skip
    table(["", "used", "limit"], rows, right=[1, 2])


def show_of_host(root: Path, held: Settings, now: datetime) -> None:
    """Print the use of all homes together, where there is a limit for it."""
    if held.furoshiki_host_daily_budget_usd:
        spent = spending.of_host(root / HOST).of_all(now)
        note(f"All homes together today: ${spent:,.2f} of ${held.furoshiki_host_daily_budget_usd:,.2f} for models.")
    if held.furoshiki_host_free_gb:
        free = shutil.disk_usage(root).free / room.GB
        words = "" if free >= held.furoshiki_host_free_gb else ": no home takes in documents, imports or exports"
        note(f"{free:,.1f} GB of the disk are free, {held.furoshiki_host_free_gb:g} GB are to stay so{words}.")
    if held.furoshiki_host_calls_at_once:
        note(f"All homes together may ask {held.furoshiki_host_calls_at_once} models at the same moment.")
