"""What a ranking costs when there is a lot to remember: CPU of full text, neighbours, tokens and the rest.

    python bench/scale.py --turns 200000 [--keep FILE]

The database is made up (texts and vectors of the right shape). The nearest by vector are drawn at random, because the
index belongs to Chroma: bench/memoryd.py measures it. Everything else is the real thing.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.synthetic import fill, vocabulary  # isort: skip
from furoshiki.core.database.connection import Database
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval import late_interaction

QUESTIONS = 200
WARMING = 20
BUILD = models.identity(models.BEST)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--turns", type=int, default=200_000)
    parser.add_argument("--keep", type=Path, help="where the database is kept for the next time")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = asked.keep or Path(folder) / "longmemory.sqlite"
        if not path.exists():
            began = time.perf_counter()
            fill(path, asked.turns, BUILD, tokens=True)
            print(f"{'rows written a second':36}{asked.turns / (time.perf_counter() - began):12,.0f}")
        measure(path, asked.turns)


def measure(path: Path, turns: int) -> None:
    """Ask, and measure the CPU of each question."""
    rng = random.Random(7)
    words = vocabulary(random.Random(1))
    weights = [1.0 / rank for rank in range(1, len(words) + 1)]
    encoder = models.load(models.BEST, Path(tempfile.gettempdir()) / "furoshiki-bench-models")
    database = Database(path)
    encoding, ranking = [], []
    for number in range(WARMING + QUESTIONS):
        text = "When did you say " + " ".join(rng.choices(words, weights, k=7)) + "?"
        near = {f"turn:{rng.randint(1, turns)}": rng.random() for _ in range(late_interaction.CANDIDATES)}
        before = time.process_time()
        question, _vector = late_interaction.Asked.by(encoder, text, datetime.now(UTC))
        encoded = time.process_time()
        with database.read() as db:
            late_interaction.rank(db, question, near, encoder.id)
        if number >= WARMING:
            encoding.append(1000 * (encoded - before))
            ranking.append(1000 * (time.process_time() - encoded))
    for name, values in (("encoding a question, CPU ms", encoding), ("ranking, CPU ms", ranking)):
        print(f"{name + ' p50':36}{statistics.median(values):12.1f}")
        print(f"{name + ' p95':36}{statistics.quantiles(values, n=20)[-1]:12.1f}")
    print(f"{'database bytes a turn':36}{database.stat().st_size / turns:12,.0f}")


if __name__ == "__main__":
    main()
