"""Reminders and lists: asking the skills to keep them, and saying what was kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from furoshiki.domain.consent import consent
from furoshiki.domain.reflex import requests
from furoshiki.domain.reflex.hearing import Heard
from furoshiki.domain.reflex.requests import (
    CancelReminder,
    ChangeList,
    Remind,
    Request,
    ShowList,
    ShowReminders,
)
from furoshiki.domain.reflex.situation import Reflex, SkillCall, ToolResult
from furoshiki.domain.reflex.wording import Wording, capital, flipped, joined, listed, moment, stopped
from furoshiki.domain.when import parse

_ASK_WHEN = "When should I remind you"
_ASK_WHAT = "What should I remind you of"
_OFFER = re.compile(r"Shall I put (?P<item>.+) on the (?P<name>[\w ]+) list\?$")
_PUT_ON = re.compile(r"\bon the (?P<name>[\w ]+) list\.")
_AND_MORE = re.compile(
    r"^\W*(?:oh |ah )?(?:and|also|plus|add)\s+(?:also |some |a |an |add )*(?P<items>[\w' ,-]{2,60})\W*$", re.IGNORECASE
)
_NEED = re.compile(
    r"^(?:i|we)(?:'ve| have)? (?:need|ran out of|run out of|are out of|'re out of|am out of|have no more) "
    r"(?:to (?:buy|get) )?(?P<item>(?:some |more |new |a "
    r"|an )?[a-z][\w-]*(?: [a-z][\w-]*)?(?: and (?:some )?[a-z][\w-]*)?)$"
)
_NO_GOODS = re.compile(
    r"\b(?:help|you|time|sleep|rest|break|it|that|this|advice|to|holiday|hug|change|money|space|go|be|talk|job|know|love)\b"
)


def request(heard: Heard, wording: Wording) -> Reflex | None:
    """A reminder or a list that is asked for, also as the answer to our own question about one."""
    wanted = requests.request(heard.text, heard.situation.now, heard.situation.habits) or _continued(heard)
    if wanted is None:
        return _offer(heard)
    return _carry_out(wanted, heard, wording)


def spoken(result: ToolResult, heard: Heard, wording: Wording) -> str:
    """What to say about a reminder or list that a skill has dealt with."""
    if result.data.get("asked"):
        return wording.one(("I would do that, if you say so.", "Shall I? Say yes, and it is done."))
    if result.name == "list":
        return _list_said(result, wording)
    action = result.args.get("action")
    if action == "list":
        return _waiting(result, heard, wording)
    if not result.ok:
        return _reminder_failed(result)
    if action == "cancel":
        title = str(result.data.get("cancelled", {}).get("title") or result.args.get("what", ""))
        return wording.one(("Cancelled: {what}.", "Gone: {what}."), what=flipped(title))
    return _reminder_kept(result, heard, wording)


def _carry_out(wanted: Request, heard: Heard, wording: Wording) -> Reflex:
    match wanted:
        case Remind():
            return _remind(wanted, wording)
        case CancelReminder():
            return _call("schedule", action="cancel", **({"what": wanted.what} if wanted.what else {}))
        case ShowReminders():
            return _call("schedule", action="list")
        case ChangeList():
            name = wanted.name or _list_spoken_of(heard) or "shopping"
            return _call("list", action=wanted.action, list=name, items=list(wanted.items))
        case ShowList():
            return _call("list", action="view", list=wanted.name) if wanted.name else _call("list", action="lists")


def _remind(wanted: Remind, wording: Wording) -> Reflex:
    if wanted.when is None:
        ask = f"{_ASK_WHEN} {'to' if _is_doing(wanted.what) else 'of'} {flipped(wanted.what)}?"
        ask = ask if wanted.what else f"{_ASK_WHAT}, and when?"
        return Reflex(joined(stopped(wanted.asks), ask) if wanted.asks else ask)
    if wanted.when.past:
        when = moment(wanted.when.at, wording.situation.now)
        return Reflex(f"That would be {when}, and that has already gone by. Which time do you mean?")
    if not wanted.what:
        return Reflex(f"{_ASK_WHAT} {moment(wanted.when.at, wording.situation.now)}?")
    details = {"action": "create", "what": wanted.what, "when": wanted.when.at.isoformat(timespec="minutes")}
    if wanted.when.rule:
        details["recurrence"] = wanted.when.rule
    return _call("schedule", **details)


def _continued(heard: Heard) -> Request | None:
    """The rest of a request we had asked about: the time, the matter, or a yes to an offer."""
    now, habits = heard.situation.now, heard.situation.habits
    offer = _OFFER.search(heard.last_reply)
    if offer is not None and consent(heard.text):
        return ChangeList("add", requests.split(offer["item"]), offer["name"])
    more = _AND_MORE.match(heard.text)
    put_on = _PUT_ON.search(heard.last_reply)
    if more is not None and put_on is not None and not heard.asks:
        return ChangeList("add", requests.split(more["items"]), put_on["name"])
    if _ASK_WHEN in heard.last_reply or "Which time do you mean" in heard.last_reply:
        asked = _earlier_reminder(heard)
        answer = requests.reminder(heard.text, now, habits)
        if not asked or answer is None or (answer.when is None and answer.asks is None):
            return None
        return Remind(asked, answer.when, answer.asks)
    if heard.last_reply.startswith(_ASK_WHAT) and not heard.asks and len(heard.text) < 200:
        before = _earlier_text(heard)
        what = requests.reminder(heard.text, now, habits)
        earlier = requests.request(before, now, habits)
        when = earlier.when if isinstance(earlier, Remind) and earlier.when else what.when if what else None
        return Remind(what.what, when) if what and when is not None else None
    return None


def _earlier_text(heard: Heard) -> str:
    return next((said.own for said in reversed(heard.situation.recent) if said.speaker == "user" and said.own), "")


def _earlier_reminder(heard: Heard) -> str:
    """What they wanted to be reminded of, from one of their last messages."""
    for said in reversed(heard.situation.recent[-6:]):
        if said.speaker == "user":
            earlier = requests.request(said.own, heard.situation.now, heard.situation.habits)
            if isinstance(earlier, Remind) and earlier.what:
                return earlier.what
    return ""


def _list_spoken_of(heard: Heard) -> str | None:
    """The list the talk was about: "cross off milk" means the one just shown."""
    for said in reversed(heard.situation.recent[-6:]):
        earlier = requests.request(said.own, heard.situation.now) if said.speaker == "user" else None
        if isinstance(earlier, ChangeList | ShowList) and earlier.name:
            return earlier.name
    return None


def _offer(heard: Heard) -> Reflex | None:
    """ "we need milk": shall it go on the list?"""
    match = _NEED.match(heard.plain)
    if match is None or _NO_GOODS.search(match["item"]) or heard.plain.split()[0] not in ("i", "we"):
        return None
    item = re.sub(r"^(?:some|a|an)\s+", "", match["item"])
    return Reflex(f"Shall I put {item} on the shopping list?")


def _reminder_kept(result: ToolResult, heard: Heard, wording: Wording) -> str:
    now = heard.situation.now
    made: Mapping[str, Any] = result.data.get("reminder", {})
    what = flipped(str(made.get("title") or result.args.get("what", "")))
    at = _moment(made.get("at") or result.args.get("when"), now)
    rule = made.get("recurrence") or result.args.get("recurrence")
    when = moment(at, now) if at else str(made.get("local", "then"))
    matter = f"to {what}" if _is_doing(what) else f"of {what}"
    if rule:
        often = _often(str(rule), at)
        return wording.one(
            (
                "Done: I'll remind you {matter} {often}, first {when}.",
                "I will, {often}: {what}. The first time is {when}.",
            ),
            matter=matter,
            often=often,
            what=what,
            when=when,
        )
    return wording.one(
        ("I'll remind you {matter} {when}.", "Noted: {what}, {when}.", "Done. You'll hear from me {when}: {what}."),
        matter=matter,
        what=what,
        when=when,
    )


def _reminder_failed(result: ToolResult) -> str:
    if result.args.get("action") == "cancel":
        return result.text if result.text.startswith("Which") else "I found no such reminder."
    return joined("I could not set that reminder.", _for_people(result.text))


def _for_people(text: str) -> str:
    """A skill's line as far as it is meant for people; those that instruct a model are not."""
    return "" if re.search(r"`|Ask them|ISO|Give ", text) else text


def _waiting(result: ToolResult, heard: Heard, wording: Wording) -> str:
    rows: Sequence[Mapping[str, Any]] = result.data.get("reminders", ())
    if not rows:
        return wording.one(("No reminders are waiting.", "Nothing is waiting. You could ask me for one."))
    lines = [f"- {capital(flipped(str(row['title'])))}: {_when_of(row, heard.situation.now)}" for row in rows]
    return "\n".join(["These are waiting:" if len(rows) > 1 else "One is waiting:", *lines])


def _when_of(row: Mapping[str, Any], now: datetime) -> str:
    at = _moment(row.get("at"), now)
    words = moment(at, now) if at else str(row.get("local", ""))
    return f"{words}, {_often(str(row['recurrence']), at)}" if row.get("recurrence") else words


def _list_said(result: ToolResult, wording: Wording) -> str:
    action, data = result.args.get("action"), result.data
    name = str(data.get("list") or result.args.get("list", "shopping")).replace("_", " ")
    if action == "lists":
        names = [str(key).replace("_", " ") for key in data.get("lists", {})]
        return (
            f"Your lists: {listed(names)}." if names else "There are no lists yet. Try: put milk on the shopping list."
        )
    left = [str(row["title"]) for row in data.get("items", ()) if row.get("state") != "done"]
    if action == "view":
        if not left:
            return wording.one(("Your {list} list is empty.", "Nothing on the {list} list."), list=name)
        return "\n".join([f"On your {name} list:", *(f"- {item}" for item in left)])
    done = [str(item) for item in data.get("done", result.args.get("items", ()))]
    if not result.ok or not done:
        missing = listed([str(item) for item in data.get("missing", result.args.get("items", ()))])
        return f"I could not find {missing} on the {name} list."
    if action == "add":
        be = "are" if len(done) > 1 else "is"
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
    verb = {"check": "Checked off", "remove": "Taken off"}[str(action)]
    rest = f"Still there: {listed(left)}." if left else f"That was all on the {name} list."
    return joined(f"{verb}: {listed(done)}.", rest)


_DAYS = {
    "MO": "Monday",
    "TU": "Tuesday",
    "WE": "Wednesday",
    "TH": "Thursday",
    "FR": "Friday",
    "SA": "Saturday",
    "SU": "Sunday",
}
_UNITS = {
    "MINUTELY": "minute",
    "HOURLY": "hour",
    "DAILY": "day",
    "WEEKLY": "week",
    "MONTHLY": "month",
    "YEARLY": "year",
}


def _often(rule: str, at: datetime | None) -> str:
    """An RRULE of ours in words: "every Monday at 09:00"."""
    parts = dict(part.split("=", 1) for part in rule.removeprefix("RRULE:").split(";") if "=" in part)
    unit = _UNITS.get(parts.get("FREQ", ""), "time")
    every = int(parts.get("INTERVAL", "1"))
    days = [_DAYS[day] for day in parts.get("BYDAY", "").split(",") if day in _DAYS]
    clock = f" at {at.strftime('%H:%M')}" if at and unit not in ("minute", "hour") else ""
    if days == list(_DAYS.values())[:5]:
        return f"every weekday{clock}"
    if days:
        return f"every {'other ' if every == 2 else ''}{listed(days)}{clock}"
    return f"every {unit}{clock}" if every == 1 else f"every {every} {unit}s{clock}"


def _is_doing(what: str) -> bool:
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


def _call(name: str, **args: Any) -> Reflex:
    return Reflex(calls=(SkillCall(name, args),))
