"""Store a finished turn in one transaction: both sides, outgoing messages, learned facts.

Before it nothing was sent and the messages are still waiting; afterwards all is final. After a
crash in between, the answer is in the journal.
"""

import base64
import contextlib
import re
import sqlite3
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from furoshiki.conversation import danger, window
from furoshiki.conversation.acting import attention, second_thoughts
from furoshiki.conversation.acting.store.second_thoughts import record_use
from furoshiki.conversation.commands import forget_plainly, undo
from furoshiki.conversation.commands.choices import person
from furoshiki.conversation.promises import own_promises
from furoshiki.conversation.promises.rules import unkept
from furoshiki.conversation.rules.speech import Part, bubbles
from furoshiki.conversation.skills import choices
from furoshiki.conversation.values import NOBODY, REFLEX, Committed, Reply, Woken
from furoshiki.core.catalogue import later, say
from furoshiki.core.database import kv
from furoshiki.core.process.crash_points import point
from furoshiki.extensions.plugin_setup import offering
from furoshiki.extensions.plugins.rules import mail_drafts
from furoshiki.feelings import heartbeat
from furoshiki.feelings.rules.user_needs import UserNeed
from furoshiki.feelings.store import history
from furoshiki.language.facts import names
from furoshiki.language.requests import companion_name
from furoshiki.memory import entry_gate, facts, said_corrections, weighing
from furoshiki.memory.perception import signals
from furoshiki.memory.perception.values import Percept, SaidNow
from furoshiki.memory.store import gists
from furoshiki.messages.roles import may
from furoshiki.messages.store import accounts, act_iterations, inbox, outbox, skill_runs, turn_journal, turns
from furoshiki.messages.values import COMMANDS_THAT_SHOW, COMPANION, USER, NewOutgoing, NewTurn
from furoshiki.mind.consolidation import memory_feedback
from furoshiki.mind.inner_life.standing_prompt import SESSION_BLOCK
from furoshiki.mind.post_conversation import after_answer
from furoshiki.models.speech.values import Audio
from furoshiki.owner.agenda import channel_modes, doubts
from furoshiki.owner.agenda.store import focus_sessions, operations, proposals
from furoshiki.owner.routing import topics
from furoshiki.owner.routing.store import decisions
from furoshiki.owner.routing.store.decisions import Place
from furoshiki.owner.user_model import style, user
from furoshiki.recall.retrieval.client import VectorsAway
from furoshiki.recall.retrieval.store import vectors
from furoshiki.world import World

# mail addresses and Telegram names: those the user wrote may be links in the answer
_ADDRESSED = re.compile(r"(?<![\w.+@-])(?:[\w.+-]+@[\w.-]+|@\w+)")

_REDIRECT_KIND = "redirected"

# skills that changed a reminder or list: "no, Sunday" then corrects that, not a fact
TOUCHES_REMINDERS = frozenset({"schedule", "list"})

# maximum UTF-16 units of a voice message's caption; longer text is sent before it
CAPTION_UNITS = 1024

BUDGET_SPENT = later(
    "By the way: today's budget is spent. I still answer you; everything else I wanted to think "
    "about waits until midnight UTC. `/cost` shows where it went."
)

OPERATOR_LIMIT = later(
    "By the way: the person who looks after the machine I live on has limited what language "
    "models may do for me in a day, and that limit is reached. Until midnight UTC my simpler "
    "self answers; I keep everything you say."
)


def commit(world: World, reply: Reply, spoken: Audio | None = None) -> Committed:
    """Store the turn and its audio. Raises StorageUnavailable: nothing changed, try again."""
    context, percept, now = reply.context, reply.percept, world.now
    live = channel_modes.mode(world, percept.channel) == "live"
    outgoing = _build_outgoing(world, reply, spoken) if live else []
    forgets = may(forget_plainly.WHO, world.who.standing)
    hidden = unkept.find_unkept(percept, world.care, now.year) if forgets else {}
    if hidden:
        outgoing = unkept.build_unkept(outgoing, percept, hidden)
        reply = _without_words(reply, unkept.without(percept, hidden))
        context, percept = reply.context, reply.percept
    point("turn.before_commit")
    with world.database.write() as db:
        heard = tuple(_hear(db, percept, said) for said in percept.said)
        answer, answer_id = _answer(db, reply, heard, now)
        for channel, items in _by_channel(db, outgoing, percept):
            turn_id = answer_id
            if channel != percept.channel:
                text, kind = "\n\n".join(item.text for item in items), _REDIRECT_KIND
                elsewhere = replace(answer, channel=channel, chat_id=items[0].chat_id, text=text, kind=kind)
                turn_id = turns.add(db, replace(elsewhere, at=percept.now, reply_to=None))
            outbox.put(db, items, now, turn_id, percept.key)
        if live and forgets:
            question = forget_plainly.beneath(db, percept, heard, len(outgoing))
            outbox.put(db, [question] if question else [], now, None, percept.key)
        _learn(db, world, reply, heard)
        _learn_manner(db, world, reply, heard)
        entry_gate.enter(db, percept, heard, world.rng)
        said = "\n".join(part.text for part in reply.speech.parts) if live else ""
        curiosities = doubts.mark_raised(db, said, percept.own_text, percept.now)
        memory_feedback.leave(db, percept.key, reply.draft.woken, context.woken.inertia.next, heard, percept.now)
        if context.known.topic is not None:
            topics.keep(db, percept, context.known.topic, heard, percept.now)
        danger.keep(db, reply, now)
        if reply.draft.model not in (REFLEX, NOBODY) and not hidden:
            own_promises.keep(world, db, said, answer_id)
        inbox.finish(db, [envelope.id for envelope in percept.envelopes], now)
        turn_journal.mark_committed(db, percept.key, now)
        if hidden:
            _erase_hidden(db, percept, hidden)
        operations.mark_read(db, reply.operations, now)
        _record_route(db, reply, now)
        if context.gists and reply.draft.model not in (REFLEX, NOBODY):
            gists.mark_shown(db, [one.id for one in context.gists], now)
        if context.strayed:
            focus_sessions.mark_strayed(db, now)
        window.begins_at(db, percept.channel, percept.chat_id, context.talk.window_start, now)
        _thought_over(db, reply, heard, now)
        kv.put(db, window.intensity_key(percept.channel, percept.chat_id), round(context.talk.intensity, 3), now)
        if kv.get(db, SESSION_BLOCK) != context.known.block:
            kv.put(db, SESSION_BLOCK, context.known.block, now)
        spent = {"hard": BUDGET_SPENT, "ceiling": OPERATOR_LIMIT}.get(reply.draft.standing)
        if spent and live and world.who.place is None and _first_today(db, now):
            words = NewOutgoing(percept.channel, percept.chat_id, say(spent), part=len(outgoing))
            outbox.put(db, [words], now, None, percept.key)
    point("turn.after_commit")
    return Committed(reply, heard, curiosities)


def _without_words(reply: Reply, percept: Percept) -> Reply:
    """Return the reply for storage without its text; nothing is learned from it."""
    context = replace(reply.context, percept=percept, known=replace(reply.context.known, topic=None), woken=Woken())
    parts = (Part(unkept.ANSWERED),) if reply.speech.parts else ()
    draft = replace(reply.draft, text="", notes=(), second=None)
    return replace(reply, context=context, draft=draft, speech=replace(reply.speech, parts=parts))


def _erase_hidden(db: sqlite3.Connection, percept: Percept, hidden: Mapping[int, str]) -> None:
    """Delete what was stored of such a message before the answer."""
    for envelope in percept.envelopes:
        if envelope.id in hidden:
            inbox.reword(db, envelope.id, unkept.WORDS)
    turn_journal.empty(db, percept.key)
    act_iterations.drop(db, percept.key)
    skill_runs.drop_besides(db, percept.key, sorted(TOUCHES_REMINDERS))


def settle(world: World, committed: Committed) -> Coroutine[Any, Any, object]:
    """Do the quick work after a turn: user needs and retrieval feedback in one transaction, then
    the index.

    Returns the slow work: reading new facts, and folding old turns into the summary.
    """
    reply, percept = committed.reply, committed.reply.percept
    needs: Mapping[str, UserNeed] = {}
    if committed.user_turns:
        turn_id = committed.user_turns[-1]
        late = signals.late(world, percept.key, turn_id)
        strengths = percept.signals if late is None else late
        if strengths:
            needs = signals.find_need_changes(world, turn_id, strengths)
    if committed.curiosities:
        world.state.change(heartbeat.ease_curiosities(world.laws, committed.curiosities, percept.now))
    remembered = memory_feedback.find_pending(world, percept.key)
    with world.database.write() as db:
        if needs:
            history.record_user_needs(db, needs, signals.BY_SIGNALS, percept.now)
        if remembered is not None:
            memory_feedback.record_feedback(world, db, remembered)
        attention.paid(world, db, reply.context.attended)
    with contextlib.suppress(VectorsAway):  # rows stay pending: found by keyword until indexed
        world.vectors.nudge()
    turned = committed.user_turns[0] if committed.user_turns and topics.has_turned(reply.context.known.topic) else None
    budget = reply.context.talk.history_budget

    async def slowly() -> None:
        if percept.look_later:
            await signals.read_again(world, percept.key, percept.own_text, percept.signals)
        await after_answer.around(
            world, lambda: window.compact(world, percept.channel, percept.chat_id, budget, turned)
        )

    return slowly()


def _hear(db: sqlite3.Connection, percept: Percept, said: SaidNow) -> int:
    return turns.add(
        db,
        NewTurn(
            session_id=percept.session_id,
            channel=percept.channel,
            chat_id=percept.chat_id,
            speaker=USER,
            text=said.text,
            at=said.at,
            kind=said.kind,
            reply_to=said.reply_to.id if said.reply_to else None,
            external_id=said.message_id,
            turn_key=percept.key,
            attachments=said.attachments,
            foreign=said.foreign,
            signals=percept.signals if said is percept.said[-1] else None,
        ),
    )


def _answer(db: sqlite3.Connection, reply: Reply, heard: Sequence[int], now: datetime) -> tuple[NewTurn, int]:
    """Store the companion's side of the turn; silence and reactions count too, for explanations."""
    here = "\n\n".join(part.text for part in reply.speech.parts if part.channel in (None, reply.percept.channel))
    kind = "reaction" if reply.speech.reaction else "silence"
    if here:
        kind = "text"
    new = NewTurn(
        session_id=reply.percept.session_id,
        channel=reply.percept.channel,
        chat_id=reply.percept.chat_id,
        speaker=COMPANION,
        text=here or reply.speech.reaction or "",
        at=now,
        kind=kind,
        reply_to=heard[-1] if heard else None,
        turn_key=reply.percept.key,
    )
    return new, turns.add(db, new)


def _thought_over(db: sqlite3.Connection, reply: Reply, heard: Sequence[int], now: datetime) -> None:
    """Store the second thought, and count the corrections shown."""
    context, percept = reply.context, reply.percept
    if reply.draft.second is not None:
        about = (percept.own_text, context.woken.inertia.said, vectors.model(db))
        second_thoughts.keep(db, percept.key, reply.draft.second, heard, about, now)
    if context.corrections and reply.draft.model not in (REFLEX, NOBODY):
        record_use(db, [one.id for one in context.corrections], now)


def _build_outgoing(world: World, reply: Reply, sound: Audio | None) -> list[NewOutgoing]:
    percept = reply.percept
    own = [COMMANDS_THAT_SHOW] if reply.draft.model == REFLEX else []
    links = frozenset([*percept.own_links, *_ADDRESSED.findall(percept.own_text), *own])
    last = percept.said[-1].message_id if percept.said else None
    items: list[NewOutgoing] = []
    if reply.speech.reaction and last and world.settings.furoshiki_reactions:
        items.append(
            NewOutgoing(percept.channel, percept.chat_id, reply.speech.reaction, kind="reaction", reply_to=last)
        )
    for spoken in reply.speech.parts:
        channel = spoken.channel or percept.channel
        chat = percept.chat_id if channel == percept.channel else ""
        texts = bubbles(spoken.text) if world.settings.furoshiki_bubbles else [spoken.text]
        for text in texts:
            items += _shape(world, channel, chat, text, links, last if spoken.quote else None, len(items))
    with world.database.read() as db:
        rows, offered = undo.rows_beneath(db, percept.key), offering.find_offer(db, percept.key)
    items = _with_undo(percept, items, rows)
    items = _with_name(world, reply, items)
    items = _with_voice(percept, items, sound)
    items += _zone_question(world, percept, len(items))
    items += _plugin_question(world, percept, len(items), offered)
    return _append_questions(world, reply, items)


def _with_undo(percept: Percept, items: list[NewOutgoing], rows: list[list[dict[str, str]]]) -> list[NewOutgoing]:
    """Add an undo button to the last message when the turn changed a list or reminder."""
    if not (rows and items and items[-1].kind == "text" and items[-1].channel == percept.channel):
        return items
    return _with_buttons(items, [*items[-1].extra.get("buttons", ()), *rows])


def _with_buttons(items: list[NewOutgoing], rows: Sequence[Any]) -> list[NewOutgoing]:
    """Return the messages with these buttons under the last."""
    *before, last = items
    return [*before, replace(last, extra={**last.extra, "buttons": list(rows)})]


def _with_name(world: World, reply: Reply, items: list[NewOutgoing]) -> list[NewOutgoing]:
    """Add yes and no to the question for a name, the companion's own or the user's."""
    percept = reply.percept
    given, renamed = names.find_small_name(percept.own_text), person.find_offered(world, percept)
    subject, name, ask = "name", given, say(names.OFFER, given=given or "")
    if renamed is not None:
        subject, name, ask = "called", renamed, say(companion_name.OFFER, given=renamed)
        if reply.context.bearing.cared is None and not (items and ask in items[-1].text):
            items = [*items, NewOutgoing(percept.channel, percept.chat_id, ask, part=len(items))]
    if name is None or not items or ask not in items[-1].text:
        return items
    row = [{"text": say("Yes"), "data": f"{subject}.take:{name}"}, {"text": say("No"), "data": f"{subject}.leave"}]
    return _with_buttons(items, [row])


def _with_voice(percept: Percept, items: list[NewOutgoing], spoken: Audio | None) -> list[NewOutgoing]:
    """Add the audio: with a single message as its caption, otherwise as a message at the end."""
    words = [number for number, one in enumerate(items) if one.kind == "text" and one.channel == percept.channel]
    if spoken is None or not items:
        return items
    data = base64.b64encode(spoken.data).decode()
    sound = {"data": data, "filename": "voice.ogg", "seconds": round(spoken.seconds)}
    if len(words) == 1 and len((one := items[words[0]]).text.encode("utf-16-le")) // 2 <= CAPTION_UNITS:
        voiced = replace(one, kind="voice", extra={**one.extra, **sound})
        return [*items[: words[0]], voiced, *items[words[0] + 1 :]]
    return [
        *items,
        NewOutgoing(percept.channel, percept.chat_id, "", "voice", part=len(items), entities=(), extra=sound),
    ]


def _shape(
    world: World, channel: str, chat_id: str, text: str, links: frozenset[str], quoted: str | None, part: int
) -> list[NewOutgoing]:
    return [
        NewOutgoing(
            channel=channel,
            chat_id=chat_id,
            text=shaped.text,
            kind=shaped.kind,
            part=part + number,
            entities=shaped.entities,
            reply_to=quoted if number == 0 else None,
            extra=shaped.extra,
        )
        for number, shaped in enumerate(world.shape(channel, text, links))
    ]


def _zone_question(world: World, percept: Percept, part: int) -> list[NewOutgoing]:
    """Return a question about the time zone of a shared location."""
    zone = next((said.attachments.get("zone") for said in percept.said if said.attachments), None)
    if not zone:
        return []
    with world.database.read() as db:
        if str(user.zone(world, db)) == zone:
            return []
    use = {"text": say("Use {zone}", zone=zone), "data": f"zone.set:{zone}"}
    buttons = [[use, {"text": say("No"), "data": "zone.keep"}]]
    question = say("You seem to be in {zone}. Should I use the time there from now on?", zone=zone)
    return [NewOutgoing(percept.channel, percept.chat_id, question, part=part, extra={"buttons": buttons})]


def _plugin_question(world: World, percept: Percept, part: int, offered: str | None) -> list[NewOutgoing]:
    """Return the offer of a plugin from this turn, with its permissions and buttons."""
    asked = None if offered is None else offering.question(world, offered)
    if asked is None:
        return []
    return [NewOutgoing(percept.channel, percept.chat_id, asked.text, part=part, entities=(), extra=dict(asked.extra))]


def _append_questions(world: World, reply: Reply, items: list[NewOutgoing]) -> list[NewOutgoing]:
    """Append proposals and questions, one message each, with buttons.

    A proposal is shown verbatim, without formatting or links. The built-in mind asks about times,
    and offers reminders, itself: the buttons go under its text.
    """
    percept = reply.percept
    if not reply.draft.asks:
        return items
    with world.database.read() as db:
        held = [proposals.get(db, token, world.now) for token in reply.draft.asks]
    below = reply.draft.model == REFLEX and bool(items) and items[-1].kind == "text"
    offered = []
    for one in filter(None, held):
        if below and (one.ways or one.args.get("offered")):
            offered.append(one)
            items = _with_buttons(items, choices.offer_each(offered))
            continue
        asks = later("Do it? Press a button, or answer yes or no.")
        if one.form:
            asks = mail_drafts.ASKS
        elif one.ways:
            asks = later("Press a button, or say which one.")
        shown = {"type": "pre", "offset": 0, "length": len(one.shown.encode("utf-16-le")) // 2}
        text, extra = f"{one.shown}\n\n{say(asks)}", {"buttons": choices.buttons(one)}
        place = percept.channel, percept.chat_id
        items.append(NewOutgoing(*place, text, part=len(items), entities=(shown,), extra=extra))
    return items


def _by_channel(
    db: sqlite3.Connection, items: Sequence[NewOutgoing], percept: Percept
) -> list[tuple[str, list[NewOutgoing]]]:
    """Group messages by channel and chat; those for an unused channel go to the original one."""
    groups: dict[str, list[NewOutgoing]] = {}
    for item in items:
        chat = item.chat_id or accounts.owner_chat(db, item.channel)
        channel = item.channel
        if not chat:
            channel, chat = percept.channel, percept.chat_id
        groups.setdefault(channel, []).append(replace(item, channel=channel, chat_id=chat))
    return list(groups.items())


def _first_today(db: sqlite3.Connection, now: datetime) -> bool:
    """Return whether the spent budget was not mentioned today, and mark it as mentioned."""
    today = now.date().isoformat()
    if kv.get(db, "budget.told") == today:
        return False
    kv.put(db, "budget.told", today, now)
    return True


def _record_route(db: sqlite3.Connection, reply: Reply, now: datetime) -> None:
    """Store the routing, whether a model saw it, and whether a skill was used (`acted`)."""
    percept, route = reply.percept, reply.context.route
    if route is not None:
        source = decisions.UNREAD if reply.draft.model in (REFLEX, NOBODY) else "user"
        place = Place(percept.key, percept.session_id, percept.channel, percept.chat_id, source)
        decisions.add(db, place, route, acted=bool(reply.draft.skills), now=now)


def _learn_manner(db: sqlite3.Connection, world: World, reply: Reply, heard: Sequence[int]) -> None:
    """Learn the user's writing style once per turn; record that a model was shown the style."""
    if reply.draft.model not in (REFLEX, NOBODY):
        style.mark_shown(db, reply.context.bearing.style, reply.percept.now)
    style.learn_message(db, reply.percept, heard, world.lexicon)


def _learn(db: sqlite3.Connection, world: World, reply: Reply, heard: Sequence[int]) -> None:
    """Store facts from the message, found by rule or noted by the model, with their sources."""
    if not heard:
        return
    percept, context = reply.percept, reply.context
    cycle, zone = weighing.cycle(world, "turn"), user.zone(world, db)
    corrected = said_corrections.learn(db, percept, heard, cycle, zone)
    if percept.name_given and not corrected:
        facts.learn(db, user.note_name(percept.name_given), heard, percept.now, cycle=cycle, zone=zone)
    ordered = context.route is not None and context.route.signals.get("action_intent")
    way = None
    # a mind reads such wishes itself, and more surely
    if reply.draft.model in (REFLEX, NOBODY) and not (ordered or context.bearing.danger):
        way = style.parse_way(percept, world.lexicon)
    if way is not None:
        facts.learn(db, way, heard, percept.now, cycle=cycle, zone=zone)
    for note in reply.draft.notes:
        facts.learn(db, note, note.turn_ids or heard, percept.now, cycle=cycle, zone=zone, unconfirmed=note.unconfirmed)
