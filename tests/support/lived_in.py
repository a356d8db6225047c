"""A companion that has been lived with for a month, in rows: every page of the dashboard has something to show.

The days are seen from the world's clock. Some words are hostile on purpose: they must be shown as they are.
"""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from furoshiki.app.scheduler.store import runs
from furoshiki.core.database.rows import dump, insert
from furoshiki.core.timestamps import stamp
from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.memory.store import links, memories
from furoshiki.memory.values import NewMemory
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, NewTurn
from furoshiki.mind.inner_life.store import monologue, self_questions
from furoshiki.mind.inner_life.store.monologue import Passage
from furoshiki.mind.outreach.store import decisions, kinds
from furoshiki.owner.agenda.store import mind_queue, tasks
from furoshiki.world import World

HOSTILE = "<script>alert('hello')</script>"

_TALK = (
    ("The allotment is frozen over, I cannot dig today.", "Then let it rest. The garlic likes the cold, as you said."),
    ("Marta calls on Sunday about the boat.", "I keep it in mind. Do you want me to remind you on Saturday evening?"),
    ("I slept badly again.", "That is the third night. Is it the noise, or the thing with your brother?"),
    (f"What does {HOSTILE} mean?", "It is a piece of JavaScript: on a careless page it would open a box."),
    ("Good news: I got the workshop!", "You got it! Tell me who called, and what you said first."),
)
_FACTS = (
    "You have an allotment by the river, the third one from the gate.",
    "Marta, your sister, restores wooden boats in Setúbal.",
    "You sleep badly when the wind comes from the north.",
    "You rented a workshop in Rua das Flores from the first of December on.",
    f"A plugin once called itself {HOSTILE}.",
    "You would rather be asked than advised.",
)


def lived_in(world: World) -> World:
    """Fill the world of a test; returns it."""
    with world.database.write() as db:
        _said(db, world.now)
        _known(db, world.now)
        _minded(db, world.now)
        _decided(db, world.now)
        _ran(db, world.now)
        _felt(db, world.now)
    world.state.change(lambda beat: replace(beat, emotions=replace(beat.emotions, joy=0.62, worry=0.2)))
    return world


def _said(db: sqlite3.Connection, now: datetime) -> None:
    for day in range(30, 0, -1):
        question, answer = _TALK[day % len(_TALK)]
        at = now - timedelta(days=day, hours=2)
        key = f"inbox:{day}"
        for speaker, words in ((USER, question), (COMPANION, answer)):
            turns.add(db, NewTurn(f"s{day}", "telegram", "7", speaker, words, at, turn_key=key))
        _row(
            db,
            "llm_calls",
            at=at,
            tier="chat",
            provider="openai",
            model="gpt-4o-mini",
            purpose="turn",
            turn_key=key,
            tokens_in=4200,
            tokens_cached=3000,
            tokens_cache_written=0,
            tokens_out=90,
            cost_usd=0.0013,
            latency_s=1.9,
        )
        mode = ("RESPOND", "CLARIFY", "ACT", "ACKNOWLEDGE")[day % 4]
        _row(
            db,
            "routing_decisions",
            turn_key=key,
            session_id=f"s{day}",
            channel="telegram",
            chat_id="7",
            path="unified",
            mode=mode,
            scores=dump({mode: 0.8, "RESPOND": 0.6}),
            signals=dump({"density": 0.3, "sure": 0.5}),
            warmth=0.5,
            knowing=0.4,
            confidence=0.3,
            margin=0.2,
            tie_break="none",
            ms=0.4,
            at=at,
            feedback=("correct_route", None, "missed_act")[day % 3],
        )
    _row(db, "inbox", channel="telegram", external_id="9", kind="text", sender="7", payload="{}", enqueued_at=now)


def _known(db: sqlite3.Connection, now: datetime) -> None:
    ids = [
        memories.add(db, NewMemory("semantic", fact, (2 * at + 1,)), now - timedelta(days=20 - at))
        for at, fact in enumerate(_FACTS)
    ]
    for one, two in zip(ids, ids[1:], strict=False):
        links.link(db, one, two, "related_to", 1.0, now)
    for name in ("Marta", "allotment", "workshop"):
        _row(db, "concepts", name=name, seen=4, created_at=now - timedelta(days=9), strength=2.0, last_accessed_at=now)
    _row(
        db,
        "topics",
        channel="telegram",
        chat_id="7",
        name="the allotment",
        messages=6,
        created_at=now - timedelta(days=9),
        last_at=now,
    )
    _row(
        db,
        "sessions",
        session_id="s1",
        started_at=now - timedelta(hours=27),
        ended_at=now - timedelta(hours=26),
        topics=dump(["the workshop"]),
        document="They got the workshop and were glad.",
        connection_quality=0.8,
        warmth=0.7,
    )


def _minded(db: sqlite3.Connection, now: datetime) -> None:
    mind_queue.add(db, "question", "How did the first evening in the workshop go?", "q1", now, priority=2)
    mind_queue.add(db, "thought", f"A thought about {HOSTILE}", "t1", now)
    self_questions.add(db, "Do I ask too much when they are tired?", "sessions:s1", now - timedelta(days=2))
    monologue.add(
        db,
        "journal",
        f"{now - timedelta(days=1):%Y-%m-%d}",
        [Passage("They sounded lighter than for weeks.", (1,))],
        "scripted",
        1,
        now - timedelta(days=1),
    )
    pattern = _row(db, "behavioral_patterns", gist="asking too much", created_at=now - timedelta(days=9))
    _row(
        db,
        "commitments",
        pattern_id=pattern,
        text="Ask one thing at a time.",
        sign="one question",
        honoured=3,
        created_at=now - timedelta(days=8),
        changed_at=now,
    )
    _row(
        db,
        "anticipations",
        text="They will tell how the workshop went.",
        reason="It begins in December.",
        cited="[1]",
        expected_at=now + timedelta(days=3),
        expires_at=now + timedelta(days=6),
        created_at=now,
    )
    tasks.add(db, "tasks", "Order oak boards", now, due_at=now + timedelta(days=1), due_zone="Europe/Lisbon")
    tasks.add(db, "shopping", f"Glue {HOSTILE}", now)
    _row(
        db,
        "persistent_tasks",
        title="Compare lathes",
        goal="Find a used lathe under 900 euros",
        source_tag="user",
        source_confidence=1.0,
        state="in_progress",
        priority=3,
        confidence=0.7,
        coverage=0.4,
        cycles=2,
        created_at=now - timedelta(days=3),
        changed_at=now,
        expires_at=now + timedelta(days=30),
    )
    _row(
        db,
        "gists",
        source_tag="drift",
        kind="reflection",
        text="A boat is a workshop that floats.",
        rests_on="[]",
        created_at=now,
        expires_at=now + timedelta(days=2),
    )


def _decided(db: sqlite3.Connection, now: datetime) -> None:
    gates = [{"gate": "quiet_hours", "passed": False, "value": "22:30", "limit": "08:00", "until": None}]
    for day, (verdict, gate) in enumerate(
        (("sent", None), ("held", "quiet_hours"), ("sent", None), ("held", "budget"))
    ):
        new = decisions.NewDecision(
            item_id=1,
            source="mind_queue:1",
            kind="question",
            priority=2,
            verdict=verdict,
            gate=gate,
            reason="it fits now" if gate is None else "not now",
            gates=gates,
            turn_id=None,
        )
        decisions.record(db, new, now - timedelta(days=4 - day))
    kinds.learn(db, "question", "answered", 1.2, now - timedelta(days=1))
    kinds.learn(db, "thought", "ignored", 0.9, now - timedelta(days=2))
    _row(db, "attention_cycles", cycle_key="inbox:1", winner="inbox:1", reason="they wrote", candidates="[]", at=now)
    _row(
        db,
        "second_thoughts",
        turn_key="inbox:2",
        objective=0.5,
        knowing=0.4,
        confidence=0.45,
        threshold=0.5,
        maturity=0.4,
        triggers='["low_confidence"]',
        passes="[]",
        changed=0,
        latency_ms=0.0,
        cost_usd=0.0,
        at=now,
    )
    _row(
        db,
        "wanderings",
        seed_kind="recent",
        rests_on="[]",
        activated="[]",
        energy=1.2,
        action="REFLECT",
        action_scores="{}",
        outcome="it is in the journal",
        reason="",
        cost_usd=0.0002,
        at=now - timedelta(hours=5),
    )
    _row(
        db,
        "repair_jobs",
        signature="a1",
        source="run_log",
        kind="TimeoutError",
        message="the model did not answer",
        evidence="[]",
        times=3,
        state="queued",
        first_at=now,
        last_at=now,
        created_at=now,
        changed_at=now,
    )
    _row(
        db,
        "plugin_jobs",
        wish=f"Tell the tides {HOSTILE}",
        source="owner",
        state="queued",
        created_at=now,
        changed_at=now,
    )


def _ran(db: sqlite3.Connection, now: datetime) -> None:
    for hour, (script, code) in enumerate((("soul_engine", 0), ("consolidate_memory", 0), ("outreach_pulse", 1))):
        run = runs.begin(db, script, now - timedelta(hours=hour + 1))
        runs.finish(
            db,
            run,
            now - timedelta(hours=hour + 1, seconds=-4),
            code,
            cpu_s=0.8,
            peak_mb=41.0,
            did_work=True,
            summary=f"{script}: done",
            output="Traceback: it broke off" if code else "",
        )


def _felt(db: sqlite3.Connection, now: datetime) -> None:
    for hour in range(7 * 24, 0, -3):
        felt = {name: round(0.3 + 0.2 * ((hour + at) % 5) / 5, 3) for at, name in enumerate(NAMES)}
        needs = dict.fromkeys(("communication", "connection", "curiosity_need", "helpfulness", "self_knowledge"), 0.5)
        _row(
            db,
            "emotion_history",
            at=now - timedelta(hours=hour),
            emotions=dump(felt),
            needs=dump(needs),
            mood="content",
            cause="tick",
        )
    _row(db, "user_needs_history", at=now, need="focus", level=0.6, confidence=0.5, evidence="[1]", cause="turn")
    for at, name in enumerate(("verbosity", "directness", "pacing", "energy")):
        _row(db, "style_dimensions", name=name, value=4.0 + at, baseline=5.5, observations=30, updated_at=now)


def _row(db: sqlite3.Connection, table: str, **values: Any) -> int:
    """A row, its moments as the database writes them."""
    row = {name: stamp(value) if isinstance(value, datetime) else value for name, value in values.items()}
    made = insert(db, table, row)
    assert made is not None
    return made
