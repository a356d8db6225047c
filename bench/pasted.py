"""Whose words are in a message: how many pasted texts are noticed, and how many of somebody's own are lost.

    python -m bench.pasted [--fit] [--json] [--misses]

The messages are bench/pasted_lines: pasted.txt, own.txt, and the people who send them. Of each kind every other one,
apart for English and the other languages, is for fitting, and so are those marked with "!"; the others are held out,
and all of `UNFITTED`.
`--fit` makes the weights of config/authorship_head.json: a logistic regression, pulled towards nought, always the same.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from furoshiki.language import testimony
from furoshiki.memory.perception import authorship
from furoshiki.memory.perception.authorship import Around, Head

ROOT = Path(__file__).resolve().parent.parent
LINES = Path(__file__).parent / "pasted_lines"
CONFIG = ROOT / "config"

PULL = 0.02
"""The L2 penalty in units of the mean loss."""

STEPS, FOLDS = 40, 10
MOST_OWN_LOST = 0.05
"""The bounds allow this share of own texts to be taken for foreign …"""

MOST_OWN_UNSURE = 0.13
"""… and this share to be in doubt."""

UNFITTED = ("ru", "tr", "zh")
"""Held-out languages: fitting them catches no more, and makes 3 % more English own texts
doubtful."""

LEAST_SURE = 0.6
"""A lower likelihood only means doubt, not foreign words."""

CAUGHT = 0.6
"""The share of a text that must be recognized."""


LONG = 6_000
"""Characters of a long message."""


@dataclass(frozen=True)
class Sample:
    """A message in context; text[start:end] is its relevant part, foreign if `pasted`."""

    kind: str
    language: str
    text: str
    start: int
    end: int
    around: Around
    pasted: bool
    held_out: bool


def main() -> None:
    """Parse the arguments, fit or measure, print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--fit", action="store_true", help="make the weights again")
    asked.add_argument("--json", action="store_true", help="print figures as JSON")
    asked.add_argument("--misses", action="store_true", help="print what is judged wrong")
    args = asked.parse_args()
    samples = read()
    if args.fit:
        fit(samples)
    head = authorship.head(CONFIG)
    began = time.process_time()
    outcomes = [(sample, outcome(sample, head)) for sample in samples]
    each = 1000 * (time.process_time() - began) / len(samples)
    held = [(sample, found) for sample, found in outcomes if sample.held_out]
    long = [(sample, outcome(sample, head)) for sample in join_long(samples)]
    figures = {
        "held out": table(held),
        "long": table(long),
        "fitted": table([one for one in outcomes if not one[0].held_out]),
    }
    if args.json:
        print(json.dumps({**figures, "ms a message": round(each, 2)}, ensure_ascii=False))
        return
    for name, rows in figures.items():
        print(f"\n{name:<22}{'n':>5}{'composed':>10}{'doubtful':>10}{'own':>7}")
        for row, (number, *shares) in rows.items():
            print(f"{row:<22}{number:>5}{shares[0]:>9.1%} {shares[1]:>9.1%} {shares[2]:>6.1%}")
            if name != "held out" and row == "own":
                break
    print(f"\n{each:.2f} ms a message")
    if args.misses:
        for sample, found in outcomes:
            if (found == "own") == sample.pasted or (found == "composed") != sample.pasted:
                print(f"{'held' if sample.held_out else 'fit '} {sample.kind:<14}{found:<9}", repr(sample.text[:150]))


def read() -> list[Sample]:
    """Read all messages; every second one of each kind and half of the languages are held out."""
    people = {head[0]: (head[1], lines) for head, lines in _blocks("people.txt")}
    found = []
    for name in ("pasted", "own"):
        seen: dict[tuple[str, bool], int] = defaultdict(int)
        for (kind, language, person), lines in _blocks(f"{name}.txt"):
            before = "\n".join(line[2:] for line in lines if line.startswith("< "))
            text = "\n".join(line for line in lines if not line.startswith(("< ", "> "))).strip()
            start, end = max(0, text.find("[[")), text.find("]]")
            text = text.replace("[[", "").replace("]]", "")
            end = len(text) if end < 0 else end - 2
            full, usual = people.get(person, ("", []))
            around = Around(full, before, tuple(line for line in usual if line))
            place = (kind, language == "en")
            held = language in UNFITTED
            if not held and not kind.endswith("!"):
                seen[place] += 1
                held = seen[place] % 2 == (1 if len(kind) % 2 else 0)
            kind = kind.rstrip("!")
            found.append(Sample(kind, language, text, start, end, around, name == "pasted", held))
    return found


def join_long(samples: Sequence[Sample]) -> list[Sample]:
    """Return long messages up to `LONG`: own texts of one person, or pasted ones of one kind."""
    whole = [one for one in samples if (one.start, one.end, one.held_out) == (0, len(one.text), True)]
    groups: dict[tuple[bool, str, str], list[Sample]] = defaultdict(list)
    for one in whole:
        groups[one.pasted, one.language, one.kind if one.pasted else one.around.name].append(one)
    found = []
    for group in groups.values():
        text = "\n\n".join(one.text for one in group)
        text = "\n\n".join([text] * (LONG // len(text) + 1))[:LONG]
        if len(group) > 1:
            found.append(replace(group[0], text=text, end=LONG))
    return found


def _blocks(file: str) -> Iterable[tuple[list[str], list[str]]]:
    head: list[str] | None = None
    lines: list[str] = []
    for line in (LINES / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            if head is not None:
                yield head, lines
            head, lines = line.split()[1:], []
        elif head is not None:
            lines.append(line)
    if head is not None:
        yield head, lines


def outcome(sample: Sample, head: Head) -> str:
    """Classify the message's text: "composed" (foreign), "doubtful" or "own"."""
    told = authorship.read(sample.text, (), sample.around, head)
    outside = testimony.outside(told.foreign)
    most = CAUGHT * (sample.end - sample.start)
    within = {"composed": 0, "doubtful": 0}
    for one in outside:
        share = max(0, min(one.end, sample.end) - max(one.start, sample.start))
        within["doubtful" if one.kind == "doubtful" else "composed"] += share
    if within["composed"] >= most:
        return "composed"
    return "doubtful" if sum(within.values()) >= most else "own"


def table(outcomes: Sequence[tuple[Sample, str]]) -> dict[str, list[float]]:
    """Return for each row the number of texts, and the shares composed, doubtful and own."""
    rows: dict[str, list[str]] = defaultdict(list)
    for pasted in (True, False):
        side = "pasted" if pasted else "own"
        of = [(sample, found) for sample, found in outcomes if sample.pasted == pasted]
        rows[side] = [found for _, found in of]
        for sample, found in of:
            rows[f"{side} {sample.language}"].append(found)
            rows[f"{side}: {sample.kind}"].append(found)
    return {
        row: [len(found), *(found.count(one) / max(1, len(found)) for one in ("composed", "doubtful", "own"))]
        for row, found in rows.items()
    }


def fit(samples: Sequence[Sample]) -> None:
    """Fit and write the weights on the training part; the bounds use five-fold cross-validation."""
    lexes = authorship.lexis(CONFIG)
    fitted = [sample for sample in samples if not sample.held_out]
    rows, truth, of = [], [], []
    for number, sample in enumerate(fitted):
        for around in _arounds(sample, fitted):
            part = authorship.find_text_span(sample.text, lexes)
            found = authorship.features(sample.text, part, around, lexes)
            if found is not None:
                rows.append(found)
                truth.append(sample.pasted)
                of.append(number)
    names = list(rows[0])
    table_, wanted = np.array([[row[name] for name in names] for row in rows]), np.array(truth, float)
    means, scales = table_.mean(0), np.maximum(table_.std(0), 0.02)
    scaled = np.clip((table_ - means) / scales, -4, 4)
    left_out, fold = np.zeros(len(wanted)), np.array(of) % FOLDS
    for number in range(FOLDS):
        out = fold == number
        left_out[out] = _likely(scaled[out], *_weights(scaled[~out], wanted[~out]))
    weights, constant = _weights(scaled, wanted)
    own = np.sort(left_out[wanted == 0])[::-1]
    sure = float(max(LEAST_SURE, own[int(MOST_OWN_LOST * len(own))] + 0.01))
    perhaps = float(min(own[int(MOST_OWN_UNSURE * len(own))], sure))
    made = {
        "sure": round(sure, 3),
        "perhaps": round(perhaps, 3),
        "constant": round(float(constant), 4),
        "features": {
            name: [round(float(one), 4) for one in (means[at], scales[at], weights[at])]
            for at, name in enumerate(names)
        },
    }
    (CONFIG / "authorship_head.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    authorship.head.cache_clear()
    print(f"{len(rows)} texts, {len(names)} features; sure {sure:.2f}, perhaps {perhaps:.2f}")
    print(
        f"left out: caught {(left_out[wanted == 1] >= sure).mean():.1%}, and doubtful "
        f"{((left_out[wanted == 1] < sure) & (left_out[wanted == 1] >= perhaps)).mean():.1%}"
    )


def _arounds(sample: Sample, others: Sequence[Sample]) -> Iterable[Around]:
    """Yield the context, and other possible ones: none, or for a pasted text another sender."""
    yield sample.around
    yield Around("", sample.around.before)
    if not sample.pasted:
        yield sample.around
        return
    for other in others[:: len(others) // 7]:
        name = other.around.name
        if other.language == sample.language and other.around.usual and name and name not in sample.text:
            yield Around(name, sample.around.before, other.around.usual)
            return
    yield sample.around


def _weights(rows: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, float]:
    """Fit a logistic regression with Newton's method and L2 penalty, not on the constant."""
    full = np.hstack([rows, np.ones((len(rows), 1))])
    found = np.zeros(full.shape[1])
    pull = np.full(full.shape[1], PULL)
    pull[-1] = 0.0
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-full @ found))
        slope = full.T @ (likely - wanted) / len(wanted) + pull * found
        bend = (full * (likely * (1 - likely))[:, None]).T @ full / len(wanted) + np.diag(pull + 1e-9)
        found -= np.linalg.solve(bend, slope)
    return found[:-1], float(found[-1])


def _likely(rows: np.ndarray, weights: np.ndarray, constant: float) -> np.ndarray:
    likely: np.ndarray = 1 / (1 + np.exp(-(rows @ weights + constant)))
    return likely


if __name__ == "__main__":
    main()
