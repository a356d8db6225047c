"""The skill `associate`: what a few concepts bring to mind, by spreading activation."""

import sqlite3
from typing import Annotated

from pydantic import Field

from furoshiki.conversation.skills.skill import Arguments, Result, Skill, SkillContext
from furoshiki.core import refs
from furoshiki.core.timestamps import name_day
from furoshiki.language.tokens import cut
from furoshiki.memory.concepts import find_key_nouns
from furoshiki.memory.rules import spreading
from furoshiki.memory.rules.concepts import concept_name
from furoshiki.memory.rules.spreading import Link
from furoshiki.memory.store import concepts, memories
from furoshiki.memory.store.concepts import Concept
from furoshiki.memory.values import Memory
from furoshiki.owner.user_model import user

MEMORIES_EACH = 2
MOST_TOKENS = 60
NEIGHBOURS = 12  # number of strongest links followed from a concept


class AssociateArguments(Arguments):
    """The starting concepts."""

    seeds: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=80)], ...],
        Field(min_length=1, max_length=5, description='["Lisbon", "sea"]'),
    ]


def _run(doing: SkillContext, args: AssociateArguments) -> Result:
    world = doing.world
    known: dict[int, Concept] = {}
    with world.database.read() as db:
        names = [name for seed in args.seeds for name in (concept_name(seed), *find_key_nouns(seed))]
        seeds = concepts.read_named(db, names)
        if not seeds:
            return Result(True, f"Nothing is kept about {', '.join(args.seeds)} yet.")

        def links(one: int) -> list[Link]:
            near = concepts.neighbours(db, one, world.now, NEIGHBOURS)
            known.update((other.id, other) for other, _ in near)
            return [Link(other.id, spreading.strength(weight)) for other, weight in near]

        reached: dict[int, float] = {}
        begun = {concept.id for concept in seeds}
        for seed in seeds:
            for to, energy in spreading.spread(seed.id, links, world.rng, begun - {seed.id}):
                reached[to] = max(reached.get(to, 0.0), energy)
        best = sorted(reached.items(), key=lambda pair: (-pair[1], pair[0]))[: spreading.MOST]
        zone = user.zone(world, db)
        found = [(concept.name, 1.0, _about(db, concept.id)) for concept in seeds]
        found += [(known[number].name, energy, _about(db, number)) for number, energy in best]
    lines, rows, told = [], [], set[int]()
    for name, energy, about in found:
        new = [memory for memory in about if memory.id not in told]
        told |= {memory.id for memory in new}
        lines.append(f"{name} ({energy:.2f})")
        for one in new:
            ref, day = refs.name("memory", one.id), name_day(one.created_at, zone)
            lines.append(f"  [{ref} · {day}] {cut(one.content, MOST_TOKENS)}")
            rows.append({"id": ref})
    if not best:
        lines.append("Nothing else is closely linked to it.")
    return Result(True, "\n".join(lines), {"results": rows})


def _about(db: sqlite3.Connection, concept_id: int) -> list[Memory]:
    held = memories.of_ids(db, concepts.holders(db, concept_id, MEMORIES_EACH))
    return [memory for memory in held if memory.valid_to is None]


SKILL = Skill(
    name="associate",
    description="What a few things bring to mind together.",
    arguments=AssociateArguments,
    limit_s=0.5,
    run=_run,
    who="paired",
)
