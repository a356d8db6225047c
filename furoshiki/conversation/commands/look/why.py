"""Explain the last message: an answer's evidence, or why it was sent unprompted; or why none was.

Source texts are quoted with their dates. Used by `/why` and the command line.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import tzinfo
from typing import Any

from furoshiki.conversation.acting.rules import confidence
from furoshiki.conversation.acting.store import attention
from furoshiki.conversation.commands.memory import speaker_name
from furoshiki.conversation.commands.quiet import describe_wish
from furoshiki.conversation.commands.registry import Button, Command
from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, capital, get_language, later, say, say_number
from furoshiki.core.json_values import pick
from furoshiki.core.timestamps import parse, stamp
from furoshiki.language.humanize import clock, day, join_items, shorten
from furoshiki.memory.overview import describe_turn
from furoshiki.memory.store import memories
from furoshiki.messages.store import sessions, turn_journal, turns
from furoshiki.messages.values import USER, Envelope, Words
from furoshiki.mind.inner_life.store import design_docs
from furoshiki.mind.inner_life.store.design_docs import Part
from furoshiki.mind.outreach import explanation
from furoshiki.mind.outreach.explanation import Held, Said
from furoshiki.mind.outreach.rules import explaining, prepared_words
from furoshiki.owner.agenda.store import quiet
from furoshiki.owner.routing.rules import telling
from furoshiki.owner.routing.store import decisions, turn_topics
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

MOST_QUOTES = 6
MOST_WAITING = 8
MOST_BESIDE = 3  # maximum number of rival candidates for attention named, strongest first
REMINDER = "reminder"  # the kind of a message that the owner requested, without a thought behind it

_NOT = ("not", "no", "silence", "quiet")
_ALL = "all"
# the fields of a routing decision that are shown
ROUTED = ("mode", "scores", "signals", "warmth", "confidence", "margin", "tie_break", "path")

OWNERS_ALONE = later("I write first only to the person I belong to.")
NOTHING = later("I have not answered anything yet.")


@Command(
    "why", "why I said what I said last; /why not: why I did not write", place=60, who="alone", shows=True, in_menu=True
)
async def run(world: World, args: str, _envelope: Envelope) -> Words:
    """Explain the last message, with a button for details; `/why not`: explain the silence."""
    asked = args.lower().strip(" ?.")
    if asked in _NOT:
        return Words(say(OWNERS_ALONE) if world.who.place is not None else silence_in_words(world))
    found = last_said(world)
    if asked == _ALL or found is None:
        return Words(in_words(world, found))
    return Words(in_brief(world, found), {"buttons": [[{"text": say("Where that is from"), "data": f"why.{_ALL}:"}]]})


@Button("why", (_ALL,), who="alone", stays=True)
async def press(world: World, _verb: str, _value: str, _envelope: Envelope) -> Words | None:
    """Show all evidence of the last message."""
    return Words(in_words(world, last_said(world)))


def last_said(world: World) -> dict[str, Any] | None:
    """Return the last message and its evidence as JSON values; None before the first. `kind` is
    "answer", or that of an unprompted message, whose decision is in `outreach`."""
    said, answer = explanation.last(world), last_answer(world)
    if said is None or (answer is not None and parse(answer["at"]) > said.decision.at):
        return answer
    return _explain_unprompted(world, said)


def _explain_unprompted(world: World, said: Said) -> dict[str, Any]:
    decision = said.decision
    with world.database.read() as db:
        found = [read_source(db, name) for name in said.rests_on]
    return {
        "kind": decision.kind,
        "at": stamp(decision.at),
        "turn_key": said.turn_key,
        "question": "",
        "answer": said.text,
        "model": explaining.mind(decision.reason),
        "evidence": [{**about, "shown": "in full"} for about in found if about is not None],
        "route": None,
        "topic": None,
        "second": None,
        "attention": [],
        "outreach": {
            "decision": decision.id,
            "asked_for": decision.kind == REMINDER and decision.item_id is None,
            "about": said.about,
            "source": decision.source,
            "priority": decision.priority,
            "reason": decision.reason,
            "gates": list(decision.gates),
            "outcome": decision.outcome,
            "outcome_at": stamp(decision.outcome_at),
        },
    }


def last_answer(world: World) -> dict[str, Any] | None:
    """Return the latest answer, its question and its evidence; None before the first.

    `outreach` is None. `route` is the routing of the message, if judged; `topic` its subject, and
    whether it started a new one.
    """
    with world.database.read() as db:
        entry = turn_journal.find_last_committed(db)
        if entry is None:
            return None
        spoken = turns.of_key(db, entry.turn_key)
        short = set(entry.answer.get("shortened", ()))
        evidence = []
        for name in entry.evidence:
            found = read_source(db, name)
            if found is not None:
                shown = "in one line" if name in short else "in full"
                evidence.append({**found, "shown": shown})
        taken = decisions.of_turn(db, entry.turn_key)
        about = next((seen for turn in spoken if (seen := turn_topics.of_turn(db, turn.id)) is not None), None)
        cycle = attention.cycle_of(db, entry.turn_key)
    asked = [] if cycle is None else [asdict(one) for one in cycle.asked]
    return {
        "kind": "answer",
        "at": stamp(max((turn.at for turn in spoken), default=world.now)),
        "turn_key": entry.turn_key,
        "question": "\n".join(turn.text for turn in spoken if turn.speaker == USER),
        "answer": "\n\n".join(turn.text for turn in spoken if turn.speaker != USER),
        "model": f"{entry.answer.get('provider', '')}:{entry.answer.get('model', '')}".strip(":") or None,
        "evidence": evidence,
        "route": None if taken is None or taken.source_tag == decisions.UNREAD else pick(taken, *ROUTED),
        "second": entry.answer.get("second"),
        "attention": asked,
        "topic": None if about is None else {"name": about[1], "boundary": about[0].boundary, "kind": about[0].kind},
        "outreach": None,
    }


def read_source(db: sqlite3.Connection, name: str) -> dict[str, Any] | None:
    """Return a memory with its turns, a turn, a session, or a part of the companion's documents as
    JSON values; None when deleted."""
    ref = refs.Ref.parse(name)
    if ref is None:
        return None
    if ref.kind == "session":
        return _session(db, ref)
    if ref.row is None:
        return None
    if ref.kind == "turn":
        turn = turns.get(db, ref.row)
        return None if turn is None else describe_turn(turn)
    if ref.kind == "memory":
        memory = memories.get(db, ref.row)
        if memory is None:
            return None
        return {
            "id": name,
            "kind": "memory",
            "type": memory.type,
            "at": stamp(memory.created_at),
            "text": memory.content,
            "status": memory.status,
            "valid_to": stamp(memory.valid_to),
            "source": memory.source_tag,
            "turns": list(map(describe_turn, turns.many(db, list(memory.turn_ids)))),
            "documents": [
                _page(part) for part in design_docs.of_ids(db, memory.metadata.get(memories.DESIGN, ())).values()
            ],
        }
    if ref.kind == "design":
        part = design_docs.of_ids(db, [ref.row]).get(ref.row)
        return None if part is None else _page(part)
    return None


def _session(db: sqlite3.Connection, ref: refs.Ref) -> dict[str, Any] | None:
    """Return a session, given the row of its document (as in recall) or its id, with its turns."""
    document = None if ref.row is None else sessions.of_row(db, ref.row)
    spoken = turns.of_session(db, ref.id if document is None else document.session_id)
    if document is None and not spoken:
        return None
    return {
        "id": str(ref),
        "kind": "session",
        "at": stamp(spoken[0].at if document is None else document.started_at),
        "text": "" if document is None else ", ".join(document.topics),
        "turns": list(map(describe_turn, spoken)),
    }


def in_brief(world: World, found: dict[str, Any]) -> str:
    """Explain a message in a sentence or two."""
    zone = user.zone_of(world)
    quotes, why = _quotes(found["evidence"]), found["outreach"]
    if why is not None and why["asked_for"]:
        if not quotes:
            return say("You had asked me to. The exact words are gone.")
        asked = later("You asked me to, on {day}: “{words}”")
        return say(asked, day=day(parse(quotes[0]["at"]), zone), words=shorten(quotes[0]["text"]))
    parts = []
    if why is not None:
        parts.append(say("I wrote that on my own; it was {kind}.", kind=explaining.kind(found["kind"])))
    if quotes:
        parts.append(_had_in_mind(world, quotes[0], zone))
    if len(quotes) > 1:
        parts.append(say_number("And of {number} thing more.", "And of {number} things more.", len(quotes) - 1))
    if any(one["kind"] == "design" for one in found["evidence"]):
        parts.append(say("I looked it up in what is written about how I work."))
    return " ".join(parts) or say("It came from what we had just said, and nothing older.")


def _had_in_mind(world: World, quote: Mapping[str, Any], zone: tzinfo) -> str:
    told = {"day": day(parse(quote["at"]), zone), "words": shorten(quote["text"])}
    if quote["speaker"] == USER and not quote.get("from"):
        return say("I was thinking of what you told me on {day}: “{words}”.", **told)
    who = quote.get("from") or speaker_name(world, quote["speaker"])
    return say("I was thinking of these words of {day}, from {who}: “{words}”.", who=who, **told)


def in_words(world: World, found: dict[str, Any] | None) -> str:
    """Explain a message in full: quotations with dates."""
    if found is None:
        return say(NOTHING)
    zone = user.zone_of(world)
    if found["outreach"] is not None:
        return _render_unprompted(world, found, zone)
    head = later("My last answer, from {model}:") if found["model"] else later("My last answer:")
    answer = found["answer"] or say("(silence)")
    lines = [say(head, model=_mind(found["model"] or "")), f"> {shorten(answer, 120)}", ""]
    if (topic := found["topic"]) is not None and topic["boundary"] and topic["kind"] in telling.NEW_TOPIC:
        another = later("I thought the subject had changed: {why}.")
        lines.append(say(another, why=say(telling.NEW_TOPIC[topic["kind"]])))
    if (way := found["route"]) is not None:
        lines += [
            telling.describe_choice(way["mode"], way["scores"], way["signals"], way["tie_break"], way["warmth"]),
            "",
        ]
    if (second := found["second"]) is not None:
        told = confidence.describe_rethink(
            second["triggers"], asked=bool(second["passes"]), changed=bool(second["changed"])
        )
        if told:
            lines += [told, ""]
    lines += _beside(found["attention"])
    quotes = _quotes(found["evidence"])[:MOST_QUOTES]
    pages = [one for one in found["evidence"] if one["kind"] == "design"]
    if not quotes and not pages:
        return "\n".join([*lines, say("It was based on what we had just said, and nothing older.")])
    if pages:
        lines.append(say("I looked up how I work:"))
        lines += [f"- {page['source']}, {page['heading']} ({page['id']})" for page in pages]
    if quotes:
        lines.append(say("I had these words before me:"))
    return "\n".join([*lines, *_render_quotes(world, quotes, zone)])


def _beside(asked: Sequence[Mapping[str, Any]]) -> list[str]:
    """Describe the rival candidates for attention, and whether one beat the message."""
    by_strength = sorted(asked, key=lambda one: -one["salience"])
    others = [one for one in by_strength if one["source_tag"] != "user" and one["text"]][:MOST_BESIDE]
    if not others:
        return []
    named = join_items([f"“{shorten(one['text'], 90)}”" for one in others])
    words = say("Besides your words, I had this on my mind: {named}.", named=named)
    if by_strength[0]["source_tag"] != "user" and by_strength[0]["text"]:
        words += f" {say('The first one drew me more than your words did, but messages to me come first.')}"
    return [words, ""]


def _render_quotes(world: World, quotes: list[dict[str, Any]], zone: tzinfo) -> list[str]:
    lines = []
    for quote in quotes:
        who = speaker_name(world, quote["speaker"])
        who = f"{who} ({quote['from']})" if quote.get("from") else who
        where = quote["id"]
        if quote["shown"] == "in one line":
            where = say("{id}, in one line", id=where)
        lines.append(f"- {day(parse(quote['at']), zone)}, {who}: “{shorten(quote['text'])}” ({where})")
    return lines


def _render_unprompted(world: World, found: dict[str, Any], zone: tzinfo) -> str:
    """Explain an unprompted message: topic, sources, gate findings, model, reception."""
    why, at = found["outreach"], clock(parse(found["at"]), zone, world.now)
    quotes = _quotes(found["evidence"])[:MOST_QUOTES]
    unasked, reminded = (
        later("I wrote this {at}, on my own:"),
        later("I said this {at}, because you asked to be reminded then:"),
    )
    head = [say(reminded if why["asked_for"] else unasked, at=at), f"> {shorten(found['answer'], 120)}", ""]
    if why["asked_for"]:
        asked = later("You asked for it in these words:") if quotes else later("The words you used to ask are gone.")
        return "\n".join([*head, say(asked), *_render_quotes(world, quotes, zone)])
    lines = []
    if why["about"]:
        was = later("It was {kind}: {about} (priority {priority}).")
        about = in_their_language(world, found["kind"], why["about"]) or found["answer"]
        kind = explaining.kind(found["kind"])
        lines.append(say(was, kind=kind, about=shorten(about), priority=why["priority"]))
    if quotes:
        lines += [say("It comes from:"), *_render_quotes(world, quotes, zone)]
    if why["gates"]:
        lines += [
            say("Before I wrote I looked at this:"),
            *(f"- {explaining.describe_pass(one)}" for one in why["gates"]),
        ]
    if found["model"]:
        lines.append(say("The words are from {model}.", model=_mind(found["model"])))
    return "\n".join([*head, *lines, explaining.outcome(why["outcome"])])


def silence(world: World) -> dict[str, Any]:
    """Return waiting and dropped unprompted messages with reasons, as JSON values."""
    with world.database.read() as db:
        asked = quiet.current(db, world.now)
    waits, gone = explanation.list_held(world), explanation.let_go(world)
    return {
        "quiet_until": None if asked is None else stamp(asked.until),
        "quiet_why": None if asked is None else asked.why or None,
        "waiting": [{**asdict(one), "until": stamp(one.until)} for one in waits],
        "let_go": [{**asdict(one), "at": stamp(one.at)} for one in gone],
    }


def silence_in_words(world: World) -> str:
    zone = user.zone_of(world)
    waits, gone = explanation.list_held(world), explanation.let_go(world)
    lines = []
    if asked := describe_wish(world):
        till_then = say("Until then I write only when you write; reminders you set still come.")
        lines += [f"{asked} {till_then}", ""]
    if waits:
        lines.append(say_number("{number} thing waits to be said:", "{number} things wait to be said:", len(waits)))
    else:
        lines.append(say("Nothing is waiting to be said: I have nothing to write about right now."))
    lines += [_waits(world, one, zone) for one in waits[:MOST_WAITING]]
    if len(waits) > MOST_WAITING:
        lines.append(say("- and {number} more.", number=len(waits) - MOST_WAITING))
    if gone:
        lines += ["", say("What I let go recently:")]
        lines += [
            f"- {_render_title(world, one.kind, one.about)}, {clock(one.at, zone, world.now)}: {one.why}."
            for one in gone
        ]
    return "\n".join(lines)


def _waits(world: World, one: Held, zone: tzinfo) -> str:
    line = f"- {_render_title(world, one.kind, one.about)}: {one.why}"
    if one.until is None or one.until <= world.now:
        return f"{line}."
    return f"{line}; {say('at the earliest {when}', when=clock(one.until, zone, world.now))}."


def in_their_language(world: World, kind: str, about: str) -> str:
    """Return a thought as its owner can read it: thoughts are English, and abroad only those that
    have prepared words there can be told; "" for the others."""
    if get_language() == ENGLISH or load_languages(world.config).of(about) is not None:
        return about
    ways = prepared_words.every_way(prepared_words.Matter(kind, about, world.now))
    return ways[0] if ways else ""


def _render_title(world: World, kind: str, about: str) -> str:
    named = capital(explaining.kind(kind))
    about = in_their_language(world, kind, about)
    return f"{named} (“{shorten(about, 90)}”)" if about else named


def _quotes(evidence: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the turns behind the evidence in order, each once, with how it was shown."""
    quotes: dict[str, dict[str, Any]] = {}
    for one in evidence:
        for turn in [one] if one["kind"] == "turn" else one.get("turns", ()):
            quotes.setdefault(turn["id"], {**turn, "shown": one["shown"]})
    return list(quotes.values())


def _page(part: Part) -> dict[str, Any]:
    return {
        "id": refs.name("design", part.id),
        "kind": "design",
        "source": part.source,
        "heading": part.heading,
        "text": part.text,
    }


def _mind(model: str) -> str:
    return say("my built-in mind") if model == "local:reflex" else model.partition(":")[2] or model
