"""What an inner life costs: CPU and questions to a model for each simulated day, by script, and without a word.

    python bench/inner_life.py              a week of talk, and three days without a word
    python bench/inner_life.py --days 30    the whole month of tests/life/month.md, in which a week is silent

Nothing is thinned out: every script is asked whether it has something to do as often as schedules.json says, by a clock
that is set. The model is a script that reads as the built-in rules do; what it costs itself is not counted. The use
cases run in this process; what a process costs to start is measured at the end with the real scripts.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from furoshiki.app.jobs import JOBS
from furoshiki.core.database import migrate
from furoshiki.core.paths import ROOT
from furoshiki.language.tokens import BYTES_PER_TOKEN
from furoshiki.recall.retrieval.client import Vectors, VectorsAway
from tests.life.house import House, opened
from tests.life.month import Talk, month, remarks, thoughts
from tests.life.reader import Called, Reader

ZONE = ZoneInfo("Europe/Lisbon")
BEGINS = datetime(2026, 5, 4, 5, tzinfo=UTC)
SILENT_DAYS = 3
"""Silent days after the talk; the first is not counted, because it still reflects on the evening
before."""

IDLE_CALLS = 6
CHEAP = ("fast", "micro")
TICK_CPU_S = 0.5
IDLE_CPU_S = 0.3
TIERS = ("reflect", "fast", "micro")
STARTS = 5


@dataclass
class Cost:
    """The total cost of a script."""

    asked: int = 0
    runs: int = 0
    cpu_s: float = 0.0
    calls: list[Called] = field(default_factory=list)


class Counted(House):
    """A simulated home that attributes costs to scripts."""

    mind: Reader
    costs: defaultdict[str, Cost]

    async def run(self, name: str) -> None:
        cost, calls, runs, began = self.costs[name], len(self.mind.called), len(self.ran), time.process_time()
        await super().run(name)
        cost.asked += 1
        cost.runs += len(self.ran) - runs
        cost.cpu_s += time.process_time() - began
        cost.calls += self.mind.called[calls:]


def main() -> int:
    """Return 1 when an aim was missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--days", type=int, default=7, help="days with talk (33 are written)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        os.environ["FUROSHIKI_DATA"] = str(data)
        migrate.ensure(Path(folder) / "empty.sqlite")
        house, talked = asyncio.run(lived(data, Path(folder) / "empty.sqlite", args.days))
        missed = told(house, talked)
        missed += started(house, data)
    return 1 if missed else 0


async def lived(data: Path, empty: Path, days: int) -> tuple[Counted, list[date]]:
    """Live through days with talk, then silent ones; return the home and talking days."""
    talks = [talk for talk in month() if talk.at < BEGINS + timedelta(days=days)]
    gateway: list[Reader] = []

    def mind(clock: object) -> Reader:
        gateway.append(Reader(clock.now, remarks(talks), thoughts(talks)))  # type: ignore[attr-defined]
        return gateway[-1]

    world, clock = opened(data, empty, BEGINS, ZONE, mind)
    house = Counted(world, clock)
    house.mind, house.costs = gateway[0], defaultdict(Cost)
    for talk in talks:
        await house.until(talk.at)
        await spoken(house, talk)
    await house.until((BEGINS + timedelta(days=days + SILENT_DAYS)).replace(hour=23, minute=59))
    return house, [talk.at.date() for talk in talks]


async def spoken(house: Counted, talk: Talk) -> None:
    """Hold one conversation."""
    for line in talk.lines:
        house.mind.next_answer = line.answer
        await house.say(line.text)


def told(house: Counted, talked: list[date]) -> int:
    """Print the results; return how many aims were missed."""
    days = (house.clock.at - BEGINS) / timedelta(days=1)
    print(f"{days:.1f} days, talk on {len(talked)} of them; each figure is for one day")
    print(f"\n{'script':26}{'asked':>9}{'ran':>8}{'CPU s':>9}" + "".join(f"{tier:>9}" for tier in TIERS))
    for name in JOBS:
        cost = house.costs[name]
        if cost.asked:
            _row(name, cost, days)
    _row("all of them", _summed(list(house.costs.values())), days)
    turns = [one for one in house.mind.called if one.purpose == "turn"]
    shown = Counter({one.purpose: 0 for one in house.mind.called})
    for one in house.mind.called:
        shown[one.purpose] += one.characters
    print(f"\n{'purpose':32}{'calls':>7}{'tokens each':>14}")
    for purpose, times in Counter(one.purpose for one in house.mind.called).most_common():
        print(f"{purpose:32}{times:>7}{shown[purpose] / times / BYTES_PER_TOKEN:>14,.0f}")
    print(f"{'the first message (no skills)':32}{1:>7}{turns[0].characters / BYTES_PER_TOKEN:>14,.0f}")
    return _silence(house, talked)


def _silence(house: Counted, talked: list[date]) -> int:
    missed = 0
    print(f"\n{'a day without a word':32}{'calls':>7}{'CPU s':>9}   aim: ≤ {IDLE_CALLS}, on cheap tiers")
    last = house.clock.at.date()
    day = BEGINS.date() + timedelta(days=1)
    while day <= last:
        if not {day, day - timedelta(days=1)} & set(talked):
            calls = [one for one in house.mind.called if one.at.date() == day]
            cpu = sum(one.cpu_s for one in house.ran if one.at.date() == day)
            dear = Counter(one.purpose for one in calls if one.tier not in CHEAP)
            bad = len(calls) > IDLE_CALLS or bool(dear)
            missed += bad
            marks = [*(["missed"] if bad else []), *(f"{purpose} asks a dear tier" for purpose in dear)]
            print(f"{day:%a %-d %B}".ljust(32) + f"{len(calls):>7}{cpu:>9.2f}   {', '.join(marks)}")
        day += timedelta(days=1)
    return missed


def started(house: Counted, data: Path) -> int:
    """Measure processes: a soul tick, and a script without work. Returns the missed aims."""
    house.world.database.checkpoint()
    moment = house.clock.at.isoformat()
    missed, found = 0, 0.0
    print(f"\n{'a process':32}{'CPU s':>16}{'aim':>8}")
    for name, aim in (("soul_engine", TICK_CPU_S), ("run_post_conversation", IDLE_CPU_S)):
        found = sorted(_started(name, moment, data) for _ in range(STARTS))[STARTS // 2]
        missed += found >= aim
        print(f"{name:32}{found:>16.3f}{f'< {aim}':>8}{'  missed' if found >= aim else ''}")
    starts = sum(one.asked for one in house.costs.values()) / ((house.clock.at - BEGINS) / timedelta(days=1))
    print(f"{'all starts of a day, about':32}{starts * found:>16.0f}")
    return missed


def _started(name: str, moment: str, data: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-P", str(ROOT / "scripts" / f"{name}.py"), "--now", moment]
    environ = {**os.environ, "FUROSHIKI_DATA": str(data), "FUROSHIKI_MEMORYD_IDLE_MINUTES": "0.1"}
    subprocess.run(command, env=environ, check=True, stdout=subprocess.DEVNULL)
    _end_memoryd(data)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _end_memoryd(data: Path) -> None:
    """End memoryd, in case a script started it."""
    try:
        Vectors(data).stop()
    except VectorsAway:
        return


def _summed(costs: list[Cost]) -> Cost:
    return Cost(
        sum(one.asked for one in costs),
        sum(one.runs for one in costs),
        sum(one.cpu_s for one in costs),
        [call for one in costs for call in one.calls],
    )


def _row(name: str, cost: Cost, days: float) -> None:
    tiers = Counter(one.tier for one in cost.calls)
    shown = "".join(f"{tiers[tier] / days:>9.2f}" for tier in TIERS)
    print(f"{name:26}{cost.asked / days:>9.1f}{cost.runs / days:>8.1f}{cost.cpu_s / days:>9.3f}{shown}")


if __name__ == "__main__":
    sys.exit(main())
