"""Train the second opinion on signals, and say how well lexicon and head read together.

    python -m bench.signal_head [--write]

One logistic regression for each category on the encoder's vector, trained on the two tables of tests/language and on
what is to fit in bench/moves_lines; the same tables and encoder give the same weights. How well it does is told on the
tables with each fifth left out of the training once (the lexicon knows these lines, so it looks better there than it
is), and on a third table that neither has seen. The encoder for other languages than English learns from all languages;
`python -m bench.moves` judges it.
`--write` puts the weights into config/signal_head.json. Encoders that are not installed keep the weights they have.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.signals import ROOT, TABLES, WORDS, Row, rows
from bench.signals import told as figures_of
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.similarity import pack
from furoshiki.language import signals
from furoshiki.language.lexicon import CATEGORIES, Lexicon
from furoshiki.language.signal_head import Head, heads, second_opinion, short
from furoshiki.recall.embeddings import models

HELD_OUT = ROOT / "tests" / "language" / "signals_held_out.tsv"
MOVES = ROOT / "bench" / "moves_lines" / "fit.tsv"
FEELINGS = ROOT / "bench" / "moves_lines" / "feelings.tsv"
SPOKEN = ROOT / "tests" / "language" / "said_languages.tsv"
TASKS = ROOT / "tests" / "conversation" / "said_tasks.tsv"
DAILY = ROOT / "bench" / "danger_lines" / "others.tsv"
DANGER = tuple(ROOT / "bench" / "danger_lines" / name for name in ("harmless.tsv", "more.tsv"))
FELT = {
    "daily": frozenset[str](),
    "anger": frozenset({"anger"}),
    "grief": frozenset({"sadness"}),
    "bright": frozenset({"excitement"}),
}
"""What is felt in the lines of other kinds than danger, in many languages."""

HEAD = ROOT / "config" / "signal_head.json"
ENCODERS = (models.COLBERT, "minilm-int8")
RIDGE = {models.MULTILINGUAL: 1.0}
USUAL_RIDGE = 0.1
"""How strongly weights are held to zero; chosen by the loss on the fifths left out."""

MOVES_COUNT = {models.MULTILINGUAL: 10.0}
USUAL_COUNT, FEELINGS_COUNT = 5.0, 2
"""A line in which a feeling is said plainly, or none, counts so often: it is what a mood follows."""

FOLDS, STEPS = 5, 12

Matrix = npt.NDArray[np.float64]


def main() -> None:
    """Train, tell, and write when asked to."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true", help="put the weights into config/signal_head.json")
    write = asked.parse_args().write
    lexicon = Lexicon.from_mapping(tomllib.loads(WORDS.read_text(encoding="utf-8")))
    told = [row for path in TABLES for row in rows(path)]
    moves = [line.split("\t") for line in MOVES.read_text(encoding="utf-8").splitlines()]
    plain = {tongue: [_labelled(*line) for line in moves if line[1] == tongue] for tongue in {one[1] for one in moves}}
    held = rows(HELD_OUT)
    before = json.loads(HEAD.read_text(encoding="utf-8")) if HEAD.is_file() else {"weights": {}, "figures": {}}
    figures: dict[str, Any] = {
        "tables, lexicon alone": score(told, lexicon, [None] * len(told)),
        "held out, lexicon alone": score(held, lexicon, [None] * len(held)),
    }
    weights: dict[str, str] = dict(before["weights"])
    for name in ENCODERS:
        try:
            encoder = models.load(name, Path(tempfile.gettempdir()) / "furoshiki-bench-models")
        except FuroshikiError as error:
            print(f"{name}: {error}")
            continue
        known, new = (np.asarray(encoder.encode([text for _, text in part]), np.float64) for part in (told, held))
        more = np.asarray(encoder.encode([text for _, text in plain["en"]]), np.float64)
        own = [labels for labels, _ in plain["en"]]
        heads_ = [trained(known[fold(told) != k], part(told, fold(told) != k), more, own) for k in range(FOLDS)]
        of_folds = [shares(pack(heads_[k]), encoder.id, known[row]) for row, k in enumerate(fold(told))]
        weights[encoder.id] = pack(trained(known, [labels for labels, _ in told], more, own))
        figures[f"tables, with {encoder.id}, each fifth left out"] = score(told, lexicon, of_folds)
        of_held = [shares(weights[encoder.id], encoder.id, row) for row in new]
        figures[f"held out, with {encoder.id}"] = score(held, lexicon, of_held)
    with contextlib.suppress(FuroshikiError):
        weights |= abroad(told, plain)
    for what, found in figures.items():
        print(f"{what:60} {found}")
    if write:
        made = {
            "made": f"by python -m bench.signal_head --write on {date.today().isoformat()}",
            "tables": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (*TABLES, MOVES, FEELINGS)},
            "held_out": {HELD_OUT.name: hashlib.sha256(HELD_OUT.read_bytes()).hexdigest()},
            "figures": figures,
            "categories": CATEGORIES,
            "weights": weights,
        }
        HEAD.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def abroad(told: Sequence[Row], plain: Mapping[str, Sequence[Row]]) -> dict[str, str]:
    """The head of the encoder for other languages, by its id: it learns from every language, English too. Raises
    NotConfigured where that encoder is not installed."""
    both = models.load_multilingual()
    calm = [(frozenset[str](), line[1]) for path in (SPOKEN, TASKS) for line in _lines(path) if line[0] != "-"]
    calm += [(frozenset[str](), line[2]) for line in _lines(DAILY) if line[0] == "daily"]
    own = [row for tongue in sorted(plain) for row in plain[tongue]]
    for kind, *said in [line for path in DANGER for line in _lines(path) if line[0] in FELT]:
        own += [(FELT[kind], text) for text in said if text]
    lines = [*told, *calm, *FEELINGS_COUNT * [_labelled(*line) for line in _lines(FEELINGS)]]
    known, more = (np.asarray(both.encode([text for _, text in part]), np.float64) for part in (lines, own))
    labels, own_labels = ([labels for labels, _ in part] for part in (lines, own))
    return {both.id: pack(trained(known, labels, more, own_labels, models.MULTILINGUAL))}


def fold(told: Sequence[Row]) -> npt.NDArray[np.int64]:
    """Which fifth a row belongs to."""
    return np.arange(len(told)) % FOLDS


def part(told: Sequence[Row], chosen: npt.NDArray[np.bool_]) -> list[frozenset[str]]:
    return [labels for (labels, _), one in zip(told, chosen, strict=True) if one]


def _labelled(label: str, _tongue: str, text: str) -> Row:
    return frozenset(label.split(",")) - {"-"}, text


def _lines(path: Path) -> list[list[str]]:
    said = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in said if line and not line.startswith(("#", "tongue\t"))]


def trained(
    vectors: Matrix, labels: Sequence[frozenset[str]], more: Matrix, own: Sequence[frozenset[str]], name: str = ""
) -> list[list[float]]:
    """A row of weights for each category, the constant last: Newton's method from zero, no chance in it. What is `own`
    counts more than the rest."""
    wide = np.hstack([np.vstack([vectors, more]), np.ones((len(vectors) + len(more), 1))])
    count = np.repeat([1.0, MOVES_COUNT.get(name, USUAL_COUNT)], [len(vectors), len(more)])
    ridge = np.full(wide.shape[1], RIDGE.get(name, USUAL_RIDGE))
    ridge[-1] = 1e-6
    found = []
    for category in CATEGORIES:
        is_it = np.array([category in one for one in (*labels, *own)], np.float64)
        row = np.zeros(wide.shape[1])
        for _ in range(STEPS):
            share = 1 / (1 + np.exp(-wide @ row))
            slope = wide.T @ (count * (share - is_it)) + ridge * row
            bend = (wide * (count * share * (1 - share))[:, None]).T @ wide + np.diag(ridge)
            step = np.linalg.solve(bend, slope)
            row -= step
            if np.abs(step).max() < 1e-6:
                break
        found.append([float(number) for number in row])
    return found


def shares(weights: str, encoder: str, vector: npt.NDArray[Any]) -> dict[str, float]:
    head: Head = heads({"categories": CATEGORIES, "weights": {encoder: weights}})[encoder]
    return head.shares(vector.tolist())


def score(table: Sequence[Row], lexicon: Lexicon, opinions: Sequence[Mapping[str, float] | None]) -> str:
    """Macro-F1 over the categories, and in how many neutral lines something stirred."""
    found = []
    for (labels, text), opinion in zip(table, opinions, strict=True):
        read = signals.read(text, lexicon)  # type: ignore[arg-type]
        if opinion is not None and short(text):
            read = second_opinion(text, read, opinion)
        found.append((labels, frozenset(read.strengths)))
    return figures_of(found)


if __name__ == "__main__":
    main()
