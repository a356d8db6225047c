"""`furoshiki routing`: how it chooses between answering, asking back and looking up, and what it learned of that."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from datetime import datetime, tzinfo
from typing import Any

from furoshiki.cli import context
from furoshiki.cli.look import topics
from furoshiki.core.timestamps import stamp
from furoshiki.language.humanize import day, plural
from furoshiki.routing import regulator, weights
from furoshiki.routing.rules import change_words
from furoshiki.routing.rules.changes import Change
from furoshiki.routing.store import changes
from furoshiki.terminal.printing import as_json, markdown, note
from furoshiki.user_model import user
from furoshiki.world import World


class NoSuchChange(context.Misused):
    """There is no change of that number that still holds: `furoshiki routing history` lists them."""


def run(args: argparse.Namespace) -> int:
    """0 when it was shown or done; 1 when the owner thought better of it."""
    world = context.world()
    match args.verb:
        case "topics":
            return topics.show(world, args.limit, as_data=args.json)
        case "history":
            return _history(world, args.json)
        case "reset":
            return _reset(world, args)
        case _:
            on = args.verb == "pin"
            regulator.pin(world, on)
            as_json({"pinned": on}) if args.json else print(_PINNED if on else _UNPINNED)
            return 0


_PINNED = "From now on nothing is moved: how messages are answered stays as it is. `furoshiki routing unpin` ends that."
_NOTHING = (
    "Nothing was changed yet: messages are answered by the rules it came with. It looks once a day, and learns from "
    "what you say next and from your reactions."
)
_UNPINNED = "From now on it learns again, a little at a time."


def _history(world: World, json: bool) -> int:
    with world.database.read() as db:
        found, zone, pinned = changes.every(db), user.zone(world, db), regulator.pinned(db)
    if json:
        told = [_plain(one) for one in found]
        as_json({"version": weights.current(world).version, "pinned": pinned, "changes": told})
        return 0
    lines = [_told(one, zone) for one in found[::-1]] or [_NOTHING]
    if pinned:
        lines.insert(0, "Pinned: nothing is moved until `furoshiki routing unpin`.")
    markdown("\n\n".join(lines))
    return 0


def _told(one: Change, zone: tzinfo) -> str:
    """A change in two or three sentences."""
    later = change_words.after(one)
    told = f"**{one.id}. {day(one.at, zone)}: {change_words.done(one)}** — {change_words.fate(one)}."
    told += f"\n\nWhy: {change_words.why(one)}."
    if later is not None and one.measured_at is not None:
        told += f" When it was measured again on {day(one.measured_at, zone)}: {later}."
    return told


def _reset(world: World, args: argparse.Namespace) -> int:
    with world.database.read() as db:
        holding = [one for one in changes.every(db) if one.state != "reverted"]
    if args.change is not None:
        holding = [one for one in holding if one.id == args.change]
        if not holding:
            raise NoSuchChange(f"no change {args.change} holds: `furoshiki routing history` lists them")
    if holding and not args.yes and not _agreed(holding):
        note("Nothing was changed.")
        return 1
    done = regulator.take_back(world, [one.id for one in holding])
    if args.json:
        as_json({"taken_back": done, "version": weights.current(world).version})
    elif done:
        print(f"{plural(done, 'change')} taken back. The next message is answered without.")
    else:
        print("Nothing was changed: messages are answered by the rules it came with.")
    return 0


def _agreed(holding: list[Change]) -> bool:
    if not sys.stdin.isatty():
        raise context.Misused("routing reset asks before it takes anything back: give --yes")
    for one in holding:
        print(f"- {change_words.done(one)}")
    return input("Take that back? [y/N] ").strip().lower() in ("y", "yes")


def _plain(one: Change) -> dict[str, Any]:
    """A change for machines, and in words."""
    found = {name: stamp(value) if isinstance(value, datetime) else value for name, value in asdict(one).items()}
    return {**found, "what": change_words.done(one), "why": change_words.why(one), "became": change_words.fate(one)}
