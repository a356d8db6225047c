"""Build the model's prompt, in an order that a provider can cache.

Constant parts come first (identity, boundaries, SELF.md, conduct), then session data (the
companion's traits, facts about the user), the conversation, and in the last message the changing
parts: clock, mood, retrieved memories.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from furoshiki.conversation import gathering, lines
from furoshiki.conversation.acting import attention, second_thoughts
from furoshiki.conversation.values import Context, Known
from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, speaking
from furoshiki.core.timestamps import name_day
from furoshiki.feelings.rules import mood, needs, user_needs
from furoshiki.language import humanize
from furoshiki.language.dates.recurrence_words import add_rhythm
from furoshiki.language.grounding.words import content_of
from furoshiki.language.tokens import cut
from furoshiki.language.words import asks
from furoshiki.memory.perception.values import Percept
from furoshiki.messages.values import COMPANION, USER
from furoshiki.mind.inner_life.standing_prompt import fact_line
from furoshiki.owner.agenda.rules import focusing, mind_queue
from furoshiki.owner.agenda.rules.mind_queue import Waiting
from furoshiki.owner.routing import routing, topics
from furoshiki.owner.routing.rules import modes
from furoshiki.owner.routing.rules.deciding import Around
from furoshiki.world import World

LONGEST_BEARING = 500  # maximum characters of a retrieved text that are compared with the message
BACK_TOKENS = 40  # the most of what was said of a topic that the user returned to
THOUGHTS_SHOWN = 3  # number of waiting thoughts shown

# recent turns in which a referent of "it" may be named, and the minimum content words of such a
# turn
LATELY, NAMING = 8, 2


def build_context(world: World, percept: Percept) -> Context:
    """Build the context of a turn. Read-only."""
    vector = topics.vector(world, percept)
    with world.database.read() as db:
        known = gathering.gather_known(world, db, percept, vector)
        talk = gathering.gather_talk(world, db, percept, known)
        cue = gathering.ask_memory(world, db, percept, known, talk)
        concerns = gathering.gather_concerns(world, db, percept)
        bearing = gathering.gather_bearing(world, db, percept, talk.history)
    woken = gathering.gather_woken(world, percept, known, talk, cue)
    come_up = [one.id for one in woken.shown]
    asked = gathering.gather_sources(world, percept, talk.history, known, come_up)
    context = _judge(world, Context(percept, known, talk, concerns, bearing, woken, sources=asked))
    return replace(context, now_text=render_now(world, context))


@speaking(ENGLISH)
def render_now(world: World, context: Context) -> str:
    """Render the changing parts: clock, mood, thoughts, memories."""
    percept, known, talk, concerns = context.percept, context.known, context.talk, context.concerns
    bearing, zone, names = context.bearing, known.zone, lines.names_of(world, known.name)
    laws = world.laws.user_needs
    waiting = context.attended.in_order(_in_place(world, context))
    heavy = bearing.weighs
    feeling: str | None = percept.heartbeat.mood.word
    without: Collection[str] = ()
    own: dict[str, Any] = {}
    elsewhere = [lines.elsewhere(turn, zone) for turn in talk.elsewhere]
    if not heavy:
        own = {
            "need": needs.find_pressing(percept.heartbeat.need_marks, percept.heartbeat.needs),
            "back": _back(known, percept.now),
            "attended": context.attended.report,
        }
    else:
        without = user_needs.OF_EASE
        if feeling in mood.OF_EASE:
            feeling = None
    if bearing.danger:
        concerns = replace(concerns, operations=(), long_work=(), reminders=())
        without, elsewhere = user_needs.DIMENSIONS, []
    long_work = [*(lines.operation(one) for one in concerns.operations), *concerns.long_work]
    return world.prompts.render(
        "turn/now",
        clock=humanize.describe_moment(percept.now, zone),
        zone=str(zone),
        name=known.name,
        last_seen=None if known.last_seen is None else humanize.ago(known.last_seen, percept.now),
        mood=feeling,
        moved=mood.describe_cause(
            percept.signals, bearing.cause, percept.heartbeat.mood.since, zone, world.laws.emotions
        ),
        need=own.get("need"),
        danger=bearing.cared,
        back=own.get("back"),
        directives=user_needs.directives(bearing.needs, percept.now, laws, without),
        conflicts=user_needs.conflicts(bearing.needs, percept.now, laws, without),
        style=None if bearing.danger or mind_queue.heavy(percept.signals) else bearing.style or None,
        fresh_facts=[fact_line(fact, zone) for fact in gathering.news(known, talk)],
        waiting=[one.summary for one in mind_queue.choose_shown(waiting, THOUGHTS_SHOWN)],
        background=elsewhere,
        reminders=[
            f"{add_rhythm(humanize.describe_moment(one.due_at, zone), one.recurrence, one.due_at, zone)}: {one.title}"
            for one in concerns.reminders
            if one.due_at
        ],
        operations=long_work,
        memories=[lines.memory(one, zone, names) for one in context.woken.shown],
        quoted=[
            lines.render_replied_to(said.answers, zone, names) for said in percept.said if said.answers is not None
        ],
        sources=None if context.sources is None else [lines.render_turn(one, zone, names) for one in context.sources],
        way=modes.hint_words(context.route) if context.route is not None and _uses_hints(world, context) else None,
        plugins=context.plugins,
        session=_session(context),
        notes=[one.text for one in context.gists if one.source_tag == "user"],
        passing=[one for one in context.gists if one.source_tag == "drift"],
        attended=own.get("attended"),
        corrections=[one.text for one in context.corrections],
        promised=concerns.promised,
    )


def _judge(world: World, context: Context) -> Context:
    """Add the decisions: route, attention, fitting plugins and thoughts. While something weighs on
    the user, there are none of the companion's own, and no plugins."""
    percept, concerns, inertia = context.percept, context.concerns, context.woken.inertia
    heavy, session = context.bearing.weighs, concerns.session
    gists = [one for one in concerns.gists if one.source_tag == "user" or (one.source_tag == "drift" and not heavy)]
    context = replace(
        context,
        plugins=() if heavy else tuple(context.talk.plugins),
        gists=tuple(sorted(gists, key=lambda one: one.source_tag != "user")),
        strayed=session is not None and focusing.strays(session.topic, session.vector, percept.own_text, inertia.said),
        corrections=second_thoughts.nearest(concerns.put_right, percept.own_text, inertia.said, concerns.encoder),
    )
    path = "unified" if heavy else world.settings.furoshiki_user_path
    waiting = _in_place(world, context)
    return replace(
        context,
        route=routing.route(world, percept, _around(context), context.talk.decided, path),
        attended=attention.to_message(concerns.asks, percept, context.talk.history, waiting),
    )


def _around(context: Context) -> Around:
    """Return the surroundings of the message for routing."""
    percept, concerns, history, topic = context.percept, context.concerns, context.talk.history, context.known.topic
    here = [turn for turn in history if turn.session_id == percept.session_id]
    named = any(len(content_of(turn.own)) >= NAMING for turn in here[-LATELY:] if turn.speaker == USER)
    return Around(
        turns=len(here),
        recalled=[one.text[:LONGEST_BEARING] for one in context.woken.found if one.kind != "session"],
        gists=len(concerns.gists),
        surroundings=bool(concerns.reminders or concerns.operations or context.talk.elsewhere or context.plugins),
        asked=bool(history) and history[-1].speaker == COMPANION and asks(history[-1].text),
        antecedent=named or percept.led_by_others or any(said.answers for said in percept.said),
        meant=percept.meant,
        new_topic=topic is not None and topic.new and topics.has_turned(topic),
        topic_id=None if topic is None else topic.topic_id,
    )


def _in_place(world: World, context: Context) -> Sequence[Waiting]:
    """Return the waiting thoughts that fit the message."""
    percept, laws = context.percept, world.laws.user_needs
    felt = user_needs.list_felt(context.bearing.needs, percept.now, laws)
    needs = mind_queue.HELD_BACK_FOR if context.bearing.danger else felt
    return mind_queue.in_place(context.concerns.waiting, percept.signals, needs)


def _uses_hints(world: World, context: Context) -> bool:
    unified = world.settings.furoshiki_user_path == "unified"
    return world.settings.furoshiki_router_hints and unified and not context.bearing.weighs


def _session(context: Context) -> Mapping[str, Any] | None:
    session = context.concerns.session
    if session is None or context.bearing.weighs:
        return None
    left = focusing.minutes(session.until, context.percept.now)
    return {"topic": session.topic, "left": left, "strayed": context.strayed}


def _back(known: Known, now: datetime) -> dict[str, str] | None:
    """Return what the user said of an earlier topic that they returned to, with its date: a day
    before `now`, for of today the conversation itself is at hand."""
    topic = known.topic
    if topic is None or topic.back is None or refs.name("turn", topic.back.id) in known.held_back:
        return None
    day = name_day(topic.back.at, known.zone)
    if day == name_day(now, known.zone):
        return None
    return {"said": cut(topic.back.own, BACK_TOKENS), "day": day}
