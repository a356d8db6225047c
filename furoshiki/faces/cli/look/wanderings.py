"""`furoshiki wanderings`: the companion's idle thoughts, and what followed from them."""

import argparse

from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import show_list
from furoshiki.language.humanize import ago
from furoshiki.mind.inner_life.store import wandered
from furoshiki.mind.inner_life.store.wandered import Wandered


def run(args: argparse.Namespace) -> int:
    """Print the last wanderings, newest first."""
    _, database = context.storage()
    now = context.clock().now()
    with database.read() as db:
        found = wandered.newest(db, args.last)
    rows = [_row(one, ago(one.at, now)) for one in found]
    headers = ("when", "began with", "thought", "what became of it")
    return show_list(args.json, found, headers, rows, "Its mind has not wandered yet.")


def _row(one: Wandered, when: str) -> list[str]:
    about = one.about or "something forgotten"
    began = f"{about} ({one.kind})" + (f", then {', '.join(one.brought)}" if one.brought else "")
    if one.outcome is None:
        return [when, began, "", "it brought nothing along"]
    if one.thought is None:
        return [when, began, "", one.outcome]
    return [when, began, one.thought, wandered.BECAME[one.action]]
