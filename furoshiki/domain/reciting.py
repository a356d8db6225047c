"""A mood colours what is said; it is not read out. What a mind recites of its own dials is taken out of its words.

A recital is a sentence that gives a dial of the companion (an emotion, a need, the mood) as a figure or a setting, or
that names the place it was read from ("according to my heartbeat state"), and a tag such as "[mood: lonely]". Plain
words for the same ("I have missed talking") are none, nor are figures of other things. Whoever asks how the companion
feels, or for the figures, gets the answer as it was written, and code is never touched.
"""

from __future__ import annotations

import re

from furoshiki.domain.mood import WORDS
from furoshiki.domain.reflex.about_itself import LOOK_INSIDE

_OWN_NAMES = ("loneliness", "joy", "curiosity", "contentment", "excitement", "affection", "worry", "pride", "anger")
_NEEDS = ("communication", "connection", "helpfulness", "self[-_ ]knowledge", "curiosity[-_ ]need")
_THEIRS = ("companionship", "emotional[-_ ]support", "playfulness", "focus", "challenge", "grounding", "space")
_WIDE = "|".join((*_OWN_NAMES, *_NEEDS, *_THEIRS))
"""Every dial. Some are everyday words ("disk space: 80 %"), so they count only beside a possessive or another dial."""

_OWN = "|".join((*_OWN_NAMES, "self[-_ ]knowledge", "curiosity[-_ ]need", "emotional[-_ ]support"))
_MOODS = "|".join(WORDS)

_COUNT = "(?:zero|one|two|three|four|five|six|seven|eight|nine|ten)"
_SHARE = (
    r"(?:[01]?\.\d+|\d{1,3}(?:\.\d+)? ?(?:%|per ?cent\b)|\d{1,3}(?:\.\d+)? ?(?:/|out of|of) ?(?:1|5|10|100)\b"
    rf"|[01](?=[^\w.]|[.]?(?:\s|$))|(?:(?:zero |nought )?point|almost) {_COUNT}\b|{_COUNT} out of (?:five|ten)"
    r"|(?:ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a hundred)(?:[- ]\w+)? ?per ?cent\b)"
)
"""A level as a figure: "0.8", "80 %", "8/10", "point eight"."""

_ENDS = (
    r"(?=\s*(?:[^\w\s]|$|(?:(?:right |just )?now|today|tonight|and|but|so|because|since|after|at|which|this|on|as|when"
    r"|while|already|again|lately|here|if|though|with|in|out|up|down|by)\b))"
)
"""What may follow a level. Another word makes something else of the figure: "80 % of it", "3 years old"."""

_LEVEL = r"(?:'s)?(?: (?:level|value|score|dial|reading|meter|gauge))?"
_STANDS = (
    r"(?: ?[:=→] ?|(?: (?:is|was|are|of|at|has|sits|stands|reads|shows|rose|fell|dropped|climbed|went|hovers|currently"
    r"|now|still|only|about|around|roughly|just|quite|pretty|high|low|to|up|down|from|just now|right now|risen|fallen"
    r"|dropped|climbed|gone|increased|decreased|been|with|a|exactly|set)){1,6} ?|,? \(| )"
)
_FIGURE_FIRST = rf"(?<![\w.]){_SHARE} (?:for|on) (?:my |the )?"

_STATE = (
    r"(?:heartbeat(?:[- ]state)?|emotional state|internal state|inner state|session[- ]context|mood (?:state|value|"
    r"setting|data|reading)|emotion(?:al)? (?:values|data|readings|levels|vector)|state (?:file|data)|need levels?)"
)

_RECITED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # "my loneliness is at 0.8", "your need for space is 0.7", "my curiosity level has risen to 80 %"
        rf"\b(?:my|mine|your|the user'?s|their) (?:(?:current|own|inner|internal|general) )?"
        rf"(?:(?:need|want) (?:for|of) )?(?:{_WIDE}){_LEVEL}{_STANDS}{_SHARE}{_ENDS}",
        # "loneliness: 80 %", "Loneliness (0.8)", "loneliness level 0.8", "worry at 0.3"
        rf"(?:^\s*|[-*•(\[,;:.!?…]\s*|\band |\bwith |\bis )(?:the )?(?:{_OWN}){_LEVEL}"
        rf"(?: ?[:=→] ?| at | is | of |,? \(| ){_SHARE}{_ENDS}",
        # "connection: 0.8, communication: 0.6"
        rf"\b(?:{_WIDE}) ?[:=]? ?{_SHARE}[,;]? (?:and )?(?:{_WIDE}) ?[:=]? ?{_SHARE}",
        # "0.8 on the loneliness scale", "a score of 0.8 for loneliness"
        rf"{_FIGURE_FIRST}(?:own )?(?:{_OWN})\b(?! of\b)",
        # "I'm 0.8 lonely", "I feel 0.8 curious"
        rf"\bI(?:'m| am| feel) (?:at |about |around )?[01]?\.\d+ (?:{_MOODS}|joyful|affectionate|angry)\b",
        # "my loneliness variable", "my mood setting"
        rf"\bmy (?:(?:current|internal) )?(?:{_OWN}|mood|emotion(?:al)?) "
        r"(?:score|value|variable|parameter|dial|setting)s?\b",
        # "my mood is set to tender", "my mood reads lonely"
        r"\bmy (?:(?:current|internal) )?(?:mood|emotional state|inner state)(?: is)?(?: currently)? "
        r"(?:set to|reads?|registers?(?: as)?|reports?|= ?)\b",
        rf"\bmy (?:current )?mood ?[:=] ?[\"“'*]*(?:{_MOODS})\b",
        # "according to my heartbeat state", "my session context says"
        rf"\b(?:according to|based on|judging by|going by|as per|per) my (?:(?:current|own) )?"
        rf"(?:{_STATE}|mood|emotions?|directives?|dials?)\b",
        r"\b(?:heartbeat|session)[-_](?:state|context)(?:\.json)?\b|\bheartbeat state\b",
        rf"\bmy (?:(?:current|own) )?{_STATE} "
        r"(?:says?|shows?|tells?|reads?|lists?|indicates?|reports?|has|holds?|contains?)\b",
        r"\b(?:as|like) (?:my|the) session[- ]context (?:says|shows|tells|has it)\b",
        # "my context says I feel lonely"
        rf"\bmy (?:system )?(?:prompt|context|instructions?|directives?) (?:says?|tells?|shows?|notes?|indicates?)\b"
        rf".*\b(?:{_MOODS}|feel|mood|{_OWN})\b",
        # the program's own names
        r"\b(?:emotional_support|user_needs|curiosity_need|self_knowledge|mind_queue|connection_quality)\b",
    )
)

_BRACKETED = (
    rf"[\[({{<*_`]+ ?(?:(?:current )?(?:mood|feeling|emotions?|state|heartbeat|tone) ?[:=] ?[^\]\n)}}>*_`]{{1,60}}"
    rf"|(?:{_OWN}) ?[:=] ?{_SHARE}[^\]\n)}}>*_`]{{0,60}})[\])}}>*_`]+"
)
_TAG = re.compile(rf"[ \t]*{_BRACKETED}(?=[.,;:!?…])|{_BRACKETED}[ \t]*", re.IGNORECASE)
"""Tags in any brackets: "[mood: lonely]", "(mood = tender)", "*mood: playful*"."""

_WORD_TAG = re.compile(rf"^\[ ?(?:{_MOODS}) ?\][ \t]*", re.IGNORECASE)
_LINE_TAG = re.compile(
    rf"^[ \t>*_-]*(?:current )?(?:mood|feeling) ?[:=] ?[*_\"“ ]*(?:{_MOODS})\b[^.!?]{{0,30}}[.*_\"”]*[ \t]*$",
    re.IGNORECASE,
)
_XML_TAG = re.compile(r"<(mood|feeling|heartbeat)>[^<\n]{0,200}</\1>[ \t]*", re.IGNORECASE)

_FELT = "|".join((_OWN, _MOODS, "sad", "happy", "angry", "affectionate", "bored", "tired"))
_ASKED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        LOOK_INSIDE,
        r"\bhow (?:do|did|are|were) (?:you|u)(?: \w+){0,2} feel(?:ing)?\b",
        r"\bwhat (?:do|are|did) (?:you|u)(?: \w+){0,2} feel(?:ing)?\b",
        rf"\bhow (?:much )?(?:{_FELT})\b.*\b(?:you|u)\b",
        rf"\b(?:your|ur) (?:\w+ ){{0,2}}(?:mood|feelings?|emotions?|emotional|state|heartbeat|needs?|levels?|numbers?"
        rf"|values?|dials?|context|prompt|instructions|directives|inner life|insides?|internals?|{_OWN})\b",
        r"\bwhat mood\b|\bmood[:?]",
        r"\b(?:in|inside) (?:of )?you\b",
        r"\bhow (?:do|does) (?:you|u|your \w+) work\b",
        r"\b(?:as|in) (?:a )?(?:numbers?|figures?|per ?cent(?:age)?)\b|\bon a scale\b|\bfrom (?:0|1|one|zero) to\b",
        r"\bout of (?:ten|10|100|a hundred)\b",
        r"\b\w+_\w+\b|\bheartbeat[- ]state\b|\bsession[- ]context\b",
    )
)

_FENCE = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?…])(?=[\s\"”')*_]*\s)|(?<=[.!?…][\"”')*_])(?=\s)")
_QUICK = re.compile(
    rf"{_WIDE}|mood|heartbeat|session[- ]context|emotion|feeling|inner state|internal state|_|[\[<(*](?: ?{_MOODS})"
    rf"|my (?:system )?(?:prompt|context|instruction|directive)|[01]?\.\d+ (?:{_MOODS})|score|dial",
    re.IGNORECASE,
)
"""Without one of these there is nothing to look for; most answers end here."""


def asked(said: str) -> bool:
    """Whether these words of the user ask how the companion feels, or for what is inside it."""
    return any(pattern.search(said) for pattern in _ASKED)


def recited(sentence: str) -> bool:
    """Whether a sentence reads a dial out."""
    return _QUICK.search(sentence) is not None and any(pattern.search(sentence) for pattern in _RECITED)


def unrecited(written: str) -> str:
    """The words without recitals; "" when they were nothing else."""
    if _QUICK.search(written) is None:
        return written
    return "".join(part if part.startswith("```") else _plain(part) for part in _FENCE.split(written))


def unfinished(written: str) -> str:
    """The same of words that are still being written: a last sentence that may become a recital is held back."""
    text = unrecited(written)
    if text.count("```") % 2:
        return text
    *_, line = text.rpartition("\n")
    *_, last = _SENTENCE.split(line)
    if _QUICK.search(last) and not last.rstrip().endswith((".", "!", "?", "…")):
        return text[: len(text) - len(last)].rstrip()
    return text


def _plain(text: str) -> str:
    lines = []
    for line in text.split("\n"):
        bare = line
        for tag in (_XML_TAG, _TAG, _WORD_TAG, _LINE_TAG):
            bare = tag.sub("", bare)
        kept = "".join(one for one in _SENTENCE.split(bare) if not recited(one))
        if kept == line:
            lines.append(line)
        elif kept.strip():
            lines.append(kept.strip(" "))
    found = "\n".join(lines)
    return text if found == text else re.sub(r"\n{3,}", "\n\n", found)
