"""Greetings, goodbyes, names and thanks: the frame of a conversation."""

import re
from datetime import timedelta

from furoshiki.core.catalogue import ENGLISH, capital, get_language, languages, say
from furoshiki.language.dates import parsing
from furoshiki.language.facts import abroad, names
from furoshiki.language.reflex import frankness, noting, selfhood
from furoshiki.language.reflex.care.dead import dead
from furoshiki.language.reflex.care.weighing import find_gravest
from furoshiki.language.reflex.hearing import Heard, plain
from furoshiki.language.reflex.values import KnownFact, Reflex
from furoshiki.language.reflex.wording import Wording, day, flip_person, join_sentences
from furoshiki.language.requests import companion_name, lines

_LONG_AWAY = timedelta(days=3)
_AWAY = timedelta(hours=5)
_FRESH = timedelta(minutes=45)
_NEW_HERE = 3  # replies; a name given later is a change

_SAID = lines.read_lines("greetings")
_DAY_GREETING = re.compile(r"\b(?:good |^)(?P<part>morning|afternoon|evening)\b")


def greet(heard: Heard, wording: Wording) -> Reflex | None:
    """Return the greeting (also for an empty conversation, which the companion opens)."""
    silent = not (heard.text or heard.situation.attachments or heard.situation.foreign)
    if heard.situation.language is not None:
        return None
    called = heard.situation.nlp.greeting and len(heard.plain.split()) <= 2 and not heard.says(r"what's up|sup$")
    if not silent and not called and not heard.situation.nlp.pure_greeting:
        return None
    if heard.first_meeting:
        return Reflex(_first_hello(heard, wording, silent))
    kindly = _greet_with_care(heard, wording)
    if kindly is not None:
        return Reflex(kindly)
    lately = heard.situation.recent[-1].at if heard.situation.recent else None
    if not silent and lately is not None and heard.situation.now - lately < _FRESH and len(wording.replies) > 1:
        return Reflex(join_sentences(wording.one(_SAID["hello_again"]), open_question(heard, wording)))
    note = frankness.first_note(wording) if wording.away else None
    return Reflex(join_sentences(_hello(heard, wording), note, open_question(heard, wording)))


def _greet_with_care(heard: Heard, wording: Wording) -> str | None:
    """Greet a user who was in distress in the last days; None if that was said already."""
    situation = heard.situation
    weight = find_gravest(situation.recent, situation.care, situation.now)
    if weight is None or "hello_after" not in weight.notice.language.said:
        return None
    options = weight.notice.language.said["hello_after"]
    if any(wording.said_lately(option.format(name="", day="")) for option in options):
        return None
    return wording.one(options, day=day(weight.at, situation.now))


def introduction(heard: Heard, wording: Wording, reply: str) -> str | None:
    """Introduce the companion if the first message ever was not a greeting."""
    if not heard.first_meeting or heard.situation.companion in reply:
        return None
    if get_language() != ENGLISH:
        ask = say(names.ASK) if heard.situation.user_name is None else None
        return join_sentences(say("I'm {me}.", me=heard.situation.companion), ask)
    hello = f"I'm {heard.situation.companion}, by the way; we haven't met."
    ask = wording.one(_SAID["ask_name"]) if heard.situation.user_name is None else None
    return join_sentences(hello, frankness.first_note(wording), ask)


def take_name(heard: Heard, wording: Wording) -> Reflex | None:
    """Confirm a given name. Facts in the same message are left to `telling`."""
    given = heard.name
    if given is None or heard.facts:
        return None
    asked = selfhood.speak(heard, wording) if heard.asks else None
    new_here = len(wording.replies) <= _NEW_HERE
    then = asked.text if asked else wording.one(_SAID["after_name"]) if wording.may_ask and new_here else None
    return Reflex(join_sentences(name_taken(heard, wording), then))


def ask_to_call(heard: Heard, wording: Wording) -> Reflex | None:
    """Ask once whether a name in small letters is one: "hi its tasha"."""
    situation, guess = heard.situation, names.guess_name(heard.text, heard.situation.meant)
    if heard.name is not None or situation.user_name is not None or situation.weighs is not None or guess is None:
        return None
    ask = say(names.OFFER, given=guess)
    if (
        heard.facts
        or wording.said_lately(ask)
        or (situation.language is not None and guess.lower() in situation.language.words)
    ):
        return None
    hello = say("I'm {me}.", me=situation.companion) if heard.first_meeting else None
    return Reflex(join_sentences(hello, ask), complete=True)


def ask_to_be_called(heard: Heard, _wording: Wording) -> Reflex | None:
    """Ask whether the companion gets a new name, if the message says nothing else of its user."""
    renamed, language = heard.situation.renamed, heard.situation.language
    if renamed is None or heard.name or heard.facts:
        return None
    if language is not None and language.code in languages() and abroad.facts_in(heard.text, language):
        return None
    return Reflex(say(companion_name.OFFER, given=renamed), complete=True)


def name_taken(heard: Heard, wording: Wording) -> str:
    """Confirm the name, with an introduction at the first meeting."""
    given = heard.name or ""
    if heard.first_meeting:
        hello = wording.one(_SAID["name_met"], given=given, me=heard.situation.companion)
        return join_sentences(hello, frankness.first_note(wording))
    if any(given in reply for reply in wording.replies):
        return wording.one(_SAID["name_known"], given=given)
    if len(wording.replies) <= 2 or "call you" in heard.last_reply or "your name" in heard.last_reply:
        return wording.one(_SAID["name_new"], given=given)
    return wording.one(_SAID["name_changed"], given=given)


def part(heard: Heard, wording: Wording) -> Reflex | None:
    """Say goodbye, with a word about a plan in the next 36 hours."""
    goes = heard.situation.nlp.farewell or heard.is_only(lines.TABLES["heard_small"]["farewell"])
    if not goes or heard.asks or heard.facts or len(heard.plain.split()) > 14:
        return None
    night = (
        heard.situation.now.hour >= 21
        or heard.situation.now.hour < 5
        or heard.says(r"night|bed|sleep|asleep|^gn$|^nite$")
    )
    ahead = _soon(heard)
    wish = f"Good luck with the {ahead}." if ahead else None
    return Reflex(join_sentences(wording.one(_SAID["bye_night"] if night else _SAID["bye"]), wish))


def thank(heard: Heard, wording: Wording) -> Reflex | None:
    """React to thanks and praise, if nothing else was said."""
    nlp, language = heard.situation.nlp, heard.situation.language
    if language is not None and language.is_thanks(heard.text):
        return Reflex(language.welcome, complete=True)
    if not nlp.feedback_alone or nlp.explicit_feedback != "positive":
        return None
    if heard.says(r"\b(?:good ?night|sleep well)\b"):
        return Reflex(wording.one(_SAID["bye_night"]))
    if heard.says(r"\b(?:thank|thanks|thx|cheers|danke|gracias)\b"):
        return Reflex(wording.one(_SAID["thanks"]))
    return Reflex(wording.one(_SAID["pleased"]))


def part_of_day(heard: Heard) -> str:
    """Return the greeting that was said, else the one for the hour."""
    if (said := _DAY_GREETING.search(heard.plain)) is not None:
        return f"Good {said['part']}"
    hour = heard.situation.now.hour
    if 5 <= hour < 12:
        return "Good morning"
    if 12 <= hour < 18:
        return "Good afternoon"
    return "Good evening"


def open_question(heard: Heard, wording: Wording) -> str | None:
    """Return a question to continue with: a past or near plan, or how it goes."""
    if heard.situation.weighs is not None:
        return None
    for fact in _plans(heard):
        question = _about_plan(fact, heard, wording)
        if question is not None:
            return question
    if not wording.may_ask:
        return None
    return wording.unused(_SAID["how_goes"])


def _first_hello(heard: Heard, wording: Wording, silent: bool) -> str:
    opening = _SAID["first_words" if silent else "first_hello"]
    hello = wording.one(opening, me=heard.situation.companion, part=part_of_day(heard))
    ask = wording.one(_SAID["ask_name"]) if heard.situation.user_name is None else wording.one(_SAID["how_goes"])
    return join_sentences(hello, frankness.first_note(wording), ask)


def _hello(heard: Heard, wording: Wording) -> str:
    situation = heard.situation
    away = situation.now - situation.last_seen if situation.last_seen else timedelta(0)
    words = {"part": part_of_day(heard)}
    if away >= _LONG_AWAY:
        span = _span(away)
        return wording.one(_SAID["hello_after_days"], away=span, away_start=capital(span), **words)
    return wording.one(_SAID["hello_after_hours"] if away >= _AWAY else _SAID["hello"], **words)


def _span(away: timedelta) -> str:
    days = away.days
    if days < 14:
        return f"{days} days"
    return f"{days // 7} weeks" if days < 60 else f"{days // 30} months"


def _plans(heard: Heard) -> list[KnownFact]:
    gone, plans = dead(heard.situation.facts), []
    for fact in heard.situation.facts:
        if fact.predicate != "plans" or fact.subject != "user" or not fact.said_at:
            continue
        if gone.isdisjoint(plain(fact.object).split()) and not noting.is_called_off(fact, heard):
            plans.append(fact)
    return sorted(plans, key=lambda fact: fact.said_at or heard.situation.now, reverse=True)


def _about_plan(fact: KnownFact, heard: Heard, wording: Wording) -> str | None:
    """Ask about a plan: how it went (within ten days), or that it is near."""
    now = heard.situation.now
    said_at = (fact.said_at or now).astimezone(now.tzinfo)
    when = parsing.read(fact.object, said_at)
    if when is None:
        return None
    what = _occasion(fact.object, when)
    since = now - when.at
    if timedelta(hours=1) < since < timedelta(days=10):
        return wording.unused(
            ("You told me {day} about the {what}. How did it go?", "And the {what}: how was it?"),
            what=what,
            day=day(said_at, now),
        )
    if timedelta(0) < -since < timedelta(hours=36):
        near = "today" if when.at.date() == now.date() else "tomorrow"
        return wording.unused(("The {what} is {near}, isn't it? How do you feel about it?",), what=what, near=near)
    return None


def _soon(heard: Heard) -> str | None:
    now = heard.situation.now
    for fact in _plans(heard):
        when = parsing.read(fact.object, (fact.said_at or now).astimezone(now.tzinfo))
        if when is not None and timedelta(0) < when.at - now < timedelta(hours=36):
            return _occasion(fact.object, when)
    return None


def _occasion(plan: str, when: parsing.When) -> str:
    """Return the plan without its time, to follow "the": "dentist appointment", "trip to Rome"."""
    bare = re.sub(r"\s+", " ", plan[: when.start] + plan[when.end :]).strip(" ,")
    bare = re.sub(r"\s+(?:on|at|in|by|next|this)$", "", bare)
    moving = re.match(r"(?:going|flying|travelling|traveling|driving|heading|off)\b(?:.*?\bto (?P<place>.+))?", bare)
    if moving:
        return f"trip to {moving['place']}" if moving["place"] else "trip"
    if re.match(r"getting married", bare):
        return "wedding"
    seeing = re.match(r"(?:meeting|seeing|visiting|hosting|picking up)\s+(?P<who>.+)", bare)
    if seeing:
        return f"time with {flip_person(seeing['who'])}"
    doing = re.match(r"(?:starting|beginning|having|taking|running|giving|presenting|playing)\s+(?P<what>.+)", bare)
    return re.sub(r"^(?:my|a|an|the)\s+", "", doing["what"] if doing else bare)
