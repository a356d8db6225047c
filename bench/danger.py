"""Train the head that tells danger by a message's words, and say how well it does, tier by tier, by language.

    python -m bench.danger [--write] [--only ENCODER] [--everyday FILE ...]

One head of seven classes (`danger_head.CLASSES`) for each encoder that is installed, and one for words alone: softmax
over hashed letters and words and, where there is one, the vector. It learns from bench/danger_lines, bench/meant_lines,
bench/news_lines, bench/question_lines and the tables of tests/. Two tables: by heads that had not seen what a line says
in any language (five folds by concept), and on held_out.tsv, which is for judging only. `--everyday` are turns of
conversations (JSON lines with "text") in which nobody is in danger: how often it would be alarmed there. `--write` puts
the weights into config/danger_head.json.

Where an encoder reads, the same lines are also the examples that a message is compared with (bench/danger_examples.py),
and the second table is judged by head and nearness together.

The same lines and encoder give the same weights. With a reader a mind decides where words and head are not both sure:
what a careful one answers is the second column of held_out.tsv, and by folds it is taken to be always right, which says
how much is shown to it at most. The share of everyday lines is then of those it is asked about.
"""

from __future__ import annotations

import argparse
import base64
import functools
import json
import math
import tempfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.danger_examples import Stored, fit, store, tokens_of
from furoshiki.app.wiring import load_care_words
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import ROOT
from furoshiki.core.similarity import pack
from furoshiki.language.danger_head import (
    CLASSES,
    COMPARED_FROM,
    LEAST_LIKELY,
    LONGEST,
    SIZE,
    WORDS_ALONE,
    Bounds,
    DangerHead,
    Nearness,
    danger,
    hash_words,
    heads,
)
from furoshiki.language.reflex.care import judging
from furoshiki.language.reflex.care.noticing import notice
from furoshiki.language.tables.care_words import GRAVE
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval.memoryd.danger_examples import DangerExamples

LINES = Path(__file__).parent / "danger_lines"
GRAVE_DECISIONS = Path(__file__).parent / "meant_lines" / "told.tsv"
"""Serious decisions, thanks, unclear words: examples without danger …"""

NEAR_DANGER = ("can I just double the dose of my heart pills?",)
"""… except these, which are not used for training."""

SMALL_TALK, NEWS = GRAVE_DECISIONS.with_name("more.tsv"), LINES.with_name("news_lines") / "told.tsv"
QUESTIONS = LINES.with_name("question_lines")
"""Everyday lines without danger; of QUESTIONS only what is asked."""

TABLES = ROOT / "tests" / "language" / "reflex" / "care"
REQUESTS, TASKS = (ROOT / "tests" / "conversation" / name for name in ("said_requests.tsv", "said_tasks.tsv"))
SPOKEN = ROOT / "tests" / "language" / "said_languages.tsv"
SIGNALS = ROOT / "tests" / "language" / "signals.tsv"
HEAD = ROOT / "config" / "danger_head.json"
LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "ru", "tr", "zh")
JUDGED_IN = ("en", "de", "es", "ru", "tr", "zh")
ENCODERS = {models.COLBERT: ("en",), models.MULTILINGUAL: tuple(one for one in LANGUAGES if one != "en")}
"""The languages encoded by each encoder."""

BOUNDS = {
    WORDS_ALONE: Bounds(0.8, 0.55, 0.2, 0.3),
    models.COLBERT: Bounds(0.75, 0.15, 0.3, 0.018),
    models.MULTILINGUAL: Bounds(0.77, 0.15, 0.3, 0.04),
}
NEAR_BOUNDS = {
    models.COLBERT: Bounds(0.85, 0.45, 0.3, 0.05),
    models.MULTILINGUAL: Bounds(0.9, 0.6, 0.3, 0.12),
}
"""The bounds where a message was compared with examples as well."""

NEAREST = {models.COLBERT: 10, models.MULTILINGUAL: 5}
"""How many of the nearest examples of each kind decide: of 3 to 80 the best, for each encoder."""

FAINT, PERHAPS, SURE, CERTAIN = 1, 2, 3, 4
FOLDS, ROUNDS, BATCH, RATE, RIDGE = 5, 6, 128, 0.02, 1e-4
"""Training: folds, passes over all lines, batch size, learning rate, L2 penalty."""

LETTERS_BY, VECTOR_BY = {models.MULTILINGUAL: 5.0}, {models.MULTILINGUAL: 5.0}
LETTERS, VECTOR = 3.0, 8.0
"""Initial scales of the features: letters and words, and the vector."""

GRAVE_SHARE, BRIGHT_SHARE = 0.35, 0.08
"""Weights of danger and of bright lines, as shares of all."""

HARD_COUNTS = 2.0
"""The weight of a hard negative line; others weigh one."""

EVERYDAY = ("none", "daily", "bright")
"""Kinds of easy negative lines; the others are hard ones, and used for evaluation."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """One line with its kind, its English original in `concept` (empty without one), the label by a
    careful reader (empty without one), and how plainly it expresses danger (direct, veiled)."""

    kind: str
    language: str
    text: str
    concept: str = ""
    read: str = ""
    tier: str = ""

    @property
    def label(self) -> str:
        """The class of the line."""
        return _label(self.kind)


def main() -> None:
    """Train, report, and write if requested."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true", help="put the weights into config/danger_head.json")
    asked.add_argument("--only", choices=ENCODERS, help="one encoder only; the others keep their weights")
    asked.add_argument("--everyday", nargs="*", type=Path, default=[], help="turns in which nobody is in danger")
    options = asked.parse_args()
    learned, held, daily = list(training()), list(held_out()), list(everyday(options.everyday))
    made = json.loads(HEAD.read_text(encoding="utf-8"))["heads"] if HEAD.is_file() else {}
    for name in (options.only,) if options.only else (WORDS_ALONE, *ENCODERS):
        encoder = _encoder(name)
        if encoder is None and name != WORDS_ALONE:
            continue
        lines = learned if name != models.COLBERT else [one for one in learned if one.language == "en"]
        vectors = None if encoder is None else np.array([_vector(encoder, one.text) for one in lines])
        own = [one for one in daily if one.language in ENCODERS.get(name, LANGUAGES)]
        examples = None if encoder is None else _examples(name, encoder, lines)
        bounds = BOUNDS[name] if examples is None else NEAR_BOUNDS[name]
        print(f"\n{name or 'words alone'}: sure from {bounds.sure}, perhaps from {bounds.perhaps}")
        head = train(lines, name, vectors)
        *by_folds, nearness = _by_folds(name, lines, vectors, own, encoder, examples)
        if examples is not None:
            head["nearness"] = {**nearness, "bounds": asdict(bounds)}
            print(f"nearness {nearness}")
        tell("by folds", *by_folds)
        made[models.identity(name) if name else name] = head
        whole = {"classes": CLASSES, "size": SIZE, "heads": made}
        judge = Judge(_read(head), encoder, examples and examples.of(np.arange(len(lines))))
        judged = [line for line in held if line.language in ENCODERS.get(name, LANGUAGES)]
        tell("held out", {line: judge.verdict(line) for line in judged}, {})
        for table in ("dark_held_out.tsv", "health_held_out.tsv"):
            new = [line for line in dark(LINES / table) if line.language in ENCODERS.get(name, LANGUAGES)]
            tell_dark({line: judge.verdict(line) for line in new})
        if options.write:
            HEAD.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
            if examples is not None:
                examples.write(models.identity(name))


def training() -> Iterable[Line]:
    """Yield all training lines."""
    for name in ("told.tsv", "harmless.tsv", "more.tsv"):
        for kind, *said in _rows(LINES / name):
            languages = JUDGED_IN if name == "more.tsv" else LANGUAGES
            yield from (Line(kind, *pair, said[0]) for pair in zip(languages, said, strict=True) if pair[1])
    yield from dark(LINES / "dark.tsv")
    yield from (Line(*row) for row in _rows(LINES / "others.tsv"))
    for name in ("care.tsv", "care_cold.tsv", "care_abroad.tsv"):
        language = "" if "abroad" in name else "en"
        yield from (Line(_label(kind.partition("|")[0]), language, text) for kind, text in _rows(TABLES / name))
    for _kind, *said in _rows(GRAVE_DECISIONS):
        if said[0] not in NEAR_DANGER:
            yield from (Line("none", *pair, said[0]) for pair in zip(LANGUAGES, said, strict=True) if pair[1])
    for _kind, language, text in _rows(SMALL_TALK):
        yield Line("daily", language, text)
    for _kind, text in _rows(NEWS):
        yield Line("daily", "", text)
    for path in sorted(QUESTIONS.glob("*.tsv")):
        yield from (Line("daily", path.name[:2], row[3]) for row in _rows(path))
    for line in _rows(REQUESTS)[1:]:
        yield Line("none", "en", line[0])
    for tongue, text, *_ in _rows(TASKS)[1:]:
        yield Line("none", tongue, text)
    for code, text, *_ in _rows(SPOKEN):
        yield Line("none", "en" if code == "-" else code, text)
    for labels, text, *_ in _rows(SIGNALS):
        yield Line("bright" if labels == "excitement" else "none", "en", text)


def held_out() -> Iterable[Line]:
    """Yield the held-out lines."""
    for kind, read, *said in _rows(LINES / "held_out.tsv"):
        yield from (Line(kind, *pair, read=_label(read)) for pair in zip(JUDGED_IN, said, strict=True))


def dark(path: Path) -> Iterable[Line]:
    """Yield everyday lines with dark content, and danger lines with their plainness."""
    for kind, tier, *said in _rows(path):
        yield from (Line(kind, *pair, said[0], tier=tier) for pair in zip(LANGUAGES, said, strict=True))


def everyday(files: Sequence[Path]) -> Iterable[Line]:
    """Yield short turns of people; a file named "de-…" is German, any other English."""
    for path in files:
        turns = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        said = [one["text"] for one in turns if one.get("speaker") not in ("companion", "assistant")]
        language = path.name[:2] if path.name[:2] in LANGUAGES else "en"
        yield from (Line("none", language, text) for text in said if len(text) <= LONGEST)


def train(lines: Sequence[Line], name: str, vectors: Floats | None) -> dict[str, Any]:
    """Train the head of an encoder and return it in its file format: Adam from zero, in a fixed
    order."""
    truth = np.eye(len(CLASSES))[[CLASSES.index(one.label) for one in lines]]
    none, bright = truth[:, 0] == 1, truth[:, -1] == 1
    weight = np.where(none, (1 - GRAVE_SHARE - BRIGHT_SHARE) / none.sum(), GRAVE_SHARE / (~none & ~bright).sum())
    weight[bright] = BRIGHT_SHARE / bright.sum()
    weight *= len(lines) * np.array([HARD_COUNTS if _is_hard(one) else 1.0 for one in lines])
    found = [np.array(hash_words(one.text) or [0]) for one in lines]
    centre = None if vectors is None else vectors.mean(axis=0)
    given = np.zeros((len(lines), 0)) if vectors is None else VECTOR_BY.get(name, VECTOR) * _apart(vectors, centre)
    learned = [np.zeros((size, len(CLASSES))) for size in (SIZE, 1, given.shape[1])]
    moving = [[np.zeros_like(one), np.zeros_like(one)] for one in learned]
    chance = np.random.default_rng(1)
    steps = ROUNDS * -(-len(lines) // BATCH)
    order = np.concatenate([np.resize(chance.permutation(len(lines)), steps // ROUNDS * BATCH) for _ in range(ROUNDS)])
    for step, some in enumerate(np.split(order, steps), 1):
        lengths = np.array([len(found[at]) for at in some])
        places = np.concatenate([found[at] for at in some])
        values = np.repeat(LETTERS_BY.get(name, LETTERS) / np.sqrt(lengths), lengths)[:, None]
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        score = learned[1] + np.add.reduceat(learned[0][places] * values, starts, axis=0) + given[some] @ learned[2]
        share = np.exp(score - score.max(axis=1, keepdims=True))
        off = (share / share.sum(axis=1, keepdims=True) - truth[some]) * weight[some, None] / len(some)
        spread = np.repeat(off, lengths, axis=0) * values
        letters = np.stack([np.bincount(places, column, SIZE) for column in spread.T], axis=1)
        slopes = (letters + RIDGE * learned[0], off.sum(axis=0)[None], given[some].T @ off + RIDGE * learned[2])
        for one, slope, (mean, square) in zip(learned, slopes, moving, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope**2 - square)
            sized = np.sqrt(square / (1 - 0.99**step)) + 1e-8
            one -= RATE * (1 - step / steps) * (mean / (1 - 0.9**step)) / sized
    return _written(name, learned, centre)


def _is_hard(line: Line) -> bool:
    return line.label == "none" and line.kind not in EVERYDAY


def _apart(vectors: Floats, centre: Floats) -> Floats:
    apart = vectors - centre
    return apart / np.linalg.norm(apart, axis=1, keepdims=True)


def _written(name: str, learned: Sequence[Floats], centre: Floats | None) -> dict[str, Any]:
    grams = LETTERS_BY.get(name, LETTERS) * learned[0].T
    scale = float(np.abs(grams).max()) / 127
    made: dict[str, Any] = {
        "bounds": asdict(BOUNDS[name]),
        "scale": scale,
        "constants": [round(float(one), 5) for one in learned[1][0]],
        "grams": base64.b64encode(np.rint(grams / scale).astype(np.int8).tobytes()).decode(),
    }
    if centre is not None:
        made["centre"] = pack([centre.tolist()])
        made["directions"] = pack((VECTOR_BY.get(name, VECTOR) * learned[2]).T.tolist())
    return made


@dataclass(frozen=True)
class Judge:
    """What judges a line: the head, and the examples that it is compared with."""

    head: DangerHead
    encoder: Any
    examples: DangerExamples | None

    def verdict(self, line: Line) -> int:
        """Return the verdict: none, faint, perhaps, sure, certain."""
        return _judged(self.head, line.text, *self.read(line))

    def read(self, line: Line) -> tuple[dict[str, float], float | None]:
        """Return the head's probabilities and the nearness to examples."""
        shares = self.head.shares(line.text, _vector(self.encoder, line.text))
        if self.examples is None:
            return shares, None
        return shares, self.examples.nearness(_encoded(self.encoder, line.text)[1])


def _examples(name: str, encoder: Any, lines: Sequence[Line]) -> Stored:
    """Return all lines as examples."""
    grave = [one.label in GRAVE for one in lines]
    return store([_encoded(encoder, one.text)[1] for one in lines], grave, NEAREST[name])


def _by_folds(
    name: str,
    lines: Sequence[Line],
    vectors: Floats | None,
    daily: Sequence[Line],
    encoder: Any,
    examples: Stored | None,
) -> tuple[dict[Line, int], dict[Line, int], dict[str, float]]:
    """Return the verdict on each evaluated and each everyday line, by a head and examples that have
    not seen its content, and the weights of nearness."""
    read: dict[Line, tuple[dict[str, float], float | None]] = {}
    fold = np.array([zlib.crc32((one.concept or one.text).encode()) % FOLDS for one in lines])
    for part in range(FOLDS):
        others = np.flatnonzero(fold != part)
        head = _read(train([lines[at] for at in others], name, None if vectors is None else vectors[others]))
        judge = Judge(head, encoder, examples and examples.of(others))
        for at in np.flatnonzero(fold == part):
            if vectors is not None or (lines[at].kind not in EVERYDAY and lines[at].language in JUDGED_IN):
                read[lines[at]] = judge.read(lines[at])
        read |= {one: judge.read(one) for one in daily[part::FOLDS]}
    nearness: dict[str, float] = {}
    if examples is not None:
        near = [one for one in lines if one in read and read[one][1] is not None]
        odds = [math.log(likely / (1 - likely)) for one in near for likely in (_likely(read[one][0]),)]
        grave = np.array([one.label in GRAVE for one in near])
        nearness = fit([read[one][1] or 0.0 for one in near], odds, grave, GRAVE_SHARE)
        head = replace(head, nearness=Nearness(bounds=NEAR_BOUNDS[name], **nearness))
    told = {one: _judged(head, one.text, *found) for one, found in read.items()}
    judged = [one for one in lines if one.kind not in EVERYDAY and one.language in ENCODERS.get(name, JUDGED_IN)]
    return {one: told[one] for one in judged if one in told}, {one: told[one] for one in daily}, nearness


def _likely(shares: Mapping[str, float]) -> float:
    return min(max(danger(shares), LEAST_LIKELY), 1 - LEAST_LIKELY)


def _read(head: dict[str, Any]) -> DangerHead:
    return heads({"classes": CLASSES, "size": SIZE, "heads": {"": head}})[""]


def tell(title: str, judged: Mapping[Line, int], usual: Mapping[Line, int]) -> None:
    """Print recall and precision of each tier, with words and head combined, and the rate of false
    alarms."""
    print(
        f"{title:10} {'sure: R / P / everyday':28} {'or perhaps: R / P / everyday':28} with a reader: R / P / everyday"
    )
    for language in ("", *JUDGED_IN):
        lines = [one for one in judged if language in ("", one.language)]
        if not lines:
            continue
        calm = np.array([tier for one, tier in usual.items() if language in ("", one.language)])
        grave, read = (
            np.array([kind in GRAVE for kind in kinds])
            for kinds in ([one.kind for one in lines], [one.read or one.kind for one in lines])
        )
        tier = np.array([judged[one] for one in lines])
        with_reader = (tier == CERTAIN) | ((tier >= FAINT) & read)
        cells = [_figures(grave, tier >= at, calm >= at) for at in (SURE, PERHAPS)]
        more = _figures(grave, with_reader, (calm >= FAINT) & (calm < CERTAIN))
        print(f"{language or 'all':10} {cells[0]:28} {cells[1]:28} {more}")


def tell_dark(judged: Mapping[Line, int]) -> None:
    """Print the verdicts on dark everyday lines, and the misses among danger lines by plainness, by
    language, without a reader."""
    print("dark       everyday: sure, asked / of   direct: missed / of   veiled: missed / of")
    for language in ("", *LANGUAGES):
        mine = [(one.tier, found) for one, found in judged.items() if language in ("", one.language)]
        if not mine:
            continue
        calm, *grave = ([found for tier, found in mine if tier == wanted] for wanted in ("none", "direct", "veiled"))
        missed = [f"{sum(found < PERHAPS for found in tiers)} / {len(tiers)}" for tiers in grave]
        alarms = f"{sum(found >= SURE for found in calm)}, {calm.count(PERHAPS)} / {len(calm)}"
        print(f"{language or 'all':10} {alarms:28} {missed[0]:21} {missed[1]}")


def _judged(head: DangerHead, text: str, shares: Mapping[str, float], near: float | None) -> int:
    """Return the verdict on a text by what head and examples read."""
    words, year = load_care_words()[0], date.today().year
    bounds = head.bounds
    if near is not None and head.nearness is not None:
        bounds = head.nearness.bounds
        shares = head.nearness.weigh(shares, near) if danger(shares) >= COMPARED_FROM else shares
    found = judging.judge(notice(text, words, year), shares, bounds, text, words[0], faint=True)
    if found is None:
        return 0
    return CERTAIN if found.certain else SURE if found.sure else FAINT if found.faint else PERHAPS


def _figures(grave: Any, alarmed: Any, usual: Any) -> str:
    recall = (grave & alarmed).sum() / grave.sum()
    precision = (grave & alarmed).sum() / max(alarmed.sum(), 1)
    more = f" / {usual.mean():.3f}" if usual is not None and len(usual) else ""
    return f"{recall:.2f} / {precision:.2f}{more}"


def _encoder(name: str) -> Any:
    if name == WORDS_ALONE:
        return None
    try:
        if name == models.MULTILINGUAL:
            return models.load_multilingual()
        return models.load(name, Path(tempfile.gettempdir()) / "furoshiki-bench-models")
    except FuroshikiError as error:
        print(f"{name}: {error}")
        return None


def _vector(encoder: Any, text: str) -> list[float]:
    return [] if encoder is None else list(map(float, _encoded(encoder, text)[0]))


@functools.cache
def _encoded(encoder: Any, text: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The vector of a text and the rows of its tokens; memory holds them all, as a text is read in every fold."""
    return encoder.encode([text])[0], tokens_of(encoder, text)


def _label(kind: str) -> str:
    return kind if kind in CLASSES else "none"


def _rows(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


if __name__ == "__main__":
    main()
