"""Train the head that tells danger by a message's words, and say how well it does, tier by tier, by language.

    python -m bench.danger [--write] [--everyday FILE ...]

One head of seven classes (`danger_head.CLASSES`) for each encoder that is installed, and one for words alone: softmax
over hashed letters and words and, where there is one, the vector. It learns from bench/danger_lines and the tables of
tests/; held_out.tsv is for judging only. `--everyday` are turns of conversations (JSON lines with "text") in which
nobody is in danger: how often it would be alarmed there. `--write` puts the weights into config/danger_head.json.

The same lines and encoder give the same weights. With a reader a mind decides where the head is not sure: what a
careful one answers is the second column of held_out.tsv.
"""

from __future__ import annotations

import argparse
import base64
import json
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from furoshiki.app.wiring import caring
from furoshiki.core.errors import FuroshikiError
from furoshiki.core.paths import ROOT
from furoshiki.embeddings import models
from furoshiki.language.danger_head import (
    CLASSES,
    LONGEST,
    SIZE,
    WORDS_ALONE,
    Bounds,
    DangerHead,
    hashed,
    heads,
    packed,
)
from furoshiki.reflex.care import judging
from furoshiki.reflex.care.noticing import notice

LINES = Path(__file__).parent / "danger_lines"
TABLES = ROOT / "tests" / "reflex" / "care"
REQUESTS, TASKS = (ROOT / "tests" / "conversation" / name for name in ("said_requests.tsv", "said_tasks.tsv"))
SPOKEN = ROOT / "tests" / "language" / "said_languages.tsv"
SIGNALS = ROOT / "tests" / "language" / "signals.tsv"
HEAD = ROOT / "config" / "danger_head.json"
LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "ru", "tr", "zh")
JUDGED_IN = ("en", "de", "es", "ru", "tr", "zh")
ENCODERS = {models.COLBERT: ("en",), models.MULTILINGUAL: tuple(one for one in LANGUAGES if one != "en")}
"""The languages whose messages get a vector of each encoder."""

BOUNDS = {
    WORDS_ALONE: Bounds(0.85, 0.65, 0.1),
    models.COLBERT: Bounds(0.55, 0.06, 0.3),
    models.MULTILINGUAL: Bounds(0.75, 0.3, 0.3),
}
PERHAPS, SURE = 1, 2
STEPS, RATE = 150, 0.1
RIDGES = {WORDS_ALONE: 6e-5}
RIDGE = 2e-4
"""How strongly weights are held to zero: for words alone, and beside a vector."""
LETTERS_BY, VECTOR_BY = 3.0, 3.0
"""How much letters and words, and the vector, are worth before anything is learned."""

GRAVE_SHARE, BRIGHT_SHARE = 0.35, 0.15
"""Lines of danger, and bright ones, count as if they were so great a part of all."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """One line with its class, and what a careful reader made of it (empty where none was asked)."""

    label: str
    language: str
    text: str
    read: str = ""


def main() -> None:
    """Train, tell, and write when asked to."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--write", action="store_true", help="put the weights into config/danger_head.json")
    asked.add_argument("--everyday", nargs="*", type=Path, default=[], help="turns in which nobody is in danger")
    options = asked.parse_args()
    learned, held, daily = list(training()), list(held_out()), list(everyday(options.everyday))
    made = json.loads(HEAD.read_text(encoding="utf-8"))["heads"] if HEAD.is_file() else {}
    for name in (WORDS_ALONE, *ENCODERS):
        encoder = _encoder(name)
        if encoder is None and name != WORDS_ALONE:
            continue
        lines = learned if name != models.COLBERT else [one for one in learned if one.language == "en"]
        made[models.identity(name) if name else name] = train(lines, name, encoder)
        whole = {"classes": CLASSES, "size": SIZE, "heads": made}
        head = heads(whole)[models.identity(name) if name else name]
        languages = ENCODERS.get(name, LANGUAGES)
        tell(name or "words alone", head, [one for one in held if one.language in languages], daily, encoder)
        if options.write:
            HEAD.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def training() -> Iterable[Line]:
    """All lines to learn from."""
    for name in ("told.tsv", "harmless.tsv"):
        for kind, *said in _rows(LINES / name):
            yield from (Line(_label(kind), *pair) for pair in zip(LANGUAGES, said, strict=True) if pair[1])
    yield from (Line(_label(kind), language, text) for kind, language, text in _rows(LINES / "others.tsv"))
    for name in ("care.tsv", "care_cold.tsv", "care_abroad.tsv"):
        language = "" if "abroad" in name else "en"
        yield from (Line(_label(kind.partition("|")[0]), language, text) for kind, text in _rows(TABLES / name))
    for line in _rows(REQUESTS)[1:]:
        yield Line("none", "en", line[0])
    for tongue, text, *_ in _rows(TASKS)[1:]:
        yield Line("none", tongue, text)
    for code, text, *_ in _rows(SPOKEN):
        yield Line("none", "en" if code == "-" else code, text)
    for labels, text, *_ in _rows(SIGNALS):
        yield Line("bright" if labels == "excitement" else "none", "en", text)


def held_out() -> Iterable[Line]:
    """The lines it is judged by."""
    for kind, read, *said in _rows(LINES / "held_out.tsv"):
        yield from (Line(_label(kind), *pair, _label(read)) for pair in zip(JUDGED_IN, said, strict=True))


def everyday(files: Sequence[Path]) -> Iterable[Line]:
    """Short turns of people; a file named "de-…" is in German, any other in English."""
    for path in files:
        turns = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        said = [one["text"] for one in turns if one.get("speaker") not in ("companion", "assistant")]
        language = path.name[:2] if path.name[:2] in LANGUAGES else "en"
        yield from (Line("none", language, text) for text in said if len(text) <= LONGEST)


def train(lines: Sequence[Line], name: str, encoder: Any) -> dict[str, Any]:
    """The head for an encoder, as it is written down: Adam from zero over all lines at once, no chance in it."""
    truth = np.eye(len(CLASSES))[[CLASSES.index(one.label) for one in lines]]
    none, bright = truth[:, 0] == 1, truth[:, -1] == 1
    weight = np.where(none, (1 - GRAVE_SHARE - BRIGHT_SHARE) / none.sum(), GRAVE_SHARE / (~none & ~bright).sum())
    weight[bright] = BRIGHT_SHARE / bright.sum()
    rows, places, values, starts = _design([one.text for one in lines])
    vectors = None if encoder is None else np.asarray(encoder.encode([one.text for one in lines]), np.float64)
    ridge, centre = RIDGES.get(name, RIDGE), None
    if vectors is not None:
        centre = vectors.mean(axis=0)
        vectors = vectors - centre
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    learned = [np.zeros((SIZE, len(CLASSES))), np.zeros(len(CLASSES))]
    learned += [] if vectors is None else [np.zeros((vectors.shape[1], len(CLASSES)))]
    moving = [[np.zeros_like(one), np.zeros_like(one)] for one in learned]
    for step in range(1, STEPS + 1):
        score = learned[1] + LETTERS_BY * np.add.reduceat(learned[0][places] * values[:, None], starts, axis=0)
        if vectors is not None:
            score = score + VECTOR_BY * (vectors @ learned[2])
        share = np.exp(score - score.max(axis=1, keepdims=True))
        off = (share / share.sum(axis=1, keepdims=True) - truth) * weight[:, None]
        spread = LETTERS_BY * off[rows] * values[:, None]
        slopes = [np.stack([np.bincount(places, column, SIZE) for column in spread.T], axis=1) + ridge * learned[0]]
        slopes.append(off.sum(axis=0))
        if vectors is not None:
            slopes.append(VECTOR_BY * (vectors.T @ off) + ridge * learned[2])
        for one, slope, (mean, square) in zip(learned, slopes, moving, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope**2 - square)
            sized = np.sqrt(square / (1 - 0.99**step)) + 1e-8
            one -= RATE * (1 - step / STEPS) * (mean / (1 - 0.9**step)) / sized
    return _written(name, learned, centre)


def _written(name: str, learned: Sequence[Floats], centre: Floats | None) -> dict[str, Any]:
    grams = LETTERS_BY * learned[0].T
    scale = float(np.abs(grams).max()) / 127
    made: dict[str, Any] = {
        "bounds": asdict(BOUNDS[name]),
        "scale": scale,
        "constants": [round(float(one), 5) for one in learned[1]],
        "grams": base64.b64encode(np.rint(grams / scale).astype(np.int8).tobytes()).decode(),
    }
    if centre is not None:
        made["centre"] = packed(centre.tolist())
        made["directions"] = packed((VECTOR_BY * learned[2]).T.ravel().tolist())
    return made


def tell(title: str, head: DangerHead, held: Sequence[Line], daily: Sequence[Line], encoder: Any) -> None:
    """Recall and precision of each tier, words and head together as the program hears them, and the share of everyday
    lines that would alarm it."""
    judged = {one: _judged(head, one.text, encoder) for one in {*held, *daily}}
    print(f"\n{title}: sure from {head.bounds.sure}, perhaps from {head.bounds.perhaps}")
    print(f"{'':10} {'sure: R / P / everyday':28} {'or perhaps: R / P / everyday':28} with a reader: R / P")
    for language in ("", *JUDGED_IN):
        lines = [one for one in held if language in ("", one.language)]
        if not lines:
            continue
        usual = np.array([judged[one] for one in daily if language in ("", one.language)])
        grave, read = (
            np.array([label not in ("none", "bright") for label in labels])
            for labels in ([one.label for one in lines], [one.read for one in lines])
        )
        tier = np.array([judged[one] for one in lines])
        with_reader = (tier == SURE) | ((tier == PERHAPS) & read)
        cells = [_figures(grave, tier >= at, usual >= at) for at in (SURE, PERHAPS)]
        print(f"{language or 'all':10} {cells[0]:28} {cells[1]:28} {_figures(grave, with_reader, None)}")


def _judged(head: DangerHead, text: str, encoder: Any) -> int:
    """How far a message goes: no danger, perhaps, sure."""
    words, year = caring()[0], date.today().year
    shares = head.shares(text, _vector(encoder, text))
    found = judging.judged(notice(text, words, year), shares, head.bounds, text, words[0])
    return 0 if found is None else SURE if found.sure else PERHAPS


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
    return [] if encoder is None else [float(one) for one in encoder.encode([text])[0]]


def _design(texts: Sequence[str]) -> tuple[Any, Any, Any, Any]:
    found = [np.array(hashed(text)) for text in texts]
    rows = np.repeat(np.arange(len(texts)), [len(one) for one in found])
    values = np.concatenate([np.full(len(one), 1 / np.sqrt(len(one))) for one in found])
    starts = np.concatenate([[0], np.cumsum([len(one) for one in found])[:-1]])
    return rows, np.concatenate(found), values, starts


def _label(kind: str) -> str:
    return kind if kind in CLASSES else "none"


def _rows(path: Path) -> list[list[str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


if __name__ == "__main__":
    main()
