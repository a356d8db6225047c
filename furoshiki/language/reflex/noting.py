"""Notes: where a thing is, a number, an appointment. Confirm that they are stored and how to
find them, without another question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from operator import itemgetter

from furoshiki.core import refs
from furoshiki.core.catalogue import ENGLISH, capital, later, say
from furoshiki.core.timestamps import local, parse
from furoshiki.language.dates import chinese, parsing, time_changes
from furoshiki.language.dates.lead_times import name_event
from furoshiki.language.dates.parsing import Unclear, When
from furoshiki.language.dates.tokens import DAY, TONGUES, number_in, words_of
from furoshiki.language.facts import abroad
from furoshiki.language.facts.extraction import USER
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.humanize import shorten
from furoshiki.language.reflex import days
from furoshiki.language.reflex.corrections import answers
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import reminding, selection
from furoshiki.language.reflex.reminders import requests as reminder_requests
from furoshiki.language.reflex.situation import Situation
from furoshiki.language.reflex.values import KnownFact, Reflex, SkillCall, ToolResult
from furoshiki.language.reflex.wording import Wording, add_full_stop, day, flip_person, join_sentences, rhythm
from furoshiki.language.requests import asked, changed_plans, correction_words, lines, news, reminder_words, short_notes
from furoshiki.language.requests.values import CancelReminder, ChangeList, MoveReminder, Remind, ShowDay
from furoshiki.language.tables.function_words import COMMON
from furoshiki.language.testimony import Utterance
from furoshiki.language.word_tables import by_language
from furoshiki.language.word_tables import pattern as build_pattern
from furoshiki.language.words import RUN, asks

_LONGEST = 160  # most characters of a note; a longer message tells something

_WAYS = by_language("noted_beside")["en"]
_THING = _WAYS["thing"]
_PLACE = re.compile(build_pattern(_WAYS["place"], {"thing": _THING}), re.IGNORECASE)
_NUMBER = re.compile(rf"^{_THING}(?: is | are | ?= ?| ?: ?)(?P<value>\S{{0,40}}\d\S{{0,40}})[.!]?$", re.IGNORECASE)
# most words that name an appointment which nothing asks to note: "dentist", "school concert"
_MOST_NAMED = 5

_APPOINTED = frozenset({"ahead", "trial", "visit"})  # kinds of news that an appointment may be
_PLANS = frozenset({"plans", "has_to"})  # predicates of what is to come
_COMING = _WAYS["coming"]  # forms by which a statement with a day and an hour is of what is to come


AHEAD = timedelta(hours=1)  # how long before an appointment with an hour a reminder is offered

# subjects whose place is not meant literally: "my life is in the bin"
_NO_THINGS = RELATIONS | frozenset(by_language("small")["en"]["never_sought"].split())


def note(heard: Heard, wording: Wording) -> Reflex | None:
    """Confirm that a note is stored; None otherwise, and while the user may be in danger."""
    to_keep = not asks(heard.text) and heard.says(asked.TO_KEEP)
    if (heard.asks and not to_keep) or len(heard.text) > _LONGEST or heard.situation.in_danger:
        return None
    for pattern, said in ((_PLACE, lines.REPLIES["kept_place"]), (_NUMBER, lines.REPLIES["kept_number"])):
        found = pattern.search(heard.plain)
        if found is not None and _NO_THINGS.isdisjoint(found["what"].lower().split()):
            return Reflex(wording.one(said))
    if to_keep:
        return Reflex(wording.one(lines.REPLIES["kept_number"]))
    return None


@dataclass(frozen=True)
class Appointment:
    """What is noted, and its future day or hour."""

    what: str
    when: When


def keep_appointment(heard: Heard, _wording: Wording) -> Reflex | None:
    """Keep what is noted with its day, and offer a reminder of each: an hour before, of a day that day."""
    noted = list_noted(heard)
    if not noted or any(_is_of_dead(each, heard) for each in noted):
        return None
    calls = tuple(filter(None, map(partial(_offer_ahead, now=heard.situation.now), noted)))
    if not calls:
        return Reflex(_say_kept(noted, heard), complete=True)
    return Reflex(calls=calls)


def _is_of_dead(noted: Appointment, heard: Heard) -> bool:
    """Return whether it is about somebody whose death was told just now: "外公的生日"."""
    language = heard.situation.language
    if language is None:
        return False
    own = [said.own for said in heard.situation.recent if said.speaker == USER]
    about = language.content(noted.what)
    return any(language.weighs(said) and not about.isdisjoint(language.content(said)) for said in own)


def _offer_ahead(noted: Appointment, now: datetime) -> SkillCall | None:
    if _reminder_of(noted)[1] <= now:
        return None
    return _offer_call(noted)


def move_appointment(heard: Heard, _wording: Wording) -> Reflex | None:
    """Take the reminder of a noted appointment along with its correction ("no wait, 4pm") or its new time ("they moved
    it to Friday"): move it if it was accepted, else offer it again in place of the old offer."""
    both = find_corrected(heard)
    if both is None:
        return None
    (old, before), (title, at) = map(_reminder_of, both)
    if at <= heard.situation.now:
        return None
    named = [one for one in heard.situation.reminders if one.title in (old, both[0].what)]
    held = named[0] if len(named) == 1 else None
    if held is None or held.at is None or held.at > both[0].when.at:
        if both[0] is both[1]:
            return Reflex(calls=(_offer_call(both[1]),))
        return Reflex(calls=(_offer_call(both[1], old),))
    if held.title != old:  # asked for so long before: "the evening before"
        title, at = held.title, _as_long_before(held.at, *(one.when.at for one in both))
    changed: dict[str, object] = {"action": "move", "ids": [held.id], "when": at.isoformat(timespec="seconds")}
    if title != held.title:
        changed |= {"what": title, "instead": old}
    if both[1].when.rule:
        changed["recurrence"] = both[1].when.rule
    return Reflex(calls=(SkillCall("schedule", changed),))


def _as_long_before(rings: datetime, before: datetime, after: datetime) -> datetime:
    """Return when a reminder of `before` rings for `after`: on an earlier day at the same hour."""
    if rings.date() == before.date():
        return after - (before - rings)
    return parsing.moment(after.date() - (before.date() - rings.date()), rings.time(), after)


def _offer_call(noted: Appointment, instead: str | None = None) -> SkillCall:
    title, at = _reminder_of(noted)
    call = {"action": "create", "what": title, "when": at.isoformat(timespec="seconds"), "offered": True}
    besides = {"instead": instead, "recurrence": noted.when.rule}
    return SkillCall("schedule", call | {name: value for name, value in besides.items() if value})


def _reminder_of(noted: Appointment) -> tuple[str, datetime]:
    """Return the title and the time of the reminder that is offered for an appointment."""
    if noted.when.timed and not noted.when.rule:
        return f"{noted.what} ({noted.when.at:%H:%M})", noted.when.at - AHEAD
    return noted.what, noted.when.at


def find_plan(heard: Heard) -> Appointment | None:
    """Return what a message states for a day and hour to come: "I have a midterm on friday 9am"."""
    situation, text = heard.situation, " ".join(heard.text.split())
    found = parsing.parse_when(text, situation.now, situation.habits)
    if situation.language is not None or situation.in_danger or heard.asks or not isinstance(found, When) or found.rule:
        return None
    if not (found.timed and found.dated) or found.past or len(text) > _LONGEST:
        return None
    plan = next((fact.object for fact in heard.facts if fact.predicate in _PLANS), None)
    if plan is None and not heard.says(_COMING):
        return None
    said = plan or short_notes.drop_lead(text, heard.code)
    timed = parsing.parse_when(said, situation.now, situation.habits)
    spans = timed.spans if timed is not None else ()
    return Appointment(name_event(reminding.matter(said, spans)), found)


def offer_stated(heard: Heard, _wording: Wording) -> Reflex | None:
    """Offer a reminder of what is only stated for a day and an hour."""
    calls, kind = offer_plan(heard), news.find_kind(heard.situation.meant)
    if not calls or kind not in (None, *_APPOINTED, "work"):
        return None
    return Reflex(calls=calls)


def offer_plan(heard: Heard) -> tuple[SkillCall, ...]:
    """Return the offer of a reminder of such a plan, if any."""
    plan = find_plan(heard)
    if plan is None or not plan.what or plan.when.at - AHEAD <= heard.situation.now:
        return ()
    return (_offer_call(plan),)


def find_corrected(heard: Heard) -> tuple[Appointment, Appointment] | None:
    """Return a noted appointment before and after the correction in this message, or its new time."""
    if (moves := find_new_time(heard)) is not None:
        return moves
    found = answers.read(heard)
    if found is None or found.right is None:
        return None
    said = ""
    if found.message is not None:
        said = found.message.own
    elif found.fact is not None:
        said = found.fact.said_text
    if isinstance(reminder_requests.perhaps(said, heard.situation.now, heard.situation.habits), Remind):
        return None  # the reminder is corrected, not what it is of
    corrected = correction_words.instead(said, found.wrong, found.right)
    old = _list_any(Heard(replace(heard.situation, text=said)))
    new = _list_any(Heard(replace(heard.situation, text=corrected)))
    changed = [pair for pair in zip(old, new, strict=False) if pair[0] != pair[1]]
    if len(changed) != 1 or len(old) != len(new):
        return None
    [(before, after)] = changed
    now, named = heard.situation.now, corrected[after.when.start : after.when.end]
    moved = time_changes.move_time(named, before.when.at, now, heard.situation.habits)
    if isinstance(moved, When) and not (moved.past or after.when.timed):  # "no, the 6th" of January
        after = replace(after, when=replace(after.when, at=moved.at))
    return before, after


def find_new_time(heard: Heard) -> tuple[Appointment, Appointment] | None:
    """Return an appointment before and after the new time that this message tells ("the dentist moved to Friday"); both
    the same if it was not told before."""
    situation = heard.situation
    found = changed_plans.find_moved(heard.text, heard.code)
    if situation.in_danger:
        return None
    if found is None:
        return _find_ordered(heard)
    return _read_new_time(*found, _find_told(found[0], heard), heard)


def _find_ordered(heard: Heard) -> tuple[Appointment, Appointment] | None:
    """Return the same for an order ("move the dentist to friday") about what no reminder waits for; "it" is what the
    message before told."""
    ordered = _read_order(heard)
    if ordered is None:
        return None
    what, to = ordered
    if what:
        situation = heard.situation
        if selection.find_meant(what, situation.reminders, situation.now, situation.habits):
            return None
        return _read_new_time(what, to, _find_told(what, heard), heard)
    held, own = list_told(heard), [one for one in heard.situation.recent if one.speaker == USER]
    if not held or not own or held[-1].said.own != own[-1].own:
        return None
    return _read_new_time("", to, held[-1].appointment, heard)


def _read_order(heard: Heard) -> tuple[str, str] | None:
    """Return what a message orders to move ("" for "it"), and to when; None for no such order."""
    now, habits = heard.situation.now, heard.situation.habits
    order = reminder_requests.perhaps(heard.text, now, habits)
    if not isinstance(order, MoveReminder):
        return None
    if order.what not in ("", "it"):
        return order.what, order.to
    found = parsing.parse_when(order.to, now, habits)
    what = "" if found is None else reminding.matter(order.to, found.spans)  # "dişçiyi cumaya al"
    return what, order.to.removeprefix(what).strip()


def _read_new_time(
    what: str, to: str, before: Appointment | None, heard: Heard
) -> tuple[Appointment, Appointment] | None:
    now, habits = heard.situation.now, heard.situation.habits
    to = short_notes.spell_out(to, heard.code)
    when = parsing.parse_when(to, now, habits)
    if before is not None:
        when = time_changes.move_time(to, before.when.at, now, habits)
    when = _by_day(when, now)
    if not isinstance(when, When) or when.past or reminding.matter(to, when.spans):
        return None
    if before is None:
        new = Appointment(what, when)
        return (new, new) if what else None
    if not when.timed and before.when.timed:
        at = parsing.moment(when.at.date(), before.when.at.timetz().replace(tzinfo=None), now)
        when = replace(when, at=at, timed=True)
    return before, Appointment(before.what, when)


def _by_day(when: When | Unclear | None, now: datetime) -> When | None:
    """Return the hour of an appointment: one that fits both halves of the day is in the afternoon when it is early."""
    if isinstance(when, Unclear):
        when = next(reversed(when.halves), None)
    if when is not None and when.either and when.at.hour < _EARLY:
        at = when.at + timedelta(hours=12)
        when = replace(when, at=at, past=at <= now)
    return when


@dataclass(frozen=True)
class Told:
    """An appointment, the message that told its time last, and whether that was a new time."""

    appointment: Appointment
    said: Utterance
    moved: bool = False


def list_told(heard: Heard) -> list[Told]:
    """Return the appointments to come that were told, each with the time told last; the last one told stands last."""
    situation = heard.situation
    said = {(str(one.own), one.at): one for one in reversed(situation.told)}
    plans: dict[tuple[str, datetime], str] = {}
    for fact in situation.facts:
        if fact.predicate in _PLANS and fact.said_at is not None:
            said[fact.said_text, fact.said_at] = Utterance(USER, fact.said_text, fact.said_at)
            plans[fact.said_text, fact.said_at] = fact.object
    held: list[Told] = []
    for (text, told_at), one in sorted(said.items(), key=lambda each: each[0][1]):
        then = local(told_at, situation.now.tzinfo)
        plan = plans.get((text, told_at))
        if (righted := situation.righted.get(refs.name("turn", one.id))) is not None:
            text = righted.reads
        there = Heard(Situation(text, then, habits=situation.habits, language=situation.language))
        off, wanted = _find_off(there), reminder_requests.request(text, then, situation.habits)
        before = _name_last(off, held)
        if plan or (off is None and (wanted is None or isinstance(wanted, MoveReminder))):
            found = _list_any(there) or _find_day(plan, there)
            if (to := changed_plans.find_moved(text, there.code) or _read_order(there)) is not None:
                before, old = _name_last(to[0], held), None
                if before is not None:
                    old = before.appointment
                new = _read_new_time(*to, old, there)
                found = found if new is None else [new[1]]
            if not found:
                continue
            for appointment in found:
                held.append(Told(appointment, one, moved=before is not None))
        if before is not None:
            held.remove(before)
    return [one for one in held if one.appointment.when.at > situation.now]


def _find_day(plan: str | None, heard: Heard) -> list[Appointment]:
    """Return a plan with its day, if it names one: "meeting Jaz on friday"."""
    when = None if plan is None else parsing.read(plan, heard.situation.now, heard.situation.habits)
    if plan is None or when is None or not when.dated or when.rule:
        return []
    return [Appointment(reminding.matter(plan, when.spans), when)]


def _find_off(heard: Heard) -> str | None:
    """Return what a message calls off ("the dentist is cancelled", "cancel the dentist"), if it names something."""
    off = changed_plans.find_off(heard.text, heard.code)
    wanted = reminder_requests.perhaps(heard.text, heard.situation.now, heard.situation.habits)
    if isinstance(wanted, CancelReminder) and wanted.what:
        off = wanted.what
    if isinstance(wanted, ChangeList) and wanted.action == "remove" and wanted.name is None and len(wanted.items) == 1:
        [off] = wanted.items
    return off


def is_called_off(plan: KnownFact, heard: Heard) -> bool:
    """Return whether the user called a plan off since it was told."""
    about = selection.stems(plan.object)
    for one in heard.situation.told:
        if plan.said_at is not None and one.at > plan.said_at:
            off = selection.stems(_find_off(Heard(replace(heard.situation, text=str(one.own)))) or "")
            if any(map(_names_something, about & off)):
                return True
    return False


def call_off(heard: Heard, _wording: Wording) -> Reflex | None:
    """Take off an appointment that was told, with its reminder; nothing that was not told is called off."""
    off = None if heard.asks else _find_off(heard)
    told = None if off is None else _name_last(off, list_told(heard))
    if told is None:
        return None
    names = {told.appointment.what, _reminder_of(told.appointment)[0]}
    for waiting in heard.situation.reminders:
        if waiting.title in names:
            return Reflex(calls=(SkillCall("schedule", {"action": "cancel", "ids": [waiting.id]}),))
    return Reflex(say("Cancelled: {what}.", what=flip_person(told.appointment.what)), complete=True)


def _name_last(what: str | None, held: Sequence[Told]) -> Told | None:
    """Return the last of the appointments that is called so; "" is any."""
    named = set(filter(_names_something, selection.stems(what or "")))
    for one in reversed(held):
        name = one.appointment.what
        if what == "" or named & selection.stems(name) or _is_within(what, name):
            return one
        if selection.is_inflected(frozenset(named), name.lower()):  # "dişçiyi", "стоматолога"
            return one
    return None


def _is_within(what: str | None, name: str) -> bool:
    """Return whether a name without spaces between its words holds another: "和小王吃午饭" does "小王"."""
    return what is not None and not what.isascii() and len(what) > 1 and " " not in name and what in name


def _names_something(stem: str) -> bool:
    """Return whether a word may name an appointment: "de" of "cumple de marta" does not."""
    return len(stem) > 2 or not stem.isascii()


def tell_when(heard: Heard, _wording: Wording) -> Reflex | None:
    """Tell when the appointment is that was told last ("when is it?"), or that was moved since."""
    what = changed_plans.find_asked(heard.text, heard.code)
    if what is None or heard.situation.in_danger:
        return None
    held = list_told(heard)
    told = _name_last(what, held)
    if (
        told is None
        or (what and not told.moved and [one.said for one in held].count(told.said) < _SEVERAL)
        or refs.name("turn", told.said.id) in heard.situation.righted
    ):
        return None
    now, at = heard.situation.now, told.appointment
    words = say("You told me {when}: “{words}”", when=day(told.said.at, now), words=shorten(told.said.own))
    quoted, when = add_full_stop(capital(words)), days.describe_day(at.when, now)
    if told.moved:
        now_at = say("It's now {when}{again}: {what}.", when=when, again="", what=flip_person(at.what))
        return Reflex(join_sentences(now_at, quoted), complete=True)
    return Reflex(join_sentences(quoted, say("That is {when}.", when=when)), complete=True)


_SEVERAL = 2  # appointments of one message from which its own words do not answer when one is


def add_told(result: ToolResult, heard: Heard) -> ToolResult:
    """Return the reminders that wait, for a day asked for also the appointments that were told and have none."""
    if not isinstance(reminder_requests.request(heard.text, heard.situation.now, heard.situation.habits), ShowDay):
        return result
    rows = list(result.data.get("reminders", ()))
    for one in list_told(heard):
        title, when = _reminder_of(one.appointment)[0], one.appointment.when
        if not when.rule and {title, one.appointment.what}.isdisjoint(map(itemgetter("title"), rows)):
            named = days.describe_day(when, heard.situation.now)
            rows.append({"title": one.appointment.what, "at": when.at.isoformat(), "day": named * (not when.timed)})
    return replace(result, data={**result.data, "reminders": sorted(rows, key=lambda row: parse(str(row["at"])))})


def _find_told(what: str, heard: Heard) -> Appointment | None:
    """Return the appointment of that name that was told last or has a reminder; "" is any that was told."""
    situation, named = heard.situation, selection.stems(what)
    told = _name_last(what, list_told(heard))
    if told is not None:
        return told.appointment
    waiting = [(one, one.at) for one in situation.reminders if one.at and named & selection.stems(one.title)]
    if len(waiting) != 1:
        return None
    [(held, rings)] = waiting
    if (ahead := _HOUR_BEHIND.search(held.title)) is not None:
        return Appointment(held.title[: ahead.start()], When(rings + AHEAD, 0, 0, rule=held.rule))
    return Appointment(held.title, When(rings, 0, 0, rule=held.rule))


_EARLY = 7  # hour before which an appointment that fits both halves of the day is in the afternoon

_HOUR_BEHIND = re.compile(r" \(\d\d:\d\d\)$")


def list_noted(heard: Heard) -> list[Appointment]:
    """Return what a message notes, each with its day: several ("dentist monday 10, vet thursday 4pm"), or one."""
    noted: list[Appointment] = []
    dated = False
    if sum(fact.predicate == "age" for fact in heard.facts) > 1:
        return noted  # "kids: Alfie 6, Poppy 4"
    for part in short_notes.split_times(heard.text, heard.code, heard.situation.now, heard.situation.habits):
        new = find_appointment(Heard(replace(heard.situation, text=part)))
        dated = dated or (new is not None and new.when.dated)
        if new is not None and noted and not new.when.dated:  # "dentist monday 10, vet at 4pm"
            at = parsing.moment(noted[-1].when.at.date(), new.when.at.timetz().replace(tzinfo=None), new.when.at)
            new = replace(new, when=replace(new.when, at=at, dated=True))
        if new is not None and (new.when.timed or not new.when.rule):
            noted.append(new)
    if len(noted) > 1 and not dated and _counts_them(noted, heard):
        return []
    if len(noted) > 1:
        return noted[:_MOST_NOTED]
    return list(filter(None, [find_appointment(heard)]))


def _counts_them(noted: Sequence[Appointment], heard: Heard) -> bool:
    """Return whether a message says before its names how many they are: "2 grandkids, emma 6 and jack 3"."""
    ahead = heard.text[: heard.text.find(noted[0].what)]
    return heard.code in TONGUES and len(noted) in [number_in(word, heard.code) for word in RUN.findall(ahead)]


def find_appointment(heard: Heard) -> Appointment | None:
    """Return what a message notes for a day ("note: dentist thursday 9"), or names with a day."""
    situation, text = heard.situation, " ".join(heard.text.split())
    wanted = reminder_words.parse_request(text)
    if situation.in_danger or len(text) > _LONGEST or asks(text) or (wanted is not None and wanted.kind != "note"):
        return None
    rest = short_notes.drop_lead(text, heard.code) if wanted is None else wanted.rest
    spelled = short_notes.spell_out(rest, heard.code)
    parts = short_notes.MARK.split(spelled)[:_MOST_PARTS]
    wholes = (spelled, rest, short_notes.spell_out(rest, heard.code, hours=True))
    for said in dict.fromkeys((*wholes, *parts)):
        found = _by_day(parsing.parse_when(said, situation.now, situation.habits), situation.now)
        whole = said in wholes
        if found is None or found.past or (wanted is not None and found.rule) or not (whole or found.dated):
            continue
        what = reminding.matter(said, found.spans)
        if what and wanted is not None:
            if said.lower().startswith(what.lower()):
                rest = name_event(what)
            return Appointment(rest, found)  # "merk dir: am freitag kommt oma" stays whole
        if what and _only_names(what, said, found, heard):
            return Appointment(_name(said, found, heard.code), found)
    return None


_MOST_NOTED = 6  # most notes of one message

# how many parts of a note are read by themselves: "op 5 may, nil by mouth from midnight"
_MOST_PARTS = 4


def _name(said: str, when: When, code: str) -> str:
    """Return what is jotted down without its time, as it is written: "Mrs Cole, 14 Elm Rd"."""
    rest = said
    for start, end in reversed(when.spans):
        rest = rest[:start] + rest[start + len(said[start:end].rstrip(",.; ")) :]
    rest = re.sub(r"\s+(?=[,.;!])", "", short_notes.drop_has(rest, code, sure=when.timed, named=True))
    return name_event(reminding.matter(re.sub(r"[,.;]\s?(?=[,.;])", "", rest)))


def offer(results: Sequence[ToolResult], heard: Heard) -> str:
    """Say that it is kept, and ask whether to remind; the buttons stand below."""
    both = find_corrected(heard)
    noted = _list_any(heard) if both is None else [both[1]]
    kept = _say_kept(noted, heard)
    if not any(result.data.get("asked") for result in results):
        return kept
    if len(noted) > 1:
        return f"{kept}\n{say('Shall I remind you of each in time?')}"
    [when] = [one.when for one in noted]
    way = bool(when.timed) + 2 * bool(when.rule)
    return join_sentences(kept, say(_OFFERS[min(way, 2)], time=f"{when.at:%H:%M}"))


# for a day, for an hour, and for what comes again
_OFFERS = (
    later("Shall I remind you on that day, at {time}?"),
    later("Shall I remind you an hour before?"),
    later("Shall I remind you each time?"),
)


def _say_kept(noted: Sequence[Appointment], heard: Heard) -> str:
    return "\n".join(map(partial(_kept, heard=heard), noted))


def _kept(noted: Appointment, heard: Heard) -> str:
    when = days.describe_day(noted.when, heard.situation.now)
    if noted.when.rule:
        when = rhythm(noted.when.rule, noted.when.at)
    return say("Kept: {what}, {when}.", what=flip_person(noted.what), when=when)


def _list_any(heard: Heard) -> list[Appointment]:
    return list_noted(heard) or list(filter(None, [find_plan(heard)]))


def _only_names(what: str, said: str, found: When, heard: Heard) -> bool:
    """Return whether a message has only the name of something before its day and hour: "zahnarzt
    donnerstag um 9"; in English an appointment needs no hour."""
    kind, words = news.find_kind(heard.situation.meant), RUN.findall(parsing.without(said, found.spans).lower())
    language = heard.situation.language
    if heard.facts or heard.name or (language is not None and language.told and abroad.facts_in(heard.text, language)):
        return False
    if _is_jotted(said, found, kind, heard):
        return True
    if heard.code != ENGLISH or not said.lower().startswith(what.lower()) or len(words) > _MOST_NAMED:
        return False
    if (kind is not None and kind not in _APPOINTED) or not all(map(str.isalpha, words)):
        return False  # "7 divided by 0"
    if heard.situation.strongest_feeling in ("sadness", "anger"):
        return False  # "boss dumped another project on me at 5pm"
    named = COMMON.isdisjoint(words) or ((kind or found.rule) is not None and words[0] not in COMMON)
    hour = found.timed and (found.dated or _CLOCK.search(said) is not None)  # "statin at night" has none
    return named and (hour or found.rule is not None) and short_notes.is_jotted(what, ENGLISH, sure=not found.either)


def _is_jotted(said: str, found: When, kind: str | None, heard: Heard) -> bool:
    """Return whether a message is only a name with a day to come, or with an hour of today: "flu jab friday 11am, occy
    health", "bins thurs"; without an hour nothing of how somebody feels."""
    today, code = found.at.date() == heard.situation.now.date(), heard.code
    rest = parsing.without(said, found.spans)
    clock = found.timed and len(_CLOCK.findall(said)) > len(_CLOCK.findall(rest))
    if found.rule and (code == ENGLISH or not found.timed):
        return False
    if not (found.dated or (clock and today and not found.either and not _CLOCK.search(rest))):
        return False
    if not clock and (today and kind != "chores" or _feels(heard)):
        return False
    named = set(RUN.findall(said.lower())) - set(RUN.findall(rest.lower()))
    if not clock and (
        kind == "weather" or not named.isdisjoint(words_of(code, "Wu") - DAY) or chinese.names_period(said)
    ):
        return False  # "dads at mine this weekend" has no day
    return short_notes.is_jotted(rest, code, sure=clock, whole=said)


def _feels(heard: Heard) -> bool:
    """Return whether a message tells of a feeling; in other languages than English joy is also heard in a birthday."""
    felt, counted = heard.situation.felt, set(_DARK)
    if heard.code == ENGLISH:
        counted |= felt.keys()
    return any(felt.get(one, 0.0) >= _FEELS for one in counted)


_DARK = ("worry", "sadness", "anger", "frustration")
_CLOCK = re.compile(r"\d|[一二两三四五六七八九十]+点")
_FEELS = 0.5  # strength of a feeling from which a message without an hour tells of that
