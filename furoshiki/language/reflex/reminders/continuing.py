"""Answers to open questions on reminders: time, task, choice, consent, or a correction."""

import re
from dataclasses import replace
from datetime import time
from typing import TypeGuard

from furoshiki.core.catalogue import ENGLISH, say
from furoshiki.core.timestamps import local
from furoshiki.language import word_tables
from furoshiki.language.dates import lead_times, parsing, time_changes
from furoshiki.language.dates import multiple_times as several_times
from furoshiki.language.dates.half_of_day import half_said
from furoshiki.language.dates.lead_times import LeadAsked, lead_alone, name_event, read_lead
from furoshiki.language.dates.parsing import When
from furoshiki.language.dates.tokens import AT
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import (
    listing,
    not_possible,
    open_questions,
    rearranging,
    reminding,
    requests,
    selection,
)
from furoshiki.language.reflex.wording import flip_person
from furoshiki.language.requests import list_things, reminder_words, short_notes
from furoshiki.language.requests.consent import consent
from furoshiki.language.requests.same_kind import find_contrast
from furoshiki.language.requests.values import (
    CancelReminder,
    ChangeList,
    ClearList,
    DropQuestion,
    MoveReminder,
    Remind,
    RenameReminder,
    Request,
    SeveralRequests,
    ShowList,
    Snooze,
    list_each,
)
from furoshiki.language.testimony import Own
from furoshiki.language.word_tables import texts
from furoshiki.language.words import WORD, asks, count_words

_WAYS = word_tables.by_language("continuing")["en"]
_TOLD = re.compile(_WAYS["told"], re.IGNORECASE)  # openings of a statement rather than a task

# a thing to be reminded of: "the oven"
_THING = re.compile(r"\W{0,3}(?:the|my|our)(?: [\w'-]{1,30}){1,4}\W{0,3}", re.IGNORECASE)

# openings of other questions, even with a time: "what's the weather tomorrow?"
_ASKS_ELSE = re.compile(_WAYS["asks_else"], re.IGNORECASE)

_ANOTHER = re.compile(r"\W{0,3}(?:and|also|plus)(?: also| then)? (?P<rest>.{3,160})", re.IGNORECASE)
_NOT_ANOTHER = re.compile(r"\b(?:is|are|has|i|i'm|we|he|she|they|it|was|were|went|then)\b", re.IGNORECASE)

_NOT_AFTER_ALL = re.compile(
    r"\W{0,5}(?:oh,? |no,? )?(?:never ?mind|forget (?:it|about it)|don't bother)\W{0,5}", re.IGNORECASE
)

_DAILY = "FREQ=DAILY"
_LATELY = 6

LEAST_TOLD = 3  # least words of a message that tells something
MOST_OF_THING = 2  # most words of an item in the answer to "what should go on the list?"
MOST_BESIDE = 2  # most words next to a time that answers "when?"

_HEDGES = frozenset(" ".join(texts("small", "hedges").values()).split())


def find_continuation(heard: Heard) -> Request | None:
    """Return the request if a message answers an open question or continues the last action."""
    found = _find_accepted_offer(heard) or _and_more(heard) or _another(heard) or _once_more(heard)
    if found is not None:
        return found
    asked = open_questions.find_open(heard)
    plain = " ".join(heard.text.split())
    if (
        asked is not None
        and asked.last
        and asked.kind != "offer"
        and (rearranging.parse_refusal(plain) or consent(plain) is False)
    ):
        return DropQuestion()
    if asked is None and _NOT_AFTER_ALL.fullmatch(plain) and just_made(heard):
        return CancelReminder("it")
    answer = None
    match asked.kind if asked is not None else "":
        case "when":
            answer = _time_given(heard, asked is not None and asked.last)
        case "what":
            answer = _matter_given(heard) if asked is not None and asked.last else None
        case "which":
            answer = _find_choice(heard)
    return answer or _find_correction(heard, plain) or _find_other_item(heard) or _put_off(heard, plain)


def find_before(heard: Heard) -> Request | None:
    """Return the reminder that is wanted so long before what was told with its day: "remind me of that
    the evening before", "bin day is thursday, remind me the night before"."""
    asked = read_lead(heard.text) or _read_lead_of_order(heard)
    if asked is None:
        return _find_own_hour(heard)
    own = [str(said.own) for said in reversed(heard.situation.recent[-_LATELY:]) if said.speaker == "user"]
    now, habits = heard.situation.now, heard.situation.habits
    if asked.of:
        own = [asked.of]
    for said in own:
        told = short_notes.spell_out(said, heard.code)
        if not asked.lead and (daily := _list_daily(told, heard)):
            return SeveralRequests(daily)
        found = parsing.parse_when(told, now, habits)
        if isinstance(found, When) and found.timed and not found.past and not asked.lead:
            named = _name_event(told, found, heard.code)
            order = requests.request(heard.text, now, habits)
            named_in = isinstance(order, Remind) and order.when and order.what
            if asked.of and named_in and len(named_in) < len(named):
                return None  # "preciso ligar pro banco, me lembra disso" is read with the order
            return Remind(named, found)
        if not isinstance(found, When) or found.past or not (found.dated and asked.lead):
            continue
        if asked.ahead is None:
            at = lead_alone(asked.lead, found.at, found.timed)
        else:
            at = lead_times.ahead_of_event(asked.ahead, found)
        if at is None:
            return None
        when = When(at, 0, 0, timed=True, dated=True, past=at <= now)
        if found.rule and (each := parsing.repeat_at(found, at, now)) is not None:
            when = each
        return Remind(asked.deed or _name_event(told, found, heard.code), when)
    return None


def _read_lead_of_order(heard: Heard) -> LeadAsked | None:
    """Return the lead time that an order begins with, and the deed behind it: "remind me 2 weeks
    before to pack"."""
    now, habits = heard.situation.now, heard.situation.habits
    order = requests.request(heard.text, now, habits)
    if not isinstance(order, Remind) or order.when is not None:
        return None
    asked, rest = reminder_words.parse_request(" ".join(heard.text.split())), order.what
    if asked is not None:
        rest = asked.rest
    lead = lead_times.split_lead(rest, order.tongue)
    if lead is None:
        return None
    counted = parsing.parse_when(lead[0], now, habits)
    if not isinstance(counted, When) or counted.at <= now:
        return None
    return LeadAsked("", lead[0], reminding.matter(lead[1]), counted.at - now)


def _find_own_hour(heard: Heard) -> Remind | None:
    """Return the reminder that is wanted at an hour of its own before an event: "exam on sunday at 9, wake me at 7"."""
    now, habits, text = heard.situation.now, heard.situation.habits, heard.text
    if heard.asks or len(_HOUR.findall(text)) < HOURS_OF_BOTH or count_words(text) > MOST_TOLD:
        return None
    for joint in reversed(list(_BETWEEN.finditer(text))):
        told = short_notes.spell_out(text[: joint.start()], heard.code)
        order = requests.request(text[joint.end() :], now, habits)
        event = parsing.parse_when(told, now, habits)
        if not isinstance(order, Remind) or not isinstance(event, When) or event.past or not event.timed:
            continue
        if requests.perhaps(told, now, habits) is not None or (not order.what and _COMMA.search(text)):
            return None
        given = next(iter(order.halves), order.when)
        when = None if given is None else lead_times.on_its_day(given, event, now)
        if when is not None and when != given:
            return Remind(order.what or _name_event(told, event, heard.code), when, tongue=order.tongue)
    return None


HOURS_OF_BOTH = 2  # least hours in such a message
MOST_TOLD = 20  # most words of it
_HOUR = re.compile(r"\d{1,2}(?:[:.]\d\d)?|[一二两三四五六七八九十]{1,3}点")
_COMMA = re.compile("[,;，；。]")
_BETWEEN = re.compile(r"[,;.]?\s(?:(?:and|und|y|et|e|и|ve) )?|[，；。]\s?")


def _list_daily(told: str, heard: Heard) -> tuple[Remind, ...]:
    """Return the reminders of what is done at several hours of every day: "I take my tablets at 8 and at 20:00"."""
    times = several_times.several(_AND_AT.sub("and at ", told), heard.situation.now, heard.situation.habits)
    rules = {when.rule for when, _ in times}
    if len(times) < LEAST_DAILY or rules not in ({None}, {_DAILY}) or not all(when.timed for when, _ in times):
        return ()
    if rules == {None} and any(when.dated for when, _ in times):
        return ()
    what = name_event(_I_DO.sub("", " ".join(filter(None, (words for _, words in times)))))
    return tuple(Remind(what, replace(when, rule=_DAILY), tongue=heard.code) for when, _ in times)


LEAST_DAILY = 2  # hours without a day from which what is done at them is done every day
_AND_AT = re.compile(r"\band (?=\d)", re.IGNORECASE)
_I_DO = re.compile(r"^(?:i|we) (?:(?:always|also|usually|have to|need to) ){0,2}(?=\w)", re.IGNORECASE)


def _name_event(text: str, when: When, code: str) -> str:
    """Return what a statement with a time names, without "I have": "habe ich einen Termin" is "einen Termin"."""
    return name_event(short_notes.drop_has(reminding.matter(text, when.spans), code, sure=code != ENGLISH, named=True))


_BARE_HOUR = re.compile(r"^\W*(\d{1,2}(?:[:.]\d\d)?)\W*$")


def earlier(heard: Heard) -> Remind | None:
    """Return the reminder last asked about that still lacks its time."""
    answered = ""
    for said in reversed(heard.situation.recent[-_LATELY:]):
        if said.speaker != "user":
            continue
        found = requests.request(said.own, heard.situation.now, heard.situation.habits) or not_possible.reminder(
            said.own
        )
        for one in reversed(_reminders(found)):
            if one.what and (one.when is None or one.when.past):
                return one
            if one.when is not None and one.when.either and flip_person(one.what) in heard.last_reply:
                return replace(one, when=None, halves=_halves(one.when))  # asked about by the skill
            if answered and not one.what and one.when is None:
                return replace(one, what=reminding.matter(answered))
        answered = said.own
    return None


def _halves(when: When) -> tuple[When, When]:
    """Return an hour in both halves of its day: 06:00 and 18:00."""
    clocks = [time(hour, when.at.minute) for hour in (when.at.hour % 12, when.at.hour % 12 + 12)]
    early, late = (
        replace(when, at=parsing.moment(when.at.date(), clock, when.at), dated=True, either=False) for clock in clocks
    )
    return early, late


def list_spoken_of(heard: Heard) -> str | None:
    """Return the list last talked about: "cross off milk" means the one just shown."""
    for said in reversed(heard.situation.recent[-_LATELY:]):
        found = requests.request(said.own, heard.situation.now) if said.speaker == "user" else None
        if isinstance(found, ChangeList | ShowList | ClearList) and found.name:
            return found.name
    return None


def find_named_things(heard: Heard) -> tuple[str, ...]:
    """Return the items that "them" means: needed or listed in the user's last message."""
    own = _said_last(heard)
    if own is None or asks(own):
        return ()
    if needed := list_things.find_needed(own):
        return needed
    several = list_things.split(own)
    if len(several) > 1 and max(map(count_words, several)) <= MOST_OF_THING:
        return several
    if heard.situation.language is not None:
        return ()
    return list_things.find_wanted(own) or (() if _TOLD.match(own) else list_things.find_thing(own))


def _find_accepted_offer(heard: Heard) -> Request | None:
    """Return the list change that was offered and accepted, or asked for."""
    if say(open_questions.ASK_ITEMS) in heard.last_reply and consent(heard.text) is None:
        items = list_things.split(heard.text)
        told = heard.asks or _TOLD.match(heard.text) or max(map(count_words, items), default=0) > MOST_OF_THING
        if not told:
            return ChangeList("add", items, list_spoken_of(heard))
    if not consent(heard.text):
        return None
    if errand := open_questions.find_errand_offered(heard.last_reply):
        return listing.todo(errand, heard.situation.now, heard.situation.habits)
    offered = open_questions.find_offered(heard.last_reply)
    if offered is None:
        return None
    return ChangeList("add", list_things.split(offered), "shopping")


def _and_more(heard: Heard) -> Request | None:
    name, offered = open_questions.find_list(heard.last_reply), open_questions.find_offered(heard.last_reply)
    if heard.asks or not (name or offered) or requests.parse_removal(" ".join(heard.text.split())):
        return None
    items = list_things.find_more(heard.text, heard.situation.language)
    if not items:
        return None
    return ChangeList(
        "add", (*list_things.split(offered or ""), *items), list_things.normalize_name(name or "shopping")
    )


def _another(heard: Heard) -> Request | None:
    """Return another reminder after one was set: "and at six to water the plants"."""
    more = _ANOTHER.fullmatch(heard.text.strip(" .!"))
    if more is None or heard.asks or _NOT_ANOTHER.search(more["rest"]):
        return None
    if not re.search(r"\bto \w", more["rest"]) and count_words(more["rest"]) > MOST_BESIDE + list_things.MOST_TO_DO:
        return None
    if not just_made(heard):
        return None
    found = reminding.parse_rest(more["rest"], heard.situation.now, heard.situation.habits)
    times = _reminders(found)
    if not times or not all(one.what and one.when is not None and one.when.timed for one in times):
        return None
    newest = max(heard.situation.reminders, key=lambda one: one.id)
    [first, *others] = times
    if newest.rule == _DAILY and not others and first.when is not None and not first.when.dated:
        return replace(first, when=replace(first.when, rule=_DAILY))
    return found


def _once_more(heard: Heard) -> Remind | None:
    """Return the reminder just made on another day, too: "and wednesday too", "same for sunday at 11"."""
    again = _AGAIN.get(heard.code)
    if again is None or heard.asks or not just_made(heard):
        return None
    when = parsing.parse_when(heard.text, heard.situation.now, heard.situation.habits)
    if not isinstance(when, When) or when.past or when.rule or not when.dated:
        return None
    newest = max(heard.situation.reminders, key=lambda one: one.id)
    if again.fullmatch(parsing.without(heard.text, when.spans)) is None or newest.at is None:
        return None
    if not when.timed:
        hour = newest.at.astimezone(heard.situation.now.tzinfo).time()
        at = parsing.moment(when.at.date(), hour, when.at)
        when = replace(when, at=at, timed=True, past=at <= heard.situation.now)
    return Remind(newest.title, when, tongue=heard.code)


_AGAIN = {code: re.compile(ways, re.IGNORECASE) for code, ways in texts("move", "again").items()}


def _time_given(heard: Heard, last: bool) -> Request | None:
    """Return the reminder with the time given; after the next message only a bare time counts."""
    asked = earlier(heard)
    if asked is None or (asked.halves and not last) or _ASKS_ELSE.match(heard.text):
        return None
    way = half_said(heard.text, [one.at for one in asked.halves]) if asked.halves else None
    if way is not None:
        return Remind(asked.what, asked.halves[way], tongue=asked.tongue, priority=asked.priority)
    text = _BARE_HOUR.sub(rf"{AT[asked.tongue]} \1", heard.text) if asked.tongue in AT else heard.text
    found = reminding.parse_rest(text, heard.situation.now, heard.situation.habits, asked.tongue, asked.what)
    times = _reminders(found)
    if not times or not all(one.when is not None or (one.asks is not None and last) for one in times):
        return None
    if any(one.what and not (last and _belongs(one, asked.what)) for one in times):
        return None
    given = tuple(
        Remind(asked.what, _on_day(one.when, asked), one.asks, asked.tongue, asked.priority, one.halves)
        for one in times
    )
    return given[0] if len(given) == 1 else SeveralRequests(given)


def _on_day(given: When | None, asked: Remind) -> When | None:
    """Put an hour without a day on the day, or into the rhythm, that was asked about."""
    first = next(iter(asked.halves), asked.day)
    if given is None or given.dated or given.rule or first is None:
        return given
    if first.rule:
        return replace(given, rule=first.rule)
    at = parsing.moment(first.at.date(), given.at.timetz().replace(tzinfo=None), given.at)
    return replace(given, at=at, dated=True)


def _belongs(one: Remind, asked: str) -> bool:
    """Return whether words next to a time belong to the answer: not "I'm so happy today"."""
    rest = [word for word in WORD.findall(one.what.lower()) if word not in _HEDGES]
    if not rest or selection.stems(one.what) & selection.stems(asked):
        return True
    timed = bool(one.halves) or (one.when is not None and one.when.timed)
    return (timed or one.when is None) and len(rest) <= MOST_BESIDE and _TOLD.match(one.what) is None


def _matter_given(heard: Heard) -> Request | None:
    """Return the reminder(s) with the task given for the time(s) said before."""
    told = _TOLD.match(heard.text) and not _THING.fullmatch(heard.text)
    if heard.asks or len(heard.text) > 200 or told or _tells_abroad(heard):
        return None
    now, habits = heard.situation.now, heard.situation.habits
    given = reminding.reminder(heard.text, now, habits)
    if given is None or not (given.what or given.when):
        return None
    if given.when is not None:
        return given
    for said in reversed(heard.situation.recent[-_LATELY:]):
        then = local(said.at, now.tzinfo)  # "in five minutes" counts from that message
        before = _reminders(requests.request(said.own, then, habits)) if said.speaker == "user" else ()
        lacking = tuple(replace(one, asks=None) for one in before if not one.what)
        if lacking:
            found = tuple(replace(one, what=given.what) for one in lacking)
            return found[0] if len(found) == 1 else SeveralRequests(found)
    return None


def _tells_abroad(heard: Heard) -> bool:
    """Return whether a message in another language tells, and names no task: "j'ai mal au genou"."""
    language, text = heard.situation.language, heard.text
    if language is None or language.dense or _TASK.match(text):
        return False
    has = short_notes.drop_has(text, heard.code, sure=True) != text
    return has or not short_notes.is_jotted(text, heard.code, sure=True)


_TASK = re.compile(
    r"\W*(?:dass|zu|que|qu|che|di|de|d|что|чтобы"
    r"|ich muss|je dois|il faut|tengo que|devo|tenho que|preciso|мне надо)\b",
    re.IGNORECASE,
)


def _reminders(found: Request | None) -> tuple[Remind, ...]:
    return tuple(one for one in list_each(found) if isinstance(one, Remind))


def _find_choice(heard: Heard) -> Request | None:
    """Return the original request with the chosen item filled in."""
    situation = heard.situation
    before: CancelReminder | MoveReminder | RenameReminder | ChangeList | None = None
    for said in reversed(situation.recent[-_LATELY:]):
        found = requests.perhaps(said.own, situation.now, situation.habits) if said.speaker == "user" else None
        if isinstance(found, CancelReminder | MoveReminder | RenameReminder) or _ticks_off(found):
            before = found
            break
    if before is None or len(heard.text) > 120:
        return None
    words = re.sub(
        r"^\W{0,3}(?:the one|that one|this one)\s(?:(?:to|for|about|of)\s)?", "", heard.text.strip(), flags=re.I
    )
    if isinstance(before, ChangeList):
        everything = (*situation.listed, *situation.reminders)
        asked = [one for item in before.items for one in selection.find_named(item, everything)]
        chosen = selection.find_meant(words, asked, situation.now, situation.habits, places=True)
        return replace(before, items=(chosen[0].title,)) if len(chosen) == 1 else None
    waiting = selection.find_meant(before.what, situation.reminders, situation.now, situation.habits)
    found_now = selection.find_meant(words, waiting, situation.now, situation.habits, places=True)
    if not found_now or (len(found_now) > 1 and not selection.names_all(words)):
        return None
    if len(found_now) == 1:
        return replace(before, what=f"#{found_now[0].id}")
    return CancelReminder(before.what, every=True) if isinstance(before, CancelReminder) else None


def _ticks_off(found: Request | None) -> TypeGuard[ChangeList]:
    return isinstance(found, ChangeList) and found.action == "check"


def _find_correction(heard: Heard, plain: str) -> Request | None:
    """Return a new time for the reminder just mentioned: "not tomorrow, Friday"."""
    found = rearranging.parse_correction(plain)
    if found is None or not heard.situation.reminders or not _spoke_of_reminder(heard) or _has_named_time(heard):
        return None
    found = MoveReminder(time_changes.spell_hour(found.what), time_changes.spell_hour(found.to))
    now, habits = heard.situation.now, heard.situation.habits
    when = time_changes.find_month(found.to, now, now) or parsing.read(found.to, now, habits)
    given = None if when is None else reminding.matter(found.to, when.spans)
    shifted = re.search(r"\b(?:earlier|later|sooner|back|forward)\b", found.to, re.IGNORECASE)
    if not shifted and (not isinstance(when, When) or given):
        return None
    meant = selection.find_meant(found.what, heard.situation.reminders, now, habits) if found.what else ()
    return MoveReminder(f"#{meant[0].id}" if len(meant) == 1 else "it", found.to, named=True)


def _find_other_item(heard: Heard) -> Request | None:
    """Return a replacement for an item just listed: "not milk, butter"."""
    own = _said_last(heard)
    pair = (
        None
        if own is None or heard.asks
        else find_contrast(heard.text, own, heard.situation.now, heard.situation.language)
    )
    if pair is None or not selection.items([pair[0]], heard.situation.listed)[0]:
        return None
    return RenameReminder(*pair, named=True)


def _spoke_of_reminder(heard: Heard) -> bool:
    """Return whether a reminder was set or changed in the user's last two messages."""
    own = [said.own for said in heard.situation.recent if said.speaker == "user" and said.own][-2:]
    now, habits = heard.situation.now, heard.situation.habits
    spoken = (requests.perhaps(text, now, habits) for text in own)
    return any(
        isinstance(one, Remind | MoveReminder | RenameReminder | SeveralRequests | Snooze) for one in spoken
    ) or any(one.touched is not None and now - one.touched < selection.FRESH for one in heard.situation.reminders)


def _said_last(heard: Heard) -> Own | None:
    """Return the user's last message."""
    return next((one.own for one in reversed(heard.situation.recent) if one.speaker == "user" and one.own), None)


def _has_named_time(heard: Heard) -> bool:
    """Return whether the last message told a time without a request: a correction is of that."""
    own = _said_last(heard)
    now, habits = heard.situation.now, heard.situation.habits
    if own is None or requests.request(own, now, habits) is not None:
        return False
    found = parsing.parse_when(own, now, habits)
    return found is not None and len(reminding.matter(own, found.spans).split()) >= LEAST_TOLD


def just_made(heard: Heard) -> bool:
    """Return whether the previous message set a reminder."""
    own = _said_last(heard)
    found = own and requests.request(own, heard.situation.now, heard.situation.habits)
    made = isinstance(found, Remind) and found.when is not None and found.what != ""
    return made and bool(heard.situation.reminders)


def _put_off(heard: Heard, plain: str) -> Request | None:
    """Return a snooze for a bare time after a reminder has just rung."""
    if not heard.last_reply.startswith("⏰"):
        return None
    words = re.sub(r"[\s,]{0,3}\b(?:instead|then|please|rather)\W{0,3}$", "", plain, flags=re.IGNORECASE)
    found = parsing.read(words, heard.situation.now, heard.situation.habits)
    return Snooze(words) if found is not None and not reminding.matter(words, found.spans) else None
