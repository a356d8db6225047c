"""Answer "what did we talk about yesterday?" without a model: the user's own words of that day."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from furoshiki.core.catalogue import capital, say
from furoshiki.language import nlp
from furoshiki.language.dates.past import day_asked
from furoshiki.language.dates.past.past_stretches import Stretch
from furoshiki.language.humanize import shorten
from furoshiki.language.reflex.care.noticing import notice
from furoshiki.language.reflex.wording import day, join_sentences
from furoshiki.language.tables.care_words import UNQUOTED
from furoshiki.memory import said_by_day
from furoshiki.memory.perception.values import Percept
from furoshiki.memory.said_by_day import SaidThen
from furoshiki.messages.values import USER, Turn
from furoshiki.recall.retrieval.other_languages import load_languages
from furoshiki.world import World

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
                return say("You just wrote: “{words}”", words=shorten(one.own))
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
        line = say("“{words}”", words=shorten(one.own))
        if first != last:
            line = capital(say("{when}: “{words}”", when=day(one.at, now), words=shorten(one.own)))
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
