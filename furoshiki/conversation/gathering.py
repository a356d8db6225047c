"""Collect the parts of a turn's context; each function reads one part.

Read-only: effects of retrieval are recorded after the turn (`consolidation.memory_feedback`).
"""

import re
import sqlite3
from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import datetime, timedelta
from statistics import median

from furoshiki.conversation import danger
from furoshiki.conversation import window as windows
from furoshiki.conversation.acting import attention, second_thoughts
from furoshiki.conversation.promises import own_promises
from furoshiki.conversation.skills import registry
from furoshiki.conversation.values import Bearing, Concerns, Cue, Known, Talk, Woken
from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, speaking
from furoshiki.core.database import kv
from furoshiki.core.framing import strip_tags
from furoshiki.core.timestamps import name_day, parse
from furoshiki.extensions.plugins import conversation_texts
from furoshiki.feelings.rules import emotions, user_needs
from furoshiki.feelings.rules.emotions import EmotionLaws
from furoshiki.language.danger_head import sentences
from furoshiki.language.detection import Language
from furoshiki.language.signal_head import BRIGHT
from furoshiki.language.tokens import estimate
from furoshiki.language.words import ends_asking
from furoshiki.memory import focus
from furoshiki.memory.focus import drifts
from furoshiki.memory.injection import RANKS, Moment, inject
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.rules import injection as injection_rules
from furoshiki.memory.rules import usage
from furoshiki.memory.store import gists, memories, tombstones
from furoshiki.memory.store.gists import Gist
from furoshiki.memory.values import Memory
from furoshiki.messages.store import summaries, turn_journal, turns
from furoshiki.messages.store.summaries import Summary
from furoshiki.messages.values import COMPANION, USER, Turn, last_own
from furoshiki.mind.inner_life.standing_prompt import KNOWN_FACTS, facts_shown, identity, session_block
from furoshiki.mind.outreach import explanation, gate_inputs, pulse
from furoshiki.owner.agenda.rules import long_tasks, mind_queue
from furoshiki.owner.agenda.rules.long_tasks import OPEN
from furoshiki.owner.agenda.rules.mind_queue import UNHURRIED
from furoshiki.owner.agenda.store import focus_sessions, operations, persistent_tasks, tasks
from furoshiki.owner.agenda.store import mind_queue as queue_store
from furoshiki.owner.routing import routing, topics
from furoshiki.owner.user_model import style, user
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.recall.retrieval.recall import expect, floor_for, recall
from furoshiki.recall.retrieval.rules import nearness
from furoshiki.recall.retrieval.rules.repeated_statements import Statement, find_repeats, is_repeat, statements
from furoshiki.recall.retrieval.store import vectors
from furoshiki.recall.retrieval.values import Floor, Scope
from furoshiki.world import World

FRESH_FACTS = 10  # maximum facts shown that are newer than the session's block

# Token estimate of all skill descriptions, checked by a test. Outside tools count separately.
SKILLS_TOKENS = 1000

FRAME_TOKENS = 200  # token overhead of a provider's message and tool format

# token estimate of the changing parts (clock, mood, style, reminders) at their largest
MOMENT_TOKENS = 750

LEAST_MEMORIES_TOKENS = 200
LEAST_ROOM_TOKENS = 800  # minimum tokens for conversation and memories together
LONG_TASK_NEWS = timedelta(days=1)  # how long a finished long task stays visible
WEIGHS_FOR = timedelta(hours=1)  # how long words that weigh keep wishes and notes out of the talk

# needs that a plainly joyful message does not have, whatever was read two days ago
NEEDS_OF_TROUBLE = ("emotional_support", "grounding", "space")

CAUSED_WITHIN = timedelta(minutes=1)  # a mood that began so soon after a message was caused by it

BACKGROUND_HOURS = 24
REMINDERS = 5
# number of previous messages, and characters of each end, in a dependent message's query
LEANT_ON, LEANT_ON_CHARACTERS = 3, 200


def gather_known(world: World, db: sqlite3.Connection, percept: Percept, vector: topics.Vector) -> Known:
    """Collect the data about the user; `vector` is the message's, from `topics.vector`."""
    zone, name = user.zone(world, db), percept.name_given or user.name(db)
    held_back = tombstones.names(db, percept.now)
    facts = [one for one in memories.read_known(db, KNOWN_FACTS) if refs.name("memory", one.id) not in held_back]
    topic = topics.read(world, db, percept, vector)
    renewed = topic is not None and topic.renews
    block = session_block(world, db, percept.session_id, facts, name, zone, percept.now, renewed=renewed)
    fresh = [fact for fact in facts if fact.created_at > parse(block["at"])][:FRESH_FACTS]
    last, gaps = turns.last_said(db, USER), turns.gaps(db)
    return Known(
        zone=zone,
        name=name,
        facts=tuple(facts),
        fresh=tuple(fresh),
        held_back=frozenset(held_back),
        block=block,
        topic=topic,
        last_seen=None if last is None else last.at,
        median_gap=median(gaps) if len(gaps) >= 3 else 0.0,
    )


def gather_talk(world: World, db: sqlite3.Connection, percept: Percept, known: Known) -> Talk:
    """Collect as much of the conversation as fits."""
    place = percept.channel, percept.chat_id
    first = int(kv.get(db, windows.start_key(*place), 0))
    held = turns.recent(db, *place, windows.LONGEST, since=first)
    stable = _stable(world, db, known, summaries.get(db, *place))
    outside, told = registry.outside_tools(world, db), conversation_texts.list_current(world, db)
    offered = SKILLS_TOKENS + sum(one.tokens for one in outside) + sum(estimate(text) for _plugin, text in told)
    taken = sum(map(estimate, stable)) + offered
    room = max(world.settings.furoshiki_context_tokens - taken - MOMENT_TOKENS, LEAST_ROOM_TOKENS)
    start = windows.start(held, first, int(room * windows.LIVELY_SHARE))
    later = (turn for turn in held if turn.id >= start)
    history = tuple(turn for turn in later if refs.name("turn", turn.id) not in known.held_back)
    taken += FRAME_TOKENS + sum(map(windows.cost, history)) + sum(estimate(said.text) for said in percept.said)
    intensity = windows.intensity(db, percept, held)
    return Talk(
        stable=stable,
        history=history,
        window_start=start,
        history_budget=int(room * windows.share(intensity)),
        left=world.settings.furoshiki_context_tokens - taken,
        intensity=intensity,
        outside=outside,
        plugins=tuple(told),
        decided=routing.lately(db, percept),
        elsewhere=turns.elsewhere(db, *place, percept.now - timedelta(hours=BACKGROUND_HOURS)),
    )


def gather_concerns(world: World, db: sqlite3.Connection, percept: Percept) -> Concerns:
    """Collect current work, reminders, thoughts and promises."""
    due = queue_store.list_due(db, percept.now)
    told = pulse.find_mentioned(db, due)
    weighed = gate_inputs.find_weighed(db, percept.now - WEIGHS_FOR) is not None
    waiting = [item for item in due if item.id not in told and not (weighed and item.kind in UNHURRIED)]
    gists = list_passing_thoughts(db, percept.now, percept.session_id)
    put_right = second_thoughts.perhaps_near(world, db, percept.own_text)
    long = [*persistent_tasks.of_states(db, OPEN), *persistent_tasks.just_over(db, percept.now - LONG_TASK_NEWS)]
    with speaking(ENGLISH):
        promised = own_promises.list_open(db, user.zone(world, db), percept.now)
    return Concerns(
        operations=tuple(operations.active(db)),
        long_work=[long_tasks.in_view(one, len(persistent_tasks.steps(db, one.id))) for one in long],
        reminders=[one for one in tasks.in_list(db, tasks.REMINDERS) if one.due_at is not None][:REMINDERS],
        waiting=waiting,
        gists=gists,
        session=focus_sessions.current(db, percept.now),
        asks=attention.find_claims(world, db, waiting, gists),
        put_right=put_right,
        encoder=vectors.model(db) if put_right else None,
        promised=promised,
    )


def gather_bearing(world: World, db: sqlite3.Connection, percept: Percept, history: Sequence[Turn]) -> Bearing:
    """Collect the user's state and style."""
    laws, cared = world.laws.user_needs, danger.of(world, db, percept, history)
    needs = user_needs.nudge(percept.heartbeat.user_needs, percept.signals, 0, percept.now, laws)
    in_danger = cared is not None and not cared.lightly
    if not in_danger and emotions.plainly_said(percept.signals, world.laws.emotions) in BRIGHT:
        needs |= {name: replace(needs[name], level=laws.initial_level) for name in NEEDS_OF_TROUBLE}
    return Bearing(
        cared=cared,
        style=style.for_message(db, percept, world.lexicon),
        needs=needs,
        weighs=in_danger or mind_queue.weighs(percept.signals, user_needs.list_felt(needs, percept.now, laws)),
        cause=_find_cause(db, percept.heartbeat.mood.since, world.laws.emotions),
    )


def _find_cause(db: sqlite3.Connection, since: datetime, laws: EmotionLaws) -> Turn | None:
    """Return the user's message at which a mood began (`since`), if a feeling is plain in it."""
    last = turns.read_back(db, USER, since + timedelta(microseconds=1), 1)
    if not last or since - last[0].at > CAUSED_WITHIN:
        return None
    for felt in turns.read_felt(db, [last[0].id]):
        if emotions.plainly_said(felt, laws) is not None:
            return last[0]
    return None


def ask_memory(world: World, db: sqlite3.Connection, percept: Percept, known: Known, talk: Talk) -> Cue:
    """Build the memory query; memoryd starts searching while the rest is read."""
    query, floor = _build_query(world, db, percept, talk.history)
    spoken = frozenset(refs.names("turn", (turn.id for turn in talk.history)))
    cue = Cue(query, percept.now.astimezone(known.zone), Scope(without=spoken, floor=floor))
    if query.strip():
        expect(world, query, k=RANKS, now=cue.now, scope=cue.scope)
    return cue


def gather_woken(world: World, percept: Percept, known: Known, talk: Talk, cue: Cue) -> Woken:
    """Return the memories for the message, best first, without those already visible.

    They fill their own token budget or the rest of the prompt's.
    """
    query, spoken = cue.query, cue.scope.without
    if not query.strip():
        return Woken()
    found = recall(world, query, k=RANKS, now=cue.now, scope=cue.scope)
    before = focus.inertia(world, query, percept.session_id, topics.has_turned(known.topic) or None)
    present = injection_rules.present_feelings(percept.signals, percept.heartbeat.emotions, world.laws.emotions)
    budget = min(world.settings.furoshiki_memory_tokens, talk.left - MOMENT_TOKENS)
    moment = Moment(percept.now, present, before, drifts(percept.text, before.leap))
    in_view = {*known.held_back, *spoken, *refs.names("memory", (one.id for one in known.fresh))}
    in_view.update(facts_shown(known.block["text"]))
    in_view |= find_repeats(found, in_view, statements_in_view(known, talk))
    injection = inject(world, found, moment, max(budget, LEAST_MEMORIES_TOKENS), in_view=in_view)
    return Woken(injection.shown, injection.woken, before, found)


def _build_query(
    world: World, db: sqlite3.Connection, percept: Percept, history: Sequence[Turn]
) -> tuple[str, Floor | None]:
    """Return the memory query and its threshold. A dependent message ("and when was that?") is
    combined with the previous ones."""
    text = percept.text
    known = load_languages(world.config)
    language = known.of(percept.own_text, known.of(last_own(history) or ""))
    answers = bool(history) and history[-1].speaker == COMPANION and ends_asking(history[-1].text)
    if language is None:
        leans = nearness.leans(text, answers)
    else:
        leans = not language.content(text) and (answers or language.is_asked(text))
    asked = leans or (language is not None and language.is_asked(percept.own_text))
    if leans and history:
        text = "\n".join([*(turn.text[-LEANT_ON_CHARACTERS:] for turn in history[-LEANT_ON:]), text])
    if language is not None:
        return text, None if asked else "outstanding"  # the thresholds are calibrated for English
    return text, "asked" if asked else floor_for(db, percept.text)


def news(known: Known, talk: Talk) -> list[Memory]:
    """Return facts newer than the session's block, unless block or conversation contain them."""
    said = [*statements(str(known.block["text"])), *_list_statements(talk)]
    return [one for one in known.fresh if not is_repeat(one.content, said)]


def statements_in_view(known: Known, talk: Talk) -> list[Statement]:
    """Return all statements visible anyway: session block, new facts, conversation."""
    fresh = [Statement.of(one.content) for one in known.fresh]
    return [*statements(str(known.block["text"])), *fresh, *_list_statements(talk)]


def _list_statements(talk: Talk) -> list[Statement]:
    return [Statement.of(turn.own if turn.speaker == USER else turn.text) for turn in talk.history]


def _stable(world: World, db: sqlite3.Connection, known: Known, summary: Summary | None) -> tuple[str, ...]:
    """Return the prompt's beginning, from constant parts to those that change with the window."""
    parts = (identity(world), str(known.block["text"]))
    if summary is None:
        return parts
    first = turns.get(db, summary.first_turn)
    since = name_day(summary.at if first is None else first.at, known.zone)
    return (*parts, world.prompts.render("turn/earlier", first=since, text=summary.text))


# -- sources of the last message, for "how do you know that?" --
#
# The answer must not depend on a model's memory: the stored evidence of the last answer is searched
# for what its words contain.


MOST_BESIDE = 8  # maximum words of a message besides the question
LEANING = 2  # with at most this many that the last message says too, the question concerns it only

MOST_SHOWN = 3
_QUOTES = str.maketrans(dict.fromkeys('"\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d', " "))


def gather_sources(
    world: World,
    percept: Percept,
    history: Sequence[Turn],
    known: Known,
    come_up: Sequence[str] = (),
) -> tuple[Turn, ...] | None:
    """Return the messages behind what the question names, else behind the last message, surest
    first, if the user asks for them, else None. `come_up` names the memories at this message."""
    if not history or history[-1].speaker != COMPANION:
        return None
    languages = load_languages(world.config)
    own = [one for one in history[:-1] if one.speaker == USER]
    language = languages.of(percept.own_text, languages.of(own[-1].own) if own else None) or languages.english
    beside = language.source_question(percept.own_text)
    if beside is None or (wide := language.count_words(beside)) > MOST_BESIDE:
        return None
    answer = history[-1]
    told = [turn for turn in own if _state(turn.own, language)]
    unasked = explanation.last(world)
    with world.database.read() as db:
        shown = _evidence(db, answer, unasked, known)
        recalled = _find_turns(db, come_up, known.held_back)
    if wide <= LEANING:
        recalled = []
    candidates = {one.id: one for one in [*told, *shown, *recalled]}
    answered = [one.text for one in own if one.turn_key == answer.turn_key]
    asked = "\n".join(filter(language.is_asked, (part for text in answered for part in sentences(text) or [text])))
    said = answer.text if wide <= LEANING else f"{answer.text}\n{percept.own_text}"
    open_ = [one for one in candidates.values() if refs.name("turn", one.id) not in known.held_back]
    telling = [one for one in open_ if language.source_question(one.text) is None]
    if (wide > LEANING or not _count_shared(answer.text, beside, "", language)) and (
        named := _find_named(telling, beside, language)
    ):
        return named
    weighed = [
        (_count_shared(_state(one.own, language) or one.text, said, asked, language), one in shown, one)
        for one in telling
    ]
    resting = _choose_sources(weighed)
    return resting if resting or wide <= LEANING else None


def _state(text: str, language: Language) -> str:
    """Return what a message says besides its questions, which prove nothing."""
    return "\n".join(part for part in sentences(text) or [text] if not language.is_asked(part))


def _evidence(db: sqlite3.Connection, answer: Turn, unasked: explanation.Said | None, known: Known) -> list[Turn]:
    """Return the messages behind an answer's evidence or an unprompted message, and behind the facts
    that stand in every prompt."""
    entry = turn_journal.of_turn(db, answer.turn_key) if answer.turn_key else None
    names: Sequence[str] = () if entry is None else entry.evidence
    if entry is None:
        names = unasked.rests_on if unasked is not None and unasked.turn_key == answer.turn_key else ()
    standing = [refs.name("memory", one.id) for one in known.facts]
    return _find_turns(db, [*names, *standing], known.held_back)


def _find_turns(db: sqlite3.Connection, names: Sequence[str], held_back: Set[str]) -> list[Turn]:
    """Return the messages of these turns and memories, not the companion's."""
    names = [one for one in names if one not in held_back]
    held = memories.of_ids(db, refs.rows(names, "memory"))
    rows = [*refs.rows(names, "turn"), *(row for one in held for row in one.turn_ids)]
    return [one for one in turns.many(db, rows) if one.speaker != COMPANION]


def _find_named(candidates: Sequence[Turn], beside: str, language: Language) -> tuple[Turn, ...]:
    """Return the messages that say most of what stands beside the question: “who told you that the
    inhaler is for the morning?” asks about neither the last message nor the inhaler of last week."""
    weighed = [(_count_shared(one.text, beside, "", language), True, one) for one in candidates]
    best = max((points for points, _shown, _turn in weighed), default=0)
    return _choose_sources([one for one in weighed if one[0] == best])


def _choose_sources(weighed: Sequence[tuple[int, bool, Turn]]) -> tuple[Turn, ...]:
    """Return the turns that share most with the answer, at least half as much as the best."""
    most = max((points for points, _shown, _turn in weighed), default=0)
    fitting = [one for one in weighed if one[0] > 0 and one[0] * 2 >= most]
    fitting.sort(key=lambda one: (one[0], one[1], one[2].id), reverse=True)
    return tuple(turn for _points, _shown, turn in fitting[:MOST_SHOWN])


def _count_shared(text: str, said: str, asked: str, language: Language) -> int:
    """Score the words that two texts share beyond the question: a word 1, a number or an English
    name 2; without word boundaries, a pair of characters 1."""
    if language.code != "en":
        said = said.translate(_QUOTES)
        figures = (_figures(text) & _figures(said)) - _figures(asked)
        return len((language.content(text) & language.content(said)) - language.content(asked)) + 2 * len(figures)
    telling = usage.find_telling_words(text, asked)
    return sum(2 if telling.words[stem] else 1 for stem in usage.find_shared(telling, said))


def _figures(text: str) -> set[str]:
    """Return the numbers and hours of a text: "8.45" and "8h45" are one."""
    return {re.sub(r"\D", ":", one) for one in re.findall(r"\d+[:.,h]\d+|\d{2,}", text)}


SHOWN = 5


def list_passing_thoughts(db: sqlite3.Connection, now: datetime, session_id: str) -> list[Gist]:
    """Return this conversation's notes while they last; a passing thought only once."""
    shown = []
    for gist in gists.current(db, now, SHOWN):
        fits = gist.shown_at is None
        if gist.source_tag == "user":
            fits = gist.session_id == session_id
        if fits:
            shown.append(replace(gist, text=strip_tags(" ".join(gist.text.split()))))
    return shown
