"""`furoshiki plugins apply|enable|disable|remove|rollback|reload`: the owner's permissions."""

import argparse
from pathlib import Path

from furoshiki.core.framing import visible
from furoshiki.extensions.plugins import installed, offers, switching
from furoshiki.extensions.plugins.authoring import deciding
from furoshiki.extensions.plugins.offers import Offer
from furoshiki.extensions.plugins.rules import names
from furoshiki.faces.cli import context
from furoshiki.faces.cli.plugins.main import check_name, one, plain
from furoshiki.faces.terminal.printing import answer, note
from furoshiki.world import World

CANCELLED = "Nothing was changed."
UNASKED = "this needs your yes: run it in a terminal, where it asks, or add --yes"


def run(args: argparse.Namespace) -> int:
    world = context.world()
    match args.verb:
        case "apply":
            return _apply(world, args)
        case "enable":
            return _enable(world, args)
        case "disable":
            if not switching.switch_off(world, one(world, args.name).name):
                return _report(world, args, f"{args.name} was not switched on.")
            return _report(world, args, f"{args.name} is off. `furoshiki plugins enable {args.name}` switches it on.")
        case "remove":
            return _remove(world, args)
        case "rollback":
            return _carry_out(world, args, offers.to_go_back(world, check_name(args.name)))
    count = switching.reload(world)
    return answer(args.json, {"jobs": count}, f"Read again: {count} jobs of plugins are in the schedule.")


def _apply(world: World, args: argparse.Namespace) -> int:
    path = Path(args.what).expanduser()
    offered = {each.name for each in switching.list_shipped()}
    if names.PLUGIN.fullmatch(args.what) and args.what in offered and not path.is_dir():
        shipped = switching.locate_shipped(args.what)
        return _carry_out(world, args, offers.to_install(world, shipped, "shipped"))
    if deciding.NAME.fullmatch(path.name) is not None:
        return _carry_out(world, args, offers.of_proposal(world, args.what))
    if not path.is_dir():
        hint = "`furoshiki plugins` lists those that come with me, `furoshiki plugins wishes` the proposals"
        raise context.Misused(f"{args.what} is not a folder with a plugin; {hint}")
    return _carry_out(world, args, offers.to_install(world, path, "folder"))


def _enable(world: World, args: argparse.Namespace) -> int:
    name = check_name(args.name)
    if installed.one(world, name) is None and name not in {each.name for each in switching.list_shipped()}:
        one(world, name)
    return _carry_out(world, args, offers.to_enable(world, name))


def _carry_out(world: World, args: argparse.Namespace, offer: Offer) -> int:
    """Show what the plugin does and may do, ask, and carry the offer out if the owner agrees."""
    if not offer.freely:
        note(visible("\n".join(offer.lines)))
        if not (args.yes or context.agreed(f"Let {offer.manifest.name} do that?", UNASKED)):
            note(CANCELLED)
            return 1
    return _report(world, args, offers.accept(world, offer))


def _remove(world: World, args: argparse.Namespace) -> int:
    plugin = one(world, args.name)
    if not args.yes and not context.agreed(f"Remove {plugin.name}? A copy is kept for going back.", UNASKED):
        note(CANCELLED)
        return 1
    kept = switching.take_away(world, plugin.name)
    back = f"`furoshiki plugins rollback {plugin.name}` brings it back."
    words = f"{plugin.name} is removed. What it was is in {kept}; {back}"
    return answer(args.json, {"removed": plugin.name, "kept": str(kept)}, words)


def _report(world: World, args: argparse.Namespace, words: str) -> int:
    plugin = installed.one(world, args.name) if hasattr(args, "name") else None
    return answer(args.json, {"said": words, **(plain(plugin) if plugin is not None else {})}, visible(words))
