"""Judge the items in the scratch buffer: store a moment, reinforce a memory, or discard the item.

Each item is decided in one transaction with all its consequences, so that a killed process loses
and duplicates nothing. The inputs (memoryd's vectors, a model's yes or no) are gathered before it.
While memoryd is away an item waits; after an hour it is judged by its words alone.
"""

import asyncio
import contextlib
import random
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.database.retention import span
from furoshiki.core.process.crash_points import point
from furoshiki.core.similarity import Vector
from furoshiki.language.tables.function_words import query_words
from furoshiki.language.words import count_words
from furoshiki.memory import contradiction, deferred_checks, weighing
from furoshiki.memory.contradiction import statement
from furoshiki.memory.examples import NONE, Examples, examples
from furoshiki.memory.rules import exit_gate
from furoshiki.memory.rules.entry_gate import own_words
from furoshiki.memory.rules.exit_gate import Evidence, Verdict
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.similarity import ByMeaning, ByWords, Likeness
from furoshiki.memory.store import links, memories, scratch, tombstones
from furoshiki.memory.store.scratch import Decision, Item, State
from furoshiki.memory.values import Memory, NewMemory
from furoshiki.memory.weighing import Cycle
from furoshiki.messages.store import skill_runs, turns
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.recall.retrieval.store import full_text
from furoshiki.recall.retrieval.values import Scope
from furoshiki.world import Report, World

EXCHANGES = 5  # exchanges after which the buffer is flushed during a conversation

# how long to wait for memoryd before an item is judged by its words
BY_WORDS_AFTER = timedelta(hours=1)

# how long decided items are stored, for tuning the gate and to explain decisions
KEPT_DECISIONS = span("scratch_buffer")

MATURITY = "exit_gate.maturity"  # the `kv` key of the tuned value of the setting

_FACTS = frozenset({"semantic", "preference"})  # types of memories that state facts about the user

CONFIRMED = 0.5  # added to alpha by a confirmation: a moderate reinforcement
FOCUS = 6  # the user's last messages in a session that form its focus

# the similarity assumed for text wholly contained in a memory, however small the cosine
SAID_ALREADY = 0.95

HEARD_BEFORE = 8  # replies of the companion that a message may echo

CORE_MEMORIES = 20
NEAREST = 4  # nearest memories compared for each item: more are not needed to find the nearest
LONGEST = 600  # characters of a message that a memory holds; the turn has the full text

# skills by which an order is carried out, and the most words of a message that is only an order
ORDERS, LONGEST_ORDER = ("schedule", "list", "quiet"), 14

MOST_AT_ONCE = 40
LOOKED_AT_AGAIN = 40


@dataclass(frozen=True)
class _Near:
    """The nearest memory, its cosine, whether it is opposed, and whether a model is to judge."""

    memory: Memory
    cosine: float
    opposed: bool = False
    owed: bool = False


@dataclass(frozen=True)
class _Judged:
    item: Item
    turn_id: int
    text: str
    verdict: Verdict
    near: _Near | None


async def flush(world: World) -> Report:
    """Judge all waiting items; ask the smallest model where nothing else decides. What takes long is
    done in threads: the next message is not kept waiting."""
    counts: dict[State, int] = {"persisted": 0, "reinforced": 0, "skipped": 0, "dropped": 0, "expired": 0}
    waiting, away = 0, False
    due = _due(world, again=True)
    all_examples = examples(world) if due else NONE
    made_vectors = Made(dict(all_examples.vectors))
    for item in due:
        may_wait = item.expires_at > world.now and world.now - item.created_at < BY_WORDS_AFTER
        if away and may_wait:  # after one timeout, memoryd is not asked again for each item
            waiting += 1
            continue
        try:
            if not all_examples.whole:
                raise VectorsAway("what matters has no vectors yet")
            sources, near = await asyncio.to_thread(_find_nearest, world, item, all_examples, made_vectors)
        except VectorsAway:
            away = True
            if may_wait:
                waiting += 1
                continue
            sources, near = await asyncio.to_thread(_find_nearest, world, item, all_examples)
        if sources is not None and near is not None and _may_deny(sources, near):
            judged = await contradiction.contradicts(
                world,
                statement(near.memory),
                sources.text,
                embedded=_find_vectors(sources, near),
                turn_key=refs.name("scratch", item.id),
            )
            near = _Near(near.memory, near.cosine, judged.contradict, judged.owed)
        state = await asyncio.to_thread(_settle, world, item, sources, near)
        if state == "waiting":
            waiting += 1
        else:
            counts[state] += 1
    with world.database.write() as db:
        swept = scratch.sweep(db, world.now - KEPT_DECISIONS)
    did = any(counts.values()) or swept > 0
    summary = ", ".join(f"{number} {state}" for state, number in counts.items() if number)
    data: dict[str, int] = {str(state): number for state, number in counts.items()}
    return Report(did, summary or f"{waiting} things wait on", data | {"waiting": waiting, "swept": swept})


def flush_quickly(world: World, stopped: Callable[[], bool] = lambda: False) -> int:
    """Judge items not judged yet, by rules and vectors alone; return their number.

    For the listener, between two messages: no model is asked, and nothing is done without memoryd.
    """
    looked = 0
    due = _due(world, again=False)
    all_examples = examples(world, stopped) if due else NONE
    made_vectors = Made(dict(all_examples.vectors))
    for item in due if all_examples.whole else ():
        if stopped():
            break
        try:
            sources, near = _find_nearest(world, item, all_examples, made_vectors)
        except VectorsAway:
            break
        if sources is not None and near is not None and _may_deny(sources, near):
            nearest_statement = statement(near.memory)
            judged = contradiction.by_rule_and_direction(
                world, nearest_statement, sources.text, _find_vectors(sources, near)
            )
            near = _Near(near.memory, near.cosine, judged.contradict, judged.owed)
        _settle(world, item, sources, near)
        looked += 1
    return looked


def _may_deny(sources: "_Sources", near: _Near) -> bool:
    """Whether to check for a contradiction: the memory is near and the text says more."""
    return near.cosine > exit_gate.CONTRADICTING and not exit_gate.is_redundant(sources.text, statement(near.memory))


def _find_vectors(sources: "_Sources", near: _Near) -> tuple[Vector, Vector] | None:
    """Return the vectors of the nearest memory's statement and of the item's text, or None."""
    likeness = sources.likeness
    if not isinstance(likeness, ByMeaning):
        return None
    with contextlib.suppress(VectorsAway):
        return likeness.pair(statement(near.memory))
    return None


def maturity(world: World, db: sqlite3.Connection) -> float:
    """Return how strict the gate is, in [0, 1]: the tuned value, else the setting."""
    tuned = kv.get(db, MATURITY)
    return world.settings.furoshiki_gate_maturity if tuned is None else min(1.0, max(0.0, float(tuned)))


def _due(world: World, again: bool) -> list[Item]:
    """Return the items to judge: new ones, and with `again` those that expire within the hour."""
    with world.database.read() as db:
        items = scratch.fresh(db, MOST_AT_ONCE)
        if again:
            items += scratch.read_expiring(db, world.now + scratch.LAST_LOOK, LOOKED_AT_AGAIN)
    return items


# ------------------------------------------------------------------ the inputs of a judgement


@dataclass
class _Sources:
    """Everything known about one item. `likeness` measures the similarity of its text to others."""

    text: str
    turn: Turn
    replied_to: str
    focus: Sequence[str]
    core: list[str]
    candidates: list[Memory]
    alike: list[datetime]
    examples: Examples
    likeness: Likeness

    def nearest(self) -> _Near | None:
        """Return the nearest candidate. Memories that cite this message are no candidates."""
        cosines = [
            max(how, SAID_ALREADY) if exit_gate.is_redundant(self.text, statement(one)) else how
            for one, how in zip(
                self.candidates, self.likeness.to_each(list(map(statement, self.candidates))), strict=True
            )
        ]
        best = max(zip(cosines, self.candidates, strict=True), key=lambda pair: pair[0], default=None)
        return None if best is None else _Near(best[1], best[0])

    def spreading(self) -> "Spreading":
        """Compute S from the focus, identity, facts about the user, and the examples."""
        focus = [self.likeness.to_all(self.focus)] if self.focus else []
        statements = [statement(memory) for memory in self.candidates if memory.type in _FACTS]
        near = max([*focus, *self.likeness.to_each([*self.core, *statements])], default=0.0)
        matters, everyday = (
            max(self.likeness.to_each(texts), default=0.0) for texts in (self.examples.matters, self.examples.everyday)
        )
        return Spreading(
            exit_gate.compute_spreading(near, matters, everyday), matters + (matters - everyday) > exit_gate.CORE
        )


@dataclass(frozen=True)
class Spreading:
    """S, and whether the text matters in a life, whatever the conversation is about."""

    level: float
    matters: bool


@dataclass
class Made:
    """Vectors computed so far: by the English encoder and by the multilingual one."""

    english: dict[str, Vector]
    abroad: dict[str, Vector] = field(default_factory=dict)


def _sources(world: World, item: Item, all_examples: Examples, made: Made | None = None) -> _Sources | None:
    """Gather the inputs; None if the text is deleted or not usable. Raises VectorsAway.

    With `made` texts are compared by vectors, and new ones are added to it; without, by their
    words.
    """
    with world.database.read() as db:
        turn = None if item.turn_id is None else scratch.find_newest_turn(db, item.turn_id)
        if turn is None or turn.speaker != USER or not turn.own:
            return None
        text = item.text if turn.id == item.turn_id else turn.own
        focus, before = _around(db, turn)
        core = [*memories.of_identity(db, CORE_MEMORIES), *scratch.plans(db, CORE_MEMORIES)]
        by_words = full_text.full_text(db, "memory", query_words(text), NEAREST)
        others = [one for one in scratch.around(db, item.created_at) if one.id != item.id]
    own = own_words(text)
    near: list[tuple[str, float]] = []
    likeness: Likeness = ByWords(own)
    if made is not None and load_languages(world.config).of(own) is not None:
        likeness = ByMeaning(world, own, made.abroad, abroad=True)
        near = world.vectors.recall(own, k=NEAREST, now=world.now, scope=Scope(("memory",)))
    elif made is not None:
        likeness = ByMeaning(world, own, made.english)
        near = world.vectors.query(own, ("memory",), NEAREST)
    ids = dict.fromkeys([*(refs.row(name) for name, _ in near), *by_words])
    with world.database.read() as db:
        candidates = [
            memory
            for memory in memories.of_ids(db, list(ids))
            if memory.status == "active" and memory.valid_to is None and turn.id not in memory.turn_ids
        ]
    other_texts = [one.text for one in others]
    central = list(map(statement, core))
    likeness.know([*other_texts, *focus, *central, *map(statement, candidates)])
    alike = [
        one.created_at for one, how in zip(others, likeness.to_each(other_texts), strict=True) if how > exit_gate.NOVEL
    ]
    return _Sources(
        text=own,
        turn=turn,
        replied_to=" ".join(before),
        focus=focus,
        core=central,
        candidates=candidates,
        alike=alike,
        examples=all_examples,
        likeness=likeness,
    )


def _find_nearest(
    world: World, item: Item, known: Examples, made: Made | None = None
) -> tuple[_Sources | None, _Near | None]:
    """Return what `_sources` gathers, with the nearest memory. Raises VectorsAway."""
    sources = _sources(world, item, known, made)
    return sources, None if sources is None else sources.nearest()


def _around(db: sqlite3.Connection, turn: Turn) -> tuple[list[str], list[str]]:
    """Return the user's other latest messages in the session, and earlier replies, oldest first."""
    focus: list[str] = []
    before: list[str] = []
    for earlier in turns.back_through(db, turn.session_id):
        if earlier.speaker == USER and len(focus) < FOCUS and earlier.id != turn.id and earlier.own:
            focus.insert(0, earlier.own)
        elif earlier.speaker == COMPANION and len(before) < HEARD_BEFORE and earlier.id < turn.id:
            before.insert(0, earlier.text)
        if len(focus) == FOCUS and len(before) == HEARD_BEFORE:
            break
    return focus, before


# ------------------------------------------------------------------ the consequences


def _was_ordered(world: World, item: Item, sources: _Sources) -> bool:
    """Whether a short message without a feeling ordered a reminder, a list or quiet, and got it."""
    if item.charge > exit_gate.CHARGED or count_words(sources.text) > LONGEST_ORDER or not sources.turn.turn_key:
        return False
    with world.database.read() as db:
        return skill_runs.ran(db, sources.turn.turn_key, ORDERS)


def _settle(world: World, item: Item, sources: _Sources | None, near: _Near | None) -> State:
    """Judge an item and carry out the decision in one transaction; return its new state."""
    with world.database.read() as db:
        mature = maturity(world, db)
    now, rng = world.now, random.Random(world.rng.random())
    if sources is None:
        return _decide(world, item, Decision("dropped", "the words are gone"))
    spreading = _compute_spreading(sources)
    refused = exit_gate.explain_emptiness(sources.text, item.charge, sources.replied_to, spreading.matters)
    if refused is None and _was_ordered(world, item, sources):
        refused = "it only ordered what was done"
    if refused is not None:
        return _decide(world, item, Decision("dropped", refused))
    ages = [(now - at).total_seconds() for at in (item.created_at, *sources.alike)]
    evidence = Evidence(
        spreading=spreading.level,
        nearest=None if near is None else near.cosine,
        opposed=near is not None and near.opposed,
        charge=item.charge,
        ages_s=ages,
        last=item.expires_at <= now + scratch.LAST_LOOK,
    )
    return _carry_out(world, _Judged(item, sources.turn.id, sources.text, exit_gate.judge(evidence, mature, rng), near))


def _compute_spreading(sources: _Sources) -> Spreading:
    try:
        return sources.spreading()
    except VectorsAway:  # memoryd became unavailable meanwhile: judge by words
        return replace(sources, likeness=ByWords(sources.text)).spreading()


def _carry_out(world: World, judged: _Judged) -> State:
    verdict, near, item = judged.verdict, judged.near, judged.item
    waits = Decision(
        state="waiting",
        reason=verdict.reason,
        cell=verdict.cell,
        relevance=round(verdict.spreading, 4),
        novelty=None if near is None else round(near.cosine, 4),
        activation=round(verdict.activation, 4),
    )
    match verdict.action:
        case "wait":
            with world.database.write() as db:
                scratch.record_look(db, item.id, waits)
            return "waiting"
        case "skip" | "drop":
            expired = item.expires_at <= world.now
            state: State = "expired" if expired else "skipped" if verdict.action == "skip" else "dropped"
            return _decide(world, item, replace(waits, state=state))
        case "reinforce":
            assert near is not None
            cycle = weighing.cycle(world, "flush")
            decision = replace(waits, state="reinforced")
            return _decide(world, item, decision, lambda db: _reinforce(db, cycle, judged))
        case "persist":
            return _decide(world, item, replace(waits, state="persisted"), lambda db: _persist(db, judged, world.now))


def _decide(
    world: World, item: Item, decision: Decision, follow: Callable[[sqlite3.Connection], int | None] = lambda _db: None
) -> State:
    point("scratch.before_decision")
    with world.database.write() as db:
        if not scratch.decide(db, item.id, decision, world.now):
            return "skipped"  # another flush was first, or the item was deleted: do nothing
        memory_id = follow(db)
        if memory_id is not None:
            scratch.tie(db, item.id, memory_id)
        elif decision.state == "persisted":
            scratch.drop_forgotten(db, item.id)
    point("scratch.after_decision")
    return decision.state


def _reinforce(db: sqlite3.Connection, cycle: Cycle, judged: _Judged) -> int | None:
    assert judged.near is not None
    memory = judged.near.memory
    weighing.reinforce(db, cycle, memory.id, CONFIRMED, "confirmed", {"turn": judged.turn_id})
    memories.reinforce(db, memory.id, [judged.turn_id], cycle.now)
    if judged.near.owed:
        deferred_checks.note(db, memory.id, judged.turn_id, None, cycle.now)
    return memory.id


def _persist(db: sqlite3.Connection, judged: _Judged, now: datetime) -> int | None:
    """Store the user's text as a moment; return its id, or None if it was forgotten."""
    words = judged.text[:LONGEST].rstrip().replace('""', '"…"')  # what they quoted is not their own
    content = exit_gate.MOMENT.format(words=words)
    turn = turns.get(db, judged.turn_id)
    if turn is None or tombstones.is_buried(db, "memory", (content, words), turn.at):
        return None
    signals = judged.item.tags.get("signals") or {}
    flags = {"flag": "contradicts"} if judged.verdict.flagged else {}
    memory_id = memories.add(
        db,
        NewMemory(
            type="episodic",
            content=content,
            turn_ids=(turn.id,),
            source_tag=judged.item.source_tag,
            category="moment",
            event_time=turn.at,
            compressed=compress(words),
            importance=judged.verdict.importance,
            charge=judged.item.charge,
            feelings=signals or None,
            metadata={"words": words, **flags},
        ),
        now,
    )
    near = judged.near
    if judged.verdict.novelty == "contradicting" and near is not None:
        links.link(db, memory_id, near.memory.id, "contradicts", min(1.0, max(0.0, near.cosine)), now)
    if near is not None and near.owed:
        deferred_checks.note(db, near.memory.id, turn.id, memory_id, now)
    return memory_id
