"""Fit what a question shares with its answer: `python -m bench.questions [--write]`.

A question and the statement that answers it are seldom said in the same words, and the encoder for other languages was
taught on pages, not on what people tell of their days. Two matrices move a question's vectors (of its pieces, and of
the whole) to where its answer lies; what was said keeps its vectors, so nothing is read again when they change.

`question_lines/LANGUAGE.tsv` and `LANGUAGE_harder.tsv` hold a person, what they said, something near it that does not
answer, their question, and the same question in English. A third of the languages is left out while the others fit, in
turn, which is what the table shows: the share of questions whose answer is the first and among the first five of the
260 statements of a file, before and after. `--write` fits on all and keeps the matrices (`multilingual-questions.npy`).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from furoshiki.recall.embeddings import models, multilingual
from furoshiki.recall.embeddings.encoder import Floats
from furoshiki.recall.embeddings.multilingual import QUESTIONS, REDUCED, FoundBy
from furoshiki.recall.retrieval.rules.likely_answers import OTHER_TERMS

LINES = Path(__file__).parent / "question_lines"
SPEAKER = "user"

EPOCHS, STEP, TOGETHER = 3, 5e-4, 8
"""Training: passes over all questions, learning rate (Adam), batch size."""

SHRINK = 0.03
"""The L2 penalty. With 0 the sixth pass overfits."""

SHARPNESS = 2.0
"""The factor of standardized scores in the softmax."""

THIRDS = 3


@dataclass(frozen=True)
class Question:
    """The vectors of a question, and the index of its answer."""

    asked: FoundBy
    answer: int


@dataclass(frozen=True)
class Life:
    """A file's statements: pieces (statements x most x numbers, padded), their mask, and wholes."""

    pieces: Floats
    there: np.ndarray[tuple[int, int], np.dtype[np.bool_]]
    wholes: Floats
    questions: list[Question]


def read(path: Path) -> Life:
    """Encode the lines of a language."""
    encoder = models.load_multilingual()
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    said = [encoder.found_by(f"{SPEAKER}: {text}", "passage") for row in rows for text in row[1:3]]
    most = max(len(one.tokens) for one in said)
    pieces = np.zeros((len(said), most, REDUCED), np.float32)
    for at, one in enumerate(said):
        pieces[at, : len(one.tokens)] = one.tokens
    there = np.arange(most) < np.array([[len(one.tokens)] for one in said])
    asked = [(text, 2 * at) for at, row in enumerate(rows) for text in row[3:5]]
    questions = [Question(encoder.found_by(text, "query"), answer) for text, answer in asked]
    return Life(pieces, there, np.stack([one.whole for one in said]), questions)


def fit(lives: Sequence[Life]) -> Floats:
    """Fit the two matrices (2 x numbers x numbers) for pieces and wholes, added to a question."""
    rng = np.random.default_rng(0)
    moves = np.zeros((2, REDUCED, REDUCED))
    mean, square, steps = np.zeros_like(moves), np.zeros_like(moves), 0
    every = [(life, question) for life in lives for question in life.questions]
    for _ in range(EPOCHS):
        for some in _in_batches(rng.permutation(len(every))):
            slope = 2 * SHRINK * moves + np.mean([_slope(*every[at], moves) for at in some], axis=0)
            steps += 1
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            moves -= STEP * (mean / (1 - 0.9**steps)) / (np.sqrt(square / (1 - 0.999**steps)) + 1e-8)
    return moves.astype(np.float32)


def _in_batches(order: Sequence[int]) -> Iterator[Sequence[int]]:
    return (order[at : at + TOGETHER] for at in range(0, len(order), TOGETHER))


def _slope(life: Life, question: Question, moves: Floats) -> Floats:
    """Return the gradient of one question's loss: the cross-entropy of its answer among all
    statements, with the scores' spread held constant."""
    tokens, whole = question.asked.tokens, question.asked.whole[None]
    shares = question.asked.shares / question.asked.shares.sum()
    moved, length = _moved(tokens, moves[0])
    moved_whole, length_whole = _moved(whole, moves[1])
    near, best = _best(life, moved)
    by_pieces, by_whole = near @ shares, life.wholes @ moved_whole[0]
    scores = SHARPNESS * _mix(by_pieces, by_whole)
    wrong = np.exp(scores - scores.max())
    wrong /= wrong.sum()
    wrong[question.answer] -= 1
    weight = OTHER_TERMS.whole
    of_pieces = SHARPNESS * (1 - weight) / max(by_pieces.std(), 1e-6) * wrong
    of_whole = SHARPNESS * weight / max(by_whole.std(), 1e-6) * wrong
    matched = life.pieces[np.arange(len(near))[:, None], best]
    pull = shares[:, None] * np.einsum("s,sqd->qd", of_pieces, matched)
    pull_whole = (of_whole @ life.wholes)[None]
    return np.stack([tokens.T @ _across(pull, moved, length), whole.T @ _across(pull_whole, moved_whole, length_whole)])


def _moved(rows: Floats, move: Floats) -> tuple[Floats, Floats]:
    there = rows + rows @ move
    length = np.linalg.norm(there, axis=1, keepdims=True)
    return there / length, length


def _across(pull: Floats, unit: Floats, length: Floats) -> Floats:
    """Return the gradient before normalization from that of unit rows."""
    across: Floats = (pull - (pull * unit).sum(axis=1, keepdims=True) * unit) / length
    return across


def _best(life: Life, tokens: Floats) -> tuple[Floats, np.ndarray[tuple[int, int], np.dtype[np.intp]]]:
    """Return each statement's best similarity to each question piece, and that piece's index."""
    near = life.pieces @ tokens.T
    near[~life.there] = -1
    best = near.argmax(axis=1)
    return np.take_along_axis(near, best[:, None], axis=1)[:, 0], best


def _mix(by_pieces: Floats, by_whole: Floats) -> Floats:
    mixed: Floats = (1 - OTHER_TERMS.whole) * _standard(by_pieces) + OTHER_TERMS.whole * _standard(by_whole)
    return mixed


def _standard(values: Floats) -> Floats:
    standard: Floats = (values - values.mean()) / max(float(values.std()), 1e-6)
    return standard


def found(life: Life, moves: Floats) -> tuple[float, float, float]:
    """Return R@1 and R@5 in percent, and MRR."""
    places = []
    for one in life.questions:
        shares = one.asked.shares / one.asked.shares.sum()
        near, _ = _best(life, _moved(one.asked.tokens, moves[0])[0])
        scores = _mix(near @ shares, life.wholes @ _moved(one.asked.whole[None], moves[1])[0][0])
        places.append(int((scores > scores[one.answer]).sum()))
    each = np.array(places)
    return 100 * float((each < 1).mean()), 100 * float((each < 5).mean()), 100 * float((1 / (1 + each)).mean())


def show(lives: Mapping[str, Life]) -> None:
    """Print the results of each language while others are fitted."""
    print("                 R@1          R@5          MRR")
    languages = sorted({name.partition("_")[0] for name in lives})
    for some in (languages[at::THIRDS] for at in range(THIRDS)):
        left_out = {name: life for name, life in lives.items() if name.partition("_")[0] in some}
        moves = fit([life for name, life in lives.items() if name not in left_out])
        for name, life in left_out.items():
            both = zip(found(life, np.zeros_like(moves)), found(life, moves), strict=True)
            print(f"{name:10}", *(f"{before:6.1f} {after:6.1f}" for before, after in both), flush=True)


def main() -> None:
    """Print the table; with `--write` store the matrices."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="fit on all languages and keep the matrices")
    asked = parser.parse_args()
    multilingual.find_moves = lambda: np.zeros((2, REDUCED, REDUCED), np.float32)  # unmoved questions
    lives = {path.stem: read(path) for path in sorted(LINES.glob("*.tsv"))}
    if asked.write:
        np.save(QUESTIONS, fit(list(lives.values())).astype(np.float16))
    else:
        show(lives)


if __name__ == "__main__":
    main()
