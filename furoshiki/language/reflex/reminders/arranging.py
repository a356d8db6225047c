"""Changes to existing reminders: which one is meant, and the skill call."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from furoshiki.core import timestamps
from furoshiki.core.catalogue import later, say, speaking
from furoshiki.language.dates import parsing, recurrence, time_changes
from furoshiki.language.dates.habits import Habits
from furoshiki.language.dates.parsing import Unclear, When
from furoshiki.language.dates.recurrence_words import often
from furoshiki.language.list_names import list_name, list_said
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import selection
from furoshiki.language.reflex.reminders.open_questions import GONE_BY, WHICH_OF_MORE, WHICH_ONE, WHICH_TIME
from furoshiki.language.reflex.values import OpenItem, Reflex, SkillCall
from furoshiki.language.reflex.wording import Wording, add_full_stop, flip_person, join_sentences, moment
from furoshiki.language.requests import changed_plans
from furoshiki.language.requests.values import CancelReminder, MoveReminder, RenameReminder, SkipReminder, Snooze

SNOOZED = 10  # minutes of a snooze without a given time, as on a phone

_MOST_SHOWN = 6

NO_SUCH_REMINDER = later("I couldn't find that reminder.")


def about(words: str, heard: Heard) -> list[OpenItem]:
    """Return the reminders that words may mean."""
    return selection.find_meant(words, heard.situation.reminders, heard.situation.now, heard.situation.habits)


def find_meant(words: str, heard: Heard) -> list[OpenItem]:
    """Return the reminders that words may mean, else the list items."""
    bare = re.sub(r"\b(?:task|to-?do|item)s?\b", " ", words, flags=re.IGNORECASE).strip()
    return about(words, heard) or (selection.find_named(bare, heard.situation.listed) if bare else [])


def _find_last_touched(words: str, heard: Heard) -> OpenItem | None:
    """Return the item that "it" means: the one changed last."""
    found = selection.find_meant(words, (*heard.situation.reminders, *heard.situation.listed), heard.situation.now)
    return found[0] if len(found) == 1 and words.strip() else None


def _is_alarm(item: OpenItem, code: str) -> bool:
    """Return whether a reminder has the title of an alarm without a task."""
    with speaking(code):
        return item.title in (say("time to wake up"), "time to wake up")


def cancel(wanted: CancelReminder, heard: Heard, wording: Wording) -> Reflex:
    last = _find_last_touched(wanted.what, heard) if wanted.what.lower() == "it" else None
    found = [last] if last is not None else find_meant(wanted.what, heard) if wanted.what else about("", heard)
    if wanted.alarm:
        found = list(filter(partial(_is_alarm, code=heard.code), found)) or found
    on_lists = [one for one in found if one in heard.situation.listed]
    if len(on_lists) == 1 == len(found):
        taken = {"action": "remove", "list": list_name(on_lists[0].list), "items": [on_lists[0].title]}
        return Reflex(calls=(SkillCall("list", taken),))
    if wanted.every and not wanted.what:
        found = list(heard.situation.reminders)
    if not heard.situation.reminders:
        return Reflex(wording.one((later("No reminders are waiting."), later("There is none to cancel."))))
    if not found:
        return Reflex(join_sentences(say(NO_SUCH_REMINDER), _describe_waiting(heard)))
    if len(found) > 1 and not wanted.every:
        return which(found, heard)
    return _call(action="cancel", ids=[one.id for one in found])


def find_skip(heard: Heard) -> SkipReminder | None:
    """Return the request to leave out one time of the one recurring reminder that is meant: on the day
    that is named, or the next within a week. Without a name it is the one just spoken of."""
    text, now, habits = " ".join(heard.text.split()), heard.situation.now, heard.situation.habits
    time, what, day = parsing.parse_when(text, now, habits), None, None
    if time is not None and time.spans:
        start, end = time.spans[0]
        what = changed_plans.find_skipped(f"{text[:start]}{changed_plans.ONE_TIME}{text[end:]}")
        that_day = parsing.parse_when(text[start:end], now, habits)
        if isinstance(that_day, When) and that_day.dated:
            day = that_day.at.date()
    if what is None:
        what = changed_plans.find_skipped(text)
    if what is None:
        return None
    meant = list(filter(lambda item: _comes(item, day, now), _list_meant(what, heard)))
    if len(meant) != 1:
        return None
    return SkipReminder(meant[0].id, day)


def _list_meant(what: str, heard: Heard) -> list[OpenItem]:
    if what:
        return about(what, heard)
    spoken = heard.last_reply.casefold()
    return list(filter(lambda item: flip_person(item.title).casefold() in spoken, heard.situation.reminders))


def _comes(item: OpenItem, day: date | None, now: datetime) -> bool:
    """Return whether a reminder comes on a day, or within a week."""
    if item.at is None or item.rule is None:
        return False
    if day is None:
        return item.at <= now + timedelta(days=7)
    return recurrence.comes_on(item.rule, item.at, item.at, day, item.at.tzinfo or UTC)


def skip(wanted: SkipReminder) -> Reflex:
    if wanted.day is None:
        return _call(action="skip", ids=[wanted.reminder])
    return _call(action="skip", ids=[wanted.reminder], when=wanted.day.isoformat())


def move(wanted: MoveReminder, heard: Heard) -> Reflex | None:
    now, habits = heard.situation.now, heard.situation.habits
    found = about(wanted.what, heard)
    if not heard.situation.reminders or not found:
        return Reflex(join_sentences(say(NO_SUCH_REMINDER), _describe_waiting(heard)))
    if len(found) > 1:
        return which(found, heard)
    one = found[0]
    assert one.at is not None
    to = time_changes.move_time(wanted.to, one.at, now, habits)
    if isinstance(to, Unclear) and to.halves:
        return _call(action="move", ids=[one.id], **_which_time(to.halves))
    if to is None or isinstance(to, Unclear):
        doubt = add_full_stop(to.asks) if to else None
        ask = say("When should I move “{what}” to?", what=flip_person(one.title))
        return Reflex(join_sentences(doubt, ask))
    if to.past:
        return Reflex(join_sentences(say(GONE_BY, when=moment(to.at, now)), say(WHICH_TIME)))
    details: dict[str, Any] = {"action": "move", "ids": [one.id], "when": to.at.isoformat(timespec="seconds")}
    rule = to.rule or (time_changes.fit_rule(one.rule, to.at) if one.rule else None)
    if one.rule and rule is None:
        rhythm = later("“{what}” is on several days: tell me the whole new schedule, like “every Monday at 9”.")
        return Reflex(say(rhythm, what=flip_person(one.title)))
    return _call(**details, **({"recurrence": rule} if rule else {}))


def rename(wanted: RenameReminder, heard: Heard) -> Reflex | None:
    found = about(wanted.what, heard)
    if not found:
        held, _ = selection.items([wanted.what], heard.situation.listed)
        if not held:
            return Reflex(join_sentences(say(NO_SUCH_REMINDER), _describe_waiting(heard)))
        name = held[0].list
        taken = SkillCall("list", {"action": "remove", "list": name, "items": [held[0].title]})
        return Reflex(calls=(taken, SkillCall("list", {"action": "add", "list": name, "items": [wanted.title]})))
    if len(found) > 1:
        return which(found, heard)
    return _call(action="rename", ids=[found[0].id], what=wanted.title)


def snooze(wanted: Snooze, heard: Heard) -> Reflex:
    now, habits = heard.situation.now, heard.situation.habits
    if not heard.situation.rung:
        none = say("No reminder has gone off recently, so there's none to repeat.")
        return Reflex(join_sentences(none, _describe_waiting(heard)))
    one = heard.situation.rung[0]
    when = None if not wanted.to else _again(wanted.to, now, habits)
    if isinstance(when, Unclear) and when.halves:
        return _call(action="snooze", ids=[one.id], **_which_time(when.halves))
    if isinstance(when, Unclear):
        return Reflex(join_sentences(add_full_stop(when.asks), say("When should I remind you again?")))
    if when is not None and when.dated and not when.timed and one.at is not None:
        kept = time_changes.move_time(wanted.to, one.at, now, habits)
        when = kept if isinstance(kept, When) and not kept.past else when
    at = when.at if when is not None else timestamps.later(now, timedelta(minutes=SNOOZED)).astimezone(now.tzinfo)
    return _call(action="snooze", ids=[one.id], when=at.isoformat(timespec="seconds"))


def _again(words: str, now: datetime, habits: Habits) -> When | Unclear | None:
    """Parse when "an hour" or "tomorrow" is."""
    found = parsing.parse_when(words, now, habits)
    if isinstance(found, When) and not found.past:
        return found
    return parsing.parse_when(f"in {words}", now, habits) or found


def which(found: Sequence[OpenItem], heard: Heard) -> Reflex:
    """Ask which item is meant, soonest first."""
    now = heard.situation.now
    shown = [f"{flip_person(one.title)} ({_when(one, now)})" for one in found[:_MOST_SHOWN]]
    if len(found) > _MOST_SHOWN:
        return Reflex(say(WHICH_OF_MORE, items=", ".join(shown), number=len(found) - _MOST_SHOWN))
    return Reflex(say(WHICH_ONE, first=", ".join(shown[:-1]), last=shown[-1]))


def _describe_waiting(heard: Heard) -> str:
    titles = [f"{flip_person(one.title)}" for one in heard.situation.reminders[:_MOST_SHOWN]]
    return say("You have: {items}.", items="; ".join(titles)) if titles else say("No reminders are set.")


def _when(one: OpenItem, now: datetime) -> str:
    if one.at is None:
        return say("on the {list} list", list=list_said(one.list))
    at = moment(one.at, now)
    return f"{at}, {often(one.rule, one.at)}" if one.rule else at


def _which_time(halves: Sequence[When]) -> dict[str, str]:
    first, then = (one.at.isoformat(timespec="seconds") for one in halves)
    return {"when": first, "either": then}


def _call(**args: Any) -> Reflex:
    return Reflex(calls=(SkillCall("schedule", args),))
