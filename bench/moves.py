"""Does the mood's word in a prompt follow what the person has just said plainly, from whatever mood it was in?

    python -m bench.moves [--table held_out|fit] [--without-encoder] [--show]

Each line of bench/moves_lines (its label, its language, what is said) is said to a companion in each of five resting
states, and the prompt that would answer it is rendered: does the word in it fit what was felt, and does a line in which
nothing is felt leave it? `fit.tsv` is what config/signal_head.json was trained on; `held_out.tsv` is for judging only.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.prompt import new_world
from furoshiki.conversation import danger
from furoshiki.conversation.context import build_context
from furoshiki.core.paths import ROOT
from furoshiki.feelings.rules import emotions, mood
from furoshiki.feelings.state_files import Heartbeat
from furoshiki.memory.perception.perceive import perceive
from furoshiki.messages.values import Envelope
from furoshiki.recall.embeddings import models
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.world import World
from tests.support.world import Human, NoVectors, Script, claimed

LINES = Path(__file__).parent / "moves_lines"
RESTING: Mapping[str, Mapping[str, float]] = {
    "newborn": {"loneliness": -0.7},
    "long alone": {},
    "after warm days": {"loneliness": -0.5, "contentment": 0.25, "joy": 0.2},
    "fond": {"loneliness": -0.5, "affection": 0.35},
    "bored": {"loneliness": -0.5, "contentment": -0.4, "curiosity": 0.1},
}
"""Offsets from each emotion's resting value: the moods curious, lonely, content, tender,
restless."""

FITS: Mapping[str, frozenset[str]] = {
    "sadness": frozenset({"tender", "worried"}),
    "worry": frozenset({"worried", "tender"}),
    "anger": frozenset({"irritated", "worried"}),
    "frustration": frozenset({"irritated", "worried"}),
    "excitement": frozenset({"excited", "playful", "proud"}),
    "relief": frozenset({"content", "tender", "excited"}),
    "warmth": frozenset({"tender", "content"}),
    "praise": frozenset({"proud", "tender", "content"}),
}
"""Moods of the companion that fit a person's feeling."""

GRAVE = "danger"
"""The result where the prompt shows no mood, because of possible danger."""


@dataclass(frozen=True)
class Line:
    """A message, its language (two letters), and its feeling; "-" without one."""

    label: str
    language: str
    text: str

    def fits(self, before: str, word: str) -> bool:
        """Return whether a mood is right after another one."""
        return word == before if self.label == "-" else word == GRAVE or word in FITS[self.label]


class Encoders(NoVectors):
    """Vectors of messages, from the English and the multilingual encoder."""

    def __init__(self) -> None:
        self._made: dict[tuple[bool, str], list[float]] = {}
        cache = Path(tempfile.gettempdir()) / "furoshiki-bench-models"
        self._each: dict[bool, Any] = {False: models.load(models.COLBERT, cache), True: models.load_multilingual()}

    def said(self, texts: Sequence[str], *_: Any, **asked: Any) -> tuple[str, list[list[float]]]:
        which = bool(asked.get("multilingual"))
        for text in texts:
            if (which, text) not in self._made:
                self._made[which, text] = self._each[which].encode([text])[0].tolist()
        return self._each[which].id, [self._made[which, text] for text in texts]


class WordsAlone(NoVectors):
    """No encoder is installed."""

    def said(self, *_: Any, **__: Any) -> tuple[str, list[list[float]]]:
        raise VectorsAway("not here")


def lines(table: str) -> list[Line]:
    """Read the labelled lines of a table."""
    return [Line(*line.split("\t")) for line in (LINES / f"{table}.tsv").read_text(encoding="utf-8").splitlines()]


async def words(world: World, said: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Return for each message the mood before and the mood in the prompt, from each resting
    state."""
    human, found = Human(world, None), []  # type: ignore[arg-type]
    for text in said:
        human.writes(text)
        envelope = claimed(world)
        found.append([await _prompted(world, envelope, state) for state in RESTING])
    return found


async def _prompted(world: World, envelope: Envelope, state: str) -> tuple[str, str]:
    before = world.state.change(lambda beat: resting(world, beat, state)).mood.word
    percept = await danger.read(world, await perceive(world, [envelope]))
    return before, word_in(build_context(world, percept).now_text)


def resting(world: World, beat: Heartbeat, state: str) -> Heartbeat:
    """Return a heartbeat that has been in this state for an hour and has read no message yet."""
    feels = emotions.at_rest(world.laws.emotions).moved(RESTING[state])
    word = mood.settle(None, feels, world.now - timedelta(hours=1), 0.0, world.laws.mood)
    return replace(beat, emotions=feels, mood=word, felt_at=world.now, last_message_id=0, heard={})


def word_in(prompt: str) -> str:
    """Return the mood in a prompt; "" or `GRAVE` if it shows none."""
    if "Somebody may be in danger" in prompt or "may mean that somebody is in danger" in prompt:
        return GRAVE
    parts = {word: (ROOT / "prompts/_parts/mood" / f"{word}.md.j2").read_text("utf-8").strip() for word in mood.WORDS}
    return next((word for word, text in parts.items() if text in prompt), "")


def shares(
    said: Sequence[Line], found: Sequence[Sequence[tuple[str, str]]]
) -> Iterator[tuple[str, float, int, float, int]]:
    """Yield by language, first all: the share of feeling lines with a fitting mood and their
    number, and the same for unchanged moods on neutral lines."""
    for language in ("", *sorted({one.language for one in said})):
        right: dict[bool, list[bool]] = {True: [], False: []}
        for line, each in zip(said, found, strict=True):
            if language in ("", line.language):
                right[line.label != "-"] += [line.fits(*pair) for pair in each]
        felt, calm = right[True], right[False]
        yield language or "all", sum(felt) / len(felt), len(felt), sum(calm) / len(calm), len(calm)


def main() -> int:
    """Print the table."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--table", choices=("held_out", "fit"), default="held_out")
    asked.add_argument("--without-encoder", action="store_true", help="by words alone")
    asked.add_argument("--show", action="store_true", help="print what is wrong")
    options = asked.parse_args()
    said = lines(options.table)
    with tempfile.TemporaryDirectory() as folder:
        world = new_world(Path(folder), Script())
        world = replace(world, vectors=WordsAlone() if options.without_encoder else Encoders())
        found = asyncio.run(words(world, [one.text for one in said]))
    print(f"{len(said)} messages in {len(RESTING)} resting states: the word fits, neutral ones leave it")
    for name, felt, judged, calm, left in shares(said, found):
        print(f"{name:4} {felt:6.1%} of {judged:4}   {calm:6.1%} of {left:4}")
    for line, each in zip(said, found, strict=True):
        if options.show and (wrong := [pair for pair in each if not line.fits(*pair)]):
            print(line.label, line.language, line.text, wrong)
    return 0


if __name__ == "__main__":
    sys.exit(main())
