"""Find requests that nothing here can fulfil: a call, a booking, music; and the courtesies that open a request."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COURTESIES = (
    "hey|hi|hello|ok|okay|oh|and|also|so|please|pls|plz|plz|well|then|now|yes|yeah|no|let's|just|actually|oops|sorry|wait"
    "|can we|can you|can u|can ya|could you|could u|could ya|would you|would u|would ya|will you|will u|will ya"
    "|i'd like you to|i would like you to|i want you to|i need you to"
)
_FIRST_LETTERS = "".join(sorted({courtesy[0] for courtesy in _COURTESIES.split("|")}))
"""Tested before thirty words: most messages begin with none of them."""

PLEASE = rf"^\W{{0,9}}\b(?:(?=[{_FIRST_LETTERS}])(?:{_COURTESIES})\b[\s,]{{0,9}}){{0,8}}"
"""Courtesies at the beginning of a request pattern."""

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


@dataclass(frozen=True)
class NotPossible:
    """An impossible request: its kind, the user's words, and the object."""

    kind: str
    wanted: str
    thing: str = ""


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
