"""Train the heads that tell of which kind everyday news is by its vector: one for the English encoder, and one for that
of the other languages.

    python -m bench.news [--write]

A multinomial logistic regression over the kinds of `furoshiki.language.requests.news` and none. The first learns from
bench/news_lines/english.tsv, the other from told.tsv, and for none, from lines of bench/meant_lines and
bench/danger_lines. Prints how much news is classified, how much of that rightly, and how many other lines are: by folds
(five), and for news_said.tsv and news_said_en.tsv of the tests, which nothing is learned from.
`--write` puts the weights into config/news_head.json, and the vectors of what tests say beside those files.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import zlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench import meaning
from furoshiki.core.paths import ROOT
from furoshiki.core.similarity import pack
from furoshiki.language.requests.news import KINDS, LIKELY
from furoshiki.recall.embeddings import models

LINES = Path(__file__).parent / "news_lines"
DANGER = meaning.EVERYDAY.parent / "told.tsv"
HEALTH = DANGER.with_name("harmless.tsv")
HEAD = ROOT / "config" / "news_head.json"
SAID = ROOT / "tests" / "support" / "news_said.tsv"
SAID_ENGLISH = SAID.with_name("news_said_en.tsv")
NONE = "none"
UNFIT = ("daily", "is_something", "name", "none", "mild", "bright", "idiom")
"""Kinds of lines that may also be news."""

DARK = "everyday_dark"
"""Lines of everyday bad luck and of grief: in English the news among them would count as none."""

EACH, COUNTS = 4, 0.2
"""Which share of the other files' small talk and requests is used (one in EACH), and the weight of such a line; in
English all are used, in full."""

NEARBY = 4.0
"""The weight of a line of english.tsv that is none: "grandad went peacefully" must not be good news."""

RIDGE, STEPS, PACE, FOLDS = 2e-5, 200, 0.1, 5

Matrix = npt.NDArray[Any]


def main() -> None:
    """Train, tell, and write when asked to."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true", help="put the weights into config/news_head.json")
    options = asked.parse_args()
    english = models.load(models.COLBERT, Path(tempfile.gettempdir()) / "furoshiki-bench-models")
    told_by = f"by python -m bench.news --write on {date.today()}"
    weights = {
        models.identity(models.COLBERT): learn(
            english, read(LINES / "english.tsv"), others_in_english(), SAID_ENGLISH, 1.0, NEARBY
        ),
        models.identity(models.MULTILINGUAL): learn(
            models.load_multilingual(), read(LINES / "told.tsv"), others_everywhere(), SAID, COUNTS, 1.0
        ),
    }
    if options.write:
        packed = {encoder: pack(rows.tolist()) for encoder, (rows, _) in weights.items()}
        whole = {"made": told_by, "categories": KINDS, "weights": packed}
        HEAD.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
        for path, (_, unseen) in zip((SAID_ENGLISH, SAID), weights.values(), strict=True):
            np.save(path.with_suffix(".npy"), unseen.astype(np.float16))


def others_everywhere() -> list[str]:
    """Lines of the other files that are no news, in all languages."""
    others = [one.text for one in meaning.told() if one.kind not in UNFIT and zlib.crc32(one.text.encode()) % EACH == 0]
    others += [row[2] for row in read(meaning.EVERYDAY) if row[0] not in UNFIT]
    others += [text for kind, *each in read(HEALTH) if kind == "health" for text in each]
    return others + [text for _, *each in read(DANGER) for text in each[1:]]


def others_in_english() -> list[str]:
    """English lines of the other files that are no news."""
    others = [one.text for one in meaning.told() if one.kind not in UNFIT and one.language == "en"]
    others += [row[2] for row in read(meaning.EVERYDAY) if row[0] not in (*UNFIT, DARK) and row[1] == "en"]
    return others + [row[1] for row in read(DANGER)]


def learn(
    encoder: Any, own: list[list[str]], others: list[str], held_out: Path, counted: float, nearby: float
) -> tuple[Matrix, Matrix]:
    """Train on news and on others, and print how well it does.

    A line of the others counts as `counted` lines of news, and one that was written close to news as `nearby`.

    Returns the weights, and the vectors of the held-out lines.
    """
    texts = [text for _, text in own] + others
    vectors = np.asarray(encoder.encode(texts), np.float64)
    kinds = [kind for kind, _ in own] + [NONE] * len(others)
    written = [nearby if kind == NONE else 1.0 for kind, _ in own]
    counts = np.array(written + [counted] * len(others))
    fold = np.array([zlib.crc32(text.encode()) % FOLDS for text in texts])
    found = np.zeros((len(texts), len(KINDS)))
    for part in range(FOLDS):
        others_of = np.flatnonzero(fold != part)
        rows = train(vectors[others_of], [kinds[at] for at in others_of], counts[others_of])
        found[fold == part] = judge(rows, vectors[fold == part])
    tell("by folds", kinds, found)
    rows = train(vectors, kinds, counts)
    said = read(held_out)
    unseen = np.asarray(encoder.encode([text for _, text in said]), np.float64)
    tell("held out", [kind for kind, _ in said], judge(rows, unseen))
    return rows, unseen


def train(vectors: Matrix, kinds: Sequence[str], counts: Matrix) -> Matrix:
    """A row of weights for each kind, the constant last, as odds against none: by Adam over all lines at once."""
    middle = vectors.mean(axis=0)
    widen = 1 / np.sqrt(((vectors - middle) ** 2).sum(axis=1).mean())
    wide = np.hstack([(vectors - middle) * widen, np.ones((len(vectors), 1))]).astype(np.float32)
    names = (NONE, *KINDS)
    is_it = np.array([[one == name for name in names] for one in kinds], np.float32)
    count = (counts / counts.sum()).astype(np.float32)[:, None]
    rows = np.zeros((len(names), wide.shape[1]), np.float32)
    mean, spread = np.zeros_like(rows), np.zeros_like(rows)
    for step in range(1, STEPS + 1):
        odds = np.exp(wide @ rows.T)
        slope = (count * (odds / odds.sum(axis=1, keepdims=True) - is_it)).T @ wide
        slope[:, :-1] += RIDGE * rows[:, :-1]
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.999 * spread + 0.001 * slope**2
        ease = PACE * (1 + np.cos(np.pi * step / STEPS)) / 2
        rows -= ease * mean / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-9)
    rows = (rows - rows[0]).astype(np.float64)[1:]
    rows[:, :-1] *= widen
    rows[:, -1] -= rows[:, :-1] @ middle
    return rows


def judge(rows: Matrix, vectors: Matrix) -> Matrix:
    """How likely each kind is for each line."""
    odds = np.exp(vectors @ rows[:, :-1].T + rows[:, -1])
    shares: Matrix = odds / (1 + odds.sum(axis=1, keepdims=True))
    return shares


def tell(which: str, kinds: Sequence[str], shares: Matrix) -> None:
    """How much news is answered, how much of that rightly, and how many other lines are taken for news."""
    answered = shares.max(axis=1) >= LIKELY
    is_news = np.array([one != NONE for one in kinds])
    right = np.array([KINDS[at] == one for at, one in zip(shares.argmax(axis=1), kinds, strict=True)])
    heard = answered & is_news
    print(
        f"{which}: {heard.sum() / is_news.sum():.2f} of {is_news.sum()} lines of news answered, "
        f"{(heard & right).sum() / heard.sum():.2f} of those rightly; "
        f"{(answered & ~is_news).sum()} of {(~is_news).sum()} others taken for news"
    )


def read(path: Path) -> list[list[str]]:
    """The rows of a table."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


if __name__ == "__main__":
    main()
