"""Notes: where a thing is, a number, an appointment. Confirm that they are stored and how to
find them, without another question."""

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from furoshiki.core.catalogue import say
from furoshiki.core.timestamps import local
from furoshiki.language.dates import parsing, time_changes
from furoshiki.language.dates.lead_times import name_event
from furoshiki.language.dates.parsing import Unclear, When
from furoshiki.language.dates.said_times import Reading
from furoshiki.language.dates.values import Day
from furoshiki.language.facts.relatives import RELATIONS
from furoshiki.language.facts.words import OCCASION_WORD
from furoshiki.language.reflex import days
from furoshiki.language.reflex.corrections import answers
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import reminding, selection
from furoshiki.language.reflex.values import Reflex, SkillCall, ToolResult
from furoshiki.language.reflex.wording import Wording, flip_person, join_sentences, rhythm
from furoshiki.language.requests import asked, correction_words, moved, news, reminder_words
from furoshiki.language.tables.function_words import COMMON
from furoshiki.language.word_tables import by_language
from furoshiki.language.words import RUN, asks

_LONGEST = 160
"""Most characters of a note; a longer message tells something."""

_THING = (
    r"(?:(?:ok|okay|so|and|oh|btw|by the way|fyi|note),? )?(?:the|my|our) "
    r"(?P<what>[\w'\u2019&-]{1,30}(?: [\w'\u2019&-]{1,30}){0,4})"
)
_PLACE = re.compile(
    rf"^{_THING} (?:is|are|lies|lie|hangs|hang) (?:now |always |still |kept |hidden )?"
    r"(?:under|in|inside|on|at|behind|beside|next to|above|below|between|near|by|with|left of|right of) "
    r"(?:the|my|our|a|an|his|her|their|top|front|back)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"^{_THING}(?: is | are | ?= ?| ?: ?)(?P<value>\S{{0,40}}\d\S{{0,40}})[.!]?$", re.IGNORECASE)
_OCCASION = re.compile(rf"\b(?:{OCCASION_WORD})s?\b", re.IGNORECASE)
_MOST_NAMED = 5
"""Most words that name an appointment which nothing asks to note: "dentist", "school concert"."""

_APPOINTED = frozenset({"ahead", "trial", "visit"})
"""Kinds of news that an appointment may be."""

_PLANS = frozenset({"plans", "has_to"})
"""Predicates of what is to come."""

_COMING = (
    r"\b(?:is|are|am|(?:\w|')(?:'m|'s|'re)) (?:(?!being)\w+ing|on|at|due|tomorrow|next)\b"
    r"|\b(?:i|we)(?:'ve| have)? (?:have|got) (?:an?|my|the|our)\b"
    r"|\b(?:i|we) (?:start|begin|leave|fly|land|move|meet|travel)\b"
)
"""Forms by which a statement with a day and an hour is of what is to come."""


AHEAD = timedelta(hours=1)
"""How long before an appointment with an hour a reminder is offered."""

_NO_THINGS = RELATIONS | frozenset(by_language("small")["en"]["never_sought"].split())
"""Subjects whose place is not meant literally: "my life is in the bin"."""

_KEPT_PLACE = (
    "Kept, word for word. Ask me where it is, and I'll say.",
    "I've put that down. When you look for it, ask me.",
    "Got it. That's one thing you needn't remember yourself.",
)
_KEPT_NUMBER = (
    "Kept, word for word. Ask me when you need it; and “forget that”, should you rather not leave it with me.",
    "I've put that down exactly as you wrote it. Ask me for it any time.",
)


def note(heard: Heard, wording: Wording) -> Reflex | None:
    """Confirm that a note is stored; None otherwise, and while the user may be in danger."""
    weighs = heard.situation.weighs
    to_keep = not asks(heard.text) and heard.says(asked.TO_KEEP)
    if (heard.asks and not to_keep) or len(heard.text) > _LONGEST or (weighs is not None and weighs.notice.grave):
        return None
    for pattern, said in ((_PLACE, _KEPT_PLACE), (_NUMBER, _KEPT_NUMBER)):
        found = pattern.search(heard.plain)
        if found is not None and _NO_THINGS.isdisjoint(found["what"].lower().split()):
            return Reflex(wording.one(said))
    if to_keep:
        return Reflex(wording.one(_KEPT_NUMBER))
    return None


@dataclass(frozen=True)
class Appointment:
    """What is noted, and its future day or hour."""

    what: str
    when: When


def keep_appointment(heard: Heard, _wording: Wording) -> Reflex | None:
    """Keep what is noted with its day, and offer a reminder: an hour before, of a day that day."""
    noted = find_appointment(heard)
    if noted is None:
        return None
    if _reminder_of(noted)[1] <= heard.situation.now:
        return Reflex(_kept(noted, heard), complete=True)
    return Reflex(calls=(_offer_call(noted),))


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
    grave = situation.weighs is not None and situation.weighs.notice.grave
    found = parsing.parse_when(text, situation.now, situation.habits)
    if situation.language is not None or grave or heard.asks or not isinstance(found, When) or found.rule:
        return None
    if not (found.timed and found.dated) or found.past or len(text) > _LONGEST:
        return None
    plan = next((fact.object for fact in heard.facts if fact.predicate in _PLANS), None)
    if plan is None and not heard.says(_COMING):
        return None
    said = plan or text
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
    corrected = correction_words.instead(said, found.wrong, found.right)
    before, after = (_find_any(Heard(replace(heard.situation, text=one))) for one in (said, corrected))
    if before is None or after is None:
        return None
    now, named = heard.situation.now, corrected[after.when.start : after.when.end]
    meant = time_changes.move_time(named, before.when.at, now, heard.situation.habits)
    if isinstance(meant, When) and not (meant.past or after.when.timed):  # "no, the 6th" of January
        after = replace(after, when=replace(after.when, at=meant.at))
    return before, after


def find_new_time(heard: Heard) -> tuple[Appointment, Appointment] | None:
    """Return an appointment before and after the new time that this message tells ("the dentist moved to Friday"); both
    the same if it was not told before."""
    situation = heard.situation
    found = moved.find_moved(heard.text, heard.code)
    if found is None or (situation.weighs is not None and situation.weighs.notice.grave):
        return None
    what, to = found
    before = _find_told(what, heard)
    now, habits = situation.now, situation.habits
    when = parsing.parse_when(to, now, habits)
    if before is not None:
        when = time_changes.move_time(to, before.when.at, now, habits)
    if isinstance(when, Unclear) and when.halves:
        when = when.halves[-1]  # in the afternoon
    if isinstance(when, When) and when.either and when.at.hour < _EARLY:
        when = replace(when, at=when.at + timedelta(hours=12))
    if not isinstance(when, When) or when.past or reminding.matter(to, when.spans):
        return None
    if before is None:
        new = Appointment(what, when)
        return (new, new) if what else None
    if not when.timed and before.when.timed:
        at = parsing.moment(when.at.date(), before.when.at.timetz().replace(tzinfo=None), now)
        when = replace(when, at=at, timed=True)
    return before, Appointment(before.what, when)


def _find_told(what: str, heard: Heard) -> Appointment | None:
    """Return the appointment of that name that was told last or has a reminder; "" is any that was told."""
    situation, named = heard.situation, selection.stems(what)
    said: list[tuple[str, datetime, int]] = []
    for at, one in enumerate(situation.recent[-_LATELY:], start=max(0, len(situation.recent) - _LATELY)):
        if one.speaker == "user" and one.own:
            said.insert(0, (str(one.own), one.at, at))
    for fact in reversed(situation.facts):
        if fact.predicate in _PLANS and fact.said_at is not None:
            said.append((fact.said_text, fact.said_at, 0))
    for text, told_at, place in said[:_LATELY]:
        then = local(told_at, situation.now.tzinfo)
        there = Heard(replace(situation, text=text, now=then, recent=situation.recent[:place]))
        told = (find_new_time(there) or (None, _find_any(there)))[1]
        if told is not None and told.when.at > situation.now and (not named or named & selection.stems(told.what)):
            return told
    waiting = [(one, one.at) for one in situation.reminders if one.at and named & selection.stems(one.title)]
    if len(waiting) != 1:
        return None
    [(held, rings)] = waiting
    if (ahead := _HOUR_BEHIND.search(held.title)) is not None:
        return Appointment(held.title[: ahead.start()], When(rings + AHEAD, 0, 0, rule=held.rule))
    return Appointment(held.title, When(rings, 0, 0, rule=held.rule))


_EARLY = 7
"""Hour before which an appointment that fits both halves of the day is in the afternoon."""

_LATELY = 40
"""How many of the last messages and facts are looked through for an appointment."""

_HOUR_BEHIND = re.compile(r" \(\d\d:\d\d\)$")


def find_appointment(heard: Heard) -> Appointment | None:
    """Return what a message notes for a day ("note: dentist thursday 9"), or names with a day."""
    situation, text = heard.situation, " ".join(heard.text.split())
    grave = situation.weighs is not None and situation.weighs.notice.grave
    wanted = reminder_words.parse_request(text)
    if grave or len(text) > _LONGEST or asks(text) or (wanted is not None and wanted.kind != "note"):
        return None
    rest = text if wanted is None else wanted.rest
    for said in (rest, days.lead_to_hour(rest)):
        found = parsing.parse_when(said, situation.now, situation.habits)
        if isinstance(found, When) and not found.past and not (wanted is not None and found.rule):
            what = reminding.matter(said, found.spans)
            if what and (wanted is not None or _only_names(what, said, found, heard)):
                dense = situation.language is not None and situation.language.dense
                leads = dense or said.lower().startswith(what.lower())
                return Appointment(what if leads else rest, found)  # "am freitag kommt oma" stays whole
    return None


def offer(result: ToolResult, heard: Heard) -> str:
    """Say that it is kept, and ask whether to remind; the buttons stand below."""
    both = find_corrected(heard)
    noted = _find_any(heard) if both is None else both[1]
    assert noted is not None
    if not result.data.get("asked"):
        return _kept(noted, heard)
    ask = say("Shall I remind you on that day, at {time}?", time=f"{noted.when.at:%H:%M}")
    if noted.when.rule:
        ask = say("Shall I remind you each time?")
    elif noted.when.timed:
        ask = say("Shall I remind you an hour before?")
    return join_sentences(_kept(noted, heard), ask)


def _kept(noted: Appointment, heard: Heard) -> str:
    when = days.describe_day(noted.when, heard.situation.now)
    if noted.when.rule:
        when = rhythm(noted.when.rule, noted.when.at)
    return say("Kept: {what}, {when}.", what=flip_person(noted.what), when=when)


def _find_any(heard: Heard) -> Appointment | None:
    return find_appointment(heard) or find_plan(heard)


def _only_names(what: str, said: str, found: When, heard: Heard) -> bool:
    """Return whether a message has only the name of something before its day and hour: "zahnarzt
    donnerstag um 9"; in English an appointment needs no hour."""
    language, words = heard.situation.language, RUN.findall(what.lower())
    if heard.facts or heard.name or not said.lower().startswith(what.lower()) or len(words) > _MOST_NAMED:
        return False
    kind = news.find_kind(heard.situation.meant)
    if (kind is not None and kind not in _APPOINTED) or heard.situation.strongest_feeling in ("sadness", "anger"):
        return False  # "boss dumped another project on me at 5pm"
    if not all(map(str.isalpha, words)):
        return False  # "7 divided by 0"
    if language is None:
        named = COMMON.isdisjoint(words) or ((kind or found.rule) is not None and words[0] not in COMMON)
        return named and (found.timed or found.rule is not None or _OCCASION.search(what) is not None)
    if language.dense:
        return False
    reading = Reading(said, heard.situation.now, language.code, heard.situation.habits)
    dated = any(isinstance(one.said, Day) for one in reading.components)
    return dated and found.timed and (language.small | language.asks).isdisjoint(words)
