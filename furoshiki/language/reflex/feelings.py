"""Short, warm replies to feelings. Distress was answered before (`care`)."""

from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import Wording, join_sentences
from furoshiki.language.requests.lines import read_lines

_HEARD, _STAY = read_lines("heard_feeling"), read_lines("stay")
_ACHES = (
    "Ouch. Be kind to yourself today; and if it stays, let somebody look at it who knows more than I do.",
    "That sounds sore. Can you rest it a little?",
    "Ow. I hope it eases soon.",
)
_AT_US = (
    "You're right to be annoyed. I only follow rules here, and I got that wrong. Tell me plainly what you meant?",
    "I'm sorry, that was no help. Say it another way, and I'll try again.",
    "Point taken. I'm simple without a language model; what did you mean?",
)


_IN_CONFIDENCE = ("I hear you.", "All right, I've heard you.", "I hear you{name}.")
_TONE = 0.3
# "not much, just got home" is news; only clear disengagement counts
_TURNED_AWAY = 0.85
_SHORTLY = 4
"""Most words of a message that only wants to be left alone."""
_WAVED_OFF = frozenset(
    {"whatever", "meh", "not now", "boring", "never mind", "nevermind", "nvm", "leave it", "forget it"}
)
# an aching knee is not grief
_BODY = (
    r"\b(?:head|back|hands?|knees?|foot|feet|legs?|arms?|neck|shoulders?|tooth|teeth|stomach|throat|eyes?|ears?|belly|ankle)"
    r" (?:still |really |just )?(?:hurts?|aches?|is sore|are sore|is killing me"
    r"|(?:is|are|keeps?) (?:giving|causing) me (?:trouble|grief|gyp|pain))"
)
_OF_OTHERS = r"\b(?:i|we|my|he|he's|she|she's|they|they're|his|her)\b"
_OF_US = (
    r"\b(?:you|your|yours|u|ur|ily|hugs?|kiss(?:es)?|x{1,5}|thank\w*|thx|well done"
    r"|good (?:bot|job|boy|girl))\b"
)
_DISPLEASED = (
    r"\byou (?:don't|didn't|never) (?:understand|listen|get)"
    r"|\byou(?:'re| are) (?:so |really |pretty |just |a |an |such a |very )*"
    r"(?:stupid|dumb|useless|annoying|boring|idiot|moron|terrible|bad|awful|rubbish|slow|wrong)\b"
    r"|\b(?:shut up|fuck (?:you|off)|(?:you|u) suck|i hate you)\b"
)


def hold_back(heard: Heard, wording: Wording) -> Reflex | None:
    """Acknowledge a message to be forgotten, without saying that it is stored."""
    return Reflex(wording.one(_IN_CONFIDENCE)) if heard.asks_to_forget and not heard.asks else None


def complain(heard: Heard, wording: Wording) -> Reflex | None:
    """React to displeasure with the last reply."""
    if heard.situation.nlp.explicit_feedback != "negative" and not heard.says(_DISPLEASED):
        return None
    if not wording.replies or heard.facts or len(heard.plain.split()) > 14:
        return None
    return Reflex(wording.one(_AT_US))


def feel(heard: Heard, wording: Wording) -> Reflex | None:
    """Reply warmly to the strongest feeling in the message, leaving room to continue."""
    if heard.says(_BODY) and not heard.asks:
        return Reflex(wording.one(_ACHES))
    felt, strengths = heard.situation.strongest_feeling, heard.situation.felt
    if felt is None or felt not in _HEARD or strengths[felt] < 0.5 or heard.asks:
        return None
    if felt in ("warmth", "praise") and heard.says(_OF_OTHERS) and not heard.says(_OF_US):
        return None  # "he's so cute" is not about the companion
    if (
        felt == "disengagement"
        and heard.plain not in _WAVED_OFF
        and (strengths[felt] < _TURNED_AWAY or len(heard.plain.split()) > _SHORTLY)
    ):
        return None  # "idk what to do with my life" turns to somebody
    stay = wording.unused(_STAY[felt]) if _STAY[felt] and wording.may_ask else None
    return Reflex(join_sentences(wording.one(_HEARD[felt]), stay))


def heavy(wording: Wording) -> bool:
    """Return whether sadness or worry was answered recently."""
    lines = [line.replace("{name}", "") for felt in ("sadness", "worry") for line in _HEARD[felt]]
    return any(line.split(".")[0] in reply for line in lines for reply in wording.replies[-3:])


def tone(heard: Heard, wording: Wording) -> str | None:
    """Return a word of feeling to open a reply about something else, where it would seem cold."""
    felt, strengths = heard.situation.strongest_feeling, heard.situation.felt
    if felt in ("sadness", "worry", "relief") and strengths[felt] >= _TONE:
        return wording.one(_HEARD[felt])
    return None
