"""`furoshiki memory edit|pin|unpin|approve`: the owner corrects what is remembered."""

import argparse

from furoshiki.core import refs
from furoshiki.core.catalogue import later, say
from furoshiki.faces.cli import context
from furoshiki.faces.cli.memory.inspect import parse_ref
from furoshiki.faces.terminal.printing import as_json
from furoshiki.memory import correction, overview
from furoshiki.memory.values import Memory
from furoshiki.mind.consolidation import promotion


def edit(args: argparse.Namespace) -> int:
    """Run `memory edit ID TEXT`."""
    done = correction.edit(context.world(memoryd=True), _memory(args.id), args.text, args.object, args.changed)
    if args.json:
        as_json({"new": overview.brief(done.new), "old": overview.brief(done.old), "fact": done.fact})
        return 0
    new, old = (refs.name("memory", memory.id) for memory in (done.new, done.old))
    how = later("{new} replaces {old}, which is withdrawn: {words}")
    if args.changed:
        how = later("{new} replaces {old}, which was true until now: {words}")
    print(say(how, new=new, old=old, words=context.phrase(done.new.content)))
    if not done.fact:
        print(
            say(
                "I could not tell which words are the new value, so no later fact will end it; use "
                "--object to say which."
            )
        )
    return 0


def pin(args: argparse.Namespace) -> int:
    """Run `memory pin ID`."""
    return _set_pin(args, True)


def unpin(args: argparse.Namespace) -> int:
    """Run `memory unpin ID`."""
    return _set_pin(args, False)


def approve(args: argparse.Namespace) -> int:
    """Run `memory approve ID`."""
    memory = promotion.approve(context.world(), _memory(args.id))
    if args.json:
        as_json(overview.brief(memory))
    else:
        _tell(memory, later("{memory} may count as almost certain, from the coming night on: {words}"))
    return 0


def _set_pin(args: argparse.Namespace, wanted: bool) -> int:
    memory = correction.pin(context.world(), _memory(args.id), wanted)
    if args.json:
        as_json(overview.brief(memory))
    elif wanted:
        _tell(memory, later("{memory} is pinned; nothing changes its weight now: {words}"))
    else:
        _tell(memory, later("{memory} may change again, at weight {weight:.2f}: {words}"))
    return 0


def _tell(memory: Memory, how: str) -> None:
    weight = overview.brief(memory)["weight"]
    print(say(how, memory=refs.name("memory", memory.id), weight=weight, words=context.phrase(memory.content)))


def _memory(name: str) -> int:
    kind, number = parse_ref(name)
    if kind != "memory":
        raise correction.NoSuchMemory(
            say(
                "{id} is what was said, word for word, and stays that way; only memories can be edited and pinned",
                id=name,
            )
        )
    return number
