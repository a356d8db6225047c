"""Gather what the mind is shown, in an order that a provider can cache.

First what never changes (identity, boundaries, SELF.md, conduct), then what holds for a session (what has become part
of the companion, what is known about the user), then the conversation, and only in the last message what changes every
time: the clock, the mood, the memories that this message woke.

Reading never writes: what remembering changes is recorded after the turn (`conversation.memory_feedback`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from statistics import median
from typing import Any

from furoshiki.acting import attention, second_thoughts
from furoshiki.agenda.rules import focusing, long_tasks, mind_queue
from furoshiki.agenda.rules.long_tasks import OPEN
from furoshiki.agenda.store import focus_sessions, operations, persistent_tasks, tasks
from furoshiki.agenda.store import mind_queue as queue_store
from furoshiki.conversation import danger as danger_use
from furoshiki.conversation import window as windows
from furoshiki.conversation.rules import window
from furoshiki.conversation.values import Context
from furoshiki.core import refs
from furoshiki.core.database import kv
from furoshiki.core.timestamps import parse
from furoshiki.feelings.rules import user_needs
from furoshiki.inner_life.standing_prompt import KNOWN_FACTS, fact_line, facts_shown, identity, session_block
from furoshiki.language import humanize, testimony
from furoshiki.language.tokens import cut, estimate
from furoshiki.memory import focus, gut, passing
from furoshiki.memory.focus import Inertia
from furoshiki.memory.injection import RANKS, Injection, Moment, inject
from furoshiki.memory.rules import injection as injection_rules
from furoshiki.memory.rules.focus import drifts
from furoshiki.memory.rules.gut import NEUTRAL, Gut
from furoshiki.memory.store import memories, withheld
from furoshiki.memory.values import Shown
from furoshiki.messages.store import summaries, turns
from furoshiki.messages.store.summaries import Summary
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.perception.values import Percept, RepliedTo
from furoshiki.plugins import contexts as plugin_contexts
from furoshiki.retrieval.recall import recall
from furoshiki.retrieval.store import vectors
from furoshiki.retrieval.values import Recalled, Scope
from furoshiki.routing import routing, topics
from furoshiki.routing.rules import hints
from furoshiki.routing.rules.deciding import Around
from furoshiki.routing.values import TopicSeen
from furoshiki.skills import registry
from furoshiki.user_model import style, user
from furoshiki.world import World

FRESH_FACTS = 10
"""What was learned since the session's block was written, shown beside it."""

SKILLS_TOKENS = 1000
"""What the descriptions of all skills take; a test compares it with them. Tools outside count for themselves."""

FRAME_TOKENS = 200
"""What a provider's own frame around messages and skills takes besides their words."""

MOMENT_TOKENS = 750
"""What the clock, the mood, the manner, reminders and the rest of the moment take on a full evening."""

LEAST_MEMORIES_TOKENS = 200
LEAST_ROOM_TOKENS = 800
"""What the conversation and the memories have together, however long the rest has become."""

LONGEST_BEARING = 500
"""So much of a text that came to mind is looked at for whether it bears on the message."""

THOUGHTS_SHOWN = 3
"""Of what is on its mind."""

LONG_TASK_NEWS = timedelta(days=1)
"""So long a long task that is over is in view."""

BACKGROUND_HOURS = 24
SHORT_QUERY_CHARACTERS = 25


def build_context(world: World, percept: Percept) -> Context:
    """The context of one turn. Reading only: nothing is changed by remembering."""
    vector = topics.vector(world, percept)
    with world.database.read() as db:
        zone = user.zone(world, db)
        name = percept.name_given or user.name(db)
        held_back = withheld.names(db, percept.now)
        facts = [one for one in memories.known(db, KNOWN_FACTS) if refs.name("memory", one.id) not in held_back]
        topic = topics.read(world, db, percept, vector)
        renewed = topic is not None and topic.renews
        block = session_block(world, db, percept.session_id, facts, name, zone, percept.now, renewed=renewed)
        first = int(kv.get(db, windows.start_key(percept.channel, percept.chat_id), 0))
        long_enough = turns.recent(db, percept.channel, percept.chat_id, windows.LONGEST, since=first)
        stable = _stable(world, db, block, summaries.get(db, percept.channel, percept.chat_id), zone)
        outside = registry.outside_tools(world, db)
        offered = SKILLS_TOKENS + sum(one.tokens for one in outside)
        told = plugin_contexts.shown(world, db)
        offered += sum(estimate(text) for _plugin, text in told)
        room = _room(world, stable, offered)
        start = window.start(long_enough, first, int(room * window.LIVELY_SHARE))
        stirring = windows.intensity(db, percept, long_enough)
        later = (turn for turn in long_enough if turn.id >= start)
        history = tuple(turn for turn in later if refs.name("turn", turn.id) not in held_back)
        last = turns.last_said(db, USER)
        active = tuple(operations.active(db))
        long_work = _long_work(db, percept.now)
        fresh = [fact for fact in facts if fact.created_at > parse(block["at"])]
        queue = queue_store.pending(db, percept.now)
        background = turns.elsewhere(
            db, percept.channel, percept.chat_id, percept.now - timedelta(hours=BACKGROUND_HOURS)
        )
        reminders = [task for task in tasks.in_list(db, tasks.REMINDERS) if task.due_at is not None][:5]
        first_meeting = turns.first_meeting(db)
        gaps = turns.gaps(db)
        manner = style.for_message(db, percept, world.lexicon)
        cared = danger_use.of(world, db, percept, history)
        gist = passing.to_show(db, percept.now, percept.session_id)
        session = focus_sessions.current(db, percept.now)
        decided = routing.lately(db, percept)
        asks = attention.asking(world, db, queue, gist)
        put_right = second_thoughts.perhaps_near(world, db, percept.own_text)
        encoder = vectors.model(db) if put_right else None
    danger = cared is not None and cared.weight is not None and not cared.lightly
    taken = (
        sum(map(estimate, stable)) + sum(map(window.cost, history)) + sum(estimate(said.text) for said in percept.said)
    )
    in_view = {*held_back, *refs.names("turn", (turn.id for turn in history))}
    in_view.update(refs.names("memory", (fact.id for fact in fresh[:FRESH_FACTS])))
    in_view.update(facts_shown(block["text"]))
    left = world.settings.furoshiki_context_tokens - FRAME_TOKENS - taken
    injection, inertia, felt, found = _woken(world, percept, zone, history, frozenset(in_view), left - offered, topic)
    shown = injection.shown
    # what these very words say of needs counts for their own answer; it is put on record after it, with its turn
    sensed = user_needs.nudged(percept.heartbeat.user_needs, percept.signals, 0, percept.now, world.laws.user_needs)
    felt_needs = user_needs.felt(sensed, percept.now, world.laws.user_needs)
    # beside somebody's danger nothing of its own has a place
    in_place = mind_queue.in_place(queue, percept.signals, mind_queue.HELD_BACK_FOR if danger else felt_needs)
    told = [] if danger else told  # nor has a program
    around = Around(
        turns=sum(turn.session_id == percept.session_id for turn in history),
        recalled=[one.text[:LONGEST_BEARING] for one in found if one.kind != "session"],
        gists=len(gist),
        surroundings=bool(reminders or active or background or told),
        asked=bool(history) and history[-1].speaker == COMPANION and "?" in history[-1].text,
        new_topic=topic is not None and topic.new and topic.boundary and topic.kind != "first",
        topic_id=None if topic is None else topic.topic_id,
    )
    path = "unified" if danger else world.settings.furoshiki_user_path
    route = routing.route(world, percept, around, decided, path)
    hinted = world.settings.furoshiki_router_hints and path == "unified" and not danger
    strayed = session is not None and focusing.strays(session.topic, session.vector, percept.own_text, inertia.said)
    noted = [one for one in gist if one.source_tag == "user"]
    drifting = [] if danger else [one for one in gist if one.source_tag == "drift"]
    attended = attention.to_message(asks, percept, history, in_place, felt)
    corrections = second_thoughts.nearest(put_right, percept.own_text, inertia.said, encoder)
    now_text = world.prompts.render(
        "turn/now",
        clock=humanize.dated(percept.now, zone),
        zone=str(zone),
        name=name,
        last_seen=None if last is None else humanize.ago(last.at, percept.now),
        mood=percept.heartbeat.mood.word,
        danger=cared,
        back=_back(topic, zone),
        gut={"word": word, "about": felt.about} if (word := gut.in_words(felt)) else None,
        directives=user_needs.directives(sensed, percept.now, world.laws.user_needs),
        conflicts=user_needs.conflicts(sensed, percept.now, world.laws.user_needs),
        style=None if danger else manner or None,
        fresh_facts=[fact_line(fact, zone) for fact in fresh[:FRESH_FACTS]],
        waiting=[one.summary for one in mind_queue.shown(attended.in_order(in_place), THOUGHTS_SHOWN)],
        background=[_background_line(turn, zone) for turn in background],
        reminders=[f"{humanize.dated(task.due_at, zone)}: {task.title}" for task in reminders if task.due_at],
        operations=[*(_operation_line(op.title, op.state, op.result) for op in active), *long_work],
        memories=[_memory_line(one, zone, name, world.settings.furoshiki_companion_name) for one in shown],
        quoted=_quoted(percept, zone),
        way=hints.word(route) if hinted else None,
        plugins=told,
        session=None
        if session is None or danger
        else focusing.told(session.topic, session.until, percept.now, strayed=strayed),
        notes=[one.text for one in noted],
        passing=drifting,
        attended=None if danger else attended.report,
        corrections=[one.text for one in corrections],
    )
    return Context(
        percept=percept,
        stable=stable,
        history=history,
        window_start=start,
        now_text=now_text,
        memories=shown,
        facts=tuple(facts),
        operations=active,
        user_name=name,
        last_seen=None if last is None else last.at,
        first_meeting=first_meeting,
        median_gap=median(gaps) if len(gaps) >= 3 else 0.0,
        session_block=block,
        woken=injection.woken,
        focus=inertia.next,
        intensity=stirring,
        history_budget=int(room * window.share(stirring)),
        style=manner,
        outside=outside,
        plugins=tuple(plugin for plugin, _text in told),
        gists=tuple(one.id for one in (*noted, *drifting)),
        strayed=strayed,
        route=route,
        attended=attended,
        topic=topic,
        corrections=corrections,
        said_vector=inertia.said,
        cared=cared,
    )


def _stable(
    world: World, db: sqlite3.Connection, block: Mapping[str, Any], summary: Summary | None, zone: tzinfo
) -> tuple[str, ...]:
    """The beginning of the prompt, from what never changes to what changes with the window."""
    parts = (identity(world), str(block["text"]))
    if summary is None:
        return parts
    first = turns.get(db, summary.first_turn)
    day = _day(summary.at if first is None else first.at, zone)
    return (*parts, world.prompts.render("turn/earlier", first=day, text=summary.text))


def _long_work(db: sqlite3.Connection, now: datetime) -> list[str]:
    """How far the long tasks are, and which have just ended."""
    found = [*persistent_tasks.of_states(db, OPEN), *persistent_tasks.just_over(db, now - LONG_TASK_NEWS)]
    return [long_tasks.in_view(one, len(persistent_tasks.steps(db, one.id))) for one in found]


def _room(world: World, stable: Sequence[str], offered: int) -> int:
    """Tokens that the conversation and the memories share, beside those of the tools that are `offered`."""
    taken = sum(map(estimate, stable)) + offered + MOMENT_TOKENS
    return max(world.settings.furoshiki_context_tokens - taken, LEAST_ROOM_TOKENS)


def _woken(
    world: World,
    percept: Percept,
    zone: tzinfo,
    history: tuple[Turn, ...],
    in_view: frozenset[str],
    room: int,
    topic: TopicSeen | None,
) -> tuple[Injection, Inertia, Gut, Sequence[Recalled]]:
    """The memories this message wakes, best first, how it feels, and all that recall found; what is in view already is
    not said again.

    They fill their own budget or what is left of the whole prompt's (`room` tokens, the moment included).
    """
    query = percept.text
    if len(query) < SHORT_QUERY_CHARACTERS and history:
        query = f"{history[-1].text[:200]}\n{query}"
    if not query.strip():
        return Injection(), focus.NONE, NEUTRAL, ()
    spoken = frozenset(refs.names("turn", (turn.id for turn in history)))
    found = recall(world, query, k=RANKS, now=percept.now.astimezone(zone), scope=Scope(without=spoken))
    before = focus.inertia(world, query, percept.session_id, topics.shifted(topic))
    felt = gut.sense(world, before.said or None, percept.key)
    signals = {**felt.feelings, **percept.signals}
    present = injection_rules.present_feelings(signals, percept.heartbeat.emotions.as_mapping())
    budget = min(world.settings.furoshiki_memory_tokens, room - MOMENT_TOKENS)
    moment = Moment(percept.now, present, before, drifts(percept.text, before.leap))
    shown = inject(world, found, moment, max(budget, LEAST_MEMORIES_TOKENS), in_view=in_view)
    return shown, before, felt, found


def _back(topic: TopicSeen | None, zone: tzinfo) -> dict[str, str] | None:
    """An earlier subject that they have come back to, and when it was last spoken of."""
    if topic is None or topic.back_since is None or not topic.name:
        return None
    return {"name": topic.name, "day": _day(topic.back_since, zone)}


def _memory_line(one: Shown, zone: tzinfo, name: str | None, companion: str) -> str:
    """A memory with its id, day and speaker; what is over says until when, and what was said beside it follows."""
    names = {USER: name or "they", COMPANION: companion}
    label = [one.id, _day(one.at, zone)]
    if one.speaker:
        label.append(testimony.labelled(names.get(one.speaker, one.speaker), one.text, one.foreign))
    if one.past:
        label.append(f"until {_day(one.until, zone)}, not now" if one.until else "replaced since")
    lines = [f"[{' · '.join(label)}] {_words(one)}"]
    lines += [f"  {where} it, {names.get(speaker, speaker)}: {words}" for where, speaker, words in one.beside]
    return "\n".join(lines)


def _words(one: Shown) -> str:
    """What is shown of a memory, on one line; its one line says nothing that is not in its label's source."""
    if one.line is not None:
        return " ".join(one.line.split())
    return testimony.marked(one.text, one.foreign, flat=True)


def _day(moment: datetime, zone: tzinfo) -> str:
    return moment.astimezone(zone).strftime("%-d %B %Y")


def _background_line(turn: Turn, zone: tzinfo) -> str:
    return f"{turn.channel}, {turn.at.astimezone(zone).strftime('%H:%M')}: {_shown(turn, 25)}"


def _shown(turn: Turn, tokens: int) -> str:
    return testimony.marked(turn.text, turn.foreign, tokens, flat=True)


def _operation_line(title: str, state: str, result: str | None) -> str:
    return f"{title}: {state}{f' — {cut(result, 100)}' if result else ''}"


def _quoted(percept: Percept, zone: tzinfo) -> list[str]:
    """Older messages the user is replying to, brought into the foreground, with the part they quote."""
    return [_quoted_line(said.answers, zone) for said in percept.said if said.answers is not None]


def _quoted_line(one: RepliedTo, zone: tzinfo) -> str:
    when = [] if one.at is None else [one.at.astimezone(zone).strftime("%-d %B %Y, %H:%M")]
    who = one.who or "by somebody else"
    text = testimony.marked(one.text, one.foreign, 300) or "(nothing of it can be seen)"
    line = f"[{' · '.join([*when, who])}] {text}"
    if not one.part or one.part == one.text:
        return line
    part = testimony.marked(one.part, testimony.whole(one.part, "forward") if one.foreign else (), 300)
    return f"{line}\n  Of that they point at this part: “{part}”"
