"""One more line in a conversation that has gone quiet, where the owner wants it.

An answer sets a timer, whose length depends on mood. Any message in the meantime cancels it, even
while the model is thinking. When it is due, the gates are checked, then a small model is asked (it
mostly adds nothing), then novelty. It never follows itself.
"""

import sqlite3
from dataclasses import dataclass
from datetime import timedelta

from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, speaking
from furoshiki.core.errors import AnswerUnusable, NoMindAnswered
from furoshiki.core.process.crash_points import point
from furoshiki.language import nlp, testimony
from furoshiki.language.humanize import describe_moment
from furoshiki.language.reflex.care.weighing import weighs
from furoshiki.messages.store import inbox, turn_journal, turns
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.mind.inner_life import standing_prompt
from furoshiki.mind.outreach import addressee, gate_inputs, laws
from furoshiki.mind.outreach.addressee import Address
from furoshiki.mind.outreach.rules import gates
from furoshiki.mind.outreach.rules.gates import Candidate, Look, Moment
from furoshiki.mind.outreach.rules.laws import Continuity, OutreachLaws
from furoshiki.mind.outreach.sending import as_rows, say
from furoshiki.mind.outreach.store import continuity as timers
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.continuity import Timer
from furoshiki.mind.outreach.store.decisions import NewDecision, Verdict
from furoshiki.mind.outreach.voice import Worded
from furoshiki.models.llm.background import patiently
from furoshiki.models.llm.values import Question
from furoshiki.owner.user_model import user
from furoshiki.owner.user_model.store import danger
from furoshiki.world import World

# how long after its time a line may still be sent; later it no longer fits the conversation
TOO_LATE = timedelta(minutes=10)

SHOWN_TURNS = 12
LINE_TOKENS = 150
HEAVY_FOR = timedelta(hours=1)  # how long a feeling found in a message counts as heavy

# sources of answers that get no follow-up: the built-in mind has nothing to add
NO_MIND = (("local", "reflex"), ("none", "none"))

NOTHING = "there was nothing to add"


def arm(world: World, turn_key: str) -> bool:
    """Set the timer after a model's answer to the owner; return False when none is to be set."""
    found = laws.current(world).continuity
    if not found.enabled or world.who.place is not None:
        return False
    beat = world.state.heartbeat().emotions
    mood = Mood(beat.excitement, beat.affection, beat.loneliness)
    with world.database.write() as db:
        entry = turn_journal.find_last_committed(db)
        said = [turn for turn in turns.of_key(db, turn_key) if turn.speaker == COMPANION]
        if entry is None or entry.turn_key != turn_key or not said or said[-1].kind != "text":
            return False
        if (entry.answer.get("provider"), entry.answer.get("model")) in NO_MIND or entry.answer.get("asks"):
            return False
        last, to = said[-1], addressee.of_owner(world, db)
        if to is None or (to.channel, to.chat_id) != (last.channel, last.chat_id):
            return False
        due = world.now + delay_after(mood, found)
        timers.set_(
            db, Timer(last.id, turn_key, last.channel, last.chat_id, gate_inputs.find_last_sign(db), due), world.now
        )
    point("continuity.armed")
    return True


def is_due(world: World) -> Timer | None:
    """Return the timer that is due. Deletes a timer that was overtaken or is too late."""
    with world.database.read() as db:
        timer = timers.get(db)
        if timer is None or (world.now < timer.due and _goes_on(db, timer)):
            return None
        lives = _goes_on(db, timer) and world.now - timer.due <= TOO_LATE
    if lives:
        return timer
    with world.database.write() as db:
        timers.end(db, timer.turn_id)
    return None


async def follow(world: World, timer: Timer) -> bool:
    """Send one more line if no gate holds it and the model has something to add; True when sent."""
    found = laws.current(world)
    if not found.continuity.enabled:
        _end(world, timer, "held", "switched off", ())
        return False
    scene = _scene(world, timer)
    beat = world.state.heartbeat()
    with world.database.read() as db:
        here = gate_inputs.moment(world, db, beat, scene.to, found)
    seen = gates_at(here, found, scene.goodbye, scene.heavy)
    holding = gates.find_hold(seen)
    if holding is not None:
        _end(world, timer, "held", f"{holding.value} beside {holding.limit}", seen, holding.gate)
        return False
    words = await _words(world, scene, timer)
    point("continuity.worded")
    if words is None:
        _end(world, timer, "dropped", NOTHING, seen)
        return False
    look = gates.novel(gate_inputs.likeness(world, words.text, world.now - found.same_within), KIND, found)
    if not look.passed:
        _end(world, timer, "held", f"{look.value} beside {look.limit}", (*seen, look), look.gate)
        return False
    return _send(world, timer, scene.to, words, (*seen, look))


@dataclass(frozen=True)
class _Scene:
    """The conversation: its last messages, and whether it ended in a goodbye or a heavy topic."""

    to: Address
    shown: tuple[Turn, ...]
    clock: str
    name: str | None
    goodbye: bool
    heavy: bool


@speaking(ENGLISH)
def _scene(world: World, timer: Timer) -> _Scene:
    now = world.now
    with world.database.read() as db:
        shown = tuple(turns.recent(db, timer.channel, timer.chat_id, SHOWN_TURNS))
        heard = [turn for turn in turns.of_key(db, timer.turn_key) if turn.speaker == USER]
        weighed_at = gate_inputs.find_weighed(db, now - HEAVY_FOR)
        name, zone = user.name(db), user.zone(world, db)
        in_danger = danger.find_current(db, now) is not None
    weight = in_danger or weighed_at is not None or weighs(shown, world.care, now) is not None
    goodbye = any(nlp.read(turn.own, world.lexicon).farewell for turn in heard)
    to = Address(timer.channel, timer.chat_id)
    return _Scene(to, shown, describe_moment(now, zone), name, goodbye, weight)


async def _words(world: World, scene: _Scene, timer: Timer) -> Worded | None:
    """Return the line that a small model adds; None when it adds nothing or no model answers."""
    from furoshiki.mind.outreach.forms import OneLineMore

    who, companion = standing_prompt.identity(world, "turn/who"), world.settings.furoshiki_companion_name
    instructions = world.prompts.render("outreach/continuity", companion=companion)
    lines = [
        f"[{companion if one.speaker == COMPANION else scene.name or 'they'}] "
        f"{testimony.render_marked(one.text, one.foreign, LINE_TOKENS, flat=True)}"
        for one in scene.shown
    ]
    system, key = f"{who}\n\n{instructions}", refs.name("turn", timer.turn_id)
    shown = world.prompts.render("outreach/silence", clock=scene.clock, lines=lines)
    question = Question.of(
        "micro", "continuity", system, shown, OneLineMore, max_tokens=250, timeout_s=30.0, turn_key=key
    )
    try:
        answer = await patiently(world, question, world.now)
    except (AnswerUnusable, NoMindAnswered):
        return None
    line = " ".join((answer.parsed.line or "").split())
    if not line or (answer.provider, answer.model) in NO_MIND:
        return None
    return Worded(line, answer.provider, answer.model)


def _send(world: World, timer: Timer, to: Address, words: Worded, seen: tuple[Look, ...]) -> bool:
    """Send the line unless a message came or went. Ends the timer in the same transaction."""
    now = world.now
    with world.database.write() as db:
        goes_on = _goes_on(db, timer)
        if not timers.end(db, timer.turn_id) or not goes_on:
            return False
        reason = f"the conversation had gone quiet; in the words of {words.provider}:{words.model}"
        decision = NewDecision(KIND, PRIORITY, "sent", reason, gates=as_rows(seen))
        say(db, decision, to, words.text, world.shape(to.channel, words.text, frozenset()), now, kind=KIND)
        point("continuity.said")
    point("continuity.sent")
    return True


def _goes_on(db: sqlite3.Connection, timer: Timer) -> bool:
    """Return whether no message came or went since the answer."""
    last = turns.last_said(db, COMPANION)
    heard = gate_inputs.find_last_sign(db)
    return not inbox.count_pending(db) and heard == timer.heard_at and last is not None and last.id == timer.turn_id


def _end(
    world: World, timer: Timer, verdict: Verdict, reason: str, seen: tuple[Look, ...], gate: str | None = None
) -> None:
    with world.database.write() as db:
        if timers.end(db, timer.turn_id):
            new = NewDecision(KIND, PRIORITY, verdict, reason, gate=gate, gates=as_rows(seen))
            decisions.record(db, new, world.now)


# -- the delay and the gates --


PRIORITY = 4  # the priority of such a line: low, so every gate can hold it

KIND = "continuity"

_LINE = Candidate(0, KIND, PRIORITY)


@dataclass(frozen=True)
class Mood:
    """The feelings that make the companion write again; each in [0, 1]."""

    excitement: float
    affection: float
    loneliness: float


def delay_after(mood: Mood, laws: Continuity) -> timedelta:
    """Return the delay: shorter the more excited, affectionate or lonely the companion is."""
    stirred = min(1.0, max(0.0, mood.excitement, mood.affection, mood.loneliness))
    return laws.longest - (laws.longest - laws.shortest) * stirred


def gates_at(moment: Moment, laws: OutreachLaws, goodbye: bool, heavy: bool) -> tuple[Look, ...]:
    """Return the gates' findings: quiet hours and wishes, mood, room, goodbye, heavy topic."""
    return (
        gates.quiet_hours(_LINE, moment, laws),
        gates.mood(_LINE, moment, laws),
        gates.room(_LINE, moment, laws),
        Look("goodbye", not goodbye, "said" if goodbye else "not said", "not said"),
        Look("heavy", not heavy, "said" if heavy else "not said", "not said"),
    )
