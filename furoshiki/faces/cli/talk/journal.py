"""`furoshiki journal`: the companion's own notes, and what it expects."""

import argparse
from datetime import date
from typing import Any

from furoshiki.core.json_values import pick
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, markdown
from furoshiki.mind.inner_life.journal import pages
from furoshiki.mind.inner_life.store import monologue
from furoshiki.mind.inner_life.store.monologue import Entry
from furoshiki.owner.user_model import user
from furoshiki.owner.user_model.store import anticipations
from furoshiki.owner.user_model.store.anticipations import Anticipation
from furoshiki.world import World


def run(args: argparse.Namespace) -> int:
    """Print the newest entries, or those of one day, oldest first. Raises Misused."""
    day = None if args.day is None else _day(args.day)
    world = context.world()
    with world.database.read() as db:
        zone = user.zone(world, db)
        entries = monologue.newest(db, args.limit) if day is None else monologue.of_day(db, day)[-args.limit :]
        expected = anticipations.open_(db, world.now) if day is None else []
    if args.json:
        as_json(
            {
                "entries": [_entry(entry) | {"picture": _picture(world, entry)} for entry in entries],
                "anticipations": [_guess(anticipation) for anticipation in expected],
            }
        )
        return 0
    if not entries:
        print("Nothing is written in the journal yet." if day is None else f"Nothing was written on {day}.")
    for number, name in enumerate(dict.fromkeys(entry.day for entry in entries)):
        markdown(
            ("\n" if number else "") + pages.page(world, name, [entry for entry in entries if entry.day == name], zone)
        )
        if drawn := pages.picture(world, name):
            print(f"Picture: {drawn}")
    if expected:
        lines = [f"- {one.expected_at.astimezone(zone):%-d %B}: {one.text} ({one.reason})" for one in expected]
        markdown("\n".join(["", "# Expected", "", *lines]))
    return 0


def _entry(one: Entry) -> dict[str, Any]:
    passages = [{"text": passage.text, "turns": passage.cites} for passage in one.passages]
    beside = {"title": pages.title(one), "by_rule": one.provider == "local", "passages": passages}
    return pick(one, "id", "kind", "day", "at") | beside


def _guess(one: Anticipation) -> dict[str, Any]:
    beside = {"turns": one.cited, "from": one.expected_at, "until": one.expires_at}
    return pick(one, "id", "text", "reason", "state") | beside


def _picture(world: World, entry: Entry) -> str | None:
    """Return the picture file of a night's entry, or None."""
    found = pages.picture(world, entry.day) if entry.kind == "journal" else None
    return None if found is None else str(found)


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise context.Misused(f"{text!r} is not a day: write it as 2026-03-24") from error
