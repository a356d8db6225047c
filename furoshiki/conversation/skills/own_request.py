"""How clearly the owner's own words request a call, as read by rules.

This checks a model's call against the message. It reads orders for reminders, lists, focus
sessions and quiet in languages with known time words; other orders are not recognised.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from furoshiki.conversation.skills.focus import FocusArguments, QuietArguments, was_quiet_asked
from furoshiki.conversation.skills.lists import ListArguments
from furoshiki.conversation.skills.rules import Asks, within
from furoshiki.conversation.skills.schedule import ScheduleArguments
from furoshiki.conversation.skills.skill import Arguments, Change, SkillContext
from furoshiki.language import nlp, testimony
from furoshiki.language.dates import parsing, time_changes
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import When
from furoshiki.language.grounding.words import content_of, stems_of
from furoshiki.language.list_names import list_id
from furoshiki.language.reflex import focusing
from furoshiki.language.reflex.hearing import plain
from furoshiki.language.reflex.reminders import requests
from furoshiki.language.requests import values as asked
from furoshiki.language.tables.numbers import LANGUAGES
from furoshiki.language.word_tables import texts
from furoshiki.language.words import ends_asking
from furoshiki.owner.agenda.store import tasks
from furoshiki.owner.user_model import user
from furoshiki.recall.retrieval.other_languages import load_languages

SAME = timedelta(minutes=1)

_PUTS_DOWN = frozenset({"create", "add", "set", "propose"})
_SWAP, _REMINDER = ("|".join(texts("swaps", key).values()) for key in ("verb", "reminder"))
# “Swap the reminder”, whose object stands earlier in the message
_SWAPS = re.compile(
    rf"(?<!\w)(?:{_SWAP})\w{{0,6}}[^.!?,\n]{{0,20}}(?:{_REMINDER})"
    rf"|(?:{_REMINDER})\w{{0,6}} ?(?:{_SWAP})\w{{0,6}}[^\w\n]{{0,9}}\Z",
    re.IGNORECASE,
)

_FIGURES = re.compile(r"\d+")
_SENTENCE = re.compile(r"(?<=[^\d.][.!?])\s|\n")
MOST_SENTENCES = 12


def asks(doing: SkillContext, change: Change) -> Asks:
    """Return how clearly this message requests a change."""
    if doing.percept is None:
        return "perhaps"
    args, world = change.args, doing.world
    ordered = [text for message in doing.percept.said for text in _each(message.ordered)]
    reminds = False
    if isinstance(args, FocusArguments):
        exactly = any(_focuses(text, args) for text in ordered)
    elif isinstance(args, QuietArguments):
        exactly = any(was_quiet_asked(doing, args, testimony.own(text, ())) for text in _each(doing.own))
    else:
        with world.database.read() as db:
            zone, habits = user.zone(world, db), user.habits(world, db)
        now = world.now.astimezone(zone)
        parts = [part for text in ordered for part in _parts(text, now, habits)]
        exactly = any(_was_asked(part, doing, args, change.named, now) for part in parts)
        reminds = any(isinstance(part, asked.Remind) for part in parts) and getattr(args, "action", "") == "create"
    if exactly:
        return "exactly"
    wanted = reminds or nlp.read(doing.own, world.lexicon).action_intent or _may_be(doing, args)
    return "perhaps" if wanted else "no"


def puts_down(args: Arguments) -> bool:
    """Return whether a call only makes something new."""
    return getattr(args, "action", "set") in _PUTS_DOWN


def is_unread(doing: SkillContext) -> bool:
    """Return whether the owner's words are in a language whose orders no rule reads."""
    language = load_languages(doing.world.config).of(doing.own)
    return doing.percept is not None and language is not None and language.code not in LANGUAGES


def _may_be(doing: SkillContext, args: Arguments) -> bool:
    """Return whether a message without a readable order may request it: a reminder at a named time,
    an addition in a language without rules, or the end of a reminder that is to be swapped."""
    if not puts_down(args):
        return _SWAPS.search(doing.own) is not None and not ends_asking(doing.own)
    if isinstance(args, ScheduleArguments) and args.when is not None:
        return _has_date(doing, datetime.fromisoformat(args.when))
    if isinstance(args, FocusArguments):
        return "focus" in doing.own.casefold()
    language, lexicon = load_languages(doing.world.config).of(doing.own), doing.world.lexicon
    read = {one.language for one in (lexicon, lexicon.beside) if one is not None}
    return language is not None and language.code not in read


def _has_date(doing: SkillContext, due: datetime) -> bool:
    """Return whether the message names the day, or the hour in figures."""
    with doing.world.database.read() as db:
        zone, habits = user.zone(doing.world, db), user.habits(doing.world, db)
    due = due.astimezone(zone)
    time = parsing.read(doing.own, doing.world.now.astimezone(zone), habits)
    if time is not None:
        return time.at.date() == due.date()
    return bool({str(due.hour), str(due.hour % 12)} & set(_FIGURES.findall(doing.own)))


def _each(text: str) -> list[str]:
    """Return a message and its sentences: a request often follows a report."""
    sentences = [part for part in _SENTENCE.split(text, MOST_SENTENCES) if part.strip()]
    return [text, *sentences] if len(sentences) > 1 else [text]


def _parts(text: str, now: datetime, habits: Habits) -> Sequence[asked.Request]:
    wanted = requests.perhaps(text, now, habits)
    if isinstance(wanted, asked.SeveralRequests):
        return wanted.wanted
    return () if wanted is None else (wanted,)


def _focuses(text: str, args: FocusArguments) -> bool:
    wanted = focusing.parse_request(plain(text))
    if wanted is None or wanted["action"] != args.action:
        return False
    return args.action == "clear" or (
        wanted.get("minutes", args.minutes) == args.minutes and content_of(args.topic) <= stems_of(wanted["topic"])
    )


def _was_asked(one: asked.Request, doing: SkillContext, args: Arguments, named: Sequence[str], now: datetime) -> bool:
    if isinstance(args, ScheduleArguments):
        return _about_reminder(one, doing, args, named, now)
    return isinstance(args, ListArguments) and _about_list(one, args, named)


def _about_list(one: asked.Request, args: ListArguments, named: Sequence[str]) -> bool:
    meant = list_id(args.list or "shopping")
    match one:
        case asked.ClearList():
            return args.action == "clear" and (one.name is None or list_id(one.name) == meant)
        case asked.MoveItems():
            return args.action in ("add", "remove") and within(named, " ".join(one.items))
        case asked.ChangeList():
            there = one.name is None or list_id(one.name) == meant
            return args.action == one.action and there and within(named, ", ".join(one.items))
        case _:
            return False


def _about_reminder(
    one: asked.Request, doing: SkillContext, args: ScheduleArguments, named: Sequence[str], now: datetime
) -> bool:
    match one:
        case asked.Remind():
            return args.action == "create" and _at(one.when, args) and _of(one, doing, named)
        case asked.CancelReminder():
            several = one.every or len(named) == 1
            fits = bool(named) and all(content_of(one.what) <= stems_of(title) for title in named)
            return args.action == "cancel" and several and fits and (one.every or bool(content_of(one.what)))
        case asked.ChangeList():
            return args.action == "done" and one.action == "check" and within(named, ", ".join(one.items))
        case asked.RenameReminder():
            return args.action == "rename" and within(named, one.title)
        case asked.MoveReminder():
            about = all(content_of(one.what) <= stems_of(title) for title in named)
            return args.action == "move" and about and _was_move_asked(one.to, doing, args, now)
        case asked.Snooze():
            return args.action == "snooze" and (not one.to or _was_move_asked(one.to, doing, args, now))
        case _:
            return False


def _of(request: asked.Remind, doing: SkillContext, named: Sequence[str]) -> bool:
    """Return whether the subject matches. A model may word a missing one, once."""
    if content_of(request.what):
        return within(named, request.what)
    with doing.world.database.read() as db:
        return not tasks.of_turn(db, doing.place.key)


def _at(wanted: When | None, args: ScheduleArguments) -> bool:
    if wanted is None or wanted.past or args.when is None:
        return False
    due = datetime.fromisoformat(args.when).astimezone(wanted.at.tzinfo)
    same = abs(due - wanted.at) < SAME if wanted.timed else due.date() == wanted.at.date()
    return same and wanted.rule == args.recurrence


def _was_move_asked(to: str, doing: SkillContext, args: ScheduleArguments, now: datetime) -> bool:
    with doing.world.database.read() as db:
        task, habits = tasks.get(db, args.ids[0]), user.habits(doing.world, db)
    since = (
        now if task is None or task.due_at is None or args.action == "snooze" else task.due_at.astimezone(now.tzinfo)
    )
    found = time_changes.move_time(to, since, now, habits) or time_changes.move_time(f"in {to}", since, now, habits)
    return isinstance(found, When) and _at(found, args)
