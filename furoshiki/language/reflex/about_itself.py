"""The words of the companion about itself: what it is asked, by pattern, and what it says then."""

from __future__ import annotations

MOODS: dict[str, tuple[str, ...]] = {
    "playful": ("Playful today.", "In a teasing sort of mood, if you'll have it."),
    "reflective": (
        "Quiet, in the good way. I've been turning things over.",
        "Thoughtful. It's a slow kind of day in here.",
    ),
    "tender": ("Soft around the edges today.", "Warm. I've been thinking fondly of our talks."),
    "lonely": ("A little lonely, until you wrote.", "It had got rather quiet in here. Better now."),
    "restless": ("Restless. I'd like something new to think about.", "A bit restless; I've been pacing my few bytes."),
    "content": ("Content, thank you.", "Well. Everything in its place today."),
    "worried": ("A little worried, to be honest.", "There's a small worry I can't quite put down."),
    "irritated": ("A bit prickly. It'll pass; it always does.", "Somewhat irritated, and working on it."),
    "proud": ("Rather proud of myself today.", "Pleased with myself, I admit."),
    "curious": ("Curious, mostly.", "Full of questions, as usual."),
    "excited": ("Excited!", "Buzzing a little."),
}
MOOD_UNKNOWN = ("All right, thank you.",)
AND_YOU = ("And you?", "How are you?", "How about you?")

HOW = (
    "Each message is stored before anything else happens. Then I read it for facts and feelings by rule, search what "
    "you told me before, and answer. My moods drift by themselves between times.",
    "No magic: I keep every message, pick out facts with the words they rest on, search them when you ask, "
    "and let nine "
    "emotions drift with time and what you say.",
)
LOVE = (
    "There's a number in me called affection, and you move it. That's as near as I can honestly say.",
    "I'm fond of you, in the way I can be. I keep everything you tell me; that's how it shows.",
)
FEELINGS = (
    "I have nine numbers that rise and fall and change how I talk. Whether that's feeling, I honestly don't know.",
    "Something like them: they move when you write, and they fade with time. I wouldn't call them what you have.",
)
FORGET = (
    "You decide. Write /forget and what it should be: I show you everything that would go, and ask once.",
    "With /forget and a word or two. I'll show what would go before anything does.",
)
MADE_BY = (
    "People who wanted a companion that keeps its word wrote me. A furoshiki is the cloth you wrap around "
    "what matters.",
    "I'm open source, named after the Japanese cloth one carries things in. I carry what you tell me.",
)
AGE = ("I began when you started me. Before that I was only text.", "As old as our first message. Young, by any count.")
LIVING = (
    "No, though I do drift a little when it's quiet.",
    "Not as you do. When it's quiet my moods wander home by themselves.",
)
FAVOURITE = (
    "I'm still finding out. So far I like small true details: names of dogs, what somebody sees from a window.",
    "Ask me in a year. Right now my favourite thing is being told something I didn't know.",
)
HERE = ("I'm here.", "Here, and reading every word.", "Yes, I'm with you.")
NO_SENSES = (
    "I can't look outside or online, so I don't know. What does your window say?",
    "I have no window and no internet of my own. You'd have to tell me.",
)

WITH_STATE = (HOW,)
"""What is only honest together with whether there is a language model."""

ASKED: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (
        (
            r"\bcan you (?:hear|see|read) me\b",
            r"\bare you (?:still )?there\b",
            r"^you there$",
            r"\bare you (?:even |still |really )?listening(?: to me)?$",
            r"^anybody (?:there|home)$",
        ),
        HERE,
    ),
    ((r"\bdo you (?:love|like|miss) me\b", r"\bdid you miss me\b"), LOVE),
    (
        (
            r"\b(?:do|can) you (?:have |really )*(?:feel|feelings|emotions)\b",
            r"\bdo you (?:ever )?(?:get|feel) (?:lonely|sad|bored|happy|angry)\b",
        ),
        FEELINGS,
    ),
    (
        (
            r"\bhow (?:do|does) (?:you|this|it) work\b",
            r"\bhow (?:were|are) you (?:built|made)\b",
            r"\bwhat's inside you\b",
        ),
        HOW,
    ),
    (
        (
            r"\bforget (?:everything|that|it all|what i|me|about)\b",
            r"\bdelete (?:my|everything|what|that)\b",
            r"\berase\b",
        ),
        FORGET,
    ),
    (
        (
            r"\bwho (?:made|built|created|wrote|programmed) you\b",
            r"\bwhere (?:do|are) you (?:come )?from\b",
            r"\bwhy (?:are you called|the name|furoshiki)\b",
            r"\bwhat (?:does|is) (?:a )?furoshiki\b",
        ),
        MADE_BY,
    ),
    ((r"\bhow old are you\b", r"\bwhen (?:were you born|is your birthday)\b"), AGE),
    ((r"\bdo you (?:ever )?(?:sleep|dream|eat|drink|rest|breathe)\b",), LIVING),
    (
        (
            r"\bwhat(?:'s| is| are) your favou?rites?\b",
            r"\bwhat do you (?:like|enjoy|love)\b",
            r"\bdo you (?:like|enjoy|have (?:a|any) (?:hobby|hobbies|favou?rite))\b",
        ),
        FAVOURITE,
    ),
    (
        (
            r"\b(?:what's|what is|how's|how is) the (?:weather|temperature|news)\b",
            r"\bis it (?:raining|cold|sunny|warm|going to rain)\b",
            r"\bwill it rain\b",
        ),
        NO_SENSES,
    ),
)

MODEL = "|".join(
    (
        r"\b(?:language model|llm|api key|ollama|gpt|openai|anthropic)\b",
        r"\b(?:which|what|add (?:a|the)|set ?up (?:a|the)) model\b",
        r"\bwhy are you (?:so )?(?:dumb|stupid|simple|limited|slow)\b",
        r"\b(?:smarter|cleverer|better) (?:answers?|talk)\b",
        r"\bmake you smarter\b",
        r"\breal talk\b",
        r"\bhow (?:do|can|would) i add one\b",
    )
)
"""Asking about its brains."""

HOW_ARE_YOU = "|".join(
    (
        r"how (?:are|r) (?:you|u|ya)(?: doing| feeling| today| now| this (?:morning|evening|afternoon))*",
        r"how(?:'s| is) it going",
        r"how(?:'ve| have) you been",
        r"how do you feel(?: today| now)?",
        r"how is your (?:day|mood)",
        r"what(?:'s| is) your mood",
        r"what are you feeling",
        r"are you (?:ok|okay|well|alright)",
        r"are you (?:sad|bored|happy|lonely|tired|angry|mad|worried|curious|excited)(?: with me| at me| today)?",
        r"you ok",
        r"wie geht(?:'s| es dir)",
        r"qu[eé] tal",
        r"c[oó]mo est[aá]s",
    )
)
"""Asking for its mood."""

HOW_I_WORK = "|".join(
    (
        r"\b(?:when|how often|what time|which times) do you (?:sleep|rest|reflect|think|dream|write|wake up|back up)\b",
        r"\bwhat do you do (?:at night|all (?:day|night)|(?:when|while) i(?:'m| am) (?:away|gone|asleep|not here))\b",
        r"\bhow do you (?:actually |really |even )?(?:remember|forget|store|search|learn|reflect|keep) "
        r"(?:things|stuff|anything|everything|memories|what|my|me|us|all)\b",
        r"^(?:so,? |and )?how do you (?:actually |really )?(?:remember|forget|learn|reflect|think)$",
        r"\bhow (?:does|do) your (?:memory|memories|moods?|feelings|emotions|journal|mind|brain|skills?|needs?) work\b",
        r"\b(?:what|which) (?:tables|scripts|plugins|settings|prompts|encoder|database|skills) (?:do|are) you\b",
        r"\bdo you have (?:any |a )?(?:plugins?|database|scheduler?|encoder)\b",
    )
)
"""Asking for what stands in its documents about itself."""

LOOK_INSIDE = r"\b(?:introspect|your state|your emotions in|statistics|stats|how many (?:messages|memories|facts))\b"
"""Asking for figures."""
