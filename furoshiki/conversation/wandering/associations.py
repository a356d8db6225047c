"""Choose a seed for idle wandering, its associations and its origin. Read-only."""

import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from furoshiki.conversation.wandering.rules import seeds
from furoshiki.conversation.wandering.store import seeds as store
from furoshiki.conversation.wandering.store import wanderings
from furoshiki.conversation.wandering.values import Active, Seed, SeedKind
from furoshiki.core import refs
from furoshiki.memory.rules import spreading
from furoshiki.memory.rules.spreading import Link
from furoshiki.memory.store import concepts, memories
from furoshiki.messages.store import turns
from furoshiki.messages.values import Turn
from furoshiki.world import World

HOLDERS = 30  # number of newest memories of a concept searched for the origin

TURNS = 10
SIDE_TURNS = 4  # turns shown of the origin, and of the strongest association

_LINKED = {
    "part_of": "is a part of",
    "kind_of": "is a kind of",
    "leads_to": "leads to",
    "against": "pulls against",
    "has_part": "has as a part",
    "has_kind": "is what is meant more generally by",
    "comes_of": "comes of",
}


@dataclass(frozen=True)
class CameUpon:
    """A seed with its associations: `against` are opposing concepts, `memories` and `said` its
    origin; `lines` is all of it in words."""

    seed: Seed
    activated: tuple[Active, ...]
    against: tuple[int, ...]
    memories: tuple[int, ...]
    said: tuple[Turn, ...]
    lines: tuple[str, ...]

    @property
    def energy(self) -> float:
        """Return the summed activation of the associations, without the seed."""
        return round(sum(concept.energy for concept in self.activated), 3)

    @property
    def rests_on(self) -> tuple[str, ...]:
        """Return the names of the memories and turns behind it."""
        return (*refs.names("memory", self.memories), *refs.names("turn", (turn.id for turn in self.said)))


def come_upon(world: World, db: sqlite3.Connection) -> CameUpon | None:
    """Choose a seed of a random kind with its associations; None when there is none."""
    now = world.now
    blocked = find_blocked(db, now)
    for kind in seeds.order(world.laws.seed_shares, world.rng):
        found = store.of_kind(db, kind, now, blocked)
        if found:
            return _follow(world, db, world.rng.choice(found), kind, blocked, now)
    return None


def find_blocked(db: sqlite3.Connection, now: datetime) -> frozenset[int]:
    """Return the concepts that recurred too often and are blocked now."""
    visits = []
    for wandering in wanderings.since(db, now - seeds.WITHIN - seeds.BLOCKED_FOR):
        topics = {wandering.concept}
        if wandering.activated:
            topics.add(wandering.activated[0].concept)
        visits += [(topic, wandering.at) for topic in topics if topic is not None]
    return seeds.find_blocked(visits, now)


def _follow(
    world: World, db: sqlite3.Connection, seed: Seed, kind: SeedKind, blocked: Collection[int], now: datetime
) -> CameUpon:
    links = store.links(db, now)
    reached = dict(spreading.spread(seed.concept, links, world.rng, blocked))
    if kind == "distant":
        reached |= _find_distant(world, seed, links, {*blocked, *reached})
    names = store.names(db, reached)
    activated = tuple(Active(one, names[one], energy) for one, energy in reached.items() if one in names)
    types = {link.to: link.type for link in links(seed.concept)}
    against = tuple(concept.concept for concept in activated if types.get(concept.concept) == "against")
    held = _moment(db, seed, activated)
    beside = (one for active in activated[:2] for one in concepts.holders(db, active.concept, HOLDERS))
    side = next((one for one in beside if one not in held), None)
    shown = tuple(held) if side is None else (*held, side)
    said = _find_turns(db, seed, held, side)
    lines = [_words(seed, activated, types)]
    kept = [one for one in memories.of_ids(db, sorted(shown)) if one.category != "moment"]  # its words stand below
    lines += [f"You remember: {one.content}" for one in kept]
    if seed.line and seed.memory is None:
        lines.append(seed.line)
    return CameUpon(seed, activated, against, shown, said, tuple(lines))


def _find_distant(
    world: World, seed: Seed, links: Callable[[int], list[Link]], near: Collection[int]
) -> dict[int, float]:
    """Return a random concept that is linked only to neighbours of the seed: a new combination."""
    beside = {link.to for link in links(seed.concept)}
    beyond = {link.to for neighbour in sorted(beside)[:HOLDERS] for link in links(neighbour)}
    distant = sorted(beyond - beside - {seed.concept, *near})
    return {world.rng.choice(distant): spreading.LEAST} if distant else {}


def _moment(db: sqlite3.Connection, seed: Seed, activated: Sequence[Active]) -> list[int]:
    """Return the memory behind a seed: its own, else the one with most of the associations."""
    if seed.memory is not None:
        return [seed.memory]
    holding = concepts.holders(db, seed.concept, HOLDERS)
    wanted = {concept.concept for concept in activated}
    about = concepts.of_memories(db, holding)
    best = sorted(holding, key=lambda one: (-len(wanted & {concept.id for concept in about.get(one, ())}), -one))
    return best[:1]


def _find_turns(db: sqlite3.Connection, seed: Seed, held: Sequence[int], side: int | None) -> tuple[Turn, ...]:
    """Return the turns of these memories, or of a conversation about the concept."""
    ids: set[int] = set()
    for number, most in [*((one, TURNS) for one in held), *([] if side is None else [(side, SIDE_TURNS)])]:
        memory = memories.get(db, number)
        ids |= set() if memory is None else set(sorted(memory.turn_ids)[-most:])
    if ids:
        return tuple(turns.many(db, sorted(ids)))
    for session in store.sessions_about(db, seed.concept):
        about = [turn for turn in turns.of_session(db, session) if turn.own and seed.name in str(turn.own).casefold()]
        if about:
            return tuple(about[-TURNS:])
    return ()


def _words(seed: Seed, activated: Sequence[Active], types: dict[int, str]) -> str:
    told = [
        f"{seed.name} {_LINKED[types[concept.concept]]} {concept.name}"
        for concept in activated
        if types.get(concept.concept) in _LINKED
    ]
    brought = ", ".join(concept.name for concept in activated)
    return f"{seed.name}, and from there: {brought}" + (f" ({'; '.join(told)})" if told else "")
