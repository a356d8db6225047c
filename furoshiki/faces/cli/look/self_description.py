"""`furoshiki self`: the companion's description of itself, its history, proposed changes."""

import argparse
import contextlib

from furoshiki.conversation.commands.look import self_description
from furoshiki.core.timestamps import parse, stamp
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import as_json, markdown, table
from furoshiki.language.humanize import day
from furoshiki.mind.inner_life.self_model import description
from furoshiki.mind.inner_life.store import drift
from furoshiki.owner.user_model import user
from furoshiki.world import World


def run(args: argparse.Namespace) -> int:
    """Return 0 when shown or decided; 1 when nothing is proposed, or SELF.md has changed."""
    world = context.world()
    with contextlib.suppress(OSError):  # a full disk must not prevent looking
        description.settle(world)
    if args.accept or args.decline:
        found = description.accept(world) if args.accept else description.decline(world)
        with world.database.read() as db:
            decided = drift.get(db, found.id)
        assert decided is not None
        if args.json:
            as_json(self_description.as_data(decided))
        elif args.accept:
            print(f"Accepted: {decided.changed_share:.0%} of SELF.md is new.")
        else:
            print("Declined: SELF.md stays as it is. The proposal can still be read with --history.")
        return 0
    if args.history:
        _history(world, args.json)
    elif args.diff is not None:
        _diff(world, args.diff, args.json)
    else:
        _show(world, args.json)
    return 0


def _show(world: World, json: bool) -> None:
    with world.database.read() as db:
        last, waiting = drift.last_change(db), drift.proposal(db)
    if not json:
        markdown(self_description.describe(world))
        if waiting is not None:
            print("\nHere: `furoshiki self --accept` or `--decline`.")
        return
    as_json(
        {
            "text": description.text(world),
            "since": None if last is None else stamp(last.decided_at or last.at),
            "edited_by_hand": description.was_edited(world),
            "proposed": None if waiting is None else self_description.as_data(waiting),
        }
    )


def _diff(world: World, number: int, json: bool) -> None:
    with world.database.read() as db:
        found = drift.get(db, number) if number else drift.last_change(db)
        zone = user.zone(world, db)
    if number and found is None:
        raise context.Misused(f"there is no review {number}: `furoshiki self --history` lists them")
    if json:
        as_json(None if found is None else self_description.as_data(found))
    elif found is None or not number:
        markdown(self_description.last_change(world))
    else:
        fate = self_description.FATES.get(found.state, "")
        share = f"{found.changed_share:.0%} of the text would change" if fate else f"{found.changed_share:.0%} changed"
        what = f"{share}{fate}" if found.changed else "nothing was to be changed"
        body = self_description.change(world, found)
        markdown(f"**{day(found.at, zone)}**: {what}." + (f"\n\n{body}" if body else ""))


def _history(world: World, json: bool) -> None:
    found = self_description.history(world)
    if json:
        as_json(found)
        return
    if not found:
        print(
            "There has been no long look yet: the first comes on a Wednesday "
            "after something was written in the journal."
        )
        return
    zone = user.zone_of(world)
    rows = [
        [
            one["id"],
            day(parse(one["at"]), zone),
            f"{one['changed_share']:.0%}",
            f"{one['similarity']:.2f}",
            self_description.STATES[one["state"]] if one["changed_share"] else "looked, left it as is",
            _why(one),
        ]
        for one in found
    ]
    table(["look", "day", "changed", "similarity", "state", "why"], rows, right=(0, 2, 3))


def _why(one: dict[str, object]) -> str:
    reasons = one["reasons"]
    assert isinstance(reasons, list)
    order = ("shift", "sentence", "note")
    return next((reason["text"] for kind in order for reason in reasons if reason["kind"] == kind), "")
