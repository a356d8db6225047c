"""`furoshiki memory forget`: show what would be deleted, ask once, delete it everywhere."""

import argparse
import sys

from furoshiki.archive.forgetting import everywhere, forgetting
from furoshiki.archive.forgetting.everywhere import PreviewEverywhere
from furoshiki.conversation.commands import forget
from furoshiki.core import settings
from furoshiki.core.catalogue import later, say
from furoshiki.faces.cli import context
from furoshiki.faces.terminal.printing import answer, as_json, note
from furoshiki.maintenance import backup
from furoshiki.owner.user_model import user
from furoshiki.world import World

ALL = sys.maxsize
UNASKED = later("memory forget asks before it removes anything: use --yes, or --dry-run to only look")


def run(args: argparse.Namespace) -> int:
    """Return 0 (forgotten, nothing found, or --dry-run), 1 (not forgotten), 2 (nothing named)."""
    world = context.world()
    finished = forgetting.finish(world)
    if args.resume:
        rest = say("Still to do: {what}.", what=", ".join(finished)) if finished else say("Nothing is left to do.")
        answer(args.json, {"left": list(finished)}, rest)
        return 1 if finished else 0
    what = " ".join(args.what).strip()
    if args.backups and not what:
        return _backups_alone(world, args)
    zone = user.zone_of(world)
    with everywhere.looked(world, what) as found:
        data = _as_data(world, what, found)
        if not args.json:
            going = forget.describe_everywhere(world, found, ALL, with_ids=True)
            _show(going, forget.near(world, what, found, with_ids=True), found.nothing)
        if args.dry_run or found.nothing:
            if args.json:
                as_json({**data, "forgotten": False})
            return 0
        if not args.json:
            print(forget.describe_warning(found, zone))
        token = found.token
    if not args.yes and not context.agreed(say("Forget it?"), say(UNASKED)):
        note(say("Nothing was forgotten."))
        return 1
    done = everywhere.forget(world, what, token)
    if done is None:
        note(say("Something was added in the meantime, so nothing was forgotten: look again."))
        return 1
    removed = _backups_gone(world) if args.backups else []
    result = {**data, "forgotten": True, "files_changed": list(done.files), "left": list(done.left)}
    words = f"{forget.farewell(done)} {_without(removed)}" if args.backups else forget.farewell(done)
    return answer(args.json, {**result, "backups_removed": removed}, words)


def _backups_alone(world: World, args: argparse.Namespace) -> int:
    """Run `memory forget --backups`: remove earlier forgotten things from the backups, too."""
    if args.dry_run:
        raise context.Misused(say("`furoshiki backup --list` shows the backups that would go"))
    if not args.yes and not context.agreed(say("Delete all existing backups once a new one is made?"), say(UNASKED)):
        note(say("Nothing was removed."))
        return 1
    removed = _backups_gone(world)
    return answer(args.json, {"backups_removed": removed}, _without(removed))


def _backups_gone(world: World) -> list[str]:
    """Replace all backups and restored-over data by one new backup; return the removed names."""
    held = settings.load()  # the owner's, even when another person's data is forgotten
    return backup.renew(held.data, held.database, held.data / "backups", world.now, held.backup_recipients)


def _without(removed: list[str]) -> str:
    gone = say("Earlier backups were deleted as well: {number}.", number=len(removed))
    return f"{gone} {say('A new one is made. Any copies you put elsewhere, you have to remove yourself.')}"


def _as_data(world: World, what: str, found: PreviewEverywhere) -> dict[str, object]:
    """Return the own place's losses as data, with those of other places under "others"."""
    own = next((result.outlook for result in found.places if result.world is world), None)
    theirs = [result for result in found.places if result.world is not world]
    others = {str(result.world.who.place): forgetting.as_data(result.outlook) for result in theirs}
    return forgetting.as_data(own or forgetting.look(world, what)) | {"others": others, "token": found.token}


def _show(lines: list[str], near: list[str], nothing: bool) -> None:
    print(say("Nothing stored says that.") if nothing else say("This would be gone for good:"))
    for line in lines:
        print(line)
    if near:
        print(forget.NEAR_TO_IT)
        for line in near:
            print(f"- {line}")
