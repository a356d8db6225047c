"""Does the built-in mind answer with joy or pity what calls for neither, and does it share what is felt?

    python -m bench.fitting [--half told|held] [--show]

Each line of bench/fitting_lines and each of bench/danger_lines/health_held_out.tsv (in the half `held`) is said to a
new companion after a hello, through the real program with both encoders and without a model. Printed are, by language,
the everyday lines that are answered with joy or pity, and the lines of joy and of sorrow that are answered with neither
or with the wrong one. The news head learned the lines of the half `told`.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.moves import Encoders
from bench.news import read
from bench.prompt import new_world
from furoshiki.app.reflex_provider import ReflexMind
from furoshiki.app.wiring import load_care_words
from furoshiki.conversation.worker import Worker
from furoshiki.core.catalogue import everywhere
from furoshiki.language.reflex.other_languages import FELT_REPLIES, SMALL
from furoshiki.language.requests import lines, news
from tests.support.world import Human, Script

LINES = Path(__file__).parent / "fitting_lines" / "lines.tsv"
HEALTH = Path(__file__).parent / "danger_lines" / "health_held_out.tsv"
LANGUAGES = ("en", "de", "es", "fr", "it", "pt", "ru", "tr", "zh")
HELLO = dict(
    zip(LANGUAGES, ("hello", "hallo", "hola", "bonjour", "ciao", "olá", "привет", "merhaba", "你好"), strict=True)
)
NEITHER, JOY, SORROW = "none", "joy", "sorrow"
MILD = frozenset(
    {"ahead", "arrived", "bought", "chores", "food", "leisure", "pet", "tease", "trial", "visit", "weather"}
)
"""Kinds of news whose replies suit an everyday line, and joy."""

SUITS_WORK = frozenset({"unwell", "work"})
"""Kinds of news whose replies suit an everyday line, and sorrow."""

GLAD = ("wife is six months", "blood test came back", "baby kicks", "due date")
"""Beginnings of lines about health that may be answered with joy."""


@dataclass(frozen=True)
class Line:
    """A line, and what is felt in it: NEITHER, JOY or SORROW; `glad`: joy suits it, too."""

    felt: str
    language: str
    text: str
    glad: bool = False


def main() -> None:
    """Say all lines, and print the table."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--half", choices=("told", "held"), default="held")
    asked.add_argument("--show", action="store_true", help="print the lines that are answered wrongly")
    options = asked.parse_args()
    said = list(list_lines(options.half))
    replies = asyncio.run(answers(said))
    tones = [find_tone(reply) for reply in replies]
    print("    everyday answered with joy or pity, joy and sorrow not answered so")
    for language in ("", *LANGUAGES):
        print(f"{language or 'all':4}" + "".join(count(said, tones, language, felt) for felt in (NEITHER, JOY, SORROW)))
    for line, tone, reply in zip(said, tones, replies, strict=True):
        if options.show and is_wrong(line, tone):
            print(line.language, line.felt, "|", line.text, "|", reply)


def list_lines(half: str) -> Iterator[Line]:
    """The lines of a half."""
    for which, felt, language, text in read(LINES):
        if which == half:
            yield Line(felt, language, text)
    for _, _, *said in read(HEALTH) if half == "held" else ():
        for language, text in zip(LANGUAGES, said, strict=True):
            yield Line(NEITHER, language, text, any(begun in said[0] for begun in GLAD))


async def answers(said: Sequence[Line]) -> list[str]:
    """What the built-in mind replies to each line, said to a companion that has only been greeted."""
    encoders, replies = Encoders(), []
    for line in said:
        mind = ReflexMind(random.Random(7))
        with tempfile.TemporaryDirectory() as folder:
            world = new_world(Path(folder), Script([lambda question, mind=mind: mind(question, why="no-model")] * 4))
            world = replace(world, vectors=encoders)
            human = Human(world, Worker(world))
            await human.says(HELLO[line.language])
            replies.append(" ".join(await human.says(line.text)))
    return replies


def find_tone(reply: str) -> frozenset[str]:
    """What a reply shares: JOY, SORROW, both (it suits either, or nothing felt), or nothing."""
    for tone, options in TONES:
        for option in options:
            if any(words.replace("{name}", "").rstrip("!.。！") in reply for words in everywhere(option)):
                return tone
    return frozenset()


def is_wrong(line: Line, tone: frozenset[str]) -> bool:
    """Return whether a reply of this tone does not suit the line."""
    if line.felt == NEITHER:
        return tone == {SORROW} or (tone == {JOY} and not line.glad)
    return line.felt not in tone


def count(said: Sequence[Line], tones: Sequence[frozenset[str]], language: str, felt: str) -> str:
    """Return how many lines are answered wrongly, of how many."""
    of_it = [
        is_wrong(line, tone)
        for line, tone in zip(said, tones, strict=True)
        if line.felt == felt and language in ("", line.language)
    ]
    return f"{sum(of_it):5} of {len(of_it):3} {felt}"


def _list_tones() -> Iterator[tuple[frozenset[str], tuple[str, ...]]]:
    """Yield the replies that share something; a longer list of what they suit comes first."""
    heard = lines.read_lines("heard_feeling")
    for kind, said in news.LINES.items():
        mild = {NEITHER, JOY} if kind in MILD else {NEITHER, SORROW} if kind in SUITS_WORK else set()
        yield frozenset(mild or {SORROW if kind in news.GLOOMY else JOY}), said
    for name in ("joy", "warmth"):
        yield frozenset({JOY}), FELT_REPLIES[name]
    for name in ("sadness", "worry", "anger"):
        yield frozenset({SORROW}), FELT_REPLIES[name]
    for name, said in heard.items():
        yield frozenset({JOY if name in ("excitement", "relief", "warmth", "praise") else SORROW}), said
    for name in ("sad", "tired", "sleepless"):
        yield frozenset({SORROW}), SMALL[name]
    yield frozenset({JOY}), SMALL["laughs"]
    yield frozenset({SORROW}), ("I'm so sorry. I'm here.",)
    for words in load_care_words()[0]:
        for said in words.said.values():
            yield frozenset({SORROW}), said


TONES = tuple(_list_tones())

if __name__ == "__main__":
    main()
