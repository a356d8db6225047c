"""`furoshiki memory edit|pin|unpin|approve`: the owner puts right what is remembered."""

import argparse

from furoshiki.core import refs
from furoshiki.faces.cli import context
from furoshiki.faces.cli.memory.inspect import parse_ref
from furoshiki.faces.terminal.printing import as_json
from furoshiki.memory import correction, overview
from furoshiki.mind.consolidation import promotion


def edit(args: argparse.Namespace) -> int:
    """`memory edit ID TEXT`."""
    done = correction.edit(context.world(memoryd=True), _memory(args.id), args.text, args.object, args.changed)
    if args.json:
        as_json({"new": overview.brief(done.new), "old": overview.brief(done.old), "fact": done.fact})
        return 0
    how = "was true until now" if args.changed else "is withdrawn"
    new, old = (refs.name("memory", one.id) for one in (done.new, done.old))
    print(f"{new} replaces {old}, which {how}: {context.phrase(done.new.content)}")
    if not done.fact:
        print("I could not tell which words are the new value, so no later fact will end it; --object says which.")
    return 0


def pin(args: argparse.Namespace) -> int:
    """`memory pin ID`."""
    return _set_pin(args, True)


def unpin(args: argparse.Namespace) -> int:
    """`memory unpin ID`."""
    return _set_pin(args, False)


def approve(args: argparse.Namespace) -> int:
    """`memory approve ID`."""
    held = promotion.approve(context.world(), _memory(args.id))
    if args.json:
        as_json(overview.brief(held))
    else:
        words = context.phrase(held.content)
        print(f"{refs.name('memory', held.id)} may be held nearly for certain, from the next consolidation on: {words}")
    return 0


def _set_pin(args: argparse.Namespace, wanted: bool) -> int:
    held = correction.pin(context.world(), _memory(args.id), wanted)
    if args.json:
        as_json(overview.brief(held))
    elif wanted:
        print(
            f"{refs.name('memory', held.id)} is pinned; nothing changes its weight now: {context.phrase(held.content)}"
        )
    else:
        weight = overview.brief(held)["weight"]
        print(
            f"{refs.name('memory', held.id)} may change again, at weight {weight:.2f}: {context.phrase(held.content)}"
        )
    return 0


def _memory(name: str) -> int:
    kind, number = parse_ref(name)
    if kind != "memory":
        raise correction.NoSuchMemory(
            f"{name} is what was said, word for word, and stays so; only memories can be edited and pinned"
        )
    return number
