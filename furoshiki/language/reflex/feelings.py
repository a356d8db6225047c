"""Answering what somebody feels: shortly and warmly. What is heavy was answered before (`care`)."""

from __future__ import annotations

from furoshiki.language.reflex.hearing import Heard
from furoshiki.language.reflex.values import Reflex
from furoshiki.language.reflex.wording import Wording, join_sentences

_HEARD: dict[str, tuple[str, ...]] = {
    "sadness": (
        "I'm sorry{name}. That sounds heavy.",
        "That hurts, I can hear it.",
        "Oh. I'm sorry.",
        "That's a lot to carry.",
    ),
    "worry": (
        "I can hear that it's pressing on you.",
        "That would keep anybody's mind busy.",
        "That sounds like a knot in the stomach.",
    ),
    "anger": (
        "That would make me angry too, if I were built for it.",
        "I can hear how angry that makes you.",
        "No wonder you're angry.",
    ),
    "frustration": ("Ugh. That's maddening.", "That sounds tiresome, honestly.", "I can hear you've had enough of it."),
    "excitement": (
        "Oh, that's lovely!",
        "I can feel that from here.",
        "That's good news, and I'm glad you brought it to me.",
        "Ha, wonderful.",
    ),
    "relief": ("Good. Breathe out.", "I'm glad that's behind you.", "What a weight off."),
    "warmth": (
        "That warms me, in the way I can be warmed.",
        "I'm fond of you too, in my fashion.",
        "That's a kind thing to say.",
    ),
    "praise": ("Thank you{name}. I'll keep that one.", "That's kind of you.", "You've made a small program proud."),
    "disengagement": (
        "All right. I'm here when you want me.",
        "Fair enough. No need to talk.",
        "Then let's leave it. I'm around.",
    ),
}
_STAY: dict[str, tuple[str, ...]] = {
    "sadness": ("Do you want to tell me about it?", "Tell me as much or as little as you like.", "What happened?"),
    "worry": ("What's the worst part of it?", "When will you know more?", "What would help a little, just for today?"),
    "anger": ("What happened?", "What would you like to say to them, if nobody could hear?"),
    "frustration": ("What got in the way?", "What would make it easier?"),
    "excitement": ("Tell me more!", "What was the best moment?", "Who did you tell first?"),
    "relief": ("How do you feel now?",),
    "warmth": (),
    "praise": (),
    "disengagement": (),
}
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
# "not much, just got home" tells something; only a clear turning away is taken as one
_TURNED_AWAY = 0.85
_WAVED_OFF = frozenset(
    {"whatever", "meh", "not now", "boring", "never mind", "nevermind", "nvm", "leave it", "forget it"}
)
# an aching knee is no grief
_BODY = (
    r"\b(?:head|back|hands?|knees?|foot|feet|legs?|arms?|neck|shoulders?|tooth|teeth|stomach|throat|eyes?|ears?|belly|ankle)"
    r" (?:still |really |just )?(?:hurts?|aches?|is sore|are sore|is killing me)"
)
_DISPLEASED = (
    r"\byou (?:don't|didn't|never) (?:understand|listen|get)"
    r"|\byou(?:'re| are) (?:so |really |pretty |just |a |an |such a |very )*"
    r"(?:stupid|dumb|useless|annoying|boring|idiot|moron|terrible|bad|awful|rubbish|slow|wrong)\b"
    r"|\b(?:shut up|fuck (?:you|off))\b"
)


def hold_back(heard: Heard, wording: Wording) -> Reflex | None:
    """Something told with the wish that it be forgotten: heard, and no word of keeping it."""
    return Reflex(wording.one(_IN_CONFIDENCE)) if heard.asks_to_forget and not heard.asks else None


def complain(heard: Heard, wording: Wording) -> Reflex | None:
    """Displeasure with our own last reply."""
    if heard.situation.nlp.explicit_feedback != "negative" and not heard.says(_DISPLEASED):
        return None
    if not wording.replies or heard.facts or len(heard.plain.split()) > 14:
        return None
    return Reflex(wording.one(_AT_US))


def feel(heard: Heard, wording: Wording) -> Reflex | None:
    """The strongest feeling in the message gets a warm line, and room to go on."""
    if heard.says(_BODY) and not heard.asks:
        return Reflex(wording.one(_ACHES))
    signals = heard.situation.signals
    felt = signals.strongest
    if felt is None or felt not in _HEARD or signals.strength(felt) < 0.5 or heard.asks:
        return None
    if felt == "disengagement" and signals.strength(felt) < _TURNED_AWAY and heard.plain not in _WAVED_OFF:
        return None
    stay = wording.unused(_STAY[felt]) if _STAY[felt] and wording.may_ask else None
    return Reflex(join_sentences(wording.one(_HEARD[felt]), stay))


def heavy(wording: Wording) -> bool:
    """Whether something sad or worrying was answered just now."""
    lines = [line.replace("{name}", "") for felt in ("sadness", "worry") for line in _HEARD[felt]]
    return any(line.split(".")[0] in reply for line in lines for reply in wording.replies[-3:])


def tone(heard: Heard, wording: Wording) -> str | None:
    """A word of feeling to open a reply that is about something else; only where it would be cold without."""
    signals = heard.situation.signals
    felt = signals.strongest
    if felt in ("sadness", "worry", "relief") and signals.strength(felt) >= _TONE:
        return wording.one(_HEARD[felt])
    return None
