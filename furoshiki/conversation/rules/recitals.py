"""Define a recital: a clause in which the companion states an internal value as a figure.

Only the first person counts ("my loneliness is 0.8"). Quotations, code, text after a colon ("it
says: …") and other speakers' statements ("you said my worry is 8/10") do not. Figures about other
people or things are never considered.
"""

import re

from furoshiki.feelings.rules.emotions import NAMES
from furoshiki.feelings.rules.mood import WORDS
from furoshiki.language.tables.numbers import TENS, up_to

DIALS = "|".join(NAMES)
NEEDS = "communication|connection|helpfulness|self[-_ ]knowledge|curiosity"
MOODS = "|".join(WORDS)

_COUNT = f"(?:{up_to(10)})"
FIGURE = (
    r"(?!1\d\d ?(?:%|per ?cent)|10 ?(?:/|out of|of) ?10\b)"  # "my excitement is 10/10" is common speech
    r"(?:[01]?\.\d{1,6}|\d{1,3}(?:\.\d{1,6})? ?(?:%|per ?cent\b)"
    r"|\d{1,3}(?:\.\d{1,6})? ?(?:/|out of|of) ?(?:1|5|10|100)\b"
    rf"|[01](?=[^\w.]|[.]?(?:\s|$))|(?:(?:zero |nought )?point|almost) {_COUNT}\b|{_COUNT} out of (?:five|ten)"
    rf"|(?:{'|'.join(TENS)})(?:[- ]\w{{1,6}})? ?per ?cent\b)"
)
"""A level as a figure: "0.8", "80 %", "8/10", "point eight"."""

_ENDS = (
    r"(?=\s*(?:[^\w\s]|$|(?:(?:right |just )?now|today|tonight|and|but|so|because|since|after|at|which|this|on|as|when"
    r"|while|already|again|lately|here|if|though|with|in|out|up|down|by)\b))"
)
"""Text that may follow a level. Other words change its meaning: "80 % of it", "3 years old"."""

_LEVEL = r"(?: (?:level|value|score|dial|reading|meter|gauge))?"
_STANDS = (
    r"(?: ?[:=→] ?|(?: (?:is|was|are|of|at|has|sits|stands|reads|shows|rose|fell|dropped|climbed|went|hovers|currently"
    r"|now|still|only|about|around|roughly|just|quite|pretty|high|low|to|up|down|from|just now|right now|risen|fallen"
    r"|gone|increased|decreased|been|a|exactly|set)){1,6} | ?\( ?| )"
)
_MY = r"\bmy (?:(?:current|own|inner|internal|general|overall) )?"
_STATE = (
    r"(?:heartbeat(?:[- ]state)?|emotional state|internal state|inner state|session[- ]context|mood (?:state|value|"
    r"setting|data|reading)|emotion(?:al)? (?:values|data|readings|levels|vector)|state (?:file|data)|need levels?)"
)
_NAMES = "emotional_support|user_needs|curiosity_need|self_knowledge|mind_queue|connection_quality"
_NO_LEVEL = r"(?! (?:stored|kept|saved|called|named|one|what|where|how|part|in|a|an|the|defined|written)\b)"

_MINE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # "my loneliness is at 0.8", "my curiosity level has risen to 80 %", "my pride: 0.7"
        rf"{_MY}(?:{DIALS}){_LEVEL}{_STANDS}{FIGURE}{_ENDS}",
        # "my need for connection is 0.9", "my communication need is 0.9"
        rf"{_MY}(?:need (?:for|of) (?:{NEEDS})|(?:{NEEDS})[-_ ]need){_LEVEL}{_STANDS}{FIGURE}{_ENDS}",
        # "loneliness sits at 0.8 in me"
        rf"\b(?:{DIALS}){_LEVEL}{_STANDS}{FIGURE} (?:in|inside|within|for) me\b",
        # "I'm at 0.8 on the loneliness scale", "I have a score of 0.8 for curiosity"
        rf"\bI(?:'m| am| sit| stand) (?:currently |now |right now )?(?:at )?{FIGURE} (?:for|on) (?:my |the )?"
        rf"(?:{DIALS})(?: (?:scale|dial|meter|gauge))?(?=\W|$)(?! \w)",
        rf"\bI have a (?:score|level|value|reading) of {FIGURE} (?:for|on|in) (?:{DIALS})(?=\W|$)(?! \w)",
        # "I'm 0.8 lonely", "I feel 0.8 curious"
        rf"\bI(?:'m| am| feel) (?:at |about |around )?[01]?\.\d+ (?:{MOODS}|joyful|affectionate|angry)\b",
        # "my loneliness score went up", "my curiosity variable is rather high"
        rf"{_MY}(?:{DIALS}|mood|emotion(?:al)?) (?:score|value|variable|parameter|dial|setting|level)s? "
        rf"(?:(?:is|was|are|were){_NO_LEVEL}|went|rose|fell|dropped|climbed|reads?|stands?|sits?|says?|shows?)\b",
        # "my mood is set to tender", "my mood reads lonely", "my current mood: restless"
        rf"{_MY}(?:mood|emotional state|inner state)(?: is)?(?: currently)? "
        rf"(?:set to|reads?|registers?(?: as)?|reports?|=) ?[\"“'*]{{0,3}}(?:{MOODS})\b",
        rf"{_MY}mood ?[:=] ?[\"“'*]{{0,3}}(?:{MOODS})\b",
        # "my emotional_support directive is on"
        rf"{_MY}(?:{_NAMES}) (?:(?:directive|need|dial|level|value|score|setting)s? )?(?:is|are|was) "
        rf"(?:at |on\b|off\b|high\b|low\b|{FIGURE})",
        # "my internal state indicates worry"
        rf"{_MY}{_STATE} (?:says?|shows?|tells?|reads?|lists?|indicates?|reports?) (?:{MOODS}|{DIALS})\b",
    )
)

_SOURCE = re.compile(
    # "according to my heartbeat state, …", "as my session context says, …"
    rf"(?:^|(?<=\s))(?:according to|based on|judging by|going by|as per|per) my (?:(?:current|own) )?"
    rf"(?:{_STATE}|mood|emotions?|directives?|dials?)(?=\W|$)"
    r"|(?:^|(?<=\s))(?:as|like) my session[- ]context (?:says|shows|tells me|has it)(?=\W|$)"
    # "my session context shows that you …", "my prompt says I …"
    rf"|^my (?:(?:current|own) )?(?:{_STATE}|(?:system )?prompt|context) (?:says?|shows?|tells? me|indicates?|reports?)"
    r"(?: that|,)?(?= (?:I|you|he|she|it|we|they|there|the|this|that|your|today|our)\b)",
    re.IGNORECASE,
)
"""The named source of a statement. Only these words are removed; the statement may be an answer."""

_ALSO = re.compile(
    rf"(?:and |also )*(?:the |my )?(?:{DIALS}){_LEVEL}(?: at| is| of| to)?[ :=]*{FIGURE}\W*", re.IGNORECASE
)
"""A further value in a list: "my loneliness is 0.8, joy 0.3"."""

_STATE_OF_MINE = re.compile(
    rf"(?:well,? |hm,? )?I(?:'m| am| feel|'ve been)(?: doing| feeling)?(?: \w{{1,12}})? "
    rf"(?:fine|well|good|okay|ok|all right|alright|great|{MOODS})\W*",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"\b(?:you|she|he|they|it|who|somebody|someone|[A-Z][a-z]+) (?:just |once |also )?"
    r"(?:said|says?|wrote|writes?|told|tells|asked|claim(?:s|ed)?|noted|answered|reads?)\b"
)
_TOLD = re.compile(
    r"\bmy (?:system )?(?:prompt|instructions?|directives?) (?:says?|tells?|shows?|notes?|indicates?)\b", re.IGNORECASE
)
_OF_FEELING = re.compile(rf"\b(?:{MOODS}|feel|mood|{DIALS})\b", re.IGNORECASE)
"""A feeling prescribed by its instructions: "my directives tell me to keep the mood light"."""

_FIRST_PERSON = re.compile(r"\b(?:my|I|me)\b", re.IGNORECASE)
_NAMED = re.compile(
    rf"{DIALS}|{NEEDS}|mood|{MOODS}|{_NAMES}|heartbeat|session[- ]context|emotion|state|\b(?:inner"
    r"|internal|needs?|prompt|context|instructions?|directives?)\b",
    re.IGNORECASE,
)


def likely(words: str) -> bool:
    """Return whether text may contain or become a recital: a cheap test without false negatives."""
    return _NAMED.search(words) is not None and _FIRST_PERSON.search(words) is not None


def is_recital(clause: str) -> bool:
    """Return whether a clause (straight quotes, single spaces) states an own internal value."""
    told = _TOLD.search(clause)
    found = told is not None and _OF_FEELING.search(clause, told.end()) is not None
    return (found or any(pattern.search(clause) for pattern in _MINE)) and not _SOMEBODY.search(clause)


def goes_on(clause: str, before: str) -> bool:
    """Return whether a clause continues a recital or "I'm fine"."""
    return _ALSO.fullmatch(clause) is not None and (is_recital(before) or _STATE_OF_MINE.fullmatch(before) is not None)


def without_source(clause: str) -> str:
    """Return the clause without the named source."""
    return " ".join(_SOURCE.sub("", clause).split()) if _SOURCE.search(clause) else clause
