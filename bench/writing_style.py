"""Measures the cost of analysing a person's writing style, and of describing it to the model.

    python -m bench.writing_style

CPU of this process, on messages of the three people in the tests and on one of 4,096 characters.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from furoshiki.app.wiring import lexicon
from furoshiki.core.database import migrate
from furoshiki.core.database.connection import Database
from furoshiki.core.paths import ROOT
from furoshiki.core.prompts import Prompts
from furoshiki.language import signals
from furoshiki.language.lexicon import Lexicon
from furoshiki.owner.user_model import style
from furoshiki.owner.user_model.rules import style_measuring, style_wishes
from furoshiki.owner.user_model.rules.style_traits import NAMES, Trait
from furoshiki.owner.user_model.store import style as style_store
from tests.support.persons import PERSONS

ROUNDS = 40
AIM_MS = 1.0


def main() -> int:
    """Print the table; return 1 when a message takes a millisecond or more at p99."""
    words = lexicon()
    said = [(text, signals.read(text, words).strengths) for person in PERSONS for _, text in person.said]
    long = " ".join(random.Random(1).choices([text for text, _ in said], k=60))[:4096]
    print(f"{'':44}{'p50':>10}{'p99':>10}")
    worst = 0.0
    for name, texts in (("a message, measured", said), ("one of 4,096 characters", [(long, {})])):
        worst = max(worst, row(name, [_measuring(text, strengths, words) for text, strengths in texts]))
    row("wishes in a message, recognised", [_wishing(text, words) for text, _ in said])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "longmemory.sqlite"
        migrate.ensure(path)
        database = Database(path)
        now = datetime.now(UTC)
        with database.write() as db:
            style_store.put(db, [Trait(name, 2.0 + 7.0 * (n % 2), 5.5, 20, now) for n, name in enumerate(NAMES)], now)
            style_store.put_wishes(
                db, style_wishes.add_wishes({}, ["brief", "no_emoji"], now - timedelta(days=3)).values()
            )
        row("the block, from the database to its words", [_telling(database, Prompts(ROOT / "prompts"), now)])
        database.close()
    print(f"\nmeasuring a message: {worst:.3f} ms at p99, aim < {AIM_MS:g} ms{'' if worst < AIM_MS else '  missed'}")
    return 0 if worst < AIM_MS else 1


def row(name: str, works: list[Callable[[], object]]) -> float:
    """Run each many times and print milliseconds of CPU; return the p99."""
    times = sorted(_times(works))
    p99 = times[int(len(times) * 0.99)]
    print(f"{name:44}{statistics.median(times):9.3f} {p99:9.3f}  ms")
    return p99


def _times(works: list[Callable[[], object]]) -> Iterator[float]:
    for work in works:
        work()
    for _ in range(max(ROUNDS, 4 * ROUNDS // len(works))):
        for work in works:
            began = time.process_time_ns()
            work()
            yield (time.process_time_ns() - began) / 1e6


def _measuring(text: str, strengths: dict[str, float], words: Lexicon) -> Callable[[], object]:
    def work() -> object:
        message = style_measuring.read(text, words)
        return message and style_measuring.measure(message, words, strengths, 30.0)

    return work


def _wishing(text: str, words: Lexicon) -> Callable[[], object]:
    return lambda: style_wishes.find_wishes(text, words)


def _telling(database: Database, prompts: Prompts, now: datetime) -> Callable[[], object]:
    def work() -> object:
        with database.read() as db:
            return prompts.render("_parts/style/block", style=style.build_block(db, now))

    return work


if __name__ == "__main__":
    sys.exit(main())
