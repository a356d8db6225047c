"""Turn recalled items into the text shown to the model: chosen, weighed, within the token budget.

`inject` uses the deterministic ranking. Reads only: effects on memory are recorded after the turn
(`memory_feedback`).
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime

from furoshiki.core import refs
from furoshiki.language import testimony
from furoshiki.language.tokens import cut, estimate
from furoshiki.memory import concepts, focus, relevance_learning
from furoshiki.memory.focus import Inertia
from furoshiki.memory.rules import injection
from furoshiki.memory.rules.injection import SLOTS, Candidate, Placed
from furoshiki.memory.rules.one_line import LONGEST, compress
from furoshiki.memory.rules.weights import NEW, Weight
from furoshiki.memory.store import accesses, corrections, memories
from furoshiki.memory.store.retrievals import Retrieval
from furoshiki.memory.values import Memory, Shown
from furoshiki.messages.store import turns
from furoshiki.recall.retrieval.rules.ranking import recency
from furoshiki.recall.retrieval.values import PERHAPS, UNCONFIRMED, Recalled
from furoshiki.world import World

RANKS = 20
"""Recall results considered; those beyond do not even count as near misses."""

FULL_TOKENS = 400
"""Longer texts are cut: one pasted log must not take the place of everything else."""

MOMENT = "moment"
"""The category of a memory that quotes the user's words."""

ASSOCIATED = 6
"""The most memories found by concepts while the talk drifts: as many as are drawn randomly."""

SESSION_TOKENS = 160
PUT_RIGHT = "(put right since)"
"""Replaces, in a session's page, a fact that was never true."""

DIALS = re.compile(r"^Connection: [0-9.]+, warmth [0-9.]+\n", re.MULTILINE)
"""The line of internal figures in a session's page, which is not to be shown."""

BESIDE_TOKENS = 30
BESIDE_SHARE = 0.2
"""The share of the budget that turns next to injected ones may take."""

LABEL_TOKENS = 15
"""Tokens of id, date and speaker before the words."""


@dataclass(frozen=True)
class Moment:
    """The context of injection. `present`: feelings of the moment, by signal.

    While the talk is `drifting`, associations go one hop further and follow concepts too.
    """

    now: datetime
    present: Mapping[str, float]
    inertia: Inertia = focus.NONE
    drifting: bool = False


@dataclass(frozen=True)
class Injection:
    """The items shown, best first, and all that were retrieved."""

    shown: tuple[Shown, ...] = ()
    woken: tuple[Retrieval, ...] = ()


def inject(
    world: World,
    found: Sequence[Recalled],
    moment: Moment,
    budget: int,
    *,
    in_view: AbstractSet[str] = frozenset(),
    deterministic: bool = False,
) -> Injection:
    """Choose the best of `found` (best first) and of associated memories, in `budget` tokens.

    `in_view` are ids that the model sees anyway: they are not repeated, nor paraphrased, but
    memories they cover count as retrieved. `deterministic` disables randomness. Raises
    StorageUnavailable.
    """
    found = [one for one in found if not _was_seen_whole(one, in_view)][:RANKS]
    if not found:
        return Injection()
    rng = None if deterministic else world.rng
    with world.database.read() as db:
        things, echoes = _once(_things(db, found, moment), in_view)
        voices = relevance_learning.relevance_of(db)
        blend = voices.draw(rng) if rng else voices.mean
        near = focus.likeness(db, moment.inertia, {one.found.id: one.found.text for one in [*things, *echoes]})
        candidates = {
            one.found.id: Candidate(
                id=one.found.id,
                rank=one.rank,
                voices=_voices(one, moment, near, rng.random() if rng else 0.0),
                weight=one.weight,
                full=estimate(one.text) + LABEL_TOKENS,
                short=min(one.line_tokens, estimate(one.text)) + LABEL_TOKENS,
            )
            for one in things
        }
        placed = injection.fill(injection.choose(list(candidates.values()), blend, rng, SLOTS), budget)
        by_id = {one.found.id: one for one in things}
        shown = [_make_shown(by_id[place.candidate.id], place) for place in placed]
        spent = sum(place.candidate.full if place.in_full else place.candidate.short for place in placed)
        left = min(int(budget * BESIDE_SHARE), budget - spent)
        shown = _with_neighbours(db, shown, in_view, left)
    injected = {one.id for one in shown}
    woken = [
        Retrieval(one.id, one.rank or 0, one.id in injected, voices=one.voices if one.id in injected else {})
        for one in candidates.values()
        if one.rank is not None or one.id in injected
    ]
    woken += [
        Retrieval(one.found.id, one.rank or 0, True, voices=_voices(one, moment, near, 0.0))
        for one in echoes
        if _is_covered(one, in_view | injected)
    ]
    return Injection(tuple(shown), tuple(sorted(woken, key=lambda one: one.rank or RANKS + 1)))


@dataclass(frozen=True)
class _Thing:
    """An item that may be shown: as found, its memory's row, and the parts of its relevance."""

    found: Recalled
    rank: int | None
    memory: Memory | None
    semantic: float
    co_access: float
    text: str

    @property
    def line_tokens(self) -> int:
        """An upper bound of its short line's tokens, as making that line takes 0.5 ms."""
        if self.memory is not None and self.memory.compressed:
            return estimate(self.memory.compressed)
        return LONGEST if not self.text.isascii() else estimate("x" * LONGEST)

    @property
    def line(self) -> str:
        said = testimony.own(self.text, testimony.clip(self.found.foreign, self.text)) or self.text
        if self.memory is None or not self.memory.compressed:
            return compress(said)
        return PERHAPS * (self.memory.status == UNCONFIRMED) + self.memory.compressed

    @property
    def weight(self) -> Weight:
        return NEW if self.memory is None else Weight(self.memory.alpha, self.memory.beta)


def _things(db: sqlite3.Connection, found: Sequence[Recalled], moment: Moment) -> list[_Thing]:
    """Return the found items and the memories associated with them."""
    semantic = injection.scale_scores([one.score for one in found])
    seeds = {refs.row(one.id): score for one, score in zip(found, semantic, strict=True) if one.kind == "memory"}
    reached = injection.spread(
        seeds, lambda memory: accesses.partners(db, memory, injection.PARTNERS_A_HOP), 2 if moment.drifting else 1
    )
    if moment.drifting:
        said = [refs.row(one.id) for one in found if one.kind == "turn"]
        about = [*seeds, *memories.list_by_turns(db, said)]
        for number, strength in concepts.find_associated(db, about, 2, now=moment.now, limit=ASSOCIATED):
            reached[number] = max(reached.get(number, 0.0), min(1.0, strength))
    held = {one.id: one for one in memories.of_ids(db, sorted({*seeds, *reached}))}
    things = []
    for rank, (one, score) in enumerate(zip(found, semantic, strict=True), 1):
        memory = held.get(refs.row(one.id)) if one.kind == "memory" else None
        share = 0.0 if memory is None else reached.get(memory.id, 0.0)
        things.append(_make_thing(_omit_retracted(db, one), rank, memory, score, share))
    for number in sorted(reached.keys() - seeds.keys()):
        memory = held.get(number)
        if memory is not None and memory.status == "active" and memory.valid_to is None:
            name = refs.name("memory", number)
            recalled = Recalled(name, "memory", memory.turn_ids, None, memory.created_at, None, memory.content, 0.0)
            things.append(_make_thing(recalled, None, memory, 0.0, reached[number]))
    return things


def _omit_retracted(db: sqlite3.Connection, one: Recalled) -> Recalled:
    """Remove facts from a session's page that were withdrawn after it was written."""
    if one.kind != "session":
        return one
    text = one.text
    for wrong in corrections.never_true(db, text):
        text = text.replace(wrong, PUT_RIGHT)
    return replace(one, text=text)


def _was_seen_whole(one: Recalled, in_view: AbstractSet[str]) -> bool:
    """Whether the model sees the item's whole text already."""
    if one.kind == "session" and one.turn_ids:
        return all(refs.name("turn", turn) in in_view for turn in one.turn_ids)
    return one.kind != "memory" and one.id in in_view


def _once(things: Sequence[_Thing], in_view: AbstractSet[str]) -> tuple[list[_Thing], list[_Thing]]:
    """Return the items to show, and those that would only repeat: facts in view, moments whose turn
    is shown. A turn that ranks below a moment quoting it takes over that moment's rank."""
    found = {one.found.id for one in things if one.found.kind == "turn"}
    echoes = [one for one in things if one.rank is not None and _is_covered(one, in_view | found)]
    known = {one.found.id for one in things if _is_covered(one, in_view | found)}
    quoted: dict[str, _Thing] = {}
    for one in echoes:
        for turn in one.found.turn_ids:
            quoted.setdefault(refs.name("turn", turn), one)
    once = []
    for one in things:
        if one.found.id in known:
            continue
        moment = quoted.get(one.found.id)
        if moment is not None and moment.rank is not None and one.rank is not None and moment.rank < one.rank:
            one = replace(one, rank=moment.rank, semantic=max(one.semantic, moment.semantic))
        once.append(one)
    return once, [one for one in echoes if one.rank is not None and one.rank <= SLOTS]


def _is_covered(one: _Thing, shown: AbstractSet[str]) -> bool:
    """Whether shown items say it already. Ended facts are repeated, with their end."""
    if one.memory is None or one.found.past or one.memory.valid_to is not None:
        return False
    if one.memory.category == MOMENT:
        return bool(one.found.turn_ids) and all(refs.name("turn", turn) in shown for turn in one.found.turn_ids)
    return one.found.id in shown


def _make_thing(found: Recalled, rank: int | None, memory: Memory | None, semantic: float, co_access: float) -> _Thing:
    text = cut(DIALS.sub("", found.text), SESSION_TOKENS) if found.kind == "session" else cut(found.text, FULL_TOKENS)
    return _Thing(found, rank, memory, semantic, co_access, text)


def _voices(one: _Thing, moment: Moment, near: Mapping[str, float], noise: float) -> dict[str, float]:
    share = moment.inertia.share
    return {
        "semantic": (1.0 - share) * one.semantic + share * near.get(one.found.id, 0.0),
        "co_access": one.co_access,
        "noise": noise,
        "emotion": 0.0 if one.memory is None else injection.congruence(one.memory.feelings, moment.present),
        "recency": recency(one.found.at, moment.now),
    }


def _make_shown(one: _Thing, place: Placed) -> Shown:
    memory = one.memory
    line = None if place.in_full else one.line
    return Shown(
        id=one.found.id,
        text=one.text,
        speaker=one.found.speaker or "",
        at=one.found.at,
        score=one.found.score,
        line=None if line == one.text else line,
        until=one.found.valid_to if memory is None else memory.valid_to,
        past=one.found.past or (memory is not None and memory.valid_to is not None),
        foreign=testimony.clip(one.found.foreign, one.text),
    )


def _with_neighbours(
    db: sqlite3.Connection, shown: Sequence[Shown], in_view: AbstractSet[str], budget: int
) -> list[Shown]:
    """Add the turns directly before and after each injected turn, best first, within the budget."""
    seen = {*in_view, *(one.id for one in shown)}
    done: list[Shown] = []
    for one in shown:
        beside = []
        if refs.is_of(one.id, "turn") and one.line is None and budget > 0:
            for where, turn in zip(("before", "after"), turns.beside(db, refs.row(one.id)), strict=True):
                if turn is None or refs.name("turn", turn.id) in seen:
                    continue
                words = testimony.render_marked(turn.text, turn.foreign, BESIDE_TOKENS, flat=True)
                cost = estimate(words) + LABEL_TOKENS // 2
                if cost <= budget:
                    budget -= cost
                    seen.add(refs.name("turn", turn.id))
                    beside.append((where, turn.speaker, words))
        done.append(replace(one, beside=tuple(beside)))
    return done
