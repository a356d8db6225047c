"""Attention: with each message, and every 15 minutes without, all candidates compete and one wins.

A message is always answered first. A candidate with more salience is reported to the model once, so
that it can mention it. Salience also orders the thoughts in the prompt and, among equals,
unprompted messages. No model is asked; a message costs one or two milliseconds.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from furoshiki.conversation.acting.rules import attention
from furoshiki.conversation.acting.rules.attention import CONFIDENT, Around, Candidate, Source, Weighed
from furoshiki.conversation.acting.store import attention as store
from furoshiki.core import refs
from furoshiki.core.timestamps import stamp
from furoshiki.language.grounding.words import content_of
from furoshiki.language.tables.function_words import STOP_WORDS
from furoshiki.language.words import asks as has_question
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.store import gists
from furoshiki.memory.store.gists import Gist
from furoshiki.messages.store import turns
from furoshiki.messages.values import Turn
from furoshiki.owner.agenda.rules import mind_queue
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.owner.agenda.store import mind_queue as queue_store
from furoshiki.owner.agenda.store import tasks
from furoshiki.world import Report, World

RECENT = 8  # number of recent turns that a novel text must differ from

MOST_GOALS = 12
MOST_CANDIDATES = 24

LEAST_SAYING = 2  # minimum content words of a statement: "hm" and "all right" have fewer

# the source of a waiting thought by its kind; other kinds are passing thoughts
OF_KIND: dict[str, Source] = {
    "anticipation": "schedule",
    "reminder": "schedule",
    "reply_nudge": "schedule",
    "task_update": "schedule",
    "skill_result": "schedule",
    "delegation": "schedule",
    "question": "consolidation",
    "follow_up": "consolidation",
    "growth": "consolidation",
    "plugin": "plugin",
}


@dataclass(frozen=True)
class Attended:
    """The candidates when a message came, strongest first; a `drawn` one is reported."""

    weighed: tuple[Weighed, ...] = ()
    drawn: Weighed | None = None
    message: str = ""

    def in_order(self, waiting: Sequence[Waiting]) -> list[Waiting]:
        """Sort waiting thoughts by pressure, then salience; unchanged when attention is off."""
        drawing = {one.candidate.ref: round(one.salience, 3) for one in self.weighed}

        def key(item: Waiting) -> tuple[int, float]:
            return min(item.priority, attention.PRESSING_AS_IS), -drawing.get(refs.name("mind_queue", item.id), 0.0)

        return sorted(waiting, key=key) if drawing else list(waiting)

    @property
    def report(self) -> dict[str, str] | None:
        """Return the report for the model; None without one."""
        return None if self.drawn is None else {"text": self.drawn.candidate.text, "why": self.drawn.why}


NOT_PAID = Attended()  # attention is switched off


@dataclass(frozen=True)
class Asking:
    """The candidates besides a message, their history, and the current goals."""

    candidates: tuple[Candidate, ...] = ()
    known: Mapping[str, store.Held] = field(default_factory=dict)
    goals: tuple[frozenset[str], ...] = ()


def find_claims(
    world: World, db: sqlite3.Connection, waiting: Sequence[Waiting], gist: Sequence[Gist]
) -> Asking | None:
    """Return the current candidates; None when attention is off. Read-only."""
    if not world.settings.furoshiki_attention:
        return None
    others = _candidates(world, db, waiting, gist)
    return Asking(tuple(others), store.read_history(db, [candidate.ref for candidate in others]), tuple(_goals(db)))


def to_message(asks: Asking | None, percept: Percept, history: Sequence[Turn], in_place: Sequence[Waiting]) -> Attended:
    """Weigh a message against the candidates and those waiting thoughts that are `in_place`."""
    if asks is None:
        return NOT_PAID
    said = percept.own_text or percept.text
    content = _content(said)
    saying = content if len(content) >= LEAST_SAYING or has_question(said) else frozenset[str]()
    message = Candidate(percept.key, "user", CONFIDENT["user"], "", saying)
    kept = set(refs.names("mind_queue", (item.id for item in in_place)))
    others = [
        candidate
        for candidate in asks.candidates
        if candidate.ref in kept or not refs.is_of(candidate.ref, "mind_queue")
    ]
    recent = [_content(turn.text) for turn in history[-RECENT:]]
    # the present concern is the nearest goal
    around = Around(recent, [*asks.goals, saying], max(percept.signals.values(), default=0.0), saying)
    weighed = attention.cycle([message, *_join_losses(others, asks.known)], around)
    told = [ref for ref, one in asks.known.items() if one.told]
    return Attended(weighed, attention.find_stronger(weighed, percept.key, told), percept.key)


def paid(world: World, db: sqlite3.Connection, attended: Attended) -> None:
    """Record the result for a message, in the caller's transaction."""
    if not attended.weighed:
        return
    others = [one for one in attended.weighed if one.candidate.ref != attended.message]
    drawn = attended.drawn
    reason = "they wrote" if drawn is None else f"they wrote; {drawn.candidate.ref} drew more: {drawn.why}"
    store.had(db, attended.message, attended.message, reason, attended.weighed, world.now)
    store.keep(db, others, None if drawn is None else drawn.candidate.ref, world.now, told=True)
    queue_store.set_salience(db, _of_queue(others))


def attend(world: World) -> Report:
    """Without a message, determine which waiting thought comes first next time."""
    if not world.settings.furoshiki_attention:
        with world.database.write() as db:
            changed = queue_store.clear_salience(db)
        return Report(bool(changed), "attention is switched off")
    now = world.now
    with world.database.read() as db:
        waiting = [item for item in queue_store.unsaid(db, now) if item.not_before is None or item.not_before <= now]
        others = _candidates(world, db, waiting, gists.current(db, now))
        known = store.read_history(db, [candidate.ref for candidate in others])
        heard = turns.last_said(db, "user")
        recent = [] if heard is None else turns.recent(db, heard.channel, heard.chat_id, RECENT)
        around = Around([_content(turn.text) for turn in recent], _goals(db))
        before = store.last_winner(db)
    weighed = attention.cycle(_join_losses(others, known), around)
    winner = next((one for one in weighed if not one.let_go and one.salience > 0), None)
    ref = None if winner is None else winner.candidate.ref
    with world.database.write() as db:
        store.keep(db, weighed, ref, now)
        over = store.close_stale(db, [one.candidate.ref for one in weighed], now)
        queue_store.set_salience(db, _of_queue(weighed))
        if ref is not None and winner is not None and ref != before:
            store.had(db, f"tick:{stamp(now)}", ref, winner.why, weighed, now)
    summary = "nothing asks for attention" if ref is None else f"{ref} has the attention"
    return Report(ref != before, summary, {"asking": len(weighed), "over": over})


def _candidates(
    world: World, db: sqlite3.Connection, waiting: Sequence[Waiting], gist: Sequence[Gist]
) -> list[Candidate]:
    found = []
    for item in waiting[:MOST_CANDIDATES]:
        tag = OF_KIND.get(item.kind, "drift")
        name, about = refs.name("mind_queue", item.id), mind_queue.about(item)
        found.append(Candidate(name, tag, CONFIDENT[tag], item.summary, about - _SMALL, priority=item.priority))
    for thing in gist:
        if thing.source_tag == "drift":
            name = refs.name("gists", thing.id)
            found.append(Candidate(name, "drift", CONFIDENT["drift"], thing.text, _content(thing.text)))
    for task in tasks.due(db, world.now)[:MOST_GOALS]:
        name = refs.name("tasks", task.id)
        found.append(Candidate(name, "schedule", CONFIDENT["schedule"], task.title, _content(task.title)))
    return found


def _join_losses(candidates: Sequence[Candidate], known: Mapping[str, store.Held]) -> list[Candidate]:
    return [
        replace(candidate, lost=known[candidate.ref].lost) if candidate.ref in known else candidate
        for candidate in candidates
    ]


def _goals(db: sqlite3.Connection) -> list[frozenset[str]]:
    titles = [task.title for task in tasks.list_every_open(db, MOST_GOALS)]
    return [_content(text) for text in (*titles, *store.striven_for(db, MOST_GOALS))]


def _of_queue(weighed: Sequence[Weighed]) -> dict[int, float]:
    kept = [one for one in weighed if refs.is_of(one.candidate.ref, "mind_queue")]
    return {refs.row(one.candidate.ref): one.salience for one in kept}


_SMALL = content_of(" ".join(STOP_WORDS))


def _content(text: str) -> frozenset[str]:
    return content_of(text, _SMALL)
