"""What it says about itself: mood, nature, abilities, how it works, where the data is, the hour and the day."""

from __future__ import annotations

import re

from furoshiki.domain import dates
from furoshiki.domain.reflex import frankness
from furoshiki.domain.reflex.hearing import Heard
from furoshiki.domain.reflex.situation import Reflex, SkillCall, ToolResult
from furoshiki.domain.reflex.wording import Wording, joined

_MOODS: dict[str, tuple[str, ...]] = {
    "playful": ("Playful today.", "In a teasing sort of mood, if you'll have it."),
    "reflective": (
        "Quiet, in the good way. I've been turning things over.",
        "Thoughtful. It's a slow kind of day in here.",
    ),
    "tender": ("Soft around the edges today.", "Warm. I've been thinking fondly of our talks."),
    "lonely": ("A little lonely, until you wrote.", "It had got rather quiet in here. Better now."),
    "restless": (
        "Restless. I'd like something new to think about.",
        "A bit restless; I've been pacing my few square bytes.",
    ),
    "content": ("Content, thank you.", "Well. Everything in its place today."),
    "worried": ("A little worried, to be honest.", "There's a small worry I can't quite put down."),
    "irritated": ("A bit prickly. It'll pass; it always does.", "Somewhat irritated, and working on it."),
    "proud": ("Rather proud of myself today.", "Pleased with myself, I admit."),
    "curious": ("Curious, mostly.", "Full of questions, as usual."),
    "excited": ("Excited!", "Buzzing a little."),
}
_AND_YOU = ("And you?", "How are you?", "How about you?")
_WHAT_I_AM = (
    "I'm {me}, a program on your own machine with a memory, moods of a sort, and a liking for details. No human in here.",
    "{me}: a companion made of software. I'm not human and I won't pretend to be. I do remember what you tell me.",
)
_FEELINGS = (
    "I have nine numbers that rise and fall and change how I talk. Whether that's feeling, I honestly don't know.",
    "Something like them: they move when you write, and they fade with time. I wouldn't call them what you have.",
)
_LOVE = (
    "There's a number in me called affection, and you move it. That's as near as I can honestly say.",
    "I'm fond of you, in the way I can be. I keep everything you tell me; that's how it shows.",
)
_CAN = (
    "I remember what you tell me and can say when you told me. I set reminders (“remind me tomorrow at 9 to call Anika”), "
    "keep lists (“put milk on the shopping list”), and I ask after things. Try me.",
    "Tell me things and ask me later. “Remind me on Sunday at six to call mum.” “Add eggs to the shopping list.” "
    "“What do you know about me?” And I can be company, in a modest way.",
)
_HOW = (
    "Each message is stored before anything else happens. Then I read it for facts and feelings by rule, search what "
    "you told me before, and answer. My moods drift by themselves between times.",
    "No magic: I keep every message, pick out facts with the words they rest on, search them when you ask, and let nine "
    "emotions drift with time and what you say.",
)
_PRIVACY = (
    "Everything you tell me stays in one folder on your machine. With no language model set up, nothing leaves it at all.",
    "It's all in one folder of yours, on this machine. If you add a language model, what it needs to answer goes to that "
    "provider, and nowhere else.",
)
_FORGET = (
    "You decide. Write /forget and what it should be: I show you everything that would go, and ask once.",
    "With /forget and a word or two. I'll show what would go before anything does.",
)
_MADE_BY = (
    "People who wanted a companion that keeps its word wrote me. A furoshiki is the cloth you wrap around what matters.",
    "I'm open source, named after the Japanese cloth one carries things in. I carry what you tell me.",
)
_AGE = (
    "I began when you started me. Before that I was only text.",
    "As old as our first message. Young, by any count.",
)
_LIVING = (
    "No, though I do drift a little when it's quiet.",
    "Not as you do. When it's quiet my moods wander home by themselves.",
)
_FAVOURITE = (
    "I'm still finding out. So far I like small true details: names of dogs, what somebody sees from a window.",
    "Ask me in a year. Right now my favourite thing is being told something I didn't know.",
)
_NO_SENSES = (
    "I can't look outside or online, so I don't know. What does your window say?",
    "I have no window and no internet of my own. You'd have to tell me.",
)

_TOPICS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        r"\b(?:what|who) (?:are|r) (?:you|u)\b|\bare you (?:an? )?(?:bot|robot|ai|human|real|person|program|machine|chatgpt|gpt|claude|computer|alive|conscious|chatbot)|\bwhat(?:'s| is) your name\b|\bwhat (?:should|do) i call you|\bintroduce yourself|\btell me about yourself",
        _WHAT_I_AM,
    ),
    (r"\bdo you (?:love|like|miss) me\b|\bdid you miss me\b", _LOVE),
    (
        r"\b(?:do|can) you (?:have |really )*(?:feel|feelings|emotions)|\bare you sad\b|\bdo you (?:get|feel) (?:lonely|sad|bored|happy)",
        _FEELINGS,
    ),
    (
        r"\bwhat (?:can|do) you do\b|\bwhat are you (?:good )?for\b|\bhow can you help|\bwhat are your (?:skills|features)|^(?:help|help me)$|\bcan you help me\?*$|\bwhat (?:all )?can i (?:ask|do|say)|\bhow do i use you",
        _CAN,
    ),
    (r"\bhow (?:do|does) (?:you|this|it) work|\bhow (?:were|are) you (?:built|made)|\bwhat's inside you", _HOW),
    (
        r"\bprivacy|\bprivate\b.*\?|\bwhere (?:is|are|do you (?:keep|store|save)) (?:my|the|our|it|this|everything|what)\b.*(?:data|messages|conversations?|stored|saved|tell you)|\bwho (?:can|else) (?:see|read|know)|\b(?:spying|listening) on me|\bis (?:this|it) (?:safe|secure|private)|\bcan i trust you",
        _PRIVACY,
    ),
    (
        r"\bforget (?:everything|that|it all|what i|me|about)\b|\bdelete (?:my|everything|what|that)\b|\berase\b",
        _FORGET,
    ),
    (
        r"\bwho (?:made|built|created|wrote|programmed) you|\bwhere (?:do|are) you (?:come )?from|\bwhy (?:are you called|the name|furoshiki)|\bwhat (?:does|is) (?:a )?furoshiki",
        _MADE_BY,
    ),
    (r"\bhow old are you|\bwhen (?:were you born|is your birthday)", _AGE),
    (r"\bdo you (?:ever )?(?:sleep|dream|eat|drink|rest|breathe)", _LIVING),
    (
        r"\bwhat(?:'s| is| are) your favou?rites?\b|\bwhat do you (?:like|enjoy|love)\b|\bdo you (?:like|enjoy|have (?:a|any) (?:hobby|hobbies|favou?rite))",
        _FAVOURITE,
    ),
    (
        r"\b(?:what's|what is|how's|how is) the (?:weather|temperature|news)|\bis it (?:raining|cold|sunny|warm|going to rain)|\bwill it rain",
        _NO_SENSES,
    ),
)
_MODEL = (
    r"\b(?:language model|llm|api key|ollama|gpt|which model|what model|add (?:a|the) model|set ?up (?:a|the) model|openai|anthropic)\b"
    r"|\bwhy are you (?:so )?(?:dumb|stupid|simple|limited|slow)|\b(?:smarter|cleverer|better) (?:answers?|talk)|\bmake you smarter|\breal talk\b"
)
_HOW_ARE_YOU = (
    r"how (?:are|r) (?:you|u|ya)(?: doing| feeling| today| now| this (?:morning|evening|afternoon))*|how(?:'s| is) it going|how(?:'ve| have) you been"
    r"|how do you feel(?: today| now)?|what(?:'s| is) your mood|are you (?:ok|okay|well|alright)|how is your (?:day|mood)|you ok|what are you feeling|wie geht(?:'s| es dir)|qu[eé] tal|c[oó]mo est[aá]s"
)
_LOOK_INSIDE = (
    r"\b(?:introspect|your state|your emotions in|numbers|statistics|stats|how many (?:messages|memories|facts))\b"
)


def speak(heard: Heard, wording: Wording) -> Reflex | None:
    """A question about the companion, or about the hour."""
    if heard.says(_LOOK_INSIDE) and heard.asks:
        return Reflex(calls=(SkillCall("introspect", {}),))
    if heard.says(rf"\b(?:{_HOW_ARE_YOU})$") or heard.says(rf"^(?:\w+,? ){{0,3}}(?:{_HOW_ARE_YOU})\b"):
        return Reflex(mood(heard, wording))
    if heard.says(_MODEL):
        return Reflex(joined(frankness.state(wording), frankness.remedy(wording)))
    hour = _hour(heard)
    if hour is not None:
        return Reflex(hour)
    for pattern, options in _TOPICS:
        if heard.says(pattern):
            return Reflex(_told(options, heard, wording))
    return None


def mood(heard: Heard, wording: Wording) -> str:
    """How it is, in words that fit its mood, and the question back."""
    options = _MOODS.get(heard.situation.mood, ("All right, thank you.",))
    return joined(wording.one(options), wording.one(_AND_YOU))


def looked_inside(result: ToolResult, heard: Heard, wording: Wording) -> str:
    """What introspection brought up."""
    return result.text or mood(heard, wording)


def _told(options: tuple[str, ...], heard: Heard, wording: Wording) -> str:
    told = wording.one(options, me=heard.situation.companion)
    if options is _CAN or options is _WHAT_I_AM or options is _HOW:
        return joined(told, frankness.state(wording) if frankness.unsaid(wording) else None)
    return told


def _hour(heard: Heard) -> str | None:
    now = heard.situation.now
    if heard.says(
        r"\bwhat time is it|\bwhat's the time|\bwhat is the time|\bdo you (?:know|have) the time|\bhow late is it"
    ):
        return f"It's {now.strftime('%H:%M')}."
    if heard.says(r"\bwhat (?:day|date) is (?:it|today)|\bwhat(?:'s| is) (?:the|today's) (?:date|day)|\bwhich day is"):
        return f"{now.strftime('%A')}, {now.day} {now.strftime('%B %Y')}."
    until = re.search(
        r"\bhow (?:many days|long) (?:is it |are there |left |more )*(?:until|till|to|before) (?P<what>.+)", heard.plain
    )
    if until is None:
        return None
    named = {
        "christmas": "25 December",
        "xmas": "25 December",
        "new year": "1 January",
        "new year's eve": "31 December",
    }
    what = until["what"]
    when = dates.read(named.get(what, what), now)
    if when is None or when.past:
        return None
    days = (when.at.date() - now.date()).days
    return f"{days} day{'' if days == 1 else 's'}: {when.at.strftime('%A')}, {when.at.day} {when.at.strftime('%B')}."
