"""`furoshiki people`: the people besides the owner whom the companion talks with."""

import argparse

from furoshiki.archive.forgetting import record
from furoshiki.archive.forgetting.record import Forgetting
from furoshiki.core.timestamps import stamp
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import answer, note, show_list
from furoshiki.language.humanize import day, plural
from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from furoshiki.owner.people import places
from furoshiki.owner.user_model import user

UNASKED = "people --remove asks before it removes anything: give --yes"


def run(args: argparse.Namespace) -> int:
    """List them, or remove one person's data; return 1 when it was not removed."""
    return _list(args.json) if args.remove is None else _remove(args)


def _list(json: bool) -> int:
    world = context.world()
    found = []
    for guest in places.People().everybody(world):
        with guest.database.read() as db:
            last = turns.last_session(db)
            found.append(
                {
                    "place": guest.who.place,
                    "name": user.name(db) or guest.who.name,
                    "group": not guest.who.private,
                    "messages": turns.count(db),
                    "facts": memories.count(db),
                    "last_at": None if last is None else last[1].isoformat(),
                }
            )
    rows = []
    for one in found:
        name = f"{one['name'] or ''}{' (in a group)' if one['group'] else ''}"
        rows.append((one["place"], name, f"{one['messages']:,}", f"{one['facts']:,}", str(one["last_at"] or "")[:10]))
    nothing = "Nobody but you has talked with it yet. `furoshiki pair` lets somebody in."
    return show_list(json, found, ("place", "name", "messages", "facts", "last"), rows, nothing, right=(2, 3))


def _remove(args: argparse.Namespace) -> int:
    context.person = args.remove
    guest = context.world()
    with guest.database.read() as db:
        count, last = turns.count(db), turns.last_session(db)
    since = "" if last is None else f", last on {day(last[1], guest.zone)}"
    what = f"{plural(count, 'message')}{since}, and all that was learned from them"
    if not args.yes and not context.agreed(f"Remove {what}?", UNASKED):
        note("Nothing was removed.")
        return 1
    guest.database.close()
    removed = Forgetting(stamp(guest.now), args.remove, "", removed=True)
    record.add(guest.home, [removed])  # first, so that no backup restores it if this is interrupted
    places.remove(guest.home, args.remove)
    words = f"{args.remove} is removed, and stays so when a backup is brought back. Backups keep it until they age out."
    return answer(args.json, {"removed": args.remove}, words)
