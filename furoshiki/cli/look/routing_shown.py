"""`furoshiki routing show` and `train`: which way messages were taken, by what numbers, and what decides close ones."""

from __future__ import annotations

import argparse
from datetime import timedelta
from typing import Any

from furoshiki.cli import context
from furoshiki.core.timestamps import stamp
from furoshiki.language.humanize import clock
from furoshiki.routing import overview, training, weights
from furoshiki.routing.rules.telling import BROKE, TAKEN
from furoshiki.routing.rules.weights import NAMES
from furoshiki.routing.store import decisions
from furoshiki.routing.store.decisions import Decision
from furoshiki.terminal.printing import as_json, table
from furoshiki.user_model import user
from furoshiki.world import World

DAYS = 7


def run(args: argparse.Namespace) -> int:
    """0 when it was shown, or a classifier was trained and put in place; 1 when the one that was there stays."""
    world = context.world()
    return _train(world, args.json) if args.verb == "train" else _show(world, args)


def _show(world: World, args: argparse.Namespace) -> int:
    seen = overview.of(world, DAYS)
    with world.database.read() as db:
        last, zone = decisions.before(db, None, args.limit), user.zone(world, db)
    w = weights.current(world)
    last = [one for one in last if one.at >= world.now - timedelta(days=DAYS)]
    modes = {one.mode: one.share for one in seen.shares if one.count}
    if args.json:
        held = {name: w.value(name) for name in NAMES}
        shares = {"modes": modes, "tie_breaks": dict(seen.tie_breaks)}
        found = [_plain(one) for one in last]
        as_json({"version": w.version, "weights": held, "messages": seen.messages, **shares, "last": found})
        return 0
    print(f"Who decides: {seen.decides}. Numbers: version {seen.version}{_moved(seen)}.")
    own = "trained on your messages" if seen.own_tie_breaker else "as it came along"
    print(f"What decides between two that are close: {own}.")
    if not seen.messages:
        print(f"Nothing was said in the last {DAYS} days.")
        return 0
    print(f"\nThe last {DAYS} days, {seen.messages} messages:")
    counted = [
        (one.mode, TAKEN[one.mode], f"{one.share:.0%}", f"{one.low:.0%} to {one.high:.0%}")
        for one in seen.shares
        if one.count
    ]
    table(("mode", "taken for", "share", "usually"), counted, right=(2, 3))
    close = seen.tie_breaks.get("none", 0.0)
    print(f"\n{1 - close:.0%} were close. The last ones:")
    rows = [
        (
            clock(one.at, zone, world.now),
            one.mode,
            f"{one.confidence:.2f}",
            f"{one.margin:.2f}",
            one.tie_break if one.tie_break in BROKE else "",
            f"{one.ms:.1f}",
            one.feedback or "",
        )
        for one in last
    ]
    table(("when", "mode", "sure", "margin", "close: decided by", "ms", "what you made of it"), rows, right=(2, 3, 5))
    return 0


def _moved(seen: overview.Overview) -> str:
    moved = [f"{name} {before:g} → {after:g}" for name, (before, after) in seen.moved.items()]
    return f", {', '.join(moved)} (`furoshiki routing history` says why)" if moved else ", as they came along"


def _plain(one: Decision) -> dict[str, Any]:
    kept = ("turn_key", "mode", "scores", "signals", "confidence", "margin", "tie_break", "weights_version", "feedback")
    return {"at": stamp(one.at), **{name: getattr(one, name) for name in kept}}


def _train(world: World, json: bool) -> int:
    done = training.train(world)
    if json:
        as_json(vars(done))
    elif done.before is None or done.after is None:
        print(f"Not trained: {done.reason} (there are {done.labelled}).")
    else:
        print(f"{done.labelled} messages of yours: it agreed with {done.before:.0%} of them, the new one with")
        print(f"{done.after:.0%} of those it had not seen. {_fate(done)}")
    return 0 if done.written else 1


def _fate(done: training.Trained) -> str:
    return "It decides from the next message on." if done.written else f"The old one stays: {done.reason}."
