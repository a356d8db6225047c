"""How the mode router does: agreement with labelled messages, shares over a month of talk, and milliseconds a message.

    python -m bench.routing [--write]

The labelled messages are tests/owner/routing/labelled.tsv; the month is tests/owner/routing/month.tsv, put together
from what other tables of the tests say, with what plausibly stands around it. `--write` trains the tie-breaker on
config/routing_starter.tsv and puts its weights into config/tie_breaker.json. Encoders that are not installed keep the
weights they have.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from bench import labelled
from bench import routing_training as training
from furoshiki.app.wiring import lexicon, load_meaning_head
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import ROOT
from furoshiki.core.similarity import pack
from furoshiki.language import nlp, signals
from furoshiki.language.signals import PLEASANT
from furoshiki.language.testimony import Own
from furoshiki.owner.routing.rules import deciding, weights
from furoshiki.owner.routing.rules.deciding import CLASSES, NO_ENCODER, Around, Before, Head, heads
from furoshiki.owner.routing.values import Mode, Route
from furoshiki.recall.embeddings import models

CONFIG = ROOT / "config"
HEAD = CONFIG / "tie_breaker.json"
LABELLED = ROOT / "tests" / "owner" / "routing" / "labelled.tsv"
MONTH = ROOT / "tests" / "owner" / "routing" / "month.tsv"
ENCODERS = (models.COLBERT, "minilm-int8")
"""The bundled encoders."""

WEIGHTS = weights.parse_weights(json.loads((CONFIG / "mode_router.json").read_text(encoding="utf-8")))


def main() -> None:
    """Train if requested, and print the figures."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true", help="put the weights into config/tie_breaker.json")
    write = asked.parse_args().write
    before = json.loads(HEAD.read_text(encoding="utf-8")) if HEAD.is_file() else {"weights": {}}
    rows = labelled.read((CONFIG / training.STARTER).read_text(encoding="utf-8"))
    told = training.examples(rows, lexicon(), WEIGHTS)
    held = training.examples(labelled.read(LABELLED.read_text(encoding="utf-8")), lexicon(), WEIGHTS)
    figures: dict[str, float] = {}
    made: dict[str, str] = dict(before["weights"])
    made[NO_ENCODER] = _packed(training.fit(told, None))
    figures["starter, each fifth left out, no vector"] = training.held_out(told, None)
    for name in ENCODERS:
        try:
            encoder = models.load(name, Path(tempfile.gettempdir()) / "furoshiki-bench-models")
        except FuroshikiError as error:
            print(f"{name}: {error}")
            continue
        known, new = (np.asarray(encoder.encode([one.text for one in part]), np.float64) for part in (told, held))
        made[encoder.id] = _packed(training.fit(told, known))
        left_out = training.held_out(told, known)
        figures[f"starter, each fifth left out, {encoder.id}"] = left_out
        head = heads(
            {"features": before.get("features", training.FEATURES), "classes": training.CLASSES, "weights": made}
        )
        close = [place for place, one in enumerate(held) if len(one.close) < len(training.CLASSES)]
        figures[f"labelled, close ones, {encoder.id}"] = training.agreement(
            head[encoder.id], [held[place] for place in close], new[close]
        )
    if write:
        HEAD.write_text(training.as_file(made, made=f"by python -m bench.routing --write on {date.today()}"), "utf-8")
    figures["labelled, whole router"] = tell_labelled(made)
    for what, share in figures.items():
        print(f"{what:50} {share:.1%}")
    tell_month(made)
    tell_month(made, meant())


def _packed(rows: Mapping[Mode, Sequence[float]]) -> str:
    return pack([rows[mode] for mode in CLASSES])


def meant() -> Callable[[str], Mapping[str, float]]:
    """Return a function for each message's intent, by the English encoder."""
    encoder = models.load(models.COLBERT, Path(tempfile.gettempdir()) / "furoshiki-bench-models")
    head = load_meaning_head(encoder.id)
    assert head is not None
    return lambda text: head.shares([float(one) for one in encoder.encode([text])[0]])


def tell_labelled(made: Mapping[str, str]) -> float:
    """Return the share of messages routed as labelled, without vectors; the others are printed."""
    routes = [(row, routed(row, made)) for row in labelled.read(LABELLED.read_text(encoding="utf-8"))]
    for row, route in routes:
        if route.mode != row.label:
            print(f"  {row.label} <- {route.mode} ({route.tie_break}): {row.text!r}")
    return sum(route.mode == row.label for row, route in routes) / len(routes)


def tell_month(made: Mapping[str, str], meant: Callable[[str], Mapping[str, float]] | None = None) -> None:
    """Print the shares of modes and tie-breaks over the month, and the time of a message; with each
    message's intent if `meant` is given."""
    rows = labelled.read(MONTH.read_text(encoding="utf-8"))
    if meant is not None:
        rows = [replace(row, around=replace(row.around, meant=meant(row.text))) for row in rows]
        for row in rows:
            if (now := routed(row, made).mode) != (before := routed(replace(row, around=_alone(row)), made).mode):
                print(f"  {before} -> {now}: {row.text!r} ({row.around.turns} turns before it)")
    routes, took = [], []
    for row in [*rows[:20], *rows]:  # the first ones are warm-up
        began = process_time()
        routes.append(routed(row, made))
        took.append((process_time() - began) * 1000)
    routes, took = routes[20:], sorted(took[20:])
    counts = Counter(route.mode for route in routes)
    print(f"month of {len(rows)} messages:", ", ".join(f"{mode} {counts[mode] / len(rows):.1%}" for mode in counts))
    ties = Counter(route.tie_break for route in routes)
    print("tie-breaks:", ", ".join(f"{how} {count / len(rows):.1%}" for how, count in ties.items()))
    print(f"ms of processor a message: p50 {took[len(took) // 2]:.2f}, p99 {took[int(len(took) * 0.99)]:.2f}")


def routed(row: labelled.Labelled, made: Mapping[str, str]) -> Route:
    """Return the route of a labelled message."""
    parsed: dict[str, Any] = {"features": training.FEATURES, "classes": training.CLASSES, "weights": made}
    return decided(row, _heads(parsed)[NO_ENCODER])


def _alone(row: labelled.Labelled) -> Around:
    return replace(row.around, meant={})


_made: dict[int, Mapping[str, Head]] = {}


def _heads(parsed: Mapping[str, Any]) -> Mapping[str, Head]:
    return _made.setdefault(id(parsed["weights"]), heads(parsed))


def decided(row: labelled.Labelled, head: Head, vector: Sequence[float] = ()) -> Route:
    """Return the route with a given head."""
    words = lexicon()
    pleased = any(name in PLEASANT for name in signals.read(Own(row.text), words).strengths)
    judged = deciding.judge(
        row.text, nlp.read(row.text, words), replace(row.around, pleased=pleased), Before(), WEIGHTS
    )
    return deciding.broken(judged, head, vector, WEIGHTS) if judged.close else judged.route


if __name__ == "__main__":
    main()
