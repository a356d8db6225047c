"""Requests that cannot be fulfilled: say so in one sentence, with an alternative."""

from __future__ import annotations

import re
from dataclasses import dataclass

from furoshiki.core.catalogue import later, say
from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.reminders import open_questions
from furoshiki.language.reflex.reminders.values import PLEASE, Remind
from furoshiki.language.reflex.values import Reflex

CALLED = later(
    {
        "mail": "I can't send emails from here",
        "message": "I can't write to other people from here",
        "taxi": "I can't call or book a ride from here",
        "call": "I can't make phone calls from here",
        "book": "I can't book anything from here",
        "pay": "I can't move money from here",
        "home": "I can't switch anything in your home from here",
    }
)
"""Actions the user can be reminded of, with the replies."""

WAYS = """
mail | send+,write+,forward,reply to,answer | email,e-mail,mail,newsletter
mail | email,e-mail | *
message | send | text,text message,message,sms,whatsapp,dm,letter,fax,postcard
message | text,message,whatsapp,dm,sms | *
message | tell,ask,inform | that,to,if,whether,know
taxi | call+,get+,order+,book+,find+,hail+ | taxi,cab,uber,lyft,lift,ride
call | call,phone,ring,dial,facetime | *
call | make+ | call,phone call,telephone call
play | play+,put on,turn on,start,stop,pause,skip | music,song,tune,playlist,radio,jazz,podcast,video,film,movie,album
play | play+,put on,turn on,start | spotify,tv,television,netflix
book | book+,reserve+ | table,flight,ticket,hotel,room,appointment,seat,trip,train,court,holiday
book | make+ | reservation,booking,appointment
order | order+,buy+,purchase+,get me,get us,fetch me | *
pay | pay,transfer,wire,send | bill,rent,money,invoice,euro,dollar,pound
home | turn on,turn off,switch on,switch off,turn up,turn down,dim | light,lamp,heating,heater,thermostat,oven,fan
home | turn,switch | off,on
home | lock,unlock,open,close | door,window,blinds,curtains,gate,car,garage
web | search,browse,surf,look on,look in,check | web,internet,net,google,wikipedia
web | google,bing,look up | *
web | open,go to,visit,download | website,web page,webpage,browser
news | what's the,what is the,what are the | news,headlines,forecast
news | show+,tell+,give+,read+ | news,headlines,weather,forecast
news | will it,is it going to,is it | rain,raining,snow,snowing,be sunny
photo | take+,snap+ | screenshot,photo,picture
calendar | add+,put+,write+,enter+,sync+,save+,put it,add it | calendar,outlook
way | navigate,give+,show+ | directions,way to,way home,route
apps | open,launch,start,close,install,update | app,application,whatsapp,instagram,facebook,youtube,spotify
apps | open,launch,start,close,install,update | netflix,chrome,camera,browser,word,excel
translate | translate+ | *
"""
"""The kind, the verbs ("+" allows "me" after it), and the objects ("*" is anything)."""

_INSTEAD = later(
    {
        "play": "I can't play anything from here; I can talk with you, keep lists and remind you of things.",
        "web": "I can't look anything up on the web from here; "
        "I can search what you have told me, and keep what you find.",
        "news": "I can't see the weather or the news from here; I'll remember what you tell me about it.",
        "photo": "I can't take photos; I can save words for you, and find them again.",
        "calendar": "I can't reach your calendar; I can keep it as a reminder, if you tell me when.",
        "way": "I can't give directions; I can remind you when it's time to leave.",
        "apps": "I can't use other apps; I can remember things, keep lists and remind you.",
        "translate": "I can't translate without a language model; I keep words in any language as they are.",
    }
)


@dataclass(frozen=True)
class NotPossible:
    """An impossible request: its kind, the user's words, and the object."""

    kind: str
    wanted: str
    thing: str = ""


def decline(heard: Heard) -> Reflex | None:
    """Say that a request is impossible, and what is possible instead."""
    found = find_impossible(" ".join(heard.text.split()))
    if found is None:
        return None
    from furoshiki.language.reflex.wording import flip_person

    if found.kind in CALLED:
        offer = later("{cannot}, but I can remind you of it: when should I remind you to {what}?")
        return Reflex(say(offer, cannot=say(CALLED[found.kind]), what=flip_person(found.wanted)))
    if found.kind == "order":
        return Reflex(say(open_questions.WRITE_DOWN, items=found.thing))
    return Reflex(say(_INSTEAD[found.kind]))


def reminder(text: str) -> Remind | None:
    """Return a reminder of an impossible request that users can do themselves."""
    found = find_impossible(" ".join(text.split()))
    return Remind(found.wanted, None) if found is not None and found.kind in CALLED else None


def find_impossible(plain: str) -> NotPossible | None:
    """Return the impossible request in a message, or None. `plain` has single spaces."""
    if len(plain) > _LONGEST or _TOLD.match(plain):
        return None
    for kind, pattern in _WAYS:
        match = pattern.match(plain)
        if match is None:
            continue
        wanted = _POLITE.sub("", plain[match.start("wanted") :].strip(" .!?"))
        return NotPossible(kind, wanted, _POLITE.sub("", plain[match.start("thing") :].strip(" .!?")))
    return None


_NOT_THEM = "me|us|it|you|yourself|this|that|up|for|back"
_POLITE = re.compile(
    r"(?:[ ,](?:please|for me|for us|now|thanks|right now|will you|would you|can you)){1,4}$", re.IGNORECASE
)
_LONGEST = 160
_TOLD = re.compile(
    r"\W{0,5}(?:i|i'm|we|he|she|they|my|the|when|why|who|did|do you (?:like|know))\b|.{0,160}\b(?:i (?:said|told)"
    r"|told you|notes?)\b",
    re.IGNORECASE,
)


def _read() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found = []
    for line in WAYS.strip().splitlines():
        kind, verbs, things = (part.strip() for part in line.split("|"))
        alone = [re.escape(verb) for verb in verbs.split(",") if not verb.endswith("+")]
        for_me = [re.escape(verb[:-1]) for verb in verbs.split(",") if verb.endswith("+")]
        verb = "|".join(
            [*(f"{one}(?: me| us)?" for one in for_me), *(f"{one}(?! (?:{_NOT_THEM})\\b)" for one in alone)]
        )
        named = "|".join(re.escape(thing) for thing in things.split(","))
        of = r"\w" if things == "*" else rf"(?:[^.!?]{{0,60}}? )??(?:{named})(?:e?s)?\b"
        lead = r"(?:(?:an?|the|some|my|our|this|more) ){0,2}"
        found.append((kind, re.compile(rf"{PLEASE}(?P<wanted>(?:{verb}) {lead}(?P<thing>{of}))", re.IGNORECASE)))
    return tuple(found)


_WAYS = _read()
