"""Map requests about reminders and lists to skill calls, or to questions."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from furoshiki.core.catalogue import ENGLISH, get_language, later, say, speaking
from furoshiki.language.dates import parsing, time_changes
from furoshiki.language.dates.parsing import When
from furoshiki.language.facts.relatives import find_related
from furoshiki.language.humanize import join_items
from furoshiki.language.list_names import list_id, list_name, list_said
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import (
    arranging,
    not_possible,
    open_questions,
    pointing,
    rearranging,
    reminding,
    requests,
    selection,
)
from furoshiki.language.reflex.reminders.answers import ask_when, find_language
from furoshiki.language.reflex.reminders.continuing import (
    find_before,
    find_continuation,
    find_named_things,
    just_made,
    list_spoken_of,
)
from furoshiki.language.reflex.reminders.open_questions import ASK_WHAT_AND_WHEN, ASK_WHAT_AT, GONE_BY, WHICH_TIME
from furoshiki.language.reflex.values import Reflex, SkillCall
from furoshiki.language.reflex.wording import Wording, add_full_stop, flip_person, join_sentences, moment
from furoshiki.language.requests import changed_plans, list_things
from furoshiki.language.requests.errands import find_errand
from furoshiki.language.requests.values import (
    CancelReminder,
    ChangeList,
    ClearList,
    DropQuestion,
    MoveItems,
    MoveReminder,
    Remind,
    RenameReminder,
    Request,
    SeveralRequests,
    ShowDay,
    ShowList,
    ShowReminders,
    SkipReminder,
    Snooze,
)
from furoshiki.language.tables.function_words import DENIES


def request(heard: Heard, wording: Wording) -> Reflex | None:
    """Handle a request, also one that answers an open question; decline impossible ones."""
    wanted = wish(heard)
    if wanted is None:
        return _offer(heard) or not_possible.decline(heard)
    return carry_out(wanted, heard, wording)


def wish(heard: Heard) -> Request | None:
    """Return the request: an instruction of its own, else the answer to an open question."""
    now, habits = heard.situation.now, heard.situation.habits
    own = arranging.find_skip(heard) or pointing.find_on_that_day(heard) or find_before(heard)
    if own is None and just_made(heard):
        own = pointing.find_of_it(heard)
    own = own or requests.perhaps(heard.text, now, habits)
    if isinstance(own, ChangeList) and own.action == "add":
        own = replace(own, items=_find_items(own, heard))
    if isinstance(own, ChangeList) and not own.surely and not _is_listed(own, heard):
        own = _cancel_instead(own, heard)
    if isinstance(own, MoveReminder):
        own = _read_new_time(own, heard)
    if isinstance(own, CancelReminder) and not own.surely and not arranging.find_meant(own.what, heard):
        own = None
    if isinstance(own, MoveReminder | RenameReminder) and not own.named and not _is_about_reminder(own, heard):
        own = None
    if isinstance(own, ShowList) and not own.surely:
        name = list_spoken_of(heard) if own.name == "it" else own.name
        known = any(item.list == list_id(name or "") for item in heard.situation.listed)
        own = ShowList(name or "") if known else None
    if isinstance(own, Snooze) and not (own.surely or heard.last_reply.startswith("⏰")):
        own = None
    if isinstance(own, Snooze) and own.to and not (_is_time(own.to, heard) or _is_time(f"in {own.to}", heard)):
        own = None
    return own or find_continuation(heard) or _find_done(heard) or _find_replaced(heard)


def _read_new_time(wanted: MoveReminder, heard: Heard) -> MoveReminder | RenameReminder | None:
    """Return a move with what Turkish names before the new time ("toplantıyı cumaya al"), or a new title."""
    now, habits = heard.situation.now, heard.situation.habits
    if not _is_time(wanted.to, heard):
        is_title = heard.code == ENGLISH or wanted.what != "it"
        return RenameReminder(wanted.what, wanted.to, wanted.named) if is_title else None
    when = parsing.read(wanted.to, now, habits)
    what = "" if when is None else reminding.matter(wanted.to, when.spans)
    if when is None or not what or wanted.what != "it" or heard.code == ENGLISH:
        return wanted
    return MoveReminder(what, wanted.to[when.spans[0][0] : when.spans[-1][1]])


def _find_replaced(heard: Heard) -> RenameReminder | None:
    """Return the only reminder of what holds otherwise from now on: "from now on half a tablet of the blood pressure
    pill"; not where a time or somebody else is named, or something ends."""
    what, now = changed_plans.find_since(heard.text, heard.code) or "", heard.situation.now
    named = selection.stems(what)
    if heard.asks or DENIES.search(what) or find_related(what) is not None:
        return None
    if parsing.parse_when(what, now, heard.situation.habits) is not None:
        return None
    about = [one for one in heard.situation.reminders if len(named & selection.stems(one.title)) >= _LEAST_SHARED]
    if len(about) != 1 or selection.stems(about[0].title) == named:
        return None
    return RenameReminder(about[0].title, what, named=True)


# least words that tell a reminder's matter: "blood pressure pill", and not "pill" alone
_LEAST_SHARED = 2


def _find_done(heard: Heard) -> ChangeList | None:
    """Return the item that a message says is done, by its own words in another form: "called the plumber"."""
    own = _BY_ME.sub("", heard.plain).split()
    if heard.asks or not LEAST_DONE <= len(own) <= list_things.MOST_TO_DO:
        return None
    said = selection.stems(" ".join(own))
    open_items = (*heard.situation.listed, *heard.situation.reminders)
    found = [one for one in open_items if selection.stems(one.title) == said]
    if len(found) != 1 or own[0] in found[0].title.lower().split():
        return None
    return ChangeList("check", (found[0].title,), None)


_BY_ME = re.compile(r"^(?:(?:i|we)(?:'ve| have)? )?(?:(?:just|already|finally) )?")
LEAST_DONE = 2  # least words by which a thing that was done is named


def _find_items(wanted: ChangeList, heard: Heard) -> tuple[str, ...]:
    """Return what goes on the list: the things that "them" means, and without a list those offered."""
    offered = list_things.split(open_questions.find_offered(heard.last_reply) or "")
    if list_things.stands_for_named(wanted.items):
        return offered or find_named_things(heard)
    return wanted.items if wanted.name is not None else (*offered, *wanted.items)


def rest(heard: Heard, wording: Wording) -> str | None:
    """Return the text besides the skills' results: remaining and earlier questions."""
    wanted = wish(heard)
    parts = wanted.wanted if isinstance(wanted, SeveralRequests) else ()
    said = [found.text for one in parts if (found := carry_out(one, heard, wording)) is not None and found.text]
    again = open_questions.repeat_question(heard) if _is_instruction(wanted, heard) else None
    if again and not said:
        said = [say("And still open: {question}", question=again)]
    return join_sentences(*said) or None


def _is_instruction(wanted: Request | None, heard: Heard) -> bool:
    """Return whether a message is a new request, not an answer to the open question."""
    asked = open_questions.find_open(heard)
    if asked is not None and asked.kind == "which" and isinstance(wanted, CancelReminder | MoveReminder):
        return False
    return requests.request(heard.text, heard.situation.now, heard.situation.habits) is not None


def carry_out(wanted: Request, heard: Heard, wording: Wording) -> Reflex | None:
    """Return the skill calls for a request, or the question for what is missing."""
    match wanted:
        case SeveralRequests():
            made = [carry_out(one, heard, wording) for one in wanted.wanted]
            calls = tuple(call for one in made if one is not None for call in one.calls)
            return Reflex(calls=calls) if calls else next((one for one in made if one is not None), None)
        case Remind():
            return _remind(wanted, heard, wording)
        case CancelReminder():
            return arranging.cancel(wanted, heard, wording)
        case SkipReminder():
            return arranging.skip(wanted)
        case MoveReminder():
            return arranging.move(wanted, heard)
        case RenameReminder():
            return arranging.rename(wanted, heard)
        case Snooze():
            return arranging.snooze(wanted, heard)
        case ShowReminders() | ShowDay():
            return _call("schedule", action="list")
        case DropQuestion():
            return Reflex(wording.one(open_questions.DROPPED))
        case ChangeList():
            return _change_list(wanted, heard)
        case MoveItems():
            return _move_items(wanted, heard)
        case ClearList():
            return _call("list", action="clear", list=_list_meant(wanted.name, heard))
        case ShowList():
            if wanted.name is None:
                return _call("list", action="lists")
            return _call("list", action="view", list=_list_meant(wanted.name, heard))


def _remind(wanted: Remind, heard: Heard, wording: Wording) -> Reflex:
    with speaking(wanted.tongue if wanted.tongue != ENGLISH else find_language(heard)):
        return _remind_spoken(wanted, wording)


def _remind_spoken(wanted: Remind, wording: Wording) -> Reflex:
    if wanted.halves and wanted.what:
        first, then = wanted.halves
        return _call("schedule", **_details(replace(wanted, when=first)), either=_format_moment(then))
    if wanted.when is None:
        ask = ask_when(flip_person(wanted.what)) if wanted.what else say(ASK_WHAT_AND_WHEN)
        return Reflex(join_sentences(_doubt(wanted), ask))
    if wanted.when.past:
        when = moment(wanted.when.at, wording.situation.now)
        return Reflex(join_sentences(say(GONE_BY, when=when), say(WHICH_TIME)))
    if not wanted.what:
        return Reflex(say(ASK_WHAT_AT, when=moment(wanted.when.at, wording.situation.now)))
    return _call("schedule", **_details(wanted))


def _doubt(wanted: Remind | ChangeList) -> str | None:
    """Return the doubt about the time, which exists only in English."""
    return add_full_stop(wanted.asks) if wanted.asks and get_language() == ENGLISH else None


def _details(wanted: Remind) -> dict[str, Any]:
    """Return the skill arguments for a reminder with a time."""
    assert wanted.when is not None
    found = {"recurrence": wanted.when.rule, "zone": wanted.when.zone, "priority": wanted.priority}
    given = {name: value for name, value in found.items() if value}
    return {"action": "create", "what": wanted.what, "when": _format_moment(wanted.when), **given}


def _format_moment(when: When) -> str:
    return when.at.isoformat(timespec="seconds")


def _put_on_list(wanted: ChangeList, heard: Heard) -> Reflex:
    if not wanted.items:
        return Reflex(say(open_questions.ASK_ITEMS))
    name, when, now = _list_meant(wanted.name, heard), wanted.when, heard.situation.now
    if wanted.halves:
        when = wanted.halves[0]
    elif wanted.asks or (when is not None and when.past):
        passed = say(GONE_BY, when=moment(when.at, now)) if when is not None else None
        what = flip_person(join_items(list(wanted.items)))
        ask = say("When does this need to be done: {what}?", what=what)
        return Reflex(join_sentences(_doubt(wanted) or passed, ask))
    details: dict[str, Any] = {"action": "add", "list": name, "items": list(wanted.items)}
    if when is not None:
        details |= {"when": _format_moment(when)} | ({"recurrence": when.rule} if when.rule else {})
        details |= {"either": _format_moment(wanted.halves[1])} if wanted.halves else {}
    if wanted.priority:
        details["priority"] = wanted.priority
    return _call("list", **details)


def _tick_off(wanted: ChangeList, heard: Heard) -> Reflex:
    """Check off what was done, on a list or among the reminders."""
    situation = heard.situation
    calls: list[SkillCall] = []
    missing = []
    for one in wanted.items:
        found = selection.find_named(one, (*situation.listed, *situation.reminders))
        if len(found) > 1 and len({item.title for item in found}) > 1:
            return arranging.which(found, heard)
        if not found:
            missing.append(one)
        elif found[0] in situation.listed:
            on = list_name(found[0].list)
            calls.append(SkillCall("list", {"action": "check", "list": on, "items": [found[0].title]}))
        else:
            calls.append(SkillCall("schedule", {"action": "done", "ids": [found[0].id]}))
    if missing:
        name = _list_meant(None, heard)
        calls.append(SkillCall("list", {"action": "check", "list": name, "items": missing}))
    return Reflex(calls=tuple(_together(calls)))


def _together(calls: Sequence[SkillCall]) -> list[SkillCall]:
    """Merge calls for the same list."""
    on: dict[str, list[str]] = {}
    for call in calls:
        if call.name == "list":
            on.setdefault(call.args["list"], []).extend(call.args["items"])
    ticked = [SkillCall("list", {"action": "check", "list": name, "items": items}) for name, items in on.items()]
    return [*ticked, *(call for call in calls if call.name != "list")]


def _change_list(wanted: ChangeList, heard: Heard) -> Reflex:
    if wanted.action == "add":
        return _put_on_list(wanted, heard)
    if wanted.action == "check" and wanted.items and wanted.name is None:
        return _tick_off(wanted, heard)
    on = [one for one in heard.situation.listed if wanted.name is None or one.list == list_id(wanted.name)]
    if not wanted.items:
        name = _list_meant(wanted.name, heard)
        titles = [one.title for one in heard.situation.listed if one.list == list_id(name)]
        return _call("list", action=wanted.action, list=name, items=titles)
    found, missing = selection.items(wanted.items, on)
    names = list(dict.fromkeys(one.list for one in found)) or [_list_meant(wanted.name, heard)]
    calls = []
    for number, name in enumerate(names):
        titles = [one.title for one in found if one.list == name] + (missing if not number else [])
        calls.append(SkillCall("list", {"action": wanted.action, "list": list_name(name), "items": titles}))
    return Reflex(calls=tuple(calls))


def _move_items(wanted: MoveItems, heard: Heard) -> Reflex:
    there = list(dict.fromkeys(one.list for one in heard.situation.listed))
    found, missing = selection.items(wanted.items, heard.situation.listed)
    named = join_items([list_said(name) for name in there])
    if missing or not found:
        sought = join_items(list(missing or wanted.items))
        lists = named or say("no list yet")
        return Reflex(say("I can't find {items} on any list. You have: {lists}.", items=sought, lists=lists))
    others = [name for name in there if name not in {one.list for one in found}]
    if not wanted.name and len(others) != 1:
        one = later("I only know the {lists} list. Which list should {items} go on?")
        several = later("There are {lists}. Which list should {items} go on?")
        items = join_items([held.title for held in found])
        return Reflex(say(one if len(there) == 1 else several, lists=named, items=items))
    to = wanted.name or list_name(others[0])
    titles = [one.title for one in found]
    off = _change_list(ChangeList("remove", tuple(titles), None), heard)
    return Reflex(calls=(*off.calls, SkillCall("list", {"action": "add", "list": to, "items": titles})))


def _is_listed(wanted: ChangeList, heard: Heard) -> bool:
    """Return whether what was bought or is not needed is on a list: else it is news."""
    if not wanted.items:
        return bool(heard.situation.listed)
    if wanted.action == "check":
        everything = (*heard.situation.listed, *heard.situation.reminders)
        return any(selection.find_named(one, everything) for one in wanted.items)
    return bool(selection.items(wanted.items, heard.situation.listed)[0])


def _cancel_instead(wanted: ChangeList, heard: Heard) -> Request | None:
    """Return the request to remove what is on no list as one about a reminder."""
    if wanted.action != "remove":
        return None
    said = rearranging.parse_rearrangement(" ".join(heard.text.split()))
    return said or CancelReminder(join_items(list(wanted.items)), surely=False)


def _is_about_reminder(wanted: MoveReminder | RenameReminder, heard: Heard) -> bool:
    """Return whether words without "reminder" are about a stored item."""
    if isinstance(wanted, MoveReminder):
        return bool(wanted.what and arranging.about(wanted.what, heard))
    held = selection.items([wanted.what], heard.situation.listed)[0]
    return bool(held or arranging.about(wanted.what, heard))


def _is_time(words: str, heard: Heard) -> bool:
    now = heard.situation.now
    return time_changes.move_time(words, now, now, heard.situation.habits) is not None


def _list_meant(name: str | None, heard: Heard) -> str:
    """Return the named list, else the one talked about, the only one, or shopping."""
    there = list(dict.fromkeys(one.list for one in heard.situation.listed))
    return name or list_spoken_of(heard) or (list_name(there[0]) if len(there) == 1 else "shopping")


def _offer(heard: Heard) -> Reflex | None:
    """Offer to put "we need milk" on the list."""
    items = list_things.find_needed(heard.text)
    if not items or heard.situation.needs_quiet:
        return None
    return Reflex(say(open_questions.OFFER, items=join_items(list(items))))


def offer_errand(heard: Heard, _wording: Wording) -> Reflex | None:
    """Offer to put a thing to do that is only written down on the to-do list: "renew passports"."""
    if heard.facts or heard.situation.needs_quiet or heard.situation.in_danger:
        return None
    errand = find_errand(heard.text, heard.code)
    return None if errand is None else Reflex(say(open_questions.OFFER_TO_DO, what=errand))


def _call(name: str, **args: Any) -> Reflex:
    return Reflex(calls=(SkillCall(name, args),))
