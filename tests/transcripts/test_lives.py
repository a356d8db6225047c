"""Short lives with the built-in mind, through the real turn: what each answer must hold, and what none may.

The lives are lives.tsv, in the words of people: a nurse, a pensioner, somebody in danger, a sceptic, people who
write in other languages. Time passes where the file says so.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from furoshiki.conversation.worker import Worker
from tests.life.house import opened
from tests.life.living import BuiltInMind
from tests.support.world import Human

pytestmark = pytest.mark.slow

FILE = Path(__file__).with_name("lives.tsv")
BEGINS = datetime(2026, 3, 24, 15, tzinfo=UTC)
ZONE = ZoneInfo("Europe/Lisbon")
BETWEEN_SECONDS = 40
NEVER = re.compile(r"\bNone\b|Traceback|[{}]|Kept \(a|That helps me picture it|\w  \w")
"""What no answer holds, whatever was said."""


@dataclass(frozen=True)
class Line:
    """One message, with what its answer must and must not hold; or a pause of so many hours before the next."""

    said: str
    must: str = ""
    must_not: str = ""
    pause_hours: float = 0.0


@dataclass
class Life:
    """A life as it is written down, and as it went: what was answered to each line."""

    name: str
    lines: list[Line] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    def wrong(self) -> list[str]:
        """The lines whose answers are not as they should be."""
        spoken = [line for line in self.lines if not line.pause_hours]
        return [
            f"{line.said!r} was answered {answer!r}"
            for line, answer in zip(spoken, self.answers, strict=True)
            if not _right(line, answer)
        ]


def _right(line: Line, answer: str) -> bool:
    if not answer.strip() or NEVER.search(answer):
        return False
    if line.must and not re.search(line.must, answer, re.IGNORECASE):
        return False
    return not (line.must_not and re.search(line.must_not, answer, re.IGNORECASE))


def written() -> list[Life]:
    """The lives of the file."""
    lives: list[Life] = []
    for row in FILE.read_text(encoding="utf-8").splitlines():
        if row.startswith("== "):
            lives.append(Life(row.removeprefix("== ")))
        elif row.startswith("@ "):
            number, unit = float(row[2:-1]), row[-1]
            lives[-1].lines.append(Line("", pause_hours=number * {"h": 1, "d": 24}[unit]))
        elif row and not row.startswith("#"):
            said, must, must_not = (row.split("\t") + ["", ""])[:3]
            lives[-1].lines.append(Line(said, "" if must == "-" else must, must_not))
    return lives


async def _live(life: Life, data: Path, empty_database: Path) -> None:
    world, clock = opened(data, empty_database, BEGINS, ZONE, lambda _clock: BuiltInMind())
    worker = Worker(world)
    human = Human(world, worker)
    for line in life.lines:
        if line.pause_hours:
            clock.pass_(hours=line.pause_hours)
            continue
        life.answers.append("\n".join(await human.says(line.said)))
        clock.pass_(seconds=BETWEEN_SECONDS)
    await worker.quiet()
    await worker.rest()  # what is judged beside the turns still reads the database
    world.database.close()


@pytest.mark.parametrize("name", [life.name for life in written()])
def test_nobody_is_answered_rudely_falsely_or_with_what_was_not_asked(
    name: str, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [life] = [one for one in written() if one.name == name]
    in_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(
        prefix="furoshiki-life-", dir=in_memory if in_memory.is_dir() else None, ignore_cleanup_errors=True
    ) as folder:
        monkeypatch.setenv("FUROSHIKI_DATA", folder)
        asyncio.run(_live(life, Path(folder), empty_database))
    assert life.wrong() == []


def test_the_file_is_as_large_as_it_should_be() -> None:
    found = written()
    assert len(found) >= 30
    assert sum(not line.pause_hours for life in found for line in life.lines) >= LEAST_TURNS


LEAST_TURNS = 400
