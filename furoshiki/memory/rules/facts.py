"""Decide about a stated fact, given the stored ones: new, repeated, changed, corrected, or over.

A change keeps both facts, each for its time; a correction withdraws the old one; a fact of the past
is stored as ended. Messages that are read late neither undo newer facts nor restore corrected ones.
"""

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal

from furoshiki.language.facts import conflicts
from furoshiki.language.facts.extraction import USER
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.facts.words import PARTNERS
from furoshiki.language.grounding.words import DENIED_NOW, is_denied
from furoshiki.memory.rules.one_line import compress
from furoshiki.memory.rules.stated_facts import Told
from furoshiki.memory.values import Memory, NewMemory, Note
from furoshiki.recall.retrieval.values import UNCONFIRMED

Verdict = Literal["new", "again", "changed", "corrected", "past", "forgotten", "stranger", "unconfirmed", "denied"]

# two names this similar (difflib's ratio) are one that was misheard, if the user corrects it
MISHEARD = 0.6

# the initial importance of a fact, in [0, 1], by category
IMPORTANCE: Mapping[str, float] = {
    "health": 0.7,
    "addressing": 0.6,
    "family": 0.6,
    "relationship": 0.6,
    "location": 0.5,
    "employment": 0.5,
    "belief": 0.5,
    "plan": 0.4,
    "preference": 0.4,
    "skill": 0.4,
}

USUAL_IMPORTANCE = 0.3

MOVED = timedelta(days=1)  # the least difference of two times ahead for a plan to be moved

# a fact that is denied within this time after it was learned was a mistake
MISTAKEN = timedelta(hours=12)

_OPPOSITE = {"likes": "dislikes", "dislikes": "likes"}
_STATUS = "marital_status"
_TOGETHER = PARTNERS - {"ex"}


@dataclass(frozen=True)
class Held:
    """The stored memories that concern a note, oldest first.

    `forgotten`: the user had it forgotten after it was said. `worded` are memories with exactly the
    note's text, if it is not a fact. `facts` are all facts of its subject, ended ones too, by
    predicate (those of `predicates`). `people` are the user's current people and pets. `of` are
    current facts of others, by name (those of `names`). `replaced_at` is when a withdrawn fact was
    last replaced, by its id. `opposed` are the older facts that are the note's opposite, and when
    they were learned, by id.
    """

    forgotten: bool = False
    worded: Sequence[Memory] = ()
    facts: Mapping[str, Sequence[Memory]] = field(default_factory=dict)
    people: Sequence[Memory] = ()
    of: Mapping[str, Sequence[Memory]] = field(default_factory=dict)
    replaced_at: Mapping[int, datetime] = field(default_factory=dict)
    opposed: Mapping[int, datetime] = field(default_factory=dict)

    @property
    def doubted(self) -> list[Memory]:
        """Facts that are or were unconfirmed."""
        return [memory for some in (self.worded, *self.facts.values()) for memory in some if memory.unconfirmed]

    def now(self, predicates: Iterable[str]) -> list[Memory]:
        """Return the current facts of the note's subject with these predicates."""
        return sorted(
            (memory for name in predicates for memory in self.facts.get(name, ()) if memory.is_current),
            key=lambda m: m.id,
        )

    def once(self, predicate: str) -> list[Memory]:
        """Return the ended facts of the note's subject."""
        return [memory for memory in self.facts.get(predicate, ()) if memory.status == "superseded"]


@dataclass(frozen=True)
class Add:
    """Store a memory that replaces others and inherits from them; with `until` as ended, with
    `replaced_by` as replaced by another. `confirms` is an unconfirmed memory that it confirms."""

    memory: NewMemory
    replaces: tuple[int, ...] = ()
    until: datetime | None = None
    replaced_by: int | None = None
    confirms: int | None = None


@dataclass(frozen=True)
class Again:
    """A repetition: increase the weight and cite the new turn."""

    memory_id: int


@dataclass(frozen=True)
class Cite:
    """Cite the new turn without changing the weight."""

    memory_id: int
    at: datetime


@dataclass(frozen=True)
class Close:
    """End a fact at a time."""

    memory_id: int
    at: datetime


@dataclass(frozen=True)
class Withdraw:
    """Withdraw a fact as never true."""

    memory_id: int


@dataclass(frozen=True)
class LetGo:
    """Drop an unconfirmed fact because another is true."""

    memory_id: int


Action = Add | Again | Cite | Close | LetGo | Withdraw


@dataclass(frozen=True)
class Decision:
    """The verdict on a note, and the actions to take in this order."""

    verdict: Verdict
    actions: tuple[Action, ...] = ()


def is_fact(note: Note) -> bool:
    """Whether a note has a subject, predicate and object."""
    return bool(note.subject and note.predicate and note.object)


def predicates(note: Note) -> frozenset[str]:
    """Return the predicates to read: the note's own, its opposite, those it ends."""
    assert note.predicate
    alternatives = {note.predicate, _OPPOSITE.get(note.predicate, note.predicate)}
    if note.subject == USER and (note.predicate in _TOGETHER or _is_separation(note)):
        alternatives |= {_STATUS, *_TOGETHER}
    return frozenset(alternatives)


def asks_for_people(note: Note) -> bool:
    """Whether the user's people and pets must be read for this fact."""
    return conflicts.is_death(note.predicate, note.object)


def names(claim: Told, knowledge: Held) -> frozenset[str]:
    """Return the people whose facts must be read: dead, or with a misheard name."""
    note = claim.note
    assert note.subject and note.predicate
    if conflicts.is_death(note.predicate, note.object):
        return frozenset(
            {note.subject, *(memory.object for memory in _find_called(note.subject, knowledge) if memory.object)}
        )
    if note.predicate in RELATIONS and (claim.corrects or claim.instead is not None):
        return frozenset(memory.object for memory in knowledge.now([note.predicate]) if memory.object)
    return frozenset()


def find_corrected(note: Note, knowledge: Held) -> list[int]:
    """Return the ids of facts that say the same and were corrected."""
    assert note.predicate
    return [
        memory.id
        for memory in knowledge.facts.get(note.predicate, ())
        if memory.status == "archived" and memory.valid_to is not None and conflicts.same(memory.object, note.object)
    ]


def decide(claim: Told, knowledge: Held, now: datetime) -> Decision:
    """Decide about a note.

    "forgotten": the user had it forgotten after these messages; "stranger": an unknown person died;
    "denied": the user denied it about the same messages. Then nothing is done. "unconfirmed": it is
    stored apart and changes no other fact.
    """
    if knowledge.forgotten:
        return Decision("forgotten")
    doubts = [memory for memory in knowledge.doubted if _tells(memory, claim.note)]
    if any(
        memory.status == "archived" and memory.valid_to and set(claim.turn_ids) <= set(memory.turn_ids)
        for memory in doubts
    ):
        return Decision("denied")
    waits = next((memory for memory in doubts if memory.status == UNCONFIRMED), None)
    if claim.unconfirmed is not None:
        return _in_doubt(claim, knowledge, waits)
    decision = _decide_fact(claim, knowledge, now)
    actions: list[Action] = [LetGo(memory.id) for memory in knowledge.doubted if _cannot_be_beside(memory, claim)]
    for action in decision.actions:
        if waits is not None and isinstance(action, Add) and action.memory.content == claim.note.text:
            action = replace(action, confirms=waits.id)
        actions.append(action)
    closed = {action.memory_id for action in actions if isinstance(action, Close)}
    for memory_id, learned in knowledge.opposed.items():
        if memory_id not in closed:
            mistaken = _was_mistake(claim, learned)
            actions.append(Withdraw(memory_id) if mistaken else Close(memory_id, claim.said_at))
    return Decision(decision.verdict, tuple(actions))


def _was_mistake(claim: Told, learned: datetime) -> bool:
    """Whether a denied fact was never true, rather than over by now: it was learned a moment ago."""
    text = claim.note.text
    if claim.note.category == "plan" or DENIED_NOW.search(text):
        return False
    return claim.said_at - learned < MISTAKEN and is_denied(text)


def _tells(memory: Memory, note: Note) -> bool:
    """Whether a memory says the same as the note."""
    return not is_fact(note) or (memory.predicate == note.predicate and conflicts.same(memory.object, note.object))


def _cannot_be_beside(memory: Memory, claim: Told) -> bool:
    """Whether an unconfirmed memory is incompatible with the stated fact, or says the same of the
    same messages in other words."""
    note = claim.note
    if memory.status != UNCONFIRMED or claim.past or not is_fact(note) or memory.predicate != note.predicate:
        return False
    again = set(memory.turn_ids) <= set(claim.turn_ids) and _is_of(memory.object, note.object)
    return again or conflicts.ends(note.predicate, memory.object, note.object)


def _in_doubt(claim: Told, knowledge: Held, waits: Memory | None) -> Decision:
    note = claim.note
    memories = [memory for memory in knowledge.worded if memory.is_current]
    if is_fact(note):
        assert note.subject and note.predicate
        memories = _same(knowledge.now([note.predicate]), note)
        if _is_death_of_stranger(note, knowledge):
            return Decision("stranger")
    if memories or waits is not None:
        return Decision("again" if memories else "unconfirmed")
    return Decision("unconfirmed", (Add(_new(claim), until=(claim.until or claim.said_at) if claim.past else None),))


def _is_death_of_stranger(note: Note, knowledge: Held) -> bool:
    """Whether the note reports the death of a person not known so far."""
    if note.subject is None or note.subject in RELATIONS or not conflicts.is_death(note.predicate, note.object):
        return False
    return not _is_known(note.subject, knowledge)


def _decide_fact(claim: Told, knowledge: Held, now: datetime) -> Decision:
    note = claim.note
    if not is_fact(note):
        current = next((memory for memory in knowledge.worded if memory.is_current), None)
        return _again(claim, current) if current else Decision("new", (Add(_new(claim)),))
    assert note.subject and note.predicate
    if _is_death_of_stranger(note, knowledge):
        return Decision("stranger")
    if claim.past:
        return _over(claim, knowledge)
    return _decide_repeat(claim, knowledge, now) or _so_now(claim, knowledge)


def _over(claim: Told, knowledge: Held) -> Decision:
    """Decide about a fact that is over: end the current fact, or store it as ended."""
    note, until = claim.note, claim.until or claim.said_at
    assert note.predicate
    as_well = _TOGETHER if note.subject == USER and note.predicate in _TOGETHER else frozenset({note.predicate})
    held = knowledge.now(as_well)
    of_dose = [one for one in held if note.category == one.category == "health" and _is_of(one.object, note.object)]
    for memory in _same(held, note) or of_dose:
        return Decision("changed", (Close(memory.id, until), Cite(memory.id, claim.said_at)))
    for memory in _same(knowledge.once(note.predicate), note):
        return Decision("again", (Cite(memory.id, claim.said_at),))
    return Decision("past", (Add(_new(claim), until=until),))


def _is_of(held: str | None, told: str | None) -> bool:
    """Whether one of two objects names all that the other does."""
    return conflicts.is_part(told, held) or conflicts.is_part(held, told)


def _decide_repeat(claim: Told, knowledge: Held, now: datetime) -> Decision | None:
    """Decide about a repeated fact; earlier messages that are read late change nothing."""
    note = claim.note
    assert note.predicate
    for memory in _same(knowledge.now([note.predicate]), note):
        if _is_moved(claim, memory):
            return Decision("changed", (Close(memory.id, claim.said_at), Add(_new(claim), replaces=(memory.id,))))
        return _again(claim, memory)
    for memory in _same(knowledge.once(note.predicate), note):
        if (memory.valid_to is not None and claim.said_at < memory.valid_to) or _rests_on(claim, memory):
            return Decision("again", (Cite(memory.id, now),))
    mistakes = set(find_corrected(note, knowledge))
    for memory in knowledge.facts.get(note.predicate, ()):
        righted = knowledge.replaced_at.get(memory.id)
        if memory.id in mistakes and (_rests_on(claim, memory) or (righted is not None and claim.said_at < righted)):
            return Decision("again")
    return None


def _is_moved(claim: Told, memory: Memory) -> bool:
    """Whether something that lies ahead is now on another day: "the 12th of January instead"."""
    old, new = memory.event_time, claim.event_time
    if old is None or new is None or memory.immutable or (memory.valid_from or claim.said_at) > claim.said_at:
        return False
    return min(old, new) > claim.said_at and abs(old - new) >= MOVED


def _so_now(claim: Told, knowledge: Held) -> Decision:
    """Decide about a fact that holds from now on: end incompatible facts, withdraw wrong ones."""
    note = claim.note
    assert note.predicate
    rivals = knowledge.now([note.predicate])
    if (opposite := _OPPOSITE.get(note.predicate)) is not None:
        rivals += _same(knowledge.now([opposite]), note)
    actions: list[Action] = []
    memories: list[Memory] = []
    for memory in rivals:
        if memory.immutable:
            continue
        if _puts_right(claim, memory):
            actions.append(Withdraw(memory.id))
        elif memory.predicate == note.predicate and not _ends(memory, note):
            continue
        elif memory.valid_from is not None and claim.said_at < memory.valid_from:
            # said before a newer known fact, and read only later: it was over by then
            return Decision("past", (*actions, Add(_new(claim), until=memory.valid_from, replaced_by=memory.id)))
        else:
            actions.append(Close(memory.id, claim.since))
        memories.append(memory)
    corrected = any(isinstance(action, Withdraw) for action in actions)
    ids = tuple(memory.id for memory in memories)
    actions.append(Add(_new(claim), replaces=ids))
    over = [
        Close(memory.id, claim.times.at or claim.since)
        for memory in _ends_with(claim, knowledge)
        if memory.id not in ids
    ]
    actions += over
    if corrected and note.predicate in RELATIONS:
        actions += _list_renames(claim, knowledge, memories, {*ids, *(close.memory_id for close in over)})
    return Decision("corrected" if corrected else "changed" if ids or over else "new", tuple(actions))


def _ends(memory: Memory, note: Note) -> bool:
    """Whether a fact of the same predicate ends another: by its kind, or as the same sentence with
    another figure ("Rosa owes them 1,800", "Rosa owes them 1,700")."""
    if conflicts.ends(note.predicate, memory.object, note.object):
        return True
    old, new = (_FIGURE.sub("#", text.casefold()) for text in (memory.content, note.text))
    counted = all(_FIGURE.search(one or "") for one in (memory.object, note.object))
    return old == new and counted and note.category != "plan" and not conflicts.same(memory.object, note.object)


_FIGURE = re.compile(r"\d[\d.,:]*\d|\d")


def _ends_with(claim: Told, knowledge: Held) -> list[Memory]:
    """Return other facts that this one ends: a dead person's, or "single" by a partner."""
    note = claim.note
    assert note.subject and note.predicate
    if conflicts.is_death(note.predicate, note.object):
        own = [memory for name in sorted(knowledge.of) for memory in knowledge.of[name] if memory.predicate != "is"]
        ended = [*own, *_find_called(note.subject, knowledge)]
    elif note.subject != USER:
        return []
    elif _is_separation(note):
        ended = knowledge.now(_TOGETHER)
    elif note.predicate in _TOGETHER:
        ended = [memory for memory in knowledge.now([_STATUS]) if (memory.object or "").casefold() == "single"]
    else:
        return []
    return [
        memory
        for memory in ended
        if not memory.immutable and (memory.valid_from is None or memory.valid_from <= claim.said_at)
    ]


def _list_renames(
    claim: Told, knowledge: Held, wrong: Sequence[Memory], ended_ids: Collection[int]
) -> Iterator[Action]:
    """Yield the actions that move facts of a misheard name to the right name."""
    handled_ids = set(ended_ids)
    for name in (memory.object for memory in sorted(wrong, key=lambda one: one.id)):
        for memory in knowledge.of.get(name, ()) if name else ():
            if memory.immutable or memory.id in handled_ids:
                continue
            handled_ids.add(memory.id)
            yield Withdraw(memory.id)
            yield Add(_under_right_name(claim, memory, name or ""), replaces=(memory.id,))


def _under_right_name(claim: Told, memory: Memory, wrong: str) -> NewMemory:
    assert claim.note.object is not None
    content = memory.content.replace(wrong, claim.note.object)
    return NewMemory(
        type=memory.type,
        content=content,
        turn_ids=(*memory.turn_ids, *claim.turn_ids),
        source_tag=memory.source_tag,
        subject=claim.note.object,
        predicate=memory.predicate,
        object=memory.object,
        category=memory.category,
        valid_from=memory.valid_from,
        event_time=memory.event_time,
        confidence=memory.confidence,
        compressed=compress(content),
        importance=memory.importance,
    )


def _new(claim: Told) -> NewMemory:
    note = claim.note
    unbounded = claim.past and claim.times.since is None and claim.times.at is None
    return NewMemory(
        type=note.type,
        content=note.text,
        turn_ids=claim.turn_ids,
        source_tag=claim.source_tag,
        subject=note.subject,
        predicate=note.predicate,
        object=note.object,
        category=note.category,
        valid_from=None if unbounded else claim.since,
        event_time=claim.event_time,
        confidence=claim.confidence,
        compressed=compress(note.text),
        importance=IMPORTANCE.get(note.category or "", USUAL_IMPORTANCE),
        metadata={"until": "unknown"} if claim.past and claim.until is None else None,
        unconfirmed=claim.unconfirmed,
    )


def _again(claim: Told, memory: Memory) -> Decision:
    """Count a repeated fact again, unless the same turns are read twice."""
    return Decision("again", () if _rests_on(claim, memory) else (Again(memory.id),))


def _rests_on(claim: Told, memory: Memory) -> bool:
    return set(claim.turn_ids) <= set(memory.turn_ids)


def _puts_right(claim: Told, memory: Memory) -> bool:
    """Whether the held fact was never true: its object was denied, or a name was misheard."""
    note = claim.note
    if memory.predicate != note.predicate or memory.object is None or note.object is None:
        return False
    if claim.instead is not None:
        return conflicts.same(claim.instead, memory.object)
    is_name = note.predicate in RELATIONS or note.predicate == "name"
    alike = difflib.SequenceMatcher(None, memory.object.casefold(), note.object.casefold()).ratio()
    return claim.corrects and is_name and alike >= MISHEARD


def _is_separation(note: Note) -> bool:
    return note.predicate == _STATUS and (note.object or "").casefold() in conflicts.ENDS_PARTNERSHIP


def _is_known(name: str, knowledge: Held) -> bool:
    return bool(knowledge.of.get(name) or _find_called(name, knowledge))


def _find_called(name: str, knowledge: Held) -> list[Memory]:
    """Return the user's people and pets by name; for a relation ("cat") the only one."""
    if name in RELATIONS:
        of_kind = [memory for memory in knowledge.people if memory.predicate == name]
        return of_kind if len(of_kind) == 1 else []
    return [memory for memory in knowledge.people if conflicts.same(memory.object, name)]


def _same(memories: Iterable[Memory], note: Note) -> list[Memory]:
    """Return the memories with the same object or the same text."""
    return [memory for memory in memories if memory.content == note.text or conflicts.same(memory.object, note.object)]
