"""Measures the cost and the quality of reading a message's signals, against the aims.

    python bench/signals.py

CPU time, the minimum of a few tries for each text, to exclude other load. A text of 4,096
characters may cost a millisecond, and loading the lexicon 60 ms in every program. On an overloaded
machine even CPU time grows, so a yardstick comes first: a million additions, about 50 ms on an idle
core of today.
"""

from __future__ import annotations

import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from furoshiki.language import signals  # isort: skip
from furoshiki.language.lexicon import CATEGORIES, Lexicon

ROOT = Path(__file__).resolve().parent.parent
WORDS = ROOT / "config" / "lexicon" / "en.toml"
TABLES = tuple(ROOT / "tests" / "language" / name for name in ("signals.tsv", "signals_unseen.tsv"))
TRIES = 7
STARTS = 7
LOADING = (
    "import time, tomllib, pathlib; from furoshiki.language.lexicon import Lexicon; began = time.process_time(); "
    "Lexicon.from_mapping(tomllib.loads(pathlib.Path({words!r}).read_text('utf-8'))); "
    "print(time.process_time() - began)"
)

Row = tuple[frozenset[str], str]


def main() -> int:
    """Return 1 when an aim was missed."""
    lexicon = Lexicon.from_mapping(tomllib.loads(WORDS.read_text(encoding="utf-8")))
    tables = [rows(path) for path in TABLES]
    said = [text for table in tables for _, text in table]
    for text in said:
        signals.read(text, lexicon)  # phrases are parsed on first use
    print(f"{'yardstick':28} {yardstick():7.0f} ms")
    missed = [
        spread("typical messages", [cpu(text, lexicon) for text in said], 1.0),
        spread("4,096 characters", [cpu(text, lexicon) for text in long_texts(said)], 1.0),
        spread("the words, once a program", sorted(loading() for _ in range(STARTS))[: STARTS // 2 + 1], 60.0),
    ]
    for path, table in zip(TABLES, tables, strict=True):
        score(path.name, table, lexicon)
    return int(any(missed))


def yardstick() -> float:
    began, total = time.process_time(), 0
    for number in range(1_000_000):
        total += number
    return (time.process_time() - began) * 1000


def rows(path: Path) -> list[Row]:
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")]
    return [(frozenset(labels.split(",")) - {"-"}, text) for labels, text, _ in lines]


def long_texts(said: Sequence[str]) -> list[str]:
    """Return natural texts of 4,096 characters: messages joined, from different offsets."""
    together = " ".join(said)
    step = max(1, (len(together) - signals.LONGEST) // 100)
    return [together[at : at + signals.LONGEST] for at in range(0, len(together) - signals.LONGEST, step)]


def cpu(text: str, lexicon: Lexicon) -> float:
    """Return the milliseconds of CPU to read a text."""
    taken = []
    for _ in range(TRIES):
        began = time.process_time()
        signals.read(text, lexicon)
        taken.append(time.process_time() - began)
    return min(taken) * 1000


def loading() -> float:
    """Return the milliseconds of CPU to load the lexicon, in a separate process."""
    command = [sys.executable, "-c", LOADING.format(words=str(WORDS))]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return float(done.stdout) * 1000


def spread(name: str, taken: Sequence[float], below: float) -> bool:
    """Print the distribution; return whether the aim was missed."""
    ordered = sorted(taken)
    half, most = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    print(f"{name:28} p50 {half:7.3f} ms   p99 {most:7.3f} ms   (< {below:g}){'  missed' if most >= below else ''}")
    return most >= below


def score(name: str, table: Sequence[Row], lexicon: Lexicon) -> None:
    found = [(labels, frozenset(signals.read(text, lexicon).strengths)) for labels, text in table]
    print(f"{name:28} {told(found)}")


def told(found: Sequence[tuple[frozenset[str], frozenset[str]]]) -> str:
    """Return macro-F1 of the results, and the rate of false signals in neutral lines."""
    each = []
    for category in CATEGORIES:
        hits = sum(category in labels and category in read for labels, read in found)
        either = sum((category in labels) + (category in read) for labels, read in found)
        each.append(2 * hits / max(1, either))
    neutral = [read for labels, read in found if not labels]
    stirred = sum(bool(read) for read in neutral)
    return f"macro-F1 {sum(each) / len(each):.3f}, signals in {stirred} of {len(neutral)} neutral lines"


if __name__ == "__main__":
    sys.exit(main())
