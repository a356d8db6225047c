"""Replies about reminders and lists after a skill has run."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from furoshiki.core.catalogue import ENGLISH, capital, later, say, say_number, speaking, words
from furoshiki.core.catalogue import get_language as language_spoken
from furoshiki.core.timestamps import day_start, parse
from furoshiki.language.dates import parsing
from furoshiki.language.dates.recurrence_words import often
from furoshiki.language.dates.tokens import tokens
from furoshiki.language.facts.words import OCCASION_WORD
from furoshiki.language.humanize import date as say_date
from furoshiki.language.humanize import join_items
from furoshiki.language.list_names import list_id, list_said
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import requests, urgency
from furoshiki.language.reflex.reminders.arranging import NO_SUCH_REMINDER, about
from furoshiki.language.reflex.reminders.open_questions import ASK_WHEN_OF, ON_LIST, YOUR_LIST
from furoshiki.language.reflex.values import ToolResult
from furoshiki.language.reflex.wording import (
    NO_BLANKS,
    Wording,
    describe_moment,
    flip_person,
    join_sentences,
    moment,
    rhythm,
)
from furoshiki.language.requests import reminder_words
from furoshiki.language.requests.errands import find_errand
from furoshiki.language.requests.values import ChangeList, Remind, ShowDay, ShowReminders, list_each

MOST_NAMED = 6  # most things of a list that are all named when one is added


def describe_result(result: ToolResult, heard: Heard, wording: Wording) -> str:
    """Describe the result of a reminder or list skill, in the request's language."""
    with speaking(find_language(heard)):
        return _describe_in_english(result, heard, wording)


def _describe_in_english(result: ToolResult, heard: Heard, wording: Wording) -> str:
    if result.data.get("halves"):
        return _which_half(result)
    if result.data.get("asked"):
        return wording.one((later("I'll do that if you say yes."), later("Shall I? Say yes, and I'll do it.")))
    if result.name == "list":
        return _list_said(result, heard, wording)
    action = result.args.get("action")
    if action == "list":
        return _describe_waiting(result, heard, wording)
    if not result.ok:
        return _describe_failure(result)
    if action == "cancel":
        return _describe_cancelled(result, wording)
    if action in ("done", "skip"):
        return _describe_done(result, heard)
    if action in ("move", "rename", "snooze"):
        return _describe_changed(result, heard, wording)
    return _reminder_kept(result, heard, wording)


def _which_half(result: ToolResult) -> str:
    """Ask which of two times is meant; buttons are shown below."""
    early, late = (f"{datetime.fromisoformat(one):%H:%M}" for one in result.data["halves"])
    what = flip_person(str(result.args.get("what") or join_items(list(result.args.get("items", ()))) or ""))
    half = say("Is that {early} or {late}?", early=early, late=late)
    return join_sentences(half, ask_when(what) if what else None)


def find_language(heard: Heard) -> str:
    """Return the language of the request for a reminder, in this or the last messages."""
    for text in (heard.text, *(said.own for said in reversed(heard.situation.recent[-4:]) if said.speaker == "user")):
        found = reminder_words.parse_request(" ".join(text.split())[:300])
        if found is not None and found.kind != "note":
            return found.tongue
        wanted = requests.request(text, heard.situation.now, heard.situation.habits)
        changed = next((one.tongue for one in list_each(wanted) if isinstance(one, Remind | ChangeList)), None)
        if changed is not None:
            return changed
    return language_spoken()


def _describe_cancelled(result: ToolResult, wording: Wording) -> str:
    rows = result.data.get("cancelled") or ({"title": result.args.get("what", "")},)
    titles = [flip_person(str(row["title"])) for row in rows]
    if len(titles) > 1:
        both = later("Cancelled, both: {what}. “Undo that” brings them back.")
        every = later("Cancelled, all {number}: {what}. “Undo that” brings them back.")
        once = join_items(list(dict.fromkeys(titles)))
        return say(both if len(titles) == 2 else every, number=len(titles), what=once)
    return wording.one((later("Cancelled: {what}."), later("Gone: {what}.")), what=titles[0])


def _describe_done(result: ToolResult, heard: Heard) -> str:
    rows, now = result.data.get("ticked", ()), heard.situation.now
    what = join_items([flip_person(str(row["title"])) for row in rows])
    left_out = [date.fromisoformat(str(row["left_out"])) for row in rows if "left_out" in row]
    said = say("Checked off: {what}.", what=what)
    if left_out:
        said = say("Left out on {day}: {what}.", day=say_date(left_out[0], with_year=False), what=what)
    times = [at for row in rows if (at := _moment(row.get("at"), now)) is not None]
    again = [say("I'll remind you again {when}.", when=describe_moment(at, now)) for at in times]
    return join_sentences(said, *again)


def _describe_changed(result: ToolResult, heard: Heard, wording: Wording) -> str:
    names = ("moved", "renamed", "snoozed", "comes")
    made: Mapping[str, Any] = next((result.data[name] for name in names if name in result.data), {})
    what, now = flip_person(str(made.get("title", ""))), heard.situation.now
    at = _moment(made.get("at"), now)
    when = describe_moment(at, now, str(made.get("zone") or "")) if at else str(made.get("local", "then"))
    if result.args.get("action") == "rename":
        return say("Now it says “{what}”, {when}.", what=what, when=when)
    if result.args.get("action") == "snooze":
        return wording.one(
            (later("Again {when}: {what}."), later("All right, once more {when}: {what}.")), when=when, what=what
        )
    again = ""
    if made.get("recurrence"):
        again = say(", and {often} from then on", often=often(str(made["recurrence"]), at))
    return wording.one(
        (later("Moved: {what}, now {when}{again}."), later("It's now {when}{again}: {what}.")),
        what=what,
        when=when,
        again=again,
    )


def _reminder_kept(result: ToolResult, heard: Heard, wording: Wording) -> str:
    now = heard.situation.now
    made: Mapping[str, Any] = result.data.get("reminder", {})
    what = flip_person(str(made.get("title") or result.args.get("what", "")))
    at = _moment(made.get("at") or result.args.get("when"), now)
    rule = made.get("recurrence") or result.args.get("recurrence")
    when = describe_moment(at, now, str(made.get("zone") or "")) if at else str(made.get("local", "then"))
    what += urgency.describe_priority(made.get("priority"))
    if what in (say("your timer is up"), say("time to wake up")) and not rule:
        return say("Done. You'll hear from me {when}: {what}.", when=when, what=what)
    matter = matter_of(what)
    if rule:
        said = say("again and again") if at is None else rhythm(str(rule), at, str(made.get("zone") or ""))
        return wording.one(
            (
                later("Done: I'll remind you {matter} {often}, first {when}."),
                later("I will, {often}: {what}. The first time is {when}."),
            ),
            matter=matter,
            often=said,
            what=what,
            when=when,
        )
    return wording.one(
        (
            later("I'll remind you {matter} {when}."),
            later("Noted: {what}, {when}."),
            later("Done. You'll hear from me {when}: {what}."),
        ),
        matter=matter,
        what=what,
        when=when,
    )


def _describe_failure(result: ToolResult) -> str:
    action = str(result.args.get("action"))
    if action == "cancel":
        return result.text if result.text.startswith("Which") else say(NO_SUCH_REMINDER)
    could_not = words("could_not")
    return join_sentences(say(could_not.get(action, could_not["set"])), _for_people(result.text))


def _for_people(text: str) -> str:
    """Return a skill's text if it is meant for people; instructions to a model are not."""
    return "" if language_spoken() != ENGLISH or re.search(r"`|Ask them|ISO|Give ", text) else text


def _describe_waiting(result: ToolResult, heard: Heard, wording: Wording) -> str:
    rows: Sequence[Mapping[str, Any]] = result.data.get("reminders", ())
    now = heard.situation.now
    wanted = requests.request(heard.text, now, heard.situation.habits)
    if isinstance(wanted, ShowDay):
        return _day(rows, wanted.when, heard)
    if isinstance(wanted, ShowReminders) and wanted.what:
        ids = {one.id for one in about(wanted.what, heard)}
        rows = [row for row in rows if row.get("id") in ids]
        if not rows:
            return say("There's no reminder about {what}.", what=flip_person(wanted.what))
    if not rows:
        return wording.one((later("No reminders are waiting."), later("You have no reminders. Just ask me for one.")))
    return "\n".join([say("Your reminders:") if len(rows) > 1 else say("Your one reminder:"), *_lines(rows, now)])


def _day(rows: Sequence[Mapping[str, Any]], words: str, heard: Heard) -> str:
    """List the reminders of the days asked about; with list items unless these are all future."""
    now = heard.situation.now
    span = day_meant(words, now)
    if span is not None:
        days = [(row, _moment(row.get("at"), now)) for row in rows]
        rows = [row for row, at in days if at is not None and span[0] <= at < span[1]]
    parts = [*_lines(rows, now)]
    today = span is None or span[0] <= now
    held: dict[str, list[str]] = {}
    for one in heard.situation.listed if today else ():
        held.setdefault(list_said(one.list), []).append(one.title)
    parts += [
        f"- {say('On the {list} list: {items}', list=name, items=join_items(titles))}" for name, titles in held.items()
    ]
    if not parts:
        none = say("There are no reminders, and nothing is on your lists.")
        if words:
            none = say("There are no reminders {when}, and nothing is on your lists.", when=words)
        return join_sentences(none, say("For an appointment you only mentioned, just ask me: “when is …?”"))
    these = say("Here's what I have {when}:", when=words) if words else say("Here's what I have:")
    return "\n".join([these, *parts])


def day_meant(words: str, now: datetime) -> tuple[datetime, datetime] | None:
    """Return the days asked about, as [start, end); None for no particular day."""
    if not words:
        return None
    midnight = day_start(now, now.tzinfo or UTC)
    kinds, length = _read_span(words)
    if length:
        monday = midnight.date() - timedelta(days=now.weekday())
        # a weekend ends its week
        begin = monday + timedelta(days=7 * ("N" in kinds) + max(7 - length, 0))
        return parsing.moment(begin, time(), now), parsing.moment(begin + timedelta(days=length), time(), now)
    found = parsing.read(words, midnight)
    day = now.date() if found is None else found.at.date()
    return parsing.moment(day, time(), now), parsing.moment(day + timedelta(days=1), time(), now)


def _read_span(words: str) -> tuple[set[str], int]:
    """Return the kinds of words in the language spoken, and the days of a named weekend, week or month (0: none)."""
    code = language_spoken()
    if code in NO_BLANKS:
        return set("N" if words.startswith("\u4e0b") else ""), 7 * words.endswith("\u5468")
    kinds = {str(token.value) if token.kind == "u" else token.kind for token in tokens(words, code)}
    return kinds, next((days for unit, days in _SPANS.items() if unit in kinds and "w" not in kinds), 0)


# the days of a weekend, a week and a month, by their kind or unit
_SPANS = {"W": 2, "week": 7, "month": 31}


def _lines(rows: Sequence[Mapping[str, Any]], now: datetime) -> list[str]:
    return [f"- {capital(flip_person(str(row['title'])))}: {_when_of(row, now)}" for row in rows]


def _when_of(row: Mapping[str, Any], now: datetime) -> str:
    at = _moment(row.get("at"), now)
    words = str(row.get("day") or (moment(at, now) if at else row.get("local", "")))
    return f"{words}, {often(str(row['recurrence']), at)}" if row.get("recurrence") else words


def _list_said(result: ToolResult, heard: Heard, wording: Wording) -> str:
    action, data = result.args.get("action"), result.data
    name = list_said(list_id(str(data.get("list") or result.args.get("list", "shopping"))))
    if action == "lists":
        names = [list_said(str(key)) for key in data.get("lists", {})]
        if not names:
            return say("There are no lists yet. Try: put milk on the shopping list.")
        return say("Your lists: {names}.", names=join_items(names))
    now = heard.situation.now
    left = [_describe_item(row, now) for row in data.get("items", ()) if row.get("state") != "done"]
    if action == "view":
        if not left:
            return wording.one((later("Your {list} list is empty."), later("Nothing on the {list} list.")), list=name)
        return "\n".join([say(YOUR_LIST, list=name), *(f"- {item}" for item in left)])
    if action == "clear":
        gone = [str(item) for item in data.get("done", ())]
        if not gone:
            return say("The {list} list was already empty.", list=name)
        return say_number(
            "The {list} list is empty: {items} is off. “Undo that” brings it back.",
            "The {list} list is empty: {items} are off. “Undo that” brings it back.",
            len(gone),
            list=name,
            items=join_items(gone),
        )
    done = [str(item) for item in data.get("done", result.args.get("items", ()))]
    if not result.ok or not done:
        missing = join_items([str(item) for item in data.get("missing", result.args.get("items", ()))])
        return say("I could not find {items} on the {list} list.", items=missing, list=name)
    if action == "add":
        rows = (row for row in data.get("items", ()) if row["title"] in done)
        added = [row for row in rows if row.get("at") or row.get("priority")]
        if added or language_spoken() != ENGLISH:
            told = left if len(left) <= MOST_NAMED else [_describe_item(row, now) for row in added] or done
            return say(ON_LIST, list=name, items=join_items(told))
        be = "are" if len(done) > 1 or re.search(r"[^s]s$", done[0]) else "is"
        more = f"That makes {len(left)}." if len(left) > len(done) else None
        return join_sentences(
            wording.one(
                ("{items} {be} on the {list} list.", "Done: {small}, on the {list} list."),
                items=capital(join_items(done)),
                small=join_items(done),
                be=be,
                list=name,
            ),
            more,
        )
    not_there = [str(item) for item in data.get("missing", ())]
    absent = say("Not on the list: {items}.", items=join_items(not_there)) if not_there else None
    off = later("Checked off: {what}.") if action == "check" else later("Taken off: {what}.")
    if left:
        over = say("Still there: {items}.", items=join_items(left))
    else:
        over = say("That was all on the {list} list.", list=name)
    return join_sentences(say(off, what=join_items(done)), over, absent)


def _describe_item(row: Mapping[str, Any], now: datetime) -> str:
    """Describe a list item with its due time and priority."""
    at = _moment(row.get("at"), now)
    again = f", {often(str(row['recurrence']), at)}" if row.get("recurrence") else ""
    words = f"{row['title']} ({describe_moment(at, now)}{again})" if at else str(row["title"])
    return words + urgency.describe_priority(row.get("priority"))


def ask_when(what: str) -> str:
    """Ask when the reminder is due."""
    return say(ASK_WHEN_OF, matter=matter_of(what), what=what)


def matter_of(what: str) -> str:
    """Return "to call mum" or "of the meeting"."""
    return f"to {what}" if _is_activity(what) else f"of {what}"


def _is_activity(what: str) -> bool:
    """Return whether a task follows "to" ("call mum"), or is a thing ("the meeting", "Parents evening")."""
    words = what.split()
    first = words[0].lower() if words else ""
    named = words[:1] != [first] and _OCCASION.fullmatch(what) is not None and find_errand(what, ENGLISH) is None
    return (
        bool(first)
        and first not in {"the", "a", "an", "my", "your", "our", "his", "her", "their", "that", "this", "time"}
        and not (first[0].isdigit() or words[0].isupper() or named)
    )


_OCCASION = re.compile(rf"(?:.* )?(?:{OCCASION_WORD})s?", re.IGNORECASE)


def _moment(text: object, now: datetime) -> datetime | None:
    try:
        return parse(str(text)).astimezone(now.tzinfo) if text else None
    except ValueError:
        return None
