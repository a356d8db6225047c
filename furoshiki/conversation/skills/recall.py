"""The skill `recall`: search what was said and learned, or read what was said on a day."""

from collections.abc import Mapping, Sequence, Set
from datetime import date, timedelta, tzinfo
from typing import Annotated, Any

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from furoshiki.conversation.skills.skill import Arguments, Result, Skill, SkillContext
from furoshiki.core import refs
from furoshiki.core.timestamps import FIRST, LAST, name_day
from furoshiki.language import testimony
from furoshiki.language.grounding.words import stems_of
from furoshiki.language.humanize import ago
from furoshiki.language.questions import same, stem
from furoshiki.language.reflex.values import PutRight
from furoshiki.language.tokens import cut
from furoshiki.memory import said_by_day, said_corrections
from furoshiki.memory.concepts import find_key_nouns
from furoshiki.memory.injection import DIALS
from furoshiki.memory.rules.in_words import describe_end
from furoshiki.memory.store import concepts, gists, memories, tombstones
from furoshiki.memory.values import Memory
from furoshiki.messages.store import skill_runs
from furoshiki.messages.values import USER, Turn
from furoshiki.owner.routing.rules import modes
from furoshiki.owner.user_model import user
from furoshiki.owner.user_model.rules.style_traits import LEAST_OBSERVATIONS
from furoshiki.owner.user_model.store import style
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.recall.retrieval.recall import recall
from furoshiki.recall.retrieval.values import PERHAPS, UNCONFIRMED, Recalled

LONGEST_TOKENS = 200

ASKED_BEFORE = 4  # number of extra results, because the question itself may be among them

GISTS = 10
HOLDERS = 4  # number of current thoughts searched, and of memories per concept

MINE = {"user": "my note", "drift": "my passing thought, no fact"}

LATELY = timedelta(days=7)
VAIN_LEAST, VAIN_SHARE = 3, 0.5  # minimum number and share of empty searches in a week for a hint

IN_VAIN = (
    "So it was with {empty} of {times} searches before: do not search on in other words, say "
    "plainly that you do not know it, or ask them."
)


class RecallArguments(Arguments):
    """The query, and the only day to look at."""

    query: Annotated[str, Field(min_length=1, max_length=500, description="In likely words")]
    on: Annotated[date | None, Field(gt=FIRST.date(), lt=LAST.date(), description="Only that day")] = None
    k: Annotated[SkipJsonSchema[int], Field(ge=1, le=20)] = 6


def _run(doing: SkillContext, args: RecallArguments) -> Result:
    world = doing.world
    if args.on is not None:
        return _read_day(doing, args, args.on)
    with world.database.read() as db:
        zone, held_back = user.zone(world, db), tombstones.names(db, world.now)
    english = load_languages(world.config).of(args.query) is None  # the cross-encoder was trained on English
    items = recall(world, args.query, k=args.k + ASKED_BEFORE, now=world.now.astimezone(zone), judged=english)
    asked = [stem(one) for one in (args.query, doing.own) if one]
    items = tuple(item for item in items if item.id not in held_back and not _only_asks(item, asked))[: args.k]
    with world.database.read() as db:
        righted = said_corrections.find_corrected(db, [item.id for item in items])
        over = {number: memory for memory in memories.once_known(db) for number in memory.turn_ids}
    rows = []
    for item in items:
        rows.append(_build_said(item.id, item, zone, righted) | {"past": _past(item, zone, over)})
    besides, linked = _besides(doing, args, {str(row["id"]) for row in rows}, zone)
    lines = [*map(_line, (*rows, *linked)), *besides]
    data = {"results": [*rows, *linked], "found": len(lines)}
    text = "\n".join(lines) if lines else f"Nothing was found. {_in_vain(doing)}".strip()
    return Result(True, text, data, rows=tuple(lines))


def _read_day(doing: SkillContext, args: RecallArguments, on: date) -> Result:
    """Return the user's messages of a day: with more than `k`, the fullest, in order."""
    world, next_day = doing.world, on + timedelta(days=1)
    with world.database.read() as db:
        zone = user.zone(world, db)
        then = said_by_day.read(db, on, next_day, zone, world.now)
        chosen = said_by_day.choose(then.turns, args.k, args.query)
        names = [refs.name("turn", turn.id) for turn in chosen]
        righted = said_corrections.find_corrected(db, names)
    rows = []
    for name, turn in zip(names, chosen, strict=True):
        rows.append(_build_said(name, turn, zone, righted))
    lines = list(map(_line, rows))
    if then.topics:
        lines.append(f"[subjects that day] {', '.join(then.topics)}")
    if len(then.turns) > len(chosen):
        lines.append(f"[{len(then.turns) - len(chosen)} more messages that day]")
    if not then.turns:
        lines.insert(0, f"They said nothing on {on}.")
        if then.before is not None:
            lines[0] += f" The last day before is {then.before.astimezone(zone):%Y-%m-%d}."
    return Result(True, "\n".join(lines), {"results": rows, "found": len(rows)}, rows=tuple(lines))


def _build_said(name: str, one: Recalled | Turn, zone: tzinfo, righted: Mapping[str, PutRight]) -> dict[str, Any]:
    text = cut(DIALS.sub("", one.text), LONGEST_TOKENS)
    return {
        "id": name,
        "speaker": one.speaker,
        "at": one.at.isoformat(),
        "date": name_day(one.at, zone),
        "text": text,
        "foreign": testimony.dump_passages(testimony.clip(one.foreign, text)),
        "past": None,
        "righted": _build_correction(righted.get(name)),
    }


def _only_asks(item: Recalled, asked: Sequence[str]) -> bool:
    """Return whether a result is the question itself, asked now or before."""
    return item.kind == "turn" and item.speaker == USER and any(same(stem(item.text), each) for each in asked)


def _besides(
    doing: SkillContext, args: RecallArguments, found: Set[str], zone: tzinfo
) -> tuple[list[str], list[dict[str, Any]]]:
    """Return matching current thoughts, requested traits of writing, and, with few results,
    memories of concepts in the query."""
    world, now = doing.world, doing.world.now
    with world.database.read() as db:
        minds = gists.current(db, now, GISTS)
        traits = style.traits(db) if "write" in stems_of(args.query) else {}
        named = concepts.read_named(db, find_key_nouns(args.query)) if len(found) < args.k else []
        ids = dict.fromkeys(number for concept in named for number in concepts.holders(db, concept.id, HOLDERS))
        held = [memory for memory in memories.of_ids(db, list(ids)) if refs.name("memory", memory.id) not in found]
    fitting = modes.judge_relevance(args.query, [gist.text for gist in minds])
    lines = [
        f"[{MINE[one.source_tag]} · {ago(one.created_at, now)}] {one.text}"
        for one, fits in zip(minds, fitting, strict=True)
        if fits
    ]
    for name, trait in traits.items():
        if trait.observations >= LEAST_OBSERVATIONS:
            lines.append(f"[how they write, from 1 to 10] {name}: {trait.value:.1f}")
    linked = [_build_linked(memory, zone) for memory in held if memory.valid_to is None][: args.k - len(found)]
    return lines, linked


def _build_linked(memory: Memory, zone: tzinfo) -> dict[str, Any]:
    return {
        "id": refs.name("memory", memory.id),
        "speaker": None,
        "at": memory.created_at.isoformat(),
        "date": name_day(memory.created_at, zone),
        "text": PERHAPS * (memory.status == UNCONFIRMED) + cut(memory.content, LONGEST_TOKENS),
        "foreign": testimony.dump_passages(()),
        "past": None,
        "righted": None,
    }


def _in_vain(doing: SkillContext) -> str:
    """Return a hint when searches keep finding nothing. Whether results answer a query is left to
    the model: the words may differ."""
    with doing.world.database.read() as db:
        times, empty = skill_runs.searches(db, doing.world.now - LATELY)
    if empty < VAIN_LEAST or empty < VAIN_SHARE * times:
        return ""
    return IN_VAIN.format(empty=empty, times=times)


def _line(row: Mapping[str, Any]) -> str:
    """Format a result for a model, with text of others labelled and marked."""
    text, foreign = str(row["text"]), testimony.read(row["foreign"], str(row["text"]))
    who = None if row["speaker"] is None else testimony.label_speaker(str(row["speaker"]), text, foreign)
    label = [
        str(part) for part in (row["id"], row["date"], who, row["past"], _since(row["righted"])) if part is not None
    ]
    return f"[{' · '.join(label)}] {testimony.render_marked(text, foreign, flat=True)}"


def _build_correction(by: PutRight | None) -> dict[str, str] | None:
    return None if by is None else {"text": by.text, "at": by.at.isoformat(), "reads": by.reads}


def _since(righted: Mapping[str, str] | None) -> str | None:
    return None if righted is None else f"they put this right since: {righted['text']}"


def _past(item: Recalled, zone: tzinfo, over: Mapping[int, Memory]) -> str | None:
    """Say that a fact is over, so that it is never told as true, also of the turn that told it (`over` by turn)."""
    until = item.valid_to
    if item.kind == "turn" and (memory := over.get(item.turn_ids[0])) is not None:
        until = memory.valid_to
    elif not item.past:
        return None
    return describe_end(item.text, until, zone)


SKILL = Skill(
    name="recall",
    description="Search everything that was ever said and learned.",
    arguments=RecallArguments,
    limit_s=0.5,
    run=_run,
    who="paired",
)
