"""`/forget`: show what would be deleted, ask once, delete. The question's words are not stored."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from datetime import tzinfo
from typing import Any

from furoshiki.archive.forgetting.everywhere import PERSON, PreviewEverywhere, forget, looked
from furoshiki.archive.forgetting.forgetting import Forgotten, NothingAsked, Preview
from furoshiki.conversation.commands.forget_plainly import WHO, make_buttons
from furoshiki.conversation.commands.memory import quote_foreign, speaker_name
from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.core import refs
from furoshiki.core.catalogue import later, say, say_number
from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse, stamp
from furoshiki.language.facts.retelling import address_user
from furoshiki.language.humanize import day, shorten
from furoshiki.memory.store import memories
from furoshiki.memory.store.tombstones import ANSWER_WITHIN, ASKED
from furoshiki.messages.channels import HERE
from furoshiki.messages.values import Envelope, Words
from furoshiki.owner.user_model import user
from furoshiki.world import World

SHOWN = 8
NEAR = 4

HOW = later(
    "What should I forget? Words (/forget my old address) or a day (/forget today, /forget "
    "2026-03-01..2026-03-05). I'll show you what would go before I delete anything."
)
NEAR_TO_IT = later("Similar, but not included (/forget with its words removes it too):")
LATE = later("That question has expired, or was asked in another way: send /forget again.")
KEPT = later("Nothing was forgotten.")
STAYS = later(
    "Whatever is not conversation stays: who is paired with me, the settings, how I describe "
    "myself. To delete that too, stop me and remove the folder {folder}."
)


@Command("forget", "forget something for good: /forget words, a day, or an id", place=70, who=WHO, is_recorded=False)
async def run(world: World, args: str, envelope: Envelope) -> Words:
    """Show what would be deleted and ask, or handle the typed answer ("/forget yes")."""
    if args.casefold() in ("yes", "no"):
        return await _handle_answer(world, args.casefold() == "yes", None, envelope)
    try:
        return await asyncio.to_thread(_question, world, args, envelope)
    except NothingAsked:
        return Words(say(HOW))


@Button("forget", ("yes", "no"), by_word=True, who=WHO)
async def press(world: World, verb: str, value: str, envelope: Envelope) -> Words | None:
    """Handle `yes` and `no`, with the token of the preview."""
    return await _handle_answer(world, verb == "yes", value, envelope)


def describe_everywhere(
    asking: World, found: PreviewEverywhere, most: int = SHOWN, *, with_ids: bool = False
) -> list[str]:
    """Describe the preview of every place as lines, naming the person for places of others."""
    lines: list[str] = []
    for result in found.places:
        with result.world.database.read() as db:
            zone, name = user.zone(result.world, db), user.name(db) or result.world.who.name
        if result.world is not asking:
            place = result.world.who.place
            lines += [
                *([""] if lines else []),
                say("From what is kept about {name} ({place}):", name=name or place, place=place),
            ]
        lines += describe_preview(result.world, result.outlook, zone, most, with_ids=with_ids)
    return lines


def describe_preview(
    world: World, outlook: Preview, zone: tzinfo, most: int = SHOWN, *, with_ids: bool = False
) -> list[str]:
    """Describe a preview as lines; `with_ids` adds each item's id for the shell."""
    lines: list[str] = []
    spoken = [turn for turn in outlook.turns if turn.kind != "command"]
    if spoken:
        lines.append("- " + say_number("{number:,} message:", "{number:,} messages:", len(spoken)))
        said = [
            f"{day(one.at, zone)}, {speaker_name(world, one.speaker)}: “{shorten(one.text, 100)}”"
            + f" ({_turn(one.id)})" * with_ids
            for one in spoken
        ]
        lines += _few(said, most)
    if outlook.memories:
        lines.append("- " + say_number("{number:,} memory:", "{number:,} memories:", len(outlook.memories)))
        with world.database.read() as db:
            first = memories.of_ids(db, [memory.id for memory in outlook.memories[:most]])
            quoted = {memory.id: quote_foreign(world, db, memory) for memory in first}
        known = [
            shorten(quoted.get(memory.id) or address_user(memory.content), 100)
            + f" ({refs.name('memory', memory.id)})" * with_ids
            for memory in outlook.memories
        ]
        lines += _few(list(dict.fromkeys(known)), most)
    if outlook.rewritten:
        rests = say_number(
            "from {number:,} conclusion what rests on it; the rest of them stays",
            "from {number:,} conclusions what rests on it; the rest of them stays",
            len(outlook.rewritten),
        )
        lines.append(f"- {rests}")
    if outlook.tasks:
        due = say_number("{number:,} task or reminder:", "{number:,} tasks and reminders:", len(outlook.tasks))
        lines.append(f"- {due}")
        lines += _few([shorten(title, 100) for title in outlook.tasks], most)
    lines += [f"- {say('{what}, only where it says so', what=what)}" for what in _describe_traces(outlook.traces)]
    if outlook.files:
        names = [
            say_number("{number:,} line of {file}", "{number:,} lines of {file}", count, file=name)
            for name, count in sorted(outlook.files.items())
        ]
        shown = say("in my files: {files}", files=", ".join(names[:most]))
        lines.append(f"- {shown}{say(' and more') if len(names) > most else ''}")
    rest = sum(outlook.traces.values()) - sum(
        outlook.traces.get(table, 0) for table in ("sessions", "conversation_summaries", "mind_queue", "tasks")
    )
    if rest > 0:
        traces = say_number(
            "{number:,} copy or trace in queues, journals and histories",
            "{number:,} copies and traces in queues, journals and histories",
            rest,
        )
        lines.append(f"- {traces}")
    return lines


def _describe_traces(traces: Mapping[str, int]) -> Iterator[str]:
    if count := traces.get("sessions", 0):
        yield say_number(
            "what I wrote down about one conversation", "what I wrote down about {number} conversations", count
        )
    if count := traces.get("conversation_summaries", 0):
        yield say_number("the summary of a conversation", "the summaries of {number} conversations", count)
    if count := traces.get("mind_queue", 0):
        yield say_number("one thing I meant to ask you", "{number} things I meant to ask you", count)


def describe_warning(found: PreviewEverywhere, zone: tzinfo) -> str:
    """Warn before consent: deletion is final, and backups contain every place."""
    outlook = found.places[0].outlook
    words = [say("This cannot be undone, and everything I find them by is deleted too.")]
    if outlook.backups_until is not None:
        aging = later(
            "Older backups still hold them until they expire, by {day}; if one is restored, this is forgotten again."
        )
        words.append(say(aging, day=day(outlook.backups_until, zone)))
        if found.places[0].world.who.place is None:
            words.append(say("`furoshiki memory forget --backups` on my machine removes them at once."))
    if outlook.replaced:
        aside = later("What a restore set aside keeps them too, until you remove it: {what} in backups.")
        words.append(say(aside, what=", ".join(outlook.replaced)))
    if outlook.plugin_data:
        kept = later(
            "Data that plugins wrote before they were replaced may keep them too, for seven months at most: {what}."
        )
        words.append(say(kept, what=", ".join(outlook.plugin_data)))
    return " ".join(words)


def farewell(done: Forgotten) -> str:
    """Report the deletion without repeating the content."""
    traces = sum(done.traces.values())
    counts = (
        (say_number("{number:,} message", "{number:,} messages", done.turns), done.turns),
        (say_number("{number:,} memory", "{number:,} memories", done.memories), done.memories),
        (say_number("{number:,} other trace", "{number:,} other traces", traces), traces),
        (say_number("{number:,} file", "{number:,} files", len(done.files)), len(done.files)),
    )
    parts = [words for words, number in counts if number]
    words = say("Forgotten: {what}.", what=", ".join(parts) or say("nothing was left"))
    if done.left:
        words += " " + say(
            "Something still has an old copy open; it will be gone within the hour, or when I next start."
        )
    return words


def near(world: World, what: str, found: PreviewEverywhere, *, with_ids: bool = False) -> list[str]:
    """List items similar in meaning that the preview leaves out, so that they can be chosen."""
    from furoshiki.recall.retrieval.recall import recall

    own = [result.outlook for result in found.places if result.world is world]
    going = {_turn(turn.id) for outlook in own for turn in outlook.turns}
    going |= {refs.name("memory", memory.id) for outlook in own for memory in outlook.memories}
    others = [item for item in recall(world, what, k=NEAR * 3, now=world.now) if item.id not in going]
    with world.database.read() as db:
        kept = memories.of_ids(db, [refs.row(item.id) for item in others if item.kind == "memory"])
        told = {
            refs.name("memory", memory.id): quote_foreign(world, db, memory) or address_user(memory.content)
            for memory in kept
        }
    near_it = dict.fromkeys(
        shorten(told.get(item.id, item.text), 90) + f" ({item.id})" * with_ids
        for item in others
        if item.kind != "session"
    )
    return list(near_it)[:NEAR]


def _question(world: World, args: str, envelope: Envelope) -> Words:
    with looked(world, args) as found:
        return _ask(world, args, found, envelope)


def _ask(world: World, args: str, found: PreviewEverywhere, envelope: Envelope) -> Words:
    now = world.now
    with world.database.write() as db:
        zone = user.zone(world, db)
        kv.drop(db, ASKED)
        if not found.nothing:
            kept: dict[str, Any] = {"what": args, "token": found.token, "at": stamp(now), "chat": envelope.chat_id}
            kept["names"] = [] if found.everything else _list_refs(world, found)
            kv.put(db, ASKED, kept, now)
    near_it = not found.everything and not args.startswith(PERSON)
    others = near(world, args, found) if near_it else []
    lines = [say("I found nothing that says that.") if found.nothing else say("This would be gone for good:")]
    lines += describe_everywhere(world, found)
    if others:
        lines += ["", say(NEAR_TO_IT), *(f"- {one}" for one in others)]
    if found.nothing:
        return Words("\n".join(lines))
    if found.everything:
        lines += ["", say(STAYS, folder=world.home)]
    lines += ["", describe_warning(found, zone)]
    if envelope.channel in HERE:
        lines.append(say("Say yes or no."))
    else:
        lines.append(say("Messages in this chat you would have to delete yourself."))
    return Words("\n".join(lines), {"buttons": make_buttons(found.token)})


def _list_refs(world: World, found: PreviewEverywhere) -> list[str]:
    """Return the names of turns and memories to be deleted here, which are hidden until then."""
    own = [result.outlook for result in found.places if result.world is world]
    turns = [_turn(turn.id) for outlook in own for turn in outlook.turns]
    return [*turns, *(refs.name("memory", memory.id) for outlook in own for memory in outlook.memories)]


async def _handle_answer(world: World, yes: bool, token: str | None, envelope: Envelope) -> Words:
    with world.database.read() as db:
        asked = kv.get(db, ASKED)
    if asked is None or token not in (None, asked["token"]) or asked["chat"] != envelope.chat_id:
        return Words(say(LATE))
    late = world.now - parse(asked["at"]) > ANSWER_WITHIN
    if late or not yes:
        with world.database.write() as db:
            kv.drop(db, ASKED)
        return Words(say(LATE if late else KEPT))
    token = asked["token"]
    if asked.get("unseen"):  # asked below an answer, without a preview
        if not refs.is_of(asked["what"], "turn"):
            return await asyncio.to_thread(_question, world, asked["what"], envelope)
        token = await asyncio.to_thread(_token, world, asked["what"])
    done = await asyncio.to_thread(forget, world, asked["what"], token)
    if done is None:
        words = await asyncio.to_thread(_question, world, asked["what"], envelope)
        return Words(f"{say('Something was added in the meantime.')} {words.text}", words.extra)
    return Words(farewell(done))


def _token(world: World, what: str) -> str:
    with looked(world, what) as found:
        return found.token


def _turn(turn_id: int) -> str:
    return refs.name("turn", turn_id)


def _few(lines: Iterable[str], most: int) -> list[str]:
    held = list(lines)
    more = ["  - " + say("and {number:,} more", number=len(held) - most)] if len(held) > most else []
    return [f"  - {line}" for line in held[:most]] + more
