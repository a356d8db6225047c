"""Synthesis of the user's profile, from all facts and the last conversations, in short and in full.

Runs after every conversation that was read, and once a night. The new profile and the refused
statements are stored in one transaction; killed before it, the next run asks again; killed after
it, only the files are written. An answer is void if facts changed meanwhile. Without any model the
facts are listed as they are; if the model is unavailable the old profile stays, without statements
that are no longer true.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import partial
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, BeforeValidator, Field

from furoshiki.core import refs
from furoshiki.core.database import events
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.process.crash_points import point
from furoshiki.core.timestamps import name_day
from furoshiki.language.facts.retelling import has_past, past_to_user, sentence, to_user
from furoshiki.language.grounding.words import DENIED_NOW
from furoshiki.language.humanize import describe_told_day
from furoshiki.language.tokens import cut, take_fitting
from furoshiki.memory.grounding import believing
from furoshiki.memory.grounding.believing import Claim
from furoshiki.memory.grounding.rules import grave
from furoshiki.memory.grounding.rules.conversation import Conversation, make_record
from furoshiki.memory.rules.weights import Weight
from furoshiki.memory.store import memories
from furoshiki.memory.values import Memory
from furoshiki.messages.store import sessions
from furoshiki.messages.store.sessions import SessionDocument
from furoshiki.models.llm.background import OVERNIGHT_S, affordable, patiently
from furoshiki.models.llm.values import Question
from furoshiki.owner.user_model import profile_files, user
from furoshiki.owner.user_model.rules import profiling
from furoshiki.owner.user_model.rules.profile import Fact, Profile, Statement, find_section
from furoshiki.owner.user_model.rules.profiling import Readings, Refused
from furoshiki.owner.user_model.store import profiles
from furoshiki.owner.user_model.store.profiles import StoredProfile
from furoshiki.world import Report, World

MATERIAL_TOKENS = 8_000
LONGEST_FACT_TOKENS = 80
SESSION_TOKENS = 120
TRIES = 2  # attempts in one run when the facts change meanwhile

Section = Literal[
    "addressing",
    "family",
    "relationship",
    "location",
    "employment",
    "health",
    "preference",
    "plan",
    "skill",
    "belief",
    "possession",
    "other",
]
Ids = Annotated[list[int], Field(max_length=40)]
Sentence = Annotated[str, Field(min_length=3, max_length=400)]


class ReadSentence(BaseModel):
    """One sentence with the ids of the facts it rests on."""

    text: Sentence
    facts: Ids


class ReadStatement(ReadSentence):
    """The same, in its section."""

    section: Annotated[Section, BeforeValidator(find_section)]


class ReadProfile(BaseModel):
    """What a mind says of the user. A claim until every statement has been judged."""

    mini: Annotated[list[ReadSentence], Field(max_length=30)]
    reference: Annotated[list[ReadStatement], Field(max_length=200)]
    unsure: Annotated[Ids, Field(description="Ids of facts that are unclear or may be over")]


@dataclass(frozen=True)
class _Seen:
    """All inputs of a synthesis at one time. `input` identifies them."""

    input: str
    facts: tuple[Fact, ...]
    sessions: tuple[SessionDocument, ...]
    name: str | None
    zone: tzinfo


async def refine(world: World, *, at_once: bool = False) -> Report:
    """Update the profile if anything has changed. `at_once`: a caller waits, so use no batch."""
    report = Report(False, "nothing about the user has changed")
    for _ in range(TRIES):
        inputs, before = _look(world)
        if inputs.input == profiles.read_input(before):
            break
        if before is not None and profiles.passed_only(before.input, inputs.input):
            report = _pass_over(world, inputs) or report
            continue
        try:
            profile, by = await _read(world, inputs, at_once)
        except (AnswerUnusable, NoMindAnswered) as error:
            report = _without_a_mind(world, inputs, before, error)
            break
        point("profile.answered")
        readings = await _readings(world, inputs, profile)
        stored_report = _keep(world, inputs, _build_profile(world, profile, inputs.facts, readings), by)
        if stored_report is not None:
            report = stored_report
            break
        report = Report(False, "what is known changed while the profile was being written")
    wrote = profile_files.settle(world)
    if wrote and not report.did:
        return Report(True, f"{report.summary}; the files were brought up to what is known", report.data)
    return report


def _look(world: World) -> tuple[_Seen, StoredProfile | None]:
    with world.database.read() as db:
        zone = user.zone(world, db)
        current = profiles.facts(db)
        facts = [_fact(memory, world.now, zone) for memory in current]
        facts += [
            _over(memory, zone)
            for memory in profiles.list_past(db, profiling.MOST_PAST)
            if not _true_again(memory, current)
        ]
        latest = tuple(sessions.latest(db, profiles.SESSIONS))
        inputs = _Seen(profiles.input_of(db, world.now), tuple(facts), latest, user.name(db), zone)
        return inputs, profiles.find_profile(db)


def _fact(memory: Memory, now: datetime, zone: tzinfo) -> Fact:
    """Convert a current fact; a plan whose time has passed is over."""
    text, category = _of_them(memory), memory.category or _category(memory)
    if category == "plan" and memory.event_time is not None:
        day = describe_told_day(memory.event_time, text, zone)
        if memory.event_time < now - profiles.PLAN_LASTS:
            return Fact(memory.id, _planned(text, day), category, memory.confidence, past=True)
        if not _names(text, day):
            text = f"{text.rstrip('.')} ({day})."
    contested = Weight(memory.alpha, memory.beta).contested and not memory.immutable
    return Fact(
        memory.id, text, category, min(memory.confidence, profiling.DOUBTED) if contested else memory.confidence
    )


def _names(text: str, day: str) -> bool:
    """Whether a text names a day, perhaps without its year ("on Tuesday 13 October")."""
    return day.rpartition(" ")[0] in text


def _planned(text: str, day: str) -> str:
    end = "that was planned" if _names(text, day) else f"that was planned for {day}"
    return f"{text.rstrip('.')} ({end})."


def _over(memory: Memory, zone: tzinfo) -> Fact:
    """Convert an ended fact to past tense, with its end."""
    text = _of_them(memory).rstrip(".")
    if memory.category == "plan" and memory.event_time is not None and memory.valid_to == memory.event_time:
        day = describe_told_day(memory.event_time, text, zone)
        return Fact(memory.id, _planned(text, day), "plan", memory.confidence, past=True)
    if memory.subject and memory.predicate and memory.object and has_past(memory.predicate, memory.object, text):
        told = past_to_user(memory.subject, memory.predicate, memory.object)
        text = _they(told) or told
    assert memory.valid_to is not None
    if not DENIED_NOW.search(text):
        text += f" (until {name_day(memory.valid_to, zone)})"
    return Fact(memory.id, f"{text}.", memory.category or _category(memory), memory.confidence, past=True)


def _of_them(memory: Memory) -> str:
    """Return a fact in the third person ("They live in Lisbon.") instead of "the user"."""
    text = " ".join(memory.content.split())
    if not (memory.subject and memory.predicate and memory.object):
        return text
    as_kept = text.rstrip(".") == sentence(memory.subject, memory.predicate, memory.object)
    told = _they(to_user(memory.subject, memory.predicate, memory.object)) if as_kept else ""
    return f"{told}." if told else text


def _they(told: str) -> str:
    """Convert a sentence in the second person to the third; "" if it begins otherwise."""
    opening, _, rest = told.partition(" ")
    return f"{_OF_YOU[opening]} {rest}" if opening in _OF_YOU else ""


_OF_YOU = {"you": "They", "your": "Their"}


def _category(memory: Memory) -> str:
    return "preference" if memory.type == "preference" else "other"


def _true_again(memory: Memory, current: Sequence[Memory]) -> bool:
    """Whether an ended fact holds again, as another memory."""
    return any(
        (memory.subject or "", memory.predicate or "", (memory.object or memory.content).casefold())
        == (held.subject or "", held.predicate or "", (held.object or held.content).casefold())
        for held in current
    )


async def _read(world: World, inputs: _Seen, at_once: bool) -> tuple[ReadProfile, str]:
    """Ask a model for the profile and its provider. Raises AnswerUnusable, NoMindAnswered."""
    current = [fact for fact in inputs.facts if not fact.past]
    if not current:
        return ReadProfile(mini=[], reference=[], unsure=[]), "rule"
    shown, lines = _lines(current)
    companion = world.settings.furoshiki_companion_name
    instructions = world.prompts.render("profile/instructions", companion=companion, sections=get_args(Section))
    material = world.prompts.render(
        "profile/material",
        day=name_day(world.now, inputs.zone),
        name=inputs.name,
        facts=lines,
        sessions=[_session(document, inputs.zone) for document in inputs.sessions],
    )
    key = refs.name("profile", inputs.input)
    question = Question.of(
        "reflect", "profile", instructions, material, ReadProfile, max_tokens=4000, timeout_s=180.0, turn_key=key
    )
    question = replace(question, material=tuple(shown))
    if not at_once:
        question = replace(question, batch_s=OVERNIGHT_S)
    answer = await patiently(world, affordable(world, question, world.now), world.now)
    if not isinstance(answer.parsed, ReadProfile):
        raise AnswerUnusable("a profile was asked for, and something else came back")
    return answer.parsed, answer.provider


def _lines(facts: Sequence[Fact]) -> tuple[list[Fact], list[str]]:
    """Return the facts that fit into one question, with their lines."""
    lines = take_fitting(
        (f"[{fact.id} \u00b7 {find_section(fact.category)}] {cut(fact.text, LONGEST_FACT_TOKENS)}" for fact in facts),
        MATERIAL_TOKENS,
    )
    return list(facts[: len(lines)]), lines


def _session(document: SessionDocument, zone: tzinfo) -> str:
    """Return a session as a line with day and topics, without its text."""
    day = document.started_at.astimezone(zone).strftime("%A, %-d %B")
    return cut(f"{day}: {', '.join(document.topics) or 'nothing in particular'}", SESSION_TOKENS)


async def _readings(world: World, inputs: _Seen, profile: ReadProfile) -> Readings:
    """Return a reader's verdicts on all statements that are not verbatim facts (or {})."""
    text_of = {fact.id: fact.text for fact in inputs.facts if not fact.past}
    sentences = {
        (" ".join(one.text.split()), tuple(dict.fromkeys(one.facts))) for one in (*profile.mini, *profile.reference)
    }
    cited = sorted(
        (text, facts)
        for text, facts in sentences
        if facts and text_of.keys() >= set(facts) and not profiling.is_fact(Statement("other", text, facts), text_of)
    )
    if not cited:
        return {}
    companion = world.settings.furoshiki_companion_name
    record = [make_record(id_, text, world.now) for id_, text in text_of.items()]
    system = world.prompts.render("consolidation/reader", companion=companion, name=inputs.name)
    talk = Conversation(record, inputs.zone, inputs.name or "", companion)
    verdicts = await believing.read(world, talk, [Claim(text, "profile", facts) for text, facts in cited], system)
    return {
        key: "" if one.outcome == "known" else one.reason
        for key, one in zip(cited, verdicts, strict=True)
        if one is not None
    }


def _build_profile(
    world: World, profile: ReadProfile, facts: Sequence[Fact], readings: Readings
) -> tuple[Profile, list[Refused]]:
    category = {fact.id: fact.category for fact in facts}
    mini = [
        Statement(next((category[fact] for fact in one.facts if fact in category), "other"), one.text, tuple(one.facts))
        for one in profile.mini
    ]
    reference = [
        Statement(statement.section, statement.text, tuple(statement.facts)) for statement in profile.reference
    ]
    dark = partial(grave.dark, care=world.care, year=world.now.year)
    return profiling.build_profile(mini, reference, profile.unsure, facts, dark, readings)


def _keep(world: World, inputs: _Seen, settled: tuple[Profile, list[Refused]], by: str) -> Report | None:
    """Store the new profile and the refused statements atomically; None if the facts changed."""
    profile, refused = settled
    with world.database.write() as db:
        if profiles.input_of(db, world.now) != inputs.input:
            return None
        if profiles.read_input(profiles.find_profile(db)) == inputs.input:
            return Report(False, "another run was quicker")
        profiles.put(db, profile, inputs.input, by, world.now)
        for refusal in refused:
            _refuse(db, refusal, world.now)
        point("profile.before_commit")
    point("profile.committed")
    counts = {
        "mini": len(profile.mini),
        "reference": len(profile.reference),
        "gaps": len(profile.gaps),
        "refused": len(refused),
        "by": by,
    }
    return Report(True, f"{len(profile.reference)} statements about the user, {len(refused)} refused", counts)


def _pass_over(world: World, inputs: _Seen) -> Report | None:
    """Say of plans that only their time has passed, without a model; None if the facts changed."""
    with world.database.write() as db:
        before = profiles.find_profile(db)
        if before is None or profiles.input_of(db, world.now) != inputs.input:
            return None
        left = profiling.tell_past(profiles.prune(db, before.profile, world.now), inputs.facts)
        profiles.put(db, left, inputs.input, before.by, world.now)
    return Report(True, "what was planned is over", {"by": "rule"})


def _refuse(db: sqlite3.Connection, refusal: Refused, now: datetime) -> None:
    """Store a refused statement with its facts' turns, so that it is forgotten with them."""
    cited = refusal.statement.facts
    turn_ids = sorted({turn for memory in memories.of_ids(db, cited) for turn in memory.turn_ids})
    names = ", ".join(refs.names("memory", cited[:8])) or "nothing"
    memories.reject(db, "profile", refusal.statement.text[:400], turn_ids, f"{refusal.reason} (it cites {names})", now)


def _without_a_mind(world: World, inputs: _Seen, before: StoredProfile | None, error: Exception) -> Report:
    """Without a model, remove outdated statements from the profile; the next run asks again.

    Before the first profile, the facts are listed as they are.
    """
    with world.database.write() as db:
        if isinstance(error, AnswerUnusable):
            events.announce(db, "profile_failed", {"reason": str(error)[:300]}, world.now)
        if before is None:
            by_rule = ReadProfile.model_validate(profiling.by_rule(inputs.facts))
            profiles.put(db, _build_profile(world, by_rule, inputs.facts, {})[0], "", "rule", world.now)
        else:
            profile = profiles.find_profile(db)
            left = before.profile if profile is None else profiles.prune(db, profile.profile, world.now)
            if profile is not None and left != profile.profile:
                profiles.put(db, left, "", profile.by, world.now)
    return Report(False, f"the profile waits for a mind: {error}", {"failed": True})
