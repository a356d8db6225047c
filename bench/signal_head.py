"""Train the second opinion on signals, and say how well lexicon and head read together.

    python -m bench.signal_head [--write]

A multinomial logistic regression over the categories and none on the encoder's vector, trained on the two tables of
tests/language and on what is to fit in bench/moves_lines; the same tables and encoder give the same weights. How well
it does is said of the tables with each fifth left out of the training once (the lexicon knows these lines, so it looks
better there than it is), and of a third table that neither has seen. The head of the encoder for other languages than
English learns from all languages, has a hidden layer and hears the letters of short lines; lines that say nearly the
same in any language are in the same fifth, and two tables that it has not seen judge it, too (one is of short
exclamations), as does `python -m bench.moves`.
`--write` puts the weights into config/signal_head.json. Encoders that are not installed keep the weights they have.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import hashlib
import json
import tempfile
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from itertools import compress
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
from furoshiki.language.signal_head import (
    ABROAD,
    LETTERS,
    Head,
    hash_letters,
    second_opinion,
    short,
    unpack_head,
)
from furoshiki.language.signals import Signals
from furoshiki.recall.embeddings import models

HELD_OUT = ROOT / "tests" / "language" / "signals_held_out.tsv"
MOVES = ROOT / "bench" / "moves_lines" / "fit.tsv"
FEELINGS = ROOT / "bench" / "moves_lines" / "feelings.tsv"
HELD_OUT_ABROAD = ROOT / "bench" / "moves_lines" / "feelings_held_out.tsv"
EXCLAIMED = ROOT / "bench" / "moves_lines" / "exclaimed_held_out.tsv"
SPOKEN = ROOT / "tests" / "language" / "said_languages.tsv"
TASKS = ROOT / "tests" / "conversation" / "said_tasks.tsv"
CALM = ROOT / "bench" / "moves_lines" / "calm.tsv"
DAILY = ROOT / "bench" / "danger_lines" / "others.tsv"
DANGER = tuple(ROOT / "bench" / "danger_lines" / name for name in ("harmless.tsv", "more.tsv"))
FELT = {
    "daily": frozenset[str](),
    "health": frozenset[str](),
    "anger": frozenset({"anger"}),
    "grief": frozenset({"sadness"}),
    "bright": frozenset({"excitement"}),
}
"""Feelings in the lines of these kinds, in many languages."""

HEAD = ROOT / "config" / "signal_head.json"
ENCODERS = (models.COLBERT, "minilm-int8")
RIDGE = 1.0
"""The L2 penalty, chosen on held-out data."""

UNITS, ROUNDS, BATCH = 128, 20, 128
"""Hidden units (ReLU), epochs, and batch size."""

PACE, DECAY, DROPPED, WIDENED = 2e-3, 0.5, 0.3, 8.0
"""Initial learning rate, weight decay, dropout rate, and the scaling of centred vectors; chosen
like the penalty."""

LETTERS_COUNT, LETTERS_PACE, LETTERS_DECAY = 3.0, 1e-2, 0.02
"""Letter features of short lines: initial scale, learning rate, weight decay."""

ALIKE = 0.5
"""The cosine of centred vectors from which two lines count as near-duplicates."""

PLAIN_COUNTS, FELT_COUNTS, CALM_COUNTS, TELLING_COUNTS, SHORT_COUNTS = 2.0, 5.0, 0.6, 2.0, 1.5
"""Weights of training lines: English ones with plain labels; foreign ones with a feeling, everyday
ones, and ones about oneself or with requests. Others weigh one. Last: the factor of short lines
with a feeling."""

FOLDS, STEPS = 5, 800

FIVE = ("de", "es", "ru", "tr", "zh")
"""The languages in the report."""

Matrix = npt.NDArray[np.float64]
Lesson = tuple[frozenset[str], str, float]
"""The feelings of a line, its text, and its weight."""

Trained = tuple[Matrix, Matrix, Matrix]
"""Rows of weights: of each kind on the hidden layer (or the vector), of each hidden unit on the
vector (or none), and of each kind on letters."""


def main() -> None:
    """Train, report, and write if requested."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true", help="put the weights into config/signal_head.json")
    write = asked.parse_args().write
    lexicon = Lexicon.from_mapping(tomllib.loads(WORDS.read_text(encoding="utf-8")))
    told = [row for path in TABLES for row in rows(path)]
    held = rows(HELD_OUT)
    before = json.loads(HEAD.read_text(encoding="utf-8")) if HEAD.is_file() else {"weights": {}, "figures": {}}
    figures: dict[str, Any] = {
        "tables, lexicon alone": score(told, lexicon, [None] * len(told)),
        "held out, lexicon alone": score(held, lexicon, [None] * len(held)),
    }
    weights: dict[str, str] = dict(before["weights"])
    hidden: dict[str, str] = dict(before.get("hidden", {}))
    letters: dict[str, dict[str, Any]] = dict(before.get("letters", {}))
    for name in ENCODERS:
        try:
            encoder = models.load(name, Path(tempfile.gettempdir()) / "furoshiki-bench-models")
        except FuroshikiError as error:
            print(f"{name}: {error}")
            continue
        lesson = english_lesson(told)
        vectors = encode(encoder, lesson)
        known, new = vectors[: len(told)], encode(encoder, [(*row, 1.0) for row in held])
        of_folds: list[Mapping[str, float] | None] = [None] * len(told)
        for k in range(FOLDS):
            seen = np.append(fold(told) != k, np.full(len(lesson) - len(told), True))
            head = pack(train(vectors[seen], list(compress(lesson, seen)), RIDGE))
            for row in np.flatnonzero(fold(told) == k):
                of_folds[row] = shares(head, encoder.id, known[row])
        weights[encoder.id] = pack(train(vectors, lesson, RIDGE))
        figures[f"tables, with {encoder.id}, each fifth left out"] = score(told, lexicon, of_folds)
        of_held = [shares(weights[encoder.id], encoder.id, row) for row in new]
        figures[f"held out, with {encoder.id}"] = score(held, lexicon, of_held)
    with contextlib.suppress(FuroshikiError):
        both = models.load_multilingual()
        made, found = abroad(both, told)
        weights[both.id], hidden[both.id], letters[both.id] = pack_layers(made)
        figures[f"five other languages, with {both.id}, each fifth left out"] = found
        head = unpack_head(both.id, *pack_layers(made)[:2], letters=letters[both.id])
        figures |= {f"{which}, with {both.id}": one for which, one in held_out_abroad(both, head).items()}
    for what, found in figures.items():
        print(f"{what:60} {found}")
    if write:
        made = {
            "made": f"by python -m bench.signal_head --write on {date.today().isoformat()}",
            "tables": _hashes(*TABLES, MOVES, FEELINGS, CALM),
            "held_out": _hashes(HELD_OUT, HELD_OUT_ABROAD, EXCLAIMED),
            "figures": figures,
            "categories": CATEGORIES,
            "weights": weights,
            "hidden": hidden,
            "letters": letters,
        }
        HEAD.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def _hashes(*paths: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def abroad(both: models.Encoder, told: Sequence[Row]) -> tuple[Trained, str]:
    """Train the multilingual head, and report its cross-validated results."""
    lesson = lesson_abroad(told)
    vectors = encode(both, lesson)
    languages = [language for _, language, _ in _lines(FEELINGS)]
    first = len(lesson) - len(languages)
    kept = np.append(np.full(first, -1), fold_by_situation(vectors[first:], languages))
    found = []
    for k in range(FOLDS):
        weights, units, letters = pack_layers(train_hidden(vectors[kept != k], list(compress(lesson, kept != k))))
        head = unpack_head(both.id, weights, units, letters=letters)
        mine = [row for row in np.flatnonzero(kept == k) if languages[row - first] in FIVE]
        found += [(lesson[row][0], felt_abroad(head, lesson[row][1], vectors[row])) for row in mine]
    return train_hidden(vectors, lesson), figures_of(found)


def held_out_abroad(both: models.Encoder, head: Head) -> dict[str, str]:
    """Report a head's results on the held-out tables, in five languages together and in each."""
    figures = {}
    for path, what in ((HELD_OUT_ABROAD, "held out"), (EXCLAIMED, "held out, short exclamations")):
        lines = _lines(path)
        vectors = encode(both, [(*_labelled(*line), 1.0) for line in lines])
        read = [felt_abroad(head, line[2], vector) for line, vector in zip(lines, vectors, strict=True)]
        for name in ("five other languages", *dict.fromkeys(line[1] for line in lines)):
            some = FIVE if name not in {line[1] for line in lines} else (name,)
            judged = [(_labelled(*line)[0], one) for line, one in zip(lines, read, strict=True) if line[1] in some]
            figures[f"{name}, {what}"] = figures_of(judged)
    return figures


def felt_abroad(head: Head, text: str, vector: npt.NDArray[Any]) -> frozenset[str]:
    """Return the feelings that the head alone detects in a non-English line."""
    return frozenset(second_opinion(text, Signals(()), head.shares(vector.tolist(), text), ABROAD).strengths)


def english_lesson(told: Sequence[Row]) -> list[Lesson]:
    """Return the English training lines: the tables first."""
    said = [(*_labelled(*line), PLAIN_COUNTS) for line in _lines(MOVES) if line[1] == "en"]
    return [*((*row, 1.0) for row in told), *said, *((*row, 1.0) for row in calm_lines({"en"}))]


def lesson_abroad(told: Sequence[Row]) -> list[Lesson]:
    """Return the multilingual training lines, English included: those of the ten signals last."""
    own = [_labelled(*line) for line in sorted(_lines(MOVES), key=lambda line: line[1])]
    for kind, *said in [line for path in DANGER for line in _lines(path) if line[0] in FELT]:
        own += [(FELT[kind], text) for text in said if text]
    said = [(*_labelled(*line), FELT_COUNTS) for line in _lines(FEELINGS)]
    calm = [(*row, CALM_COUNTS) for row in calm_lines()]
    calm += [(frozenset[str](), text, TELLING_COUNTS) for _, text in _lines(CALM)]
    lesson = [*((*row, 1.0) for row in told), *calm, *((*row, FELT_COUNTS) for row in own), *said]
    return [(felt, text, by * SHORT_COUNTS if felt and hash_letters(text) else by) for felt, text, by in lesson]


def calm_lines(languages: Collection[str] = ()) -> list[Row]:
    """Return lines without feelings, in these languages, or in all."""
    said = [(line[0], line[1]) for path in (SPOKEN, TASKS) for line in _lines(path) if line[0] != "-"]
    said += [(line[1], line[2]) for line in _lines(DAILY) if line[0] == "daily"]
    return [(frozenset[str](), text) for language, text in said if not languages or language in languages]


def encode(encoder: models.Encoder, lesson: Sequence[Lesson]) -> Matrix:
    """Return the vectors of a lesson's texts, one row each."""
    return np.asarray(encoder.encode([text for _, text, _ in lesson]), np.float64)


def fold_by_situation(vectors: Matrix, languages: Sequence[str]) -> npt.NDArray[np.int64]:
    """Assign each line of the ten signals to a fold: that of its nearest earlier near-duplicate in
    any language, else the next one in turn."""
    apart = vectors.copy()
    for language in sorted(set(languages)):
        mine = np.array(languages) == language
        apart[mine] -= vectors[mine].mean(axis=0)
    apart /= np.linalg.norm(apart, axis=1, keepdims=True)
    folds = np.zeros(len(apart), np.int64)
    for row in range(1, len(apart)):
        alike = apart[:row] @ apart[row]
        nearest = int(alike.argmax())
        folds[row] = folds[nearest] if alike[nearest] >= ALIKE else row % FOLDS
    return folds


def fold(told: Sequence[Row]) -> npt.NDArray[np.int64]:
    """Return the fold of each row."""
    return np.arange(len(told)) % FOLDS


def _labelled(label: str, _tongue: str, text: str) -> Row:
    return frozenset(label.split(",")) - {"-"}, text


def _lines(path: Path) -> list[list[str]]:
    said = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in said if line and not line.startswith(("#", "tongue\t"))]


def train(vectors: Matrix, lesson: Sequence[Lesson], ridge: float) -> list[list[float]]:
    """Train a row of weights for each category, the constant last: multinomial logistic regression
    by Nesterov's method from zero, deterministic, with "none" as reference. A line of two
    categories counts half for each."""
    middle = vectors.mean(axis=0)
    wide = np.hstack([vectors - middle, np.ones((len(vectors), 1))])
    names = (*CATEGORIES, None)
    is_it = np.array([[share_of(name, one) for name in names] for one, _, _ in lesson], np.float64)
    count = np.array([often for _, _, often in lesson], np.float64)[:, None]
    held = np.append(np.full(vectors.shape[1], ridge), 1e-3)
    steepest = 0.5 * np.linalg.eigvalsh((wide * count).T @ wide)[-1] + ridge
    row = before = np.zeros((len(names), wide.shape[1]))
    for step in range(STEPS):
        ahead = row + step / (step + 3) * (row - before)
        odds = np.exp(wide @ ahead.T)
        share = odds / odds.sum(axis=1, keepdims=True)
        slope = (count * (share - is_it)).T @ wide + held * ahead
        before, row = row, ahead - slope / steepest
    row = row[:-1] - row[-1]
    row[:, -1] -= row[:, :-1] @ middle
    return [[float(number) for number in one] for one in row]


def train_hidden(vectors: Matrix, lesson: Sequence[Lesson]) -> Trained:
    """Train the weights of categories on a hidden layer, of this layer on the vector, and of
    categories on letters, with "none" as reference."""
    names = (*CATEGORIES, None)
    is_it = np.array([[share_of(name, one) for name in names] for one, _, _ in lesson], np.float32)
    count = np.array([often for _, _, often in lesson], np.float64)[:, None]
    texts = [text for _, text, _ in lesson]
    outer, units, letters = train_layers(
        vectors, texts, is_it, count, lambda odds: odds / odds.sum(axis=1, keepdims=True)
    )
    return outer[:-1] - outer[-1], units, letters[:-1] - letters[-1]


def pack_layers(made: Trained) -> tuple[str, str, dict[str, Any]]:
    """Return the weights in their file format, letters quantized to 255 steps."""
    outer, units, letters = made
    scale = float(np.abs(letters).max()) / 127
    steps = base64.b64encode(np.rint(letters / scale).astype(np.int8).tobytes()).decode()
    return pack(outer.tolist()), pack(units.tolist()), {"scale": scale, "steps": steps}


def train_layers(
    vectors: Matrix,
    texts: Sequence[str],
    is_it: Matrix,
    count: Matrix,
    share: Callable[[Matrix], Matrix],
    unspelled: Sequence[int] = (),
) -> Trained:
    """Train rows of weights for each column of `is_it` on a layer of ReLU units, for each unit on
    the vector (constants last), and for each column on letters of short lines: by Adam with weight
    decay, seeded. `share` converts odds to shares, `count` are the lines' weights. `unspelled`
    columns get no letter weights."""
    rng = np.random.default_rng(0)
    middle = vectors.mean(axis=0)
    widen = WIDENED / np.sqrt(((vectors - middle) ** 2).sum(axis=1).mean())
    wide = np.hstack([(vectors - middle) * widen, np.ones((len(vectors), 1))]).astype(np.float32)
    weight = (count / count.mean()).astype(np.float32)
    dimensions, columns = wide.shape[1] - 1, is_it.shape[1]
    inner = np.vstack([rng.normal(0, dimensions**-0.5, (dimensions, UNITS)), np.zeros((1, UNITS))])
    layers = [inner, np.zeros((UNITS + 1, columns)), np.zeros((LETTERS + 1, columns))]
    layers = [layer.astype(np.float32) for layer in layers]
    places, worth = letters_of(texts)
    mean, spread = ([np.zeros_like(layer) for layer in layers] for _ in range(2))
    batches = [rng.permutation(len(wide))[: len(wide) // BATCH * BATCH].reshape(-1, BATCH) for _ in range(ROUNDS)]
    steps = np.vstack(batches)
    for step, some in enumerate(steps, 1):
        kept = rng.random((BATCH, UNITS), np.float32) > DROPPED
        heard = np.maximum(wide[some] @ layers[0], 0) * kept / (1 - DROPPED)
        heard_and_one = np.hstack([heard, np.ones((BATCH, 1), np.float32)])
        score = heard_and_one @ layers[1] + layers[2][places[some]].sum(axis=1) * worth[some]
        wrong = weight[some] * (share(np.exp(score)) - is_it[some]) / BATCH
        behind = (wrong @ layers[1][:-1].T) * (heard > 0) / (1 - DROPPED)
        at, spelled = places[some].ravel(), np.repeat(wrong * worth[some], places.shape[1], axis=0)
        spelled[:, unspelled] = 0
        spelling = np.stack([np.bincount(at, column, LETTERS + 1) for column in spelled.T], axis=1)
        ease = (1 + np.cos(np.pi * step / len(steps))) / 2
        slopes = (wide[some].T @ behind, heard_and_one.T @ wrong, spelling.astype(np.float32))
        for which, slope in enumerate(slopes):
            far, decay = (LETTERS_PACE, LETTERS_DECAY) if which == len(slopes) - 1 else (PACE, DECAY)
            mean[which] = 0.9 * mean[which] + 0.1 * slope
            spread[which] = 0.999 * spread[which] + 0.001 * slope**2
            sure = np.sqrt(spread[which] / (1 - 0.999**step)) + 1e-8
            layers[which][:-1] *= 1 - far * ease * decay
            layers[which] -= far * ease * mean[which] / (1 - 0.9**step) / sure
        layers[2][LETTERS] = 0
    units = layers[0].T.astype(np.float64)
    units[:, :-1] *= widen
    units[:, -1] -= units[:, :-1] @ middle
    return layers[1].T.astype(np.float64), units, LETTERS_COUNT * layers[2][:LETTERS].T.astype(np.float64)


def letters_of(texts: Sequence[str]) -> tuple[npt.NDArray[np.int64], Matrix]:
    """Return the feature indexes of each text's letters, padded with one beyond, and their scale."""
    each = [hash_letters(text) for text in texts]
    places = np.full((len(each), max(map(len, each), default=0)), LETTERS)
    for row, mine in zip(places, each, strict=True):
        row[: len(mine)] = mine
    worth = np.array([[LETTERS_COUNT / max(len(mine), 1) ** 0.5] for mine in each], np.float32)
    return places, worth


def share_of(name: str | None, labels: frozenset[str]) -> float:
    """Return a category's share in [0, 1] of a line with these labels; None means "none"."""
    if not labels:
        return float(name is None)
    return (name in labels) / len(labels)


def shares(weights: str, encoder: str, vector: npt.NDArray[Any]) -> dict[str, float]:
    return unpack_head(encoder, weights).shares(vector.tolist())


def score(table: Sequence[Row], lexicon: Lexicon, opinions: Sequence[Mapping[str, float] | None]) -> str:
    """Return macro-F1 over the categories, and the rate of false signals in neutral lines."""
    found = []
    for (labels, text), opinion in zip(table, opinions, strict=True):
        read = signals.read(text, lexicon)  # type: ignore[arg-type]
        if opinion is not None and short(text):
            read = second_opinion(text, read, opinion)
        found.append((labels, frozenset(read.strengths)))
    return figures_of(found)


if __name__ == "__main__":
    main()
