"""What to say of reminders and lists once a skill has dealt with them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta
from typing import Any

from furoshiki.core.catalogue import ENGLISH, later, say, speaking
from furoshiki.core.catalogue import spoken as language_spoken
from furoshiki.core.timestamps import parse
from furoshiki.language.dates import parsing
from furoshiki.language.dates.recurrence_words import often
from furoshiki.language.humanize import listed
from furoshiki.language.list_names import list_name
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import asking_words, requests, urgency
from furoshiki.language.reflex.reminders.arranging import about
from furoshiki.language.reflex.reminders.open_questions import ASK_WHEN_OF
from furoshiki.language.reflex.reminders.values import ChangeList, Remind, SeveralRequests, ShowDay, ShowReminders
from furoshiki.language.reflex.values import ToolResult
from furoshiki.language.reflex.wording import Wording, capital, dated, flipped, joined, moment, rhythm


def spoken(result: ToolResult, heard: Heard, wording: Wording) -> str:
    """What to say about a reminder or list that a skill has dealt with, in the language in which it was asked for."""
    with speaking(asked_in(heard)):
        return _spoken(result, heard, wording)


def _spoken(result: ToolResult, heard: Heard, wording: Wording) -> str:
    if result.data.get("halves"):
        return _which_half(result, heard)
    if result.data.get("asked"):
        return wording.one(("I would do that, if you say so.", "Shall I? Say yes, and it is done."))
    if result.name == "list":
        return _list_said(result, heard, wording)
    action = result.args.get("action")
    if action == "list":
        return _waiting(result, heard, wording)
    if not result.ok:
        return _reminder_failed(result)
    if action == "cancel":
        return _cancelled(result, wording)
    if action == "done":
        return _done(result, heard)
    if action in ("move", "rename", "snooze"):
        return _changed(result, heard, wording)
    return _reminder_kept(result, heard, wording)


def _which_half(result: ToolResult, heard: Heard) -> str:
    """The question which of two times is meant; its buttons stand below."""
    early, late = (f"{datetime.fromisoformat(one):%H:%M}" for one in result.data["halves"])
    what = flipped(str(result.args.get("what") or listed(list(result.args.get("items", ()))) or ""))
    half = say("Is that {early} or {late}?", early=early, late=late)
    return joined(half, ask_when(what) if what else None)


def asked_in(heard: Heard) -> str:
    """The language a reminder was asked for in, here or just before."""
    for text in (heard.text, *(said.own for said in reversed(heard.situation.recent[-4:]) if said.speaker == "user")):
        found = asking_words.asked(" ".join(text.split())[:300])
        if found is not None:
            return found.tongue
        wanted = requests.request(text, heard.situation.now, heard.situation.habits)
        parts = wanted.wanted if isinstance(wanted, SeveralRequests) else (wanted,)
        changed = next((one.tongue for one in parts if isinstance(one, Remind | ChangeList)), None)
        if changed is not None:
            return changed
    return language_spoken()


def _cancelled(result: ToolResult, wording: Wording) -> str:
    rows = result.data.get("cancelled") or ({"title": result.args.get("what", "")},)
    titles = [flipped(str(row["title"])) for row in rows]
    if len(titles) > 1:
        every = "both" if len(titles) == 2 else f"all {len(titles)}"
        return f"Cancelled, {every}: {listed(list(dict.fromkeys(titles)))}. “Undo that” brings them back."
    return wording.one((later("Cancelled: {what}."), later("Gone: {what}.")), what=titles[0])


def _done(result: ToolResult, heard: Heard) -> str:
    rows, now = result.data.get("ticked", ()), heard.situation.now
    said = f"Checked off: {listed([flipped(str(row['title'])) for row in rows])}."
    again = [f"It comes again {dated(at, now)}." for row in rows if (at := _moment(row.get("at"), now)) is not None]
    return joined(said, *again)


def _changed(result: ToolResult, heard: Heard, wording: Wording) -> str:
    names = ("moved", "renamed", "snoozed", "comes")
    made: Mapping[str, Any] = next((result.data[name] for name in names if name in result.data), {})
    what, now = flipped(str(made.get("title", ""))), heard.situation.now
    at = _moment(made.get("at"), now)
    when = dated(at, now, str(made.get("zone") or "")) if at else str(made.get("local", "then"))
    if result.args.get("action") == "rename":
        return f"It says “{what}” now, {when}."
    if result.args.get("action") == "snooze":
        return wording.one(
            (later("Again {when}: {what}."), later("All right, once more {when}: {what}.")), when=when, what=what
        )
    again = f", and {often(str(made['recurrence']), at)} from then on" if made.get("recurrence") else ""
    return wording.one(
        (later("Moved: {what}, now {when}{again}."), later("It is {when} now{again}: {what}.")),
        what=what,
        when=when,
        again=again,
    )


def _reminder_kept(result: ToolResult, heard: Heard, wording: Wording) -> str:
    now = heard.situation.now
    made: Mapping[str, Any] = result.data.get("reminder", {})
    what = flipped(str(made.get("title") or result.args.get("what", "")))
    at = _moment(made.get("at") or result.args.get("when"), now)
    rule = made.get("recurrence") or result.args.get("recurrence")
    when = dated(at, now, str(made.get("zone") or "")) if at else str(made.get("local", "then"))
    what += urgency.SAID.get(int(made.get("priority") or 0), "")
    matter = matter_of(what)
    if rule:
        said = "again and again" if at is None else rhythm(str(rule), at, str(made.get("zone") or ""))
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


def _reminder_failed(result: ToolResult) -> str:
    action = str(result.args.get("action"))
    if action == "cancel":
        return result.text if result.text.startswith("Which") else "I found no such reminder."
    verb = {"move": "move", "rename": "rename", "snooze": "put off"}.get(action, "set")
    return joined(f"I could not {verb} that reminder.", _for_people(result.text))


def _for_people(text: str) -> str:
    """A skill's line as far as it is meant for people; those that instruct a model are not."""
    return "" if re.search(r"`|Ask them|ISO|Give ", text) else text


def _waiting(result: ToolResult, heard: Heard, wording: Wording) -> str:
    rows: Sequence[Mapping[str, Any]] = result.data.get("reminders", ())
    now = heard.situation.now
    wanted = requests.request(heard.text, now, heard.situation.habits)
    if isinstance(wanted, ShowDay):
        return _day(rows, wanted.when, heard)
    if isinstance(wanted, ShowReminders) and wanted.what:
        ids = {one.id for one in about(wanted.what, heard)}
        rows = [row for row in rows if row.get("id") in ids]
        if not rows:
            return f"No reminder about {flipped(wanted.what)} is waiting."
    if not rows:
        return wording.one(("No reminders are waiting.", "Nothing is waiting. You could ask me for one."))
    return "\n".join(["These are waiting:" if len(rows) > 1 else "One is waiting:", *_lines(rows, now)])


def _day(rows: Sequence[Mapping[str, Any]], words: str, heard: Heard) -> str:
    """Reminders, and what stands on the lists: of one day only the reminders where the lists have no day."""
    now = heard.situation.now
    span = day_meant(words, now)
    if span is not None:
        days = [(row, _moment(row.get("at"), now)) for row in rows]
        rows = [row for row, at in days if at is not None and span[0] <= at < span[1]]
    parts = [*_lines(rows, now)]
    today = span is None or span[0] <= now
    held: dict[str, list[str]] = {}
    for one in heard.situation.listed if today else ():
        held.setdefault(list_name(one.list), []).append(one.title)
    parts += [f"- On the {name} list: {listed(titles)}" for name, titles in held.items()]
    if not parts:
        return (
            f"No reminder is set{f' {words}' if words else ''}, and nothing is on your lists. "
            "An appointment you only told me of you can ask me for: “when is …?”"
        )
    return "\n".join([f"This is what I have{f' {words}' if words else ''}:", *parts])


def day_meant(words: str, now: datetime) -> tuple[datetime, datetime] | None:
    """The days that are asked about, from and up to (not including); None for whenever."""
    if not words:
        return None
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if re.search(r"\b(?:week|weekend|month)\b", words, re.IGNORECASE):
        monday = midnight.date() - timedelta(days=now.weekday())
        ahead = timedelta(days=7) if "next" in words.lower() else timedelta()
        begin, length = (
            (monday + ahead, 7) if "weekend" not in words.lower() else (monday + ahead + timedelta(days=5), 2)
        )
        length = 31 if "month" in words.lower() else length
        first = parsing.moment(begin, time(), now)
        return first, parsing.moment(begin + timedelta(days=length), time(), now)
    found = parsing.read(words, midnight)
    day = now.date() if found is None else found.at.date()
    return parsing.moment(day, time(), now), parsing.moment(day + timedelta(days=1), time(), now)


def _lines(rows: Sequence[Mapping[str, Any]], now: datetime) -> list[str]:
    return [f"- {capital(flipped(str(row['title'])))}: {_when_of(row, now)}" for row in rows]


def _when_of(row: Mapping[str, Any], now: datetime) -> str:
    at = _moment(row.get("at"), now)
    words = moment(at, now) if at else str(row.get("local", ""))
    return f"{words}, {often(str(row['recurrence']), at)}" if row.get("recurrence") else words


def _list_said(result: ToolResult, heard: Heard, wording: Wording) -> str:
    action, data = result.args.get("action"), result.data
    name = list_name(str(data.get("list") or result.args.get("list", "shopping")))
    if action == "lists":
        names = [list_name(str(key)) for key in data.get("lists", {})]
        return (
            f"Your lists: {listed(names)}." if names else "There are no lists yet. Try: put milk on the shopping list."
        )
    now = heard.situation.now
    left = [_titled(row, now) for row in data.get("items", ()) if row.get("state") != "done"]
    if action == "view":
        if not left:
            return wording.one(("Your {list} list is empty.", "Nothing on the {list} list."), list=name)
        return "\n".join([f"On your {name} list:", *(f"- {item}" for item in left)])
    if action == "clear":
        gone = [str(item) for item in data.get("done", ())]
        if not gone:
            return f"The {name} list was empty already."
        be = "are" if len(gone) > 1 else "is"
        return f"The {name} list is empty: {listed(gone)} {be} off. “Undo that” brings it back."
    done = [str(item) for item in data.get("done", result.args.get("items", ()))]
    if not result.ok or not done:
        missing = listed([str(item) for item in data.get("missing", result.args.get("items", ()))])
        return f"I could not find {missing} on the {name} list."
    if language_spoken() != ENGLISH and action in ("add", "remove") and not data.get("missing"):
        shown = say("shopping") if name == "shopping" else name
        if action == "add":
            return say("On the {list} list: {items}.", list=shown, items=listed(done))
        return say("Taken off the {list} list: {items}.", list=shown, items=listed(done))
    if action == "add":
        be = "are" if len(done) > 1 or re.search(r"[^s]s$", done[0]) else "is"
        added = [
            row for row in data.get("items", ()) if row["title"] in done and (row.get("at") or row.get("priority"))
        ]
        if added:
            return f"On the {name} list: {listed([_titled(row, now) for row in added])}."
        more = f"That makes {len(left)}." if len(left) > len(done) else None
        return joined(
            wording.one(
                ("{items} {be} on the {list} list.", "Done: {small}, on the {list} list."),
                items=capital(listed(done)),
                small=listed(done),
                be=be,
                list=name,
            ),
            more,
        )
    not_there = [str(item) for item in data.get("missing", ())]
    absent = f"Not on the list: {listed(not_there)}." if not_there else None
    verb = {"check": "Checked off", "remove": "Taken off"}[str(action)]
    over = f"Still there: {listed(left)}." if left else f"That was all on the {name} list."
    return joined(f"{verb}: {listed(done)}.", over, absent)


def _titled(row: Mapping[str, Any], now: datetime) -> str:
    """A thing on a list with by when it is to be done, and how pressing it is."""
    at = _moment(row.get("at"), now)
    again = f", {often(str(row['recurrence']), at)}" if row.get("recurrence") else ""
    words = f"{row['title']} ({dated(at, now)}{again})" if at else str(row["title"])
    return words + urgency.SAID.get(int(row.get("priority") or 0), "")


def ask_when(what: str) -> str:
    """The question when a reminder of something is due."""
    return say(ASK_WHEN_OF, matter=matter_of(what), what=what)


def matter_of(what: str) -> str:
    """ "to call mum", "of the meeting"."""
    return f"to {what}" if is_doing(what) else f"of {what}"


def is_doing(what: str) -> bool:
    """Whether a matter reads on after "to" ("call mum"), or is a thing ("the meeting")."""
    first = what.split()[0].lower() if what else ""
    return (
        bool(first)
        and first not in {"the", "a", "an", "my", "your", "our", "his", "her", "their", "that", "this", "time"}
        and not first[0].isdigit()
    )


def _moment(text: object, now: datetime) -> datetime | None:
    try:
        return parse(str(text)).astimezone(now.tzinfo) if text else None
    except ValueError:
        return None
