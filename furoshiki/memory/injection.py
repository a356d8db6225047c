"""Turn recalled items into the text shown to the model: chosen, weighed, within the token budget.

`inject` uses the deterministic ranking. Reads only: effects on memory are recorded after the turn
(`memory_feedback`).
"""

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
from furoshiki.memory.grounding.rules.judging import CONTRADICTED
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

RANKS = 20  # recall results considered; those beyond do not even count as near misses
FULL_TOKENS = 400  # longer texts are cut: one pasted log must not take the place of everything else
MOMENT = "moment"  # the category of a memory that quotes the user's words

# the most memories found by concepts while the talk drifts: as many as are drawn randomly
ASSOCIATED = 6

# a message with words of others is shown whole up to this length, or not at all
PASTED_TOKENS = 160

SESSION_TOKENS = 160
PUT_RIGHT = "(put right since)"  # replaces, in a session's page, a fact that was never true

# the line of internal figures in a session's page, which is not to be shown
DIALS = re.compile(r"^Connection: [0-9.]+, warmth [0-9.]+\n", re.MULTILINE)

# a session's page (`prompts/post_conversation/document`) up to its summary
_SUMMARY = re.compile(
    r"\A===.*?^Connection: [^\n]*\n(?:Not read [^\n]*\n)?(?:Key facts:\n(?:- [^\n]*\n)+)?(?P<words>[^\n]+)",
    re.MULTILINE | re.DOTALL,
)

BESIDE_TOKENS = 30
BESIDE_SHARE = 0.2  # the share of the budget that turns next to injected ones may take
LABEL_TOKENS = 15  # tokens of id, date and speaker before the words


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
    found = [item for item in found if not _was_seen_whole(item, in_view)][:RANKS]
    if not found:
        return Injection()
    rng = None if deterministic else world.rng
    with world.database.read() as db:
        things, echoes = _once(_things(db, found, moment), in_view)
        voices = relevance_learning.relevance_of(db)
        blend = voices.draw(rng) if rng else voices.mean
        near = focus.likeness(db, moment.inertia, {thing.found.id: thing.found.text for thing in [*things, *echoes]})
        candidates = {
            thing.found.id: Candidate(
                id=thing.found.id,
                rank=thing.rank,
                voices=_voices(thing, moment, near, rng.random() if rng else 0.0),
                weight=thing.weight,
                full=estimate(thing.text) + LABEL_TOKENS,
                short=min(thing.least_tokens, estimate(thing.text)) + LABEL_TOKENS,
            )
            for thing in things
        }
        placed = injection.fill(injection.choose(list(candidates.values()), blend, rng, SLOTS), budget)
        by_id = {thing.found.id: thing for thing in things}
        items = [_make_shown(by_id[place.candidate.id], place) for place in placed]
        spent = sum(place.candidate.full if place.in_full else place.candidate.short for place in placed)
        left = min(int(budget * BESIDE_SHARE), budget - spent)
        items = _with_neighbours(db, items, in_view, left)
    injected = {item.id for item in items}
    woken = []
    for candidate in candidates.values():
        if candidate.id in injected:
            woken.append(Retrieval(candidate.id, candidate.rank or 0, True, voices=candidate.voices))
        elif candidate.rank is not None:
            woken.append(Retrieval(candidate.id, candidate.rank, False, voices={}))
    woken += [
        Retrieval(thing.found.id, thing.rank or 0, True, voices=_voices(thing, moment, near, 0.0))
        for thing in echoes
        if _is_covered(thing, in_view | injected)
    ]
    return Injection(tuple(items), tuple(sorted(woken, key=lambda one: one.rank or RANKS + 1)))


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
    def least_tokens(self) -> int:
        """An upper bound of its short line's tokens, as making that line takes 0.5 ms. Of a short pasted
        text, those of the whole: "here are the rules:" says nothing without them."""
        if self.found.foreign and (whole := estimate(self.text)) <= PASTED_TOKENS:
            return whole
        if self.memory is not None and self.memory.compressed:
            return estimate(self.memory.compressed)
        return LONGEST if not self.text.isascii() else estimate("x" * LONGEST)

    @property
    def line(self) -> str:
        if self.found.kind == "session":  # its heads would leave no room for what was talked about
            page = _SUMMARY.match(self.found.text)
            if page is not None:
                return compress(page["words"])
        own_words = testimony.own(self.text, testimony.clip(self.found.foreign, self.text)) or self.text
        if self.memory is None or not self.memory.compressed:
            return compress(own_words)
        return PERHAPS * (self.memory.status == UNCONFIRMED) + self.memory.compressed

    @property
    def weight(self) -> Weight:
        return NEW if self.memory is None else Weight(self.memory.alpha, self.memory.beta)


def _things(db: sqlite3.Connection, items: Sequence[Recalled], moment: Moment) -> list[_Thing]:
    """Return the found items and the memories associated with them."""
    semantic = injection.scale_scores([item.score for item in items])
    seeds = {refs.row(one.id): score for one, score in zip(items, semantic, strict=True) if one.kind == "memory"}
    reached = injection.spread(
        seeds, lambda memory: accesses.partners(db, memory, injection.PARTNERS_A_HOP), 2 if moment.drifting else 1
    )
    if moment.drifting:
        turn_ids = [refs.row(item.id) for item in items if item.kind == "turn"]
        about = [*seeds, *memories.list_by_turns(db, turn_ids)]
        for number, strength in concepts.find_associated(db, about, 2, now=moment.now, limit=ASSOCIATED):
            reached[number] = max(reached.get(number, 0.0), min(1.0, strength))
    memory_of = {one.id: one for one in memories.of_ids(db, sorted({*seeds, *reached}))}
    things = []
    for rank, (item, score) in enumerate(zip(items, semantic, strict=True), 1):
        memory = memory_of.get(refs.row(item.id)) if item.kind == "memory" else None
        if memory is not None and memory.unconfirmed == CONTRADICTED:
            continue  # most likely it is not so
        share = 0.0 if memory is None else reached.get(memory.id, 0.0)
        things.append(_make_thing(_omit_retracted(db, item), rank, memory, score, share))
    for number in sorted(reached.keys() - seeds.keys()):
        memory = memory_of.get(number)
        if memory is not None and memory.status == "active" and memory.valid_to is None:
            name = refs.name("memory", number)
            recalled = Recalled(name, "memory", memory.turn_ids, None, memory.created_at, None, memory.content, 0.0)
            things.append(_make_thing(recalled, None, memory, 0.0, reached[number]))
    return things


def _omit_retracted(db: sqlite3.Connection, item: Recalled) -> Recalled:
    """Remove facts from a session's page that were withdrawn after it was written."""
    if item.kind != "session":
        return item
    text = item.text
    for wrong in corrections.never_true(db, text):
        text = text.replace(wrong, PUT_RIGHT)
    return replace(item, text=text)


def _was_seen_whole(item: Recalled, in_view: AbstractSet[str]) -> bool:
    """Whether the model sees the item's whole text already."""
    if item.kind == "session" and item.turn_ids:
        return all(refs.name("turn", turn) in in_view for turn in item.turn_ids)
    return item.kind != "memory" and item.id in in_view


def _once(things: Sequence[_Thing], in_view: AbstractSet[str]) -> tuple[list[_Thing], list[_Thing]]:
    """Return the items to show, and those that would only repeat: facts in view, moments whose turn
    is shown. A turn that ranks below a moment quoting it takes over that moment's rank."""
    turn_names = {thing.found.id for thing in things if thing.found.kind == "turn"}
    echoes = [thing for thing in things if thing.rank is not None and _is_covered(thing, in_view | turn_names)]
    covered = {thing.found.id for thing in things if _is_covered(thing, in_view | turn_names)}
    quoted: dict[str, _Thing] = {}
    for thing in echoes:
        for turn in thing.found.turn_ids:
            quoted.setdefault(refs.name("turn", turn), thing)
    once = []
    for thing in things:
        if thing.found.id in covered:
            continue
        moment = quoted.get(thing.found.id)
        if moment is not None and moment.rank is not None and thing.rank is not None and moment.rank < thing.rank:
            thing = replace(thing, rank=moment.rank, semantic=max(thing.semantic, moment.semantic))
        once.append(thing)
    return once, [thing for thing in echoes if thing.rank is not None and thing.rank <= SLOTS]


def _is_covered(thing: _Thing, shown: AbstractSet[str]) -> bool:
    """Whether shown items say it already. Ended facts are repeated, with their end."""
    if thing.memory is None or thing.found.past or thing.memory.valid_to is not None:
        return False
    if thing.memory.category == MOMENT:
        return bool(thing.found.turn_ids) and all(refs.name("turn", turn) in shown for turn in thing.found.turn_ids)
    return thing.found.id in shown


def _make_thing(item: Recalled, rank: int | None, memory: Memory | None, semantic: float, co_access: float) -> _Thing:
    text = cut(DIALS.sub("", item.text), SESSION_TOKENS) if item.kind == "session" else cut(item.text, FULL_TOKENS)
    return _Thing(item, rank, memory, semantic, co_access, text)


def _voices(thing: _Thing, moment: Moment, near: Mapping[str, float], noise: float) -> dict[str, float]:
    share = moment.inertia.share
    return {
        "semantic": (1.0 - share) * thing.semantic + share * near.get(thing.found.id, 0.0),
        "co_access": thing.co_access,
        "noise": noise,
        "emotion": 0.0 if thing.memory is None else injection.congruence(thing.memory.feelings, moment.present),
        "recency": recency(thing.found.at, moment.now),
    }


def _make_shown(thing: _Thing, place: Placed) -> Shown:
    memory = thing.memory
    line = None if place.in_full else thing.line
    return Shown(
        id=thing.found.id,
        text=thing.text,
        speaker=thing.found.speaker or "",
        at=thing.found.at,
        score=thing.found.score,
        line=None if line == thing.text else line,
        until=thing.found.valid_to if memory is None else memory.valid_to,
        past=thing.found.past or (memory is not None and memory.valid_to is not None),
        foreign=testimony.clip(thing.found.foreign, thing.text),
    )


def _with_neighbours(
    db: sqlite3.Connection, items: Sequence[Shown], in_view: AbstractSet[str], budget: int
) -> list[Shown]:
    """Add the turns directly before and after each injected turn, best first, within the budget."""
    shown_ids = {*in_view, *(item.id for item in items)}
    widened: list[Shown] = []
    for item in items:
        beside = []
        if refs.is_of(item.id, "turn") and item.line is None and budget > 0:
            for where, turn in zip(("before", "after"), turns.beside(db, refs.row(item.id)), strict=True):
                if turn is None or refs.name("turn", turn.id) in shown_ids:
                    continue
                words = testimony.render_marked(turn.text, turn.foreign, BESIDE_TOKENS, flat=True)
                cost = estimate(words) + LABEL_TOKENS // 2
                if cost <= budget:
                    budget -= cost
                    shown_ids.add(refs.name("turn", turn.id))
                    beside.append((where, turn.speaker, words))
        widened.append(replace(item, beside=tuple(beside)))
    return widened
