"""Build the reflex mind's input: the turn as values instead of a prompt."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from furoshiki.conversation import danger
from furoshiki.conversation.commands.choices import person
from furoshiki.conversation.skills.drawing import draw_picture
from furoshiki.conversation.values import Context
from furoshiki.core import catalogue, refs
from furoshiki.core.catalogue import capital, say
from furoshiki.language import nlp, testimony
from furoshiki.language.dates.past import day_asked
from furoshiki.language.dates.past.past_stretches import Stretch
from furoshiki.language.detection import Language
from furoshiki.language.humanize import shorten
from furoshiki.language.not_danger import read_rest
from furoshiki.language.reflex import other_languages
from furoshiki.language.reflex.care.noticing import notice
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.reflex.values import OpenItem
from furoshiki.language.reflex.wording import day, join_sentences
from furoshiki.language.tables.care_words import UNQUOTED
from furoshiki.language.testimony import Passage, Utterance
from furoshiki.memory import said_by_day, said_corrections
from furoshiki.memory.perception.values import Percept, SaidNow
from furoshiki.memory.said_by_day import SaidThen
from furoshiki.memory.store import memories
from furoshiki.messages.store import turns
from furoshiki.messages.values import COMPANION, USER, Turn
from furoshiki.mind.outreach import reminders
from furoshiki.owner.agenda.rules.quiet.reading import lacks_hours, needs_quiet
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.agenda.store.tasks import Task
from furoshiki.owner.user_model import languages, style, user
from furoshiki.owner.user_model.rules import style_wishes
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

RECENT = 12
TOLD = 80  # of the user's own messages, those that are looked through for an appointment
OVER = 50  # maximum past facts included, most recently ended first
MOST_OPEN = 200  # maximum list items included
HEARD_FOR = timedelta(days=1)  # how long "snooze" applies to a reminder that was said


def of(world: World, context: Context) -> Situation:
    """Return the situation of a turn, with the sources of facts for quotation."""
    percept = context.percept
    with world.database.read() as db:
        zone, habits = user.zone(world, db), user.habits(world, db)
        facts, numbers = said_corrections.add_sources(db, context.known.facts), danger.here(world, db)
        over = said_corrections.add_sources(db, memories.once_known(db, OVER))
        waiting = [open_item(task, zone) for task in tasks.list_every_open(db, MOST_OPEN)]
        rung = _rung(db, context.talk.history, percept.now, zone)
        denied = said_corrections.find_denied(db, context.talk.history)
        told = tuple(turns.read_back(db, USER, percept.now + timedelta(seconds=1), TOLD))
        at_hand = {one.id for one in context.woken.shown}
        at_hand.update(refs.names("turn", (turn.id for turn in (*context.talk.history[-RECENT:], *told))))
        righted = said_corrections.find_corrected(db, sorted(at_hand))
        then = answer(world, db, percept, context.talk.history, zone)
    language = _language(world, context)
    cared = context.bearing.cared
    weight = None if cared is None or cared.lightly else cared.weight
    now = cared is not None and cared.now
    return Situation(
        text=percept.own_text,
        now=percept.now.astimezone(zone),
        companion=world.settings.furoshiki_companion_name,
        user_name=context.known.name,
        mood=percept.heartbeat.mood.word,
        emotions=percept.heartbeat.emotions.as_mapping(),
        nlp=nlp.read(percept.own_text, world.lexicon),
        facts=facts,
        over=over,
        recalled=tuple(
            Utterance(one.speaker, one.text, one.at, refs.row(one.id), one.foreign)
            for one in context.woken.shown
            if refs.is_of(one.id, "turn")
        ),
        recent=tuple(context.talk.history[-RECENT:]),
        told=told,
        last_seen=context.known.last_seen,
        attachments=tuple(what for one in percept.said for what in _brought(one)),
        wished=style_wishes.find_wishes(style.own_words(percept), world.lexicon),
        wishes=context.bearing.style.wishes,
        concise="brief" in context.bearing.style.wishes or "verbosity-low" in context.bearing.style.slots,
        habits=habits if language is None else habits.writing(language.code),
        language=language,
        told_language=language is not None and language.spoken and _has_language_notice(world, context, language),
        meant=read_rest(percept.meant, percept.own_text),
        felt=percept.signals,
        reminders=tuple(one for one in waiting if one.list == tasks.REMINDERS and one.at is not None),
        rung=rung,
        listed=tuple(one for one in waiting if one.list != tasks.REMINDERS),
        care=world.care,
        help=numbers,
        denied=denied,
        righted=righted,
        quiet=context.quiet,
        needs_quiet=needs_quiet(percept.own_text, percept.now.astimezone(zone), habits),
        lacks_hours=lacks_hours(percept.own_text),
        danger=weight.notice if weight is not None and now else None,
        danger_read=percept.danger_bounds is not None,
        standing=None if now else weight,
        eased=cared.weight if cared is not None and cared.lightly else None,
        sources=context.sources,
        pasted="\n".join(testimony.pasted(one.text, one.foreign) for one in percept.said),
        foreign=not percept.own_text.strip() and any(one.text.strip() for one in percept.said),
        said_then=then,
        renamed=person.find_offered(world, percept),
        paints=draw_picture.find_painter(world) is not None,
        outside=tuple((one.title.replace("_", " "), one.source) for one in context.talk.outside),
    )


def _language(world: World, context: Context) -> Language | None:
    """Return the language if not English: the answer's, else the message's."""
    known = load_languages(world.config)
    before = next((turn.own for turn in reversed(context.talk.history) if turn.speaker == USER and turn.own), "")
    return languages.by_code(world, catalogue.get_language()) or known.of(context.percept.own_text, known.of(before))


def _has_language_notice(world: World, context: Context, language: Language) -> bool:
    """Return whether this conversation was told that the language is not supported."""
    since = world.now - other_languages.CONVERSATION
    replies = (turn.text for turn in context.talk.history if turn.speaker == COMPANION and turn.at >= since)
    return other_languages.was_explained(language, world.settings.furoshiki_companion_name, replies)


def _rung(db: sqlite3.Connection, history: Sequence[Turn], now: datetime, zone: tzinfo) -> tuple[OpenItem, ...]:
    """Return the reminders that rang in this conversation recently, newest first."""
    said = (turn for turn in reversed(history) if turn.kind == "reminder" and now - turn.at < HEARD_FOR)
    numbers = dict.fromkeys(reminders.task_of(turn.turn_key) for turn in said if turn.turn_key)
    found = (tasks.get(db, number) for number in numbers if number is not None)
    return tuple(open_item(task, zone) for task in found if task is not None)


def open_item(task: Task, zone: tzinfo) -> OpenItem:
    at = None if task.due_at is None else task.due_at.astimezone(zone)
    return OpenItem(task.id, task.list_id, task.title, at, task.recurrence, task.changed_at)


NOTE = "[a "  # the start of a note that replaces a file (`furoshiki.memory.perception.attachments`)


def _brought(said: SaidNow) -> tuple[str, ...]:
    """Describe what came with a message besides the user's own words."""
    notes = (said.text[one.start : one.end] for one in said.foreign if one.kind == "note")
    return (
        *notes,
        *(_describe_passage(one, said.text[one.start : one.end]) for one in testimony.outside(said.foreign)),
    )


def _describe_passage(passage: Passage, text: str) -> str:
    name = passage.name or ""
    if passage.kind in ("document", "audio") and text.startswith(NOTE):
        return text  # an unreadable file: the note says why
    match passage.kind:
        case "picture" | "unknown":
            return text
        case "document":
            return f"the document {name}".strip() if name else "a document"
        case "audio":
            return f"the audio file {name}" if name else "an audio file"
        case "pasted":
            return "what you pasted"
        case "contact" | "poll":
            return f"a {passage.kind}"
        case "place":
            return "a place on the map"
        case _:
            return f"something {passage.source}"


MOST_QUOTED = 6


def answer(world: World, db: sqlite3.Connection, percept: Percept, history: Sequence[Turn], zone: tzinfo) -> str:
    """Return the reply to such a question, "" for other messages. `history` is the conversation."""
    now = percept.now.astimezone(zone)
    asked = day_asked.read(percept.own_text, now.date(), world.settings.furoshiki_companion_name)
    if asked is None:
        return ""
    if asked.when == "just":
        for one in reversed(history):
            if one.speaker == USER and one.own and _is_grave(one, world):
                return _describe(SaidThen((one,)), now, world)
            if one.speaker == USER and one.own:
                return say("You just wrote: “{words}”", words=shorten(one.quotable))
        return say("You haven't told me anything yet.")
    if asked.days is None:
        last = said_by_day.read_last(db, percept.session_id, zone, now)
        if not last.turns:
            return say("This is the first time we talk.")
        return _describe(last, now, world)
    said = said_by_day.read(db, asked.days.start, asked.days.end, zone, now)
    if said.turns:
        return _describe(said, now, world)
    return _describe_silence(asked.days, said.before, now)


def _describe_silence(days: Stretch, before: datetime | None, now: datetime) -> str:
    """Say that nothing was said on these days, and when the last message before came."""
    nothing = say("You told me nothing then.")
    if days.end - days.start == timedelta(days=1):
        start = datetime.combine(days.start, now.timetz())
        nothing = capital(say("{when} you told me nothing.", when=day(start, now)))
    if before is None:
        return nothing
    return join_sentences(nothing, say("The last time before that was {when}.", when=day(before, now)))


def _describe(said: SaidThen, now: datetime, world: World) -> str:
    """Quote what was said, with its days; never what shows danger."""
    tellable = [one for one in said.turns if not _is_grave(one, world)]
    first, last = day(said.turns[0].at, now), day(said.turns[-1].at, now)
    if not tellable:
        return say(
            "What you told me {when} weighs a lot. I won't repeat it here, but I haven't forgotten it.", when=first
        )
    telling = [one for one in tellable if not _asks(one, world)] or tellable
    chosen = said_by_day.choose(telling, MOST_QUOTED)
    lines = [say("You told me:")]
    if first == last:
        lines = [capital(say("{when} you told me:", when=first))]
    for one in chosen:
        line = say("“{words}”", words=shorten(one.quotable))
        if first != last:
            line = capital(say("{when}: “{words}”", when=day(one.at, now), words=shorten(one.quotable)))
        lines.append(f"- {line}")
    if len(telling) > len(chosen):
        lines.append(say("There was more, too."))
    return "\n".join(lines)


def _asks(one: Turn, world: World) -> bool:
    """Return whether a message is a question: those are not told back as what was talked about."""
    language = load_languages().of(one.own)
    return nlp.read(one.own, world.lexicon).asks if language is None else language.is_asked(one.own)


def _is_grave(one: Turn, world: World) -> bool:
    found = notice(one.own, world.care, world.now.year)
    return found is not None and found.kind in UNQUOTED
