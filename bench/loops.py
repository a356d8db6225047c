"""Does each loop that learns find what is true of an owner within a month, and nothing where nothing is to be found?

    python -m bench.loops [--lives 20] [--json]

Each life is thirty days of a simulated owner with something planted in them, in a database of its own, through the
program's own stores, nights and laws; no model is asked. "Found" is the share of what was planted that the loop knows
after the thirty days; "without it" the same life with the loop switched off; "false" the share of what was not planted
that it came to believe. At most 5 % may be false.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bench.behaviour import tendencies
from bench.prompt import new_world
from furoshiki.core import refs
from furoshiki.memory import weighing
from furoshiki.memory.store import accesses, memories, retrievals
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER, NewTurn
from furoshiki.mind.consolidation import promotion
from furoshiki.mind.inner_life.self_model import commitments
from furoshiki.mind.inner_life.self_model.commitment_form import PlacedQuestions
from furoshiki.mind.inner_life.store import patterns as pattern_store
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.mind.outreach import laws as outreach_laws
from furoshiki.mind.outreach import outcomes
from furoshiki.mind.outreach.store import kinds
from furoshiki.models.llm.values import Answer, Question
from furoshiki.owner.user_model import style
from furoshiki.owner.user_model.rules import style_measuring
from furoshiki.owner.user_model.rules.style_traits import learn
from furoshiki.owner.user_model.store import style as style_store
from furoshiki.world import World
from tests.support.persons import PERSONS
from tests.support.world import FrozenClock, Script

DAYS = 30
MOST_FALSE = 0.05

MEMORIES, USEFUL = 60, 6
SHOWN_A_DAY, OF_USE, BY_CHANCE = 30, 0.6, 0.05
"""Useful memories of a life, memories shown per day, and how often a useful or another one is
used."""

LIKED, DISLIKED = 0.9, 0.2
"""How often an owner answers the preferred kind, and the other."""

UNSEEN = 0.2
"""How often the model misses that two questions are about one behaviour."""

MARKED = 1.5
"""The ratio of weights from which a kind counts as preferred."""


@dataclass
class Tally:
    """Counts of planted and found patterns, and of false ones."""

    planted: int = 0
    found: int = 0
    other: int = 0
    believed: int = 0


@dataclass(frozen=True)
class Loop:
    """One loop: its name, what counts as found, and a life with it on or off."""

    name: str
    found: str
    live: Callable[[World, random.Random, bool], Tally]


def main() -> int:
    """Print a table; return 1 if a loop finds nothing, works when off, or learns falsely."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lives", type=int, default=20, help="lives of each (20)")
    parser.add_argument("--json", action="store_true", help="print a JSON object")
    asked = parser.parse_args()
    rows = {one.name: measured(one, asked.lives) for one in LOOPS}
    if asked.json:
        print(json.dumps(rows, indent=1))
    else:
        print(f"{'':14}{'found':>7}{'without it':>12}{'false':>7}   found means")
        for one in LOOPS:
            row = rows[one.name]
            shares = f"{row['found']:>7.0%}{row['without']:>12.0%}{row['false']:>7.1%}"
            print(f"{one.name:14}{shares}   {one.found}")
    failed = [one for one in LOOPS if rows[one.name]["found"] <= 0.5]
    return int(bool(failed) or any(row["without"] > 0 or row["false"] > MOST_FALSE for row in rows.values()))


def measured(loop: Loop, lives: int) -> dict[str, float]:
    """Return the rates of one loop over so many lives: found with it, without it, and false."""
    sums = {True: Tally(), False: Tally()}
    for seed in range(lives):
        for on in (True, False):
            with empty() as world:
                one = loop.live(world, random.Random(seed), on)
            for name in ("planted", "found", "other", "believed"):
                setattr(sums[on], name, getattr(sums[on], name) + getattr(one, name))
    on, off = sums[True], sums[False]
    return {
        "found": on.found / on.planted,
        "without": off.found / off.planted,
        "false": on.believed / on.other if on.other else 0.0,
    }


@contextmanager
def empty() -> Iterator[World]:
    """Create an empty companion."""
    with tempfile.TemporaryDirectory() as folder:
        if not _BLANK:
            first = Path(tempfile.mkdtemp()) / "blank"
            new_world(first, Script()).database.close()
            _BLANK.append(first)
        home = Path(folder) / "home"
        shutil.copytree(_BLANK[0], home)
        world = new_world(home, Script())
        yield world
        world.database.close()


_BLANK: list[Path] = []
"""The folder of a migrated, empty home, once it exists."""


def _clock(world: World) -> FrozenClock:
    assert isinstance(world.clock, FrozenClock)
    return world.clock


def promotes(world: World, rng: random.Random, on: bool) -> Tally:
    """Show all memories equally often; answers use six of them."""
    with world.database.write() as db:
        turn = turns.add(db, NewTurn("s", "console", "me", USER, "hello", world.now))
        ids = [
            memories.add(db, NewMemory("semantic", f"Fact {number}.", (turn,)), world.now) for number in range(MEMORIES)
        ]
    useful = set(rng.sample(ids, USEFUL))
    for _ in range(DAYS):
        _clock(world).pass_(days=1)
        shown = rng.sample(ids, SHOWN_A_DAY)
        with world.database.write() as db:
            for one in shown:
                used = rng.random() < (OF_USE if one in useful else BY_CHANCE)
                item = Retrieval(refs.name("memory", one), 1, True, used)
                retrievals.record(db, f"{one} {world.now}", [item], world.now)
            accesses.record(db, shown, world.now)
        if on:
            promotion.step(world, weighing.cycle(world, "deep"))
    with world.database.read() as db:
        heavier = {one.id for one in memories.of_ids(db, ids) if one.alpha > 1.0 + 1e-9}
    return Tally(USEFUL, len(heavier & useful), MEMORIES - USEFUL, len(heavier - useful))


def styles(world: World, rng: random.Random, on: bool) -> Tally:
    """A direct person writes a message a day and should be answered so; a mixed one should not."""
    direct, anxious = ([text for _, text in person.said] for person in PERSONS[:2])
    found = _slots(world, rng.sample(direct, DAYS) if on else [])
    with empty() as elsewhere:
        both = _slots(elsewhere, [rng.choice((direct, anxious)[rng.randrange(2)]) for _ in range(DAYS)] if on else [])
    return Tally(1, int(DIRECT in found), 1, int(DIRECT in both))


DIRECT = "directness-high"
"""The manner for a person who says plainly what they want."""


def _slots(world: World, said: list[str]) -> frozenset[str]:
    words = world.lexicon
    for text in said:
        _clock(world).pass_(days=1)
        message = style_measuring.read(text, words)
        if message is not None:
            seen = style_measuring.measure(message, words, {}, None)
            with world.database.write() as db:
                style_store.put(db, learn(style_store.traits(db), seen, world.now).values(), world.now)
    with world.database.read() as db:
        return frozenset(style.build_block(db, world.now).slots)


def reaches_out(world: World, rng: random.Random, on: bool) -> Tally:
    """Send two kinds of message on alternate days: the owner prefers one, or neither."""
    preferred = _preferred(world, rng, (LIKED, DISLIKED), on)
    with empty() as elsewhere:
        same = _preferred(elsewhere, rng, (0.6, 0.6), on)
    return Tally(1, int(preferred == "thought"), 1, int(preferred is not None and same is not None))


def _preferred(world: World, rng: random.Random, answers: tuple[float, float], on: bool) -> str | None:
    for day in range(DAYS):
        name, answered = (("thought", answers[0]), ("follow_up", answers[1]))[day % 2]
        _clock(world).pass_(days=1)
        outcome = "answered" if rng.random() < answered else "ignored"
        if on:
            with world.database.write() as db:
                weight = outcomes.weight_after(
                    kinds.get(db, name).weight, outcome, outreach_laws.current(world).weights
                )
                kinds.learn(db, name, outcome, weight, world.now)
    with world.database.read() as db:
        first, second = (kinds.get(db, name).weight for name in ("thought", "follow_up"))
    return "thought" if first > MARKED * second else "follow_up" if second > MARKED * first else None


def reads(asked: Mapping[str, Sequence[str]], rng: random.Random) -> Callable[..., Awaitable[Answer]]:
    """Return a model that knows the behaviour behind each question, but misses one in five."""
    of = {line: name for name, lines in asked.items() for line in lines}
    line = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)

    async def read(question: Question, _on_text: object = None) -> Answer:
        before, _, fresh = question.messages[-1].text.rpartition("New questions:")
        known = [(int(number), of[text]) for number, text in line.findall(before)]
        placed = []
        for number, text in line.findall(fresh):
            like = next((id_ for id_, name in known if name == of[text] and rng.random() > UNSEEN), None)
            placed.append({"id": int(number), "conduct": True, "like": like})
            known.append((int(number), of[text]))
        parsed = PlacedQuestions.model_validate({"questions": placed})
        return Answer(parsed.model_dump_json(), "stop", "bench", "reader", question.tier, parsed=parsed)

    return read


def behaves(world: World, rng: random.Random, on: bool) -> Tally:
    """Ask about one own tendency on three days, and once about each of others; a model reviews them
    daily."""
    asked, _near = tendencies()
    world = replace(world, ask=reads(asked, rng))
    name = rng.choice([name for name, lines in asked.items() if len(lines) >= 3])
    others = rng.sample([one for one in asked if one != name], 6)
    lines = [*rng.sample(asked[name], 3), *(rng.choice(asked[one]) for one in others)]
    rng.shuffle(lines)
    for text in lines:
        _clock(world).pass_(days=3)
        with world.database.write() as db:
            self_questions.add(db, text, f"inner_monologue:{world.now:%Y-%m-%d}", world.now)
        if on:
            asyncio.run(commitments.sort_questions(world))
    with world.database.read() as db:
        groups = [one.questions for one in pattern_store.list_unpromised(db)]
    mine = set(asked[name])
    together = any(len(mine & set(group)) >= 2 for group in groups)
    wrong = sum(1 for group in groups if len(group) > 1 and not set(group) <= mine)
    return Tally(1, int(together), len(others), wrong)


LOOPS = (
    Loop("promotion", "a memory that answers need is held more firmly", promotes),
    Loop("style", "somebody direct is answered directly", styles),
    Loop("outreach", "the kind that is answered weighs half as much again", reaches_out),
    Loop("behaviour", "two questions about one tendency are one pattern, to a mind that reads them", behaves),
)

if __name__ == "__main__":
    raise SystemExit(main())
