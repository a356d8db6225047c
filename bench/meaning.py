"""Train the heads that tell what a message means to do by its vector, and say how often each is wrong, by language.

    python -m bench.meaning [--show] [--write]

A logistic regression for each kind of `furoshiki.language.intents.KINDS`, on the vectors of each encoder that is
installed; for other languages than English on a hidden layer that all kinds share and on letters, as the signals have
it. It learns
from bench/meant_lines and, as lines that mean none of it, from the everyday ones of bench/danger_lines. Told are, by
heads that had not seen what a line says in any language (five folds): of the lines of a kind the share that is refused
wrongly, of the other lines (most of them hard) and of everyday ones the share that is accepted wrongly; and by language
what the built-in mind makes of the lines that it answers, and of those of held_out.tsv, which nothing is learned from.
`--write` puts the weights into config/meaning_head.json, and the vectors of what tests say beside it in
tests/support/meant_said.tsv.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.signal_head import LETTERS_COUNT, Trained, letters_of, pack_layers, train_layers
from furoshiki.core import catalogue
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import ROOT
from furoshiki.core.similarity import pack
from furoshiki.language import testimony
from furoshiki.language.facts.names import find_name
from furoshiki.language.intents import KINDS, LIKELY, Kind
from furoshiki.language.requests import small_talk
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval.other_languages import load_languages

LINES = Path(__file__).parent / "meant_lines"
EVERYDAY = Path(__file__).parent / "danger_lines" / "others.tsv"
HEAD = ROOT / "config" / "meaning_head.json"
SAID = ROOT / "tests" / "support" / "meant_said.tsv"
LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "ru", "tr", "zh")
ENCODERS = {models.COLBERT: ("en",), models.MULTILINGUAL: LANGUAGES}
"""The training languages of each encoder's head."""

BOUNDS: Mapping[str, Mapping[Kind, float]] = {
    models.COLBERT: {
        **dict.fromkeys(small_talk.BY_VECTOR, 0.4),
        "is_something": 0.5,
        "grave": 0.4,
        "identity": 0.15,
        "gives_up": 0.2,
        "unclear": 0.25,
        "thanks": 0.3,
        "manner": 0.25,
    },
    models.MULTILINGUAL: {
        **dict.fromkeys(small_talk.BY_VECTOR, 0.45),
        "parts": 0.4,
        **dict.fromkeys(("asks_waiting", "asks_time", "asks_day"), 0.2),  # a wrong answer here is cheap
        "tired": 0.5,
        "is_something": 0.25,
        "grave": 0.24,
        "identity": 0.065,
        "gives_up": 0.08,
        "unclear": 0.11,
        "thanks": 0.25,
        "manner": 0.1,
    },
}
"""The acceptance threshold of each kind; constants are shifted so that it becomes `LIKELY`."""

RIDGE, EVERYDAY_COUNTS = 0.03, 0.3
"""The L2 penalty, and the weight of an everyday line relative to others."""

CHAT_COUNTS = 0.25
"""The weight of small talk in training the other kinds: it is close to thanks and unclear words."""

ANSWERS = ("is_something", "name")
"""Kinds that answer the question for a name, rightly or not."""

UNSPELLED = [KINDS.index("is_something")]
"""Kinds without letter features: names and trades look alike."""

FOLDS, STEPS = 5, 20
DAILY, LEFT_OUT = "daily", "-"

Matrix = npt.NDArray[Any]


@dataclass(frozen=True)
class Line:
    """One line: kind, language, text, and in `concept` its content, the same in every language."""

    kind: str
    language: str
    text: str
    concept: str


def main() -> None:
    """Train, report, and write if requested."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true", help="put the weights into config/meaning_head.json")
    asked.add_argument("--show", action="store_true", help="print the lines that are taken wrongly")
    options = asked.parse_args()
    before = json.loads(HEAD.read_text(encoding="utf-8")) if HEAD.is_file() else {"weights": {}}
    made: dict[str, str] = before["weights"]
    hidden: dict[str, str] = before.get("hidden", {})
    letters: dict[str, dict[str, Any]] = before.get("letters", {})
    for name, languages in ENCODERS.items():
        encoder = _encoder(name)
        if encoder is None:
            continue
        lines = [one for one in told() if one.language in languages]
        vectors = np.asarray(encoder.encode([one.text for one in lines]), np.float64)
        shares = by_folds(name, lines, vectors)
        tell(encoder.id, lines, shares)
        head = trained(name, lines, vectors)
        if name == models.MULTILINGUAL:
            tell_answered("by folds", lines, shares)
            held_out = list(held())
            unseen = np.asarray(encoder.encode([one.text for one in held_out]), np.float64)
            heard = judge(head, held_out, unseen)
            tell_answered("held out", held_out, heard)
            tell_names(held_out, heard)
        if options.show:
            show(lines, shares)
        if len(head[1]):
            made[encoder.id], hidden[encoder.id], letters[encoder.id] = pack_layers(head)
        else:
            made[encoder.id] = pack(head[0].tolist())
    if options.write:
        told_by = f"by python -m bench.meaning --write on {date.today()}"
        whole = {"made": told_by, "categories": KINDS, "weights": made, "hidden": hidden, "letters": letters}
        np.save(SAID.with_suffix(".npy"), np.array(list(said()), np.float16))
        HEAD.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def told() -> Iterable[Line]:
    """Yield all training lines."""
    for kind, *said in _rows(LINES / "told.tsv"):
        yield from (Line(kind, *pair, said[0]) for pair in zip(LANGUAGES, said, strict=True))
    yield from (Line(kind, language, text, text) for kind, language, text in _rows(LINES / "more.tsv"))
    known = {text: kind for kind, text in _rows(LINES / "everyday.tsv")}
    for kind, language, text, *concept in _rows(EVERYDAY):
        if kind == DAILY and (meant := known.get(text, DAILY)) != LEFT_OUT:
            yield Line(meant, language, text, "".join(concept) or text)


def held() -> Iterable[Line]:
    """Yield the held-out lines."""
    yield from (Line(kind, language, text, text) for kind, language, text in _rows(LINES / "held_out.tsv"))


def said() -> Iterable[npt.NDArray[np.float32]]:
    """Yield the vectors of the tests' messages from both encoders. Raises FuroshikiError without
    them."""
    cache = Path(tempfile.gettempdir()) / "furoshiki-bench-models"
    english, others = models.load(models.COLBERT, cache), models.load_multilingual()
    for (text,) in _rows(SAID):
        yield np.stack([one.encode([text])[0] for one in (english, others)])


def trained(name: str, lines: Sequence[Line], vectors: Matrix) -> Trained:
    """Train the weights of each kind, with reduced weights of small talk and without answers for
    names."""
    each = np.array([EVERYDAY_COUNTS if one.kind == DAILY else 1.0 for one in lines])
    chat = np.array([one.kind in small_talk.BY_VECTOR for one in lines])
    answers = np.array([one.kind in ANSWERS for one in lines])
    is_it = np.array([[one.kind == kind for kind in KINDS] for one in lines], np.float32)
    counts = []
    for kind in KINDS:
        count = each if kind in small_talk.BY_VECTOR else np.where(chat, CHAT_COUNTS, each)
        counts.append(count if kind == "is_something" else np.where(answers, 0.0, count))
    texts, share = [one.text for one in lines], lambda odds: odds / (1 + odds)
    if name == models.COLBERT:
        rows, units, letters = train_rows(vectors, is_it, np.array(counts).T, share)
    else:
        rows, units, letters = train_layers(vectors, texts, is_it, np.array(counts).T, share, UNSPELLED)
    rows[:, -1] -= [np.log(BOUNDS[name][kind] / (1 - BOUNDS[name][kind])) for kind in KINDS]
    return rows, units, letters


def train_rows(vectors: Matrix, is_it: Matrix, count: Matrix, share: Callable[[Matrix], Matrix]) -> Trained:
    """Train without hidden layer or letters: Newton's method from zero, deterministic. The mean of
    all vectors is subtracted and folded into the constant."""
    centre = vectors.mean(axis=0)
    wide = np.hstack([vectors - centre, np.ones((len(vectors), 1))])
    ridge = np.full(wide.shape[1], RIDGE)
    ridge[-1] = 1e-6
    rows = np.zeros((is_it.shape[1], wide.shape[1]))
    for row, true, often in zip(rows, is_it.T, count.T, strict=True):
        for _ in range(STEPS):
            likely = share(np.exp(np.clip(wide @ row, -30, 30)))
            slope = wide.T @ (often * (likely - true)) + ridge * row
            bend = (wide * (often * likely * (1 - likely))[:, None]).T @ wide + np.diag(ridge)
            step = np.linalg.solve(bend, slope)
            row -= step
            if np.abs(step).max() < 1e-6:
                break
    rows[:, -1] -= rows[:, :-1] @ centre
    return rows, np.zeros((0, 0)), np.zeros((0, 0))


def by_folds(name: str, lines: Sequence[Line], vectors: Matrix) -> Matrix:
    """Return each kind's likelihood for each line, by a head that has not seen its content."""
    fold = np.array([zlib.crc32(one.concept.encode()) % FOLDS for one in lines])
    found = np.zeros((len(lines), len(KINDS)))
    for part in range(FOLDS):
        others, left = np.flatnonzero(fold != part), np.flatnonzero(fold == part)
        head = trained(name, [lines[at] for at in others], vectors[others])
        found[left] = judge(head, [lines[at] for at in left], vectors[left])
    return found


def judge(head: Trained, lines: Sequence[Line], vectors: Matrix) -> Matrix:
    """Return each kind's likelihood for each line."""
    rows, units, letters = head
    heard = np.maximum(vectors @ units[:, :-1].T + units[:, -1], 0) if len(units) else vectors
    scores = heard @ rows[:, :-1].T + rows[:, -1]
    if len(letters):
        places, worth = letters_of([one.text for one in lines])
        weights = np.vstack([letters.T / LETTERS_COUNT, np.zeros(len(letters))])
        scores += weights[places].sum(axis=1) * worth
    shares: Matrix = 1 / (1 + np.exp(-scores))
    return shares


def tell(encoder: str, lines: Sequence[Line], shares: Matrix) -> None:
    """Print false rejections and false acceptances of each kind in each language."""
    print(f"\n{encoder}: refused wrongly / accepted wrongly / of everyday lines, and how many lines of the kind")
    for place, kind in enumerate(KINDS):
        heard = shares[:, place] >= LIKELY
        cells = []
        for language in ("", *LANGUAGES):
            own = [at for at, one in enumerate(lines) if language in ("", one.language)]
            each = [[at for at in own if test(lines[at].kind)] for test in _tests(kind)]
            if each[0]:
                refused, *accepted = ([float(heard[at]) for at in some] for some in each)
                rates = [1 - sum(refused) / len(refused), *(sum(some) / max(len(some), 1) for some in accepted)]
                cells.append(f"{language or 'all'} {' / '.join(f'{rate:.2f}' for rate in rates)} ({len(each[0])})")
        print(f"  {kind}:", "; ".join(cells))


def tell_answered(which: str, lines: Sequence[Line], shares: Matrix) -> None:
    """Print how the built-in mind answers the lines it knows, by phrases and by a head that has not
    seen them; and its false answers to others."""
    spoken = {one.code: one for one in load_languages().each}
    print(f"\n  {which}: answered / of those rightly / other lines taken for one")
    for language in LANGUAGES[1:]:
        own, heard, right, others, taken = 0, 0, 0, 0, 0
        for one, each in zip(lines, shares, strict=True):
            if one.language != language:
                continue
            likely = dict(zip(KINDS, each, strict=True))
            kind = small_talk.find_meaning(spoken[language], one.text, "", likely)
            kind = "parts" if kind == "nights" else kind
            if one.kind in small_talk.KINDS:
                own, heard, right = own + 1, heard + (kind is not None), right + (kind == one.kind)
            else:
                others, taken = others + 1, taken + (kind not in (None, "nods"))
        print(f"  {language}: {heard / own:.2f} / {right / heard:.2f} ({own}) / {taken / others:.3f} ({others})")


def tell_names(lines: Sequence[Line], shares: Matrix) -> None:
    """Print how many answers are accepted as a name by form, and by form and head."""
    print("\n  taken for a name: by form / by form and head")
    for kind in ANSWERS:
        own, by_form, by_both = 0, 0, 0
        for one, each in zip(lines, shares, strict=True):
            if one.kind != kind:
                continue
            meant = dict(zip(KINDS, each, strict=True))
            with catalogue.speaking(one.language):
                found = [find_name(testimony.own(one.text, ()), True, likely) is not None for likely in ({}, meant)]
            own, by_form, by_both = own + 1, by_form + found[0], by_both + found[1]
        print(f"  {kind}: {by_form} / {by_both} of {own}")


def show(lines: Sequence[Line], shares: Matrix) -> None:
    """Print the misjudged lines."""
    for place, kind in enumerate(KINDS):
        for one, share in zip(lines, shares[:, place], strict=True):
            if (one.kind == kind) != (share >= LIKELY):
                print(f"{kind} {share:.2f} {one.kind} {one.language}: {one.text}")


def _tests(kind: str) -> list[Any]:
    return [lambda one: one == kind, lambda one: one not in (kind, DAILY), lambda one: one == DAILY]


def _encoder(name: str) -> Any:
    try:
        if name == models.MULTILINGUAL:
            return models.load_multilingual()
        return models.load(name, Path(tempfile.gettempdir()) / "furoshiki-bench-models")
    except FuroshikiError as error:
        print(f"{name}: {error}")
        return None


def _rows(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


if __name__ == "__main__":
    main()
