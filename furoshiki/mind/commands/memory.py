"""`/memory`: how much is held, the newest and what stands out; with words, a search over all that was said."""

from __future__ import annotations

from furoshiki.domain.conversation import COMPANION, USER, Envelope, Words
from furoshiki.mind import user
from furoshiki.mind.commands.words import day, plural, shortened
from furoshiki.mind.remember import overview
from furoshiki.storage import memories, turns, vectors
from furoshiki.storage.memories import Memory
from furoshiki.world import World

NEWEST_FACTS = 8
STANDING = 3
"""How many of each kind that stands out."""

FOUND = 6


async def run(world: World, args: str, _envelope: Envelope) -> Words:
    """How much there is, what is new and what stands out; or what a search finds."""
    return Words(_found(world, args) if args else _held(world))


def speaker_name(world: World, speaker: str | None) -> str:
    """Who said it, as the user would call them."""
    return {USER: "you", COMPANION: world.settings.furoshiki_companion_name}.get(speaker or "", speaker or "")


def _held(world: World) -> str:
    with world.store.read() as db:
        zone = user.zone(world, db)
        said, facts = turns.count(db), memories.count(db)
        newest = [
            fact
            for fact in memories.newest(db, NEWEST_FACTS * 3)
            if fact.status == "active" and fact.type not in {*overview.INSIGHTS, "tension"}
        ][:NEWEST_FACTS]
        unindexed = vectors.pending(db)
        standing = overview.standing(db, world.now, STANDING, counted=False)
    lines = [f"I hold {plural(said, 'thing')} said and {plural(facts, 'fact')}."]
    if unindexed:
        lines[0] += f" {unindexed:,} of them still wait for the index; I find those by their words."
    if newest:
        lines += ["", "Newest:", *(f"- {fact.content} ({day(fact.created_at, zone)}, {_id(fact)})" for fact in newest)]
    for title, held in (
        ("Needed most:", standing.hot),
        ("Much speaks for and against:", standing.contested),
        ("Slipping away:", standing.fading),
        ("What I make of it:", standing.insights),
        ("What does not fit together:", standing.tensions),
    ):
        if held:
            lines += ["", title, *(f"- {shortened(one.content)} ({_id(one)})" for one in held)]
    lines += ["", "/memory words searches."]
    return "\n".join(lines)


def _found(world: World, query: str) -> str:
    from furoshiki.mind.remember.recall import recall

    now = world.now
    with world.store.read() as db:
        zone = user.zone(world, db)
    found = recall(world, query, k=FOUND, now=now)
    if not found:
        return "I find nothing like that."
    lines = []
    for one in found:
        who = speaker_name(world, one.speaker)
        lines.append(f"- {day(one.at, zone)}{f', {who}' if who else ''}: {shortened(one.text)} ({one.id})")
    return "\n".join(lines)


def _id(fact: Memory) -> str:
    return f"memory:{fact.id}"
