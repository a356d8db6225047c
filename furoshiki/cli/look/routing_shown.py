"""`furoshiki routing show` and `train`: which way messages were taken, by what numbers, and what decides close ones."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from furoshiki.cli import context
from furoshiki.core.timestamps import stamp
from furoshiki.language.humanize import clock
from furoshiki.routing import tie_breaker, training, weights
from furoshiki.routing.rules.telling import BROKE, TAKEN
from furoshiki.routing.rules.weights import NAMES, Weights
from furoshiki.routing.store import decisions
from furoshiki.routing.store.decisions import Decision
from furoshiki.routing.values import MODES
from furoshiki.terminal.printing import as_json, table
from furoshiki.user_model import user
from furoshiki.world import World

DAYS = 7


def run(args: argparse.Namespace) -> int:
    """0 when it was shown, or a classifier was trained and put in place; 1 when the one that was there stays."""
    world = context.world()
    return _train(world, args.json) if args.verb == "train" else _show(world, args)


def _show(world: World, args: argparse.Namespace) -> int:
    with world.database.read() as db:
        found, zone = decisions.since(db, world.now - timedelta(days=DAYS)), user.zone(world, db)
    w, shipped = weights.current(world), weights.laws(world).weights
    shares = _shares(found)
    if args.json:
        held = {name: w.value(name) for name in NAMES}
        last = [_plain(one) for one in found[: args.limit]]
        as_json({"version": w.version, "weights": held, "messages": len(found), **shares, "last": last})
        return 0
    print(f"Who decides: {_path(world)}. Numbers: version {w.version}{_moved(w, shipped)}.")
    own = "trained on your messages" if tie_breaker.own_file(world).is_file() else "as it came along"
    print(f"What decides between two that are close: {own}.")
    if not found:
        print(f"Nothing was said in the last {DAYS} days.")
        return 0
    print(f"\nThe last {DAYS} days, {len(found)} messages:")
    counted = [(mode, TAKEN[mode], f"{shares['modes'][mode]:.0%}") for mode in MODES if mode in shares["modes"]]
    table(("mode", "taken for", "share"), counted, right=(2,))
    close = shares["tie_breaks"].get("none", 0.0)
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
        for one in found[: args.limit]
    ]
    table(("when", "mode", "sure", "margin", "close: decided by", "ms", "what you made of it"), rows, right=(2, 3, 5))
    return 0


def _shares(found: Sequence[Decision]) -> dict[str, dict[str, float]]:
    each: dict[str, Counter[str]] = {
        "modes": Counter(one.mode for one in found),
        "tie_breaks": Counter(one.tie_break for one in found),
    }
    return {what: {name: count / len(found) for name, count in counted.items()} for what, counted in each.items()}


def _path(world: World) -> str:
    if world.settings.furoshiki_user_path == "router":
        return "this router, before a model is asked (FUROSHIKI_USER_PATH=router)"
    hinted = "with a hint" if world.settings.furoshiki_router_hints else "without hints"
    return f"the model that answers, {hinted} (FUROSHIKI_USER_PATH=unified)"


def _moved(w: Weights, shipped: Weights) -> str:
    moved = [f"{n} {shipped.value(n):g} → {w.value(n):g}" for n in NAMES if w.value(n) != shipped.value(n)]
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
