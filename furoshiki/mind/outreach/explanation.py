"""Explain from stored decisions and current gates why messages were sent or held."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from furoshiki.core import refs
from furoshiki.core.catalogue import say
from furoshiki.core.errors import BadSetting
from furoshiki.core.refs import Ref
from furoshiki.messages.store import turns
from furoshiki.messages.values import USER
from furoshiki.mind.inner_life.store import self_questions
from furoshiki.mind.outreach import addressee, gate_inputs, laws, pulse
from furoshiki.mind.outreach.rules import explaining
from furoshiki.mind.outreach.sending import as_rows
from furoshiki.mind.outreach.store import decisions
from furoshiki.mind.outreach.store.decisions import Decision, Verdict
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.owner.user_model.store import anticipations
from furoshiki.world import World

LOOKED_BACK = timedelta(days=7)  # how far back dropped messages are reported

MOST_LET_GO = 5

LONG_AGO = timedelta(days=90)  # how long decisions are stored


@dataclass(frozen=True)
class Said:
    """An unprompted message. `about` is the thought behind it ("" when deleted); `rests_on` names
    its sources ("turn:12", "memory:3")."""

    decision: Decision
    text: str
    turn_key: str | None
    about: str
    rests_on: tuple[str, ...]


@dataclass(frozen=True)
class Held:
    """A waiting item. `gate` holds it for the reason `why`, until `until` at the earliest (None:
    not a matter of time). Without a gate, the next pass may say it."""

    item_id: int
    kind: str
    priority: int
    about: str
    source: str
    gate: str | None
    why: str
    until: datetime | None
    gates: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Short:
    """A summary: the last unprompted message, the number of waiting items, of unanswered messages
    in a row, and the gate that holds the first item."""

    last: Said | None
    waiting: int
    unanswered: int
    held_by: str | None


@dataclass(frozen=True)
class LetGo:
    """An item that was dropped, and the reason."""

    at: datetime
    kind: str
    about: str
    why: str


def last(world: World) -> Said | None:
    """Return the last message that was not an answer; None when there is none or it is deleted."""
    with world.database.read() as db:
        decision = next((one for one in decisions.newest(db, 20, "sent") if one.turn_id is not None), None)
        return None if decision is None else _find_message(db, decision)


SETTINGS = "settings"  # stands for a gate's name when an invalid settings file prevents all checks


def in_short(world: World) -> Short:
    """Summarise the state of unprompted messages."""
    waits, _ = try_list_held(world)
    with world.database.read() as db:
        sent = decisions.list_sent(db, world.now - LONG_AGO)
        heard = gate_inputs.find_last_sign(db)
        return Short(
            last=_find_message(db, sent[0]) if sent else None,
            waiting=len(waits),
            unanswered=sum(heard is None or decision.at > heard for decision in sent),
            held_by=waits[0].gate if waits else None,
        )


def _find_message(db: sqlite3.Connection, decision: Decision) -> Said | None:
    turn = turns.get(db, decision.turn_id)
    if turn is None:
        return None
    return Said(decision, turn.text, turn.turn_key, _about(db, decision), rests_on(db, decision.source or ""))


def list_held(world: World) -> list[Held]:
    """Return all waiting items in their sending order, with the gate that holds each.

    The owner's present message is ignored: it would hold everything.
    """
    now, found_laws, beat = world.now, laws.current(world), world.state.heartbeat()
    with world.database.read() as db:
        to = addressee.of_owner(world, db)
        if to is None:
            nowhere = say("there is no chat I could write to")
            return [_make_held(item, "channel", nowhere) for item in mind_queue.unsaid(db, now)]
        here = replace(gate_inputs.moment(world, db, beat, to, found_laws), heard_at=gate_inputs.find_last_sign(db))
        found = []
        for judged in pulse.judge_waiting(db, here, found_laws):
            look, rows = judged.holding, as_rows(judged.seen)
            if look is None:
                free = say("nothing holds it back: the next check may say it")
                found.append(_make_held(judged.item, None, free, gates=rows))
            else:
                seen = next(row for row in rows if row["gate"] == look.gate)
                found.append(_make_held(judged.item, look.gate, explaining.holds(seen), look.until, rows))
        known = {one.item_id for one in found}
        for item in mind_queue.unsaid(db, now):
            if item.id not in known:
                found.append(_make_held(item, "time", _put_off(db, item.id), item.not_before))
        return found


def try_list_held(world: World) -> tuple[list[Held], str | None]:
    """Return `list_held`; if a settings file is invalid, all items with its error."""
    try:
        return list_held(world), None
    except BadSetting as error:
        with world.database.read() as db:
            return [_make_held(item, SETTINGS, str(error)) for item in mind_queue.unsaid(db, world.now)], str(error)


def let_go(world: World) -> list[LetGo]:
    """Return recently dropped items, newest first."""
    with world.database.read() as db:
        return [
            LetGo(
                decision.last_at,
                decision.kind,
                _about(db, decision),
                explaining.describe_hold(decision.gate, decision.reason, decision.gates),
            )
            for decision in decisions.newest(db, MOST_LET_GO, "dropped")
            if world.now - decision.last_at <= LOOKED_BACK
        ]


@dataclass(frozen=True)
class Decided:
    """A decision, its topic and the message it led to; both "" when deleted or absent."""

    decision: Decision
    about: str
    text: str


def list_decisions(
    world: World,
    limit: int,
    verdict: Verdict | None = None,
    kind: str | None = None,
    before: tuple[str, int] | None = None,
) -> list[Decided]:
    """Return decisions of a verdict and a kind (or all) older than `before`, latest first."""
    with world.database.read() as db:
        found = []
        for decision in decisions.newest(db, limit, verdict, kind, before):
            turn = turns.get(db, decision.turn_id)
            found.append(Decided(decision, _about(db, decision), "" if turn is None else turn.text))
        return found


def rests_on(db: sqlite3.Connection, source: str) -> tuple[str, ...]:
    """Return the names of the turns, memories and sessions behind a thought's source."""
    ref = Ref.parse(source)
    if ref is None:
        return ()
    if ref.kind in ("turn", "memory", "session"):
        return (str(ref),)
    if ref.kind == "sessions":
        return (refs.name("session", ref.id),)
    if ref.row is None:
        return ()
    match ref.kind:
        case "memories":
            return (refs.name("memory", ref.row),)
        case "anticipations":
            expected = anticipations.get(db, ref.row)
            return () if expected is None else tuple(refs.names("turn", expected.cited))
        case "tasks":
            task = tasks.get(db, ref.row)
            if task is not None and task.list_id == tasks.REPLY_QUEUE:  # a question that the companion asked
                return (refs.name("turn", int(task.metadata["turn"])),)
            key = tasks.find_asking_turn(db, ref.row)
            asked = [] if key is None else [turn for turn in turns.of_key(db, key) if turn.speaker == USER]
            return tuple(refs.names("turn", (turn.id for turn in asked)))
        case "self_questions":
            question = self_questions.get(db, ref.row)
            behind = None if question is None else Ref.parse(question.source)
            return () if behind is None or behind.kind == "self_questions" else rests_on(db, str(behind))
        case _:
            return ()


def _about(db: sqlite3.Connection, decision: Decision) -> str:
    if decision.item_id is not None:
        item = mind_queue.get(db, decision.item_id)
        return "" if item is None else item.summary
    ref = Ref.parse(decision.source or "")
    task = tasks.get(db, ref.row) if ref is not None and ref.kind == "tasks" and ref.row is not None else None
    return "" if task is None else task.title


def _put_off(db: sqlite3.Connection, item_id: int) -> str:
    before = decisions.of_item(db, item_id)
    if before is None:
        return say("it isn't time yet")
    if before.verdict == "sent":
        return say("you wanted to hear it again later")
    return explaining.describe_hold(before.gate, before.reason, before.gates)


def _make_held(
    item: Waiting, gate: str | None, why: str, until: datetime | None = None, gates: Sequence[Mapping[str, Any]] = ()
) -> Held:
    return Held(item.id, item.kind, item.priority, item.summary, item.source, gate, why, until, gates)
