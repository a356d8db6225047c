"""The year as it is written down in year.md, questions.md and talk.md."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

HERE = Path(__file__).parent
FIRST_DAY, LAST_DAY = date(2025, 1, 1), date(2025, 12, 31)

QUIET_DAY = 0.75
"""Chance of a day without a word."""

TALK = 2
SMALL_TALK = 0.3
"""At most so many messages about other things in a conversation, and how likely each is small talk."""


@dataclass(frozen=True)
class Line:
    """One message of hers. `answer` is what the companion says to it, where the script says so."""

    name: str
    text: str
    answer: str | None = None


@dataclass(frozen=True)
class Conversation:
    """What she says in one go."""

    at: datetime
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Asked:
    """A question, what it is about ("now", "then", "when", "what"), and the lines that answer it."""

    kind: str
    text: str
    answers: tuple[str, ...]


def conversations(rng: random.Random) -> Iterator[Conversation]:
    """The whole year in order, talk about other things dealt out by `rng`."""
    written = {one.at.date(): one for one in _written()}
    talk, small = _talk()
    said: Counter[str] = Counter()
    day = FIRST_DAY
    while day <= LAST_DAY:
        told = written.get(day)
        if told is not None or rng.random() >= QUIET_DAY:
            at = told.at if told else datetime.combine(day, time(rng.randrange(8, 21), rng.randrange(60)), UTC)
            lines = [] if told is None else list(told.lines)
            for _ in range(rng.randint(1, TALK) if told is None else rng.randint(0, 1)):
                text = rng.choice(small) if rng.random() < SMALL_TALK else _fresh(rng, talk, said)
                lines.append(Line("junk-small-talk" if text in small else "-", text))
            yield Conversation(at, tuple(lines))
        day += timedelta(days=1)


def questions() -> list[Asked]:
    """The forty."""
    found = []
    for line in (HERE / "questions.md").read_text("utf-8").splitlines():
        question, arrow, answers = line.partition("->")
        if arrow:
            kind, _, text = question.strip().partition(" ")
            found.append(Asked(kind, text.strip(), tuple(answers.split())))
    return found


def sayings(heading: str) -> list[str]:
    """The lines that stand below a heading of questions.md."""
    _, _, rest = (HERE / "questions.md").read_text("utf-8").partition(f"\n{heading}:\n\n")
    return rest.partition("\n\n")[0].splitlines()


def _written() -> list[Conversation]:
    found: list[Conversation] = []
    lines: list[Line] = []
    for line in (HERE / "year.md").read_text("utf-8").splitlines():
        if line.startswith("# "):
            lines = []
            found.append(Conversation(datetime.fromisoformat(line[2:]).replace(tzinfo=UTC), ()))
        elif not found or not line.strip():
            continue
        elif line.startswith("> "):
            before = lines.pop() if lines else Line("-", "hi again")
            lines.append(Line(before.name, before.text, line[2:]))
        else:
            name, text = line.split(None, 1)
            lines.append(Line(name, text.replace("⏎", "\n")))
        found[-1] = Conversation(found[-1].at, tuple(lines))
    return found


def _talk() -> tuple[list[str], list[str]]:
    about, _, small = (HERE / "talk.md").read_text("utf-8").partition("Small talk, any day:")
    return [line for line in about.splitlines()[2:] if line], [line for line in small.splitlines() if line]


def _fresh(rng: random.Random, talk: list[str], said: Counter[str]) -> str:
    """A sentence that was not said before, if one is soon found; the sentences take turns."""
    text = ""
    for _ in range(20):
        template = min(talk, key=lambda one: (said[one], rng.random()))
        text = re.sub(r"\{([^}]*)\}", lambda match: rng.choice(match[1].split("|")), template)
        said[template] += 1
        if not said[text]:
            break
    said[text] += 1
    return text
