"""`/memory`: counts, new and notable memories; with words, a search over everything said."""

import re
import sqlite3
from collections.abc import Sequence

from furoshiki.conversation.commands import registry
from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, get_language, later, say, say_number
from furoshiki.core.errors import FuroshikiError
from furoshiki.language import testimony
from furoshiki.language.facts.retelling import address_user, past_sentence, past_to_user, sentence, to_user
from furoshiki.language.humanize import day, shorten
from furoshiki.memory import overview
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, Envelope, Words
from furoshiki.mind.outreach.rules import buttons
from furoshiki.owner.agenda import doubts, harvesting
from furoshiki.owner.agenda.store import mind_queue
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import KINDS, PERHAPS, UNCONFIRMED
from furoshiki.world import World

NEWEST_FACTS = 8
STANDING = 3  # number of notable memories of each kind

FOUND = 6

ASKED = 3  # maximum questions of a kind about memories shown at once

SETTLED = {
    "yes": later("Good, now I know that."),
    "no": later("Then I'll take it back, and won't read it into those words again."),
}

COUNTED_ON = {
    "yes": later("Good, I count on it."),
    "no": later("Then I'll keep it as it was, and won't ask again."),
}

MOMENT = "moment"  # the category of a user's message stored verbatim because it was important

# types that are conclusions rather than facts of a turn
CONCLUDED = (*overview.INSIGHTS, "tension")


@Command("memory", "what I know; /memory words to search", place=50, who="alone", shows=True, in_menu=True)
async def run(world: World, args: str, envelope: Envelope) -> Words:
    """Show counts, new and notable memories and open questions, or search results."""
    if args:
        verb, _, number = args.lower().partition(" ")
        return await registry.press(world, f"doubt.{verb}:{number.strip()}", envelope) or Words(_search(world, args))
    with world.database.read() as db:
        asked = mind_queue.of_memories(db)[:ASKED] if world.who.place is None else []
        doubted = [(memory.id, in_words(world, db, memory)) for memory in doubts.list_questions(db, ASKED)]
    if not asked and not doubted:
        return Words(_summarize(world), {"buttons": [make_open_button()]})
    with world.database.write() as db:
        for memory_id, _ in asked:  # shown here, so not asked again
            mind_queue.mark_seen(db, refs.name("memories", memory_id))
    questions = [question for _, question in asked]
    asks = later("Is this right? Perhaps: {what} (/memory yes {id}, /memory no {id})")
    questions += [say(asks, what=what, id=memory_id) for memory_id, what in doubted]
    offered = [buttons.choices("memory", memory_id) for memory_id, _ in asked]
    offered += [buttons.choices("doubt", memory_id) for memory_id, _ in doubted]
    rows = [[{**one, "text": f"{number}. {one['text']}"} for one in row] for number, row in enumerate(offered, 1)]
    listed = [f"{number}. {question}" for number, question in enumerate(questions, 1)]
    return Words("\n".join([_summarize(world), "", *listed]), {"buttons": [*rows, make_open_button()]})


@Button("doubt", ("yes", "no"), of_row=True, by_word=True, who="paired")
async def settle(world: World, verb: str, memory_id: int, _envelope: Envelope) -> Words:
    """Handle the buttons under a doubtful fact: true, or never true."""
    with world.database.write() as db:
        settled = doubts.settle(db, memory_id, verb == "yes", world.now)
    return Words(say(SETTLED[verb]) if settled else say("There is no doubt about that."))


@Button("count", ("yes", "no"), of_row=True, by_word=True)
async def count_on(world: World, verb: str, memory_id: int, _envelope: Envelope) -> Words:
    """Handle "May I count on this for good?": frequently needed memories become near-certain."""
    from furoshiki.mind.consolidation import promotion

    try:
        if verb == "yes":
            promotion.approve(world, memory_id)
        else:
            with world.database.write() as db:
                promotion.decline(db, memory_id)
    except FuroshikiError as error:
        return Words(str(error))
    return Words(say(COUNTED_ON[verb]))


def speaker_name(world: World, speaker: str | None) -> str:
    """Return the speaker's name from the user's view."""
    return {USER: say("you"), COMPANION: world.settings.furoshiki_companion_name}.get(speaker or "", speaker or "")


def make_open_button() -> list[dict[str, str]]:
    """Return the button that starts browsing (`memory_pages`)."""
    return [{"text": say("Look through it"), "data": "know.about:0"}]


def _summarize(world: World) -> str:
    with world.database.read() as db:
        zone = user.zone(world, db)
        said, facts = turns.count(db), memories.count(db)
        newest = _each_once(
            [
                fact
                for fact in memories.newest(db, NEWEST_FACTS * 3)
                if fact.status == "active" and fact.type not in CONCLUDED and fact.source_tag != harvesting.SOURCE
            ]
        )[:NEWEST_FACTS]
        unindexed = vectors.without_vector(db, KINDS)
        standing = overview.read_overview(db, world.now, STANDING, counted=False)
        told = [f"- {in_words(world, db, fact)} ({day(fact.created_at, zone)})" for fact in newest]
    things = say_number("{number:,} thing said", "{number:,} things said", said)
    known = say_number("{number:,} fact", "{number:,} facts", facts)
    lines = [say("I remember {said} and {facts}.", said=things, facts=known)]
    if unindexed:
        wait = say("For now, I can find {number:,} of them only by their words.", number=unindexed)
        lines[0] += f" {wait}"
    if newest:
        lines += ["", say("What I last learned about you:")]
        lines += dict.fromkeys(told)
    for title, held in (
        (later("Needed most:"), standing.hot),
        (later("Strong points for and against:"), standing.contested),
        (later("Slipping away:"), standing.fading),
        (later("What I make of it:"), standing.insights),
        (later("What doesn't add up:"), standing.tensions),
    ):
        if held:
            with world.database.read() as db:
                listed = [f"- {shorten(in_words(world, db, one))}" for one in _each_once(held)]
            lines += ["", say(title), *dict.fromkeys(listed)]
    lines += ["", say("Search with /memory words.")]
    return "\n".join(lines)


def _search(world: World, query: str) -> str:
    from furoshiki.recall.retrieval.recall import recall

    now = world.now
    zone = user.zone_of(world)
    items = recall(world, query, k=FOUND, now=now)
    if not items:
        return say("I found nothing like that.")
    with world.database.read() as db:
        held = memories.of_ids(db, [refs.row(item.id) for item in items if item.kind == "memory"])
        told = {
            refs.name("memory", memory.id): PERHAPS * (memory.status == UNCONFIRMED) + in_words(world, db, memory)
            for memory in _each_once(held)
        }
    lines = []
    for item in items:
        if item.kind == "memory" and item.id not in told:
            continue
        who = testimony.label_speaker(speaker_name(world, item.speaker), item.text, item.foreign)
        text = told.get(item.id, item.text)
        lines.append(f"- {day(item.at, zone)}{f', {who}' if who else ''}: {shorten(text)}")
    return "\n".join(lines)


def _each_once(held: Sequence[Memory]) -> list[Memory]:
    """Drop moments whose words another memory already states as a fact."""
    told = {
        turn
        for memory in held
        if memory.category != MOMENT and memory.type not in CONCLUDED
        for turn in memory.turn_ids
    }
    return [memory for memory in held if memory.category != MOMENT or told.isdisjoint(memory.turn_ids)]


def in_words(world: World, db: sqlite3.Connection, memory: Memory) -> str:
    """Return a memory as said to the user; for speakers of another language, quote their words: beside
    what may be so, which these words alone do not tell them."""
    if quoted := quote_foreign(world, db, memory):
        return quoted if memory.unconfirmed is None else f"{address_user(memory.content)} ({quoted})"
    if memory.subject and memory.predicate and memory.object:
        fact, kept = (memory.subject, memory.predicate, memory.object), memory.content.rstrip(".")
        if kept in (sentence(*fact), past_sentence(*fact)):
            over = memory.status == "superseded" or kept != sentence(*fact)
            told = past_to_user(*fact) if over else to_user(*fact)
            return f"{told[0].upper()}{told[1:]}."
    return address_user(memory.content)


# what was said, without the English before it
_QUOTATION = re.compile(r"They \w+: (\u201c.*\u201d)$", re.DOTALL)


def quote_foreign(world: World, db: sqlite3.Connection, memory: Memory) -> str:
    """Return a quotation in the user's language for an English memory; "" for English users."""
    if get_language() == ENGLISH or memory.type in CONCLUDED:
        return ""
    quotation = _QUOTATION.match(memory.content)
    if quotation is not None:
        return quotation[1]
    languages = load_languages(world.config)
    said = turns.many(db, list(memory.turn_ids))
    texts = [turn.quotable for turn in said if turn.own and languages.of(turn.own)]
    return f"\u201c{shorten(texts[-1])}\u201d" if texts and languages.of(memory.content) is None else ""
